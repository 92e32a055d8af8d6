// Package scenes is the scene document: its types, reading, checking and writing. It does not use a
// GPU. Package builtin holds the built-in scenes, package formats imports other formats.
//
// A scene is one JSON document that describes a world: the ground, obstacles, goals and agents. It
// is written by hand, by the viewer and by importers, so comments and trailing commas are allowed,
// and only the version, the domain and a goal are required. Lengths are meters, times seconds,
// angles degrees; x points right, y up. The example of Read is a whole scene in ten lines.
//
// # Reading
//
// Read reports every mistake of a document, with line, column, the path of the field and what is
// allowed:
//
//	town.json:12:31: $.profiles[0].radius: radius has to be above 0 m, got -0.25
//
// It works in three steps: read.go decodes the document into the types of scene.go, by their tags,
// which hold names, units, limits and defaults (fields.go); complete.go fills in the defaults that
// depend on other fields; check*.go check what concerns more than one field: polygons, ids, sources
// in the interior of obstacles (on the exact ground of package geom), room for agents to start. A
// scene that Read returns needs no further check. Only placing the agents shows how many fit
// between obstacles; that is part of package agents.
//
// # Time and ground
//
// Obstacles open (timeline.go) and move (motion.go). Scene.GroundAt is the ground of a time, on
// which Goal.SourcesOn returns a goal's sources (sources.go).
//
// # Building and writing
//
// New starts a scene in a program. Scene.Checked returns the scene that Read makes of its document,
// filled in and checked, and engine.New calls it. Scene.Encode writes a scene: equal scenes give
// equal bytes, fields with their default value are left out, and Read gives back an equal scene.
// Schema is the JSON Schema of the format, for completion in an editor; a test compares it with the
// types.
//
// # Size
//
// The package has more than ten files and 2,000 lines, a quarter of them the types: reading,
// checking, completing and writing share the table of fields that is made of the types' tags, and
// the places of the document that is read.
package scenes
