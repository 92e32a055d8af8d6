// Package scenes reads, checks and writes scene documents, and holds the
// built-in scenes. It knows nothing of graphics.
//
// A scene is one JSON document that describes a world: the ground, what stands
// on it, where people want to go, who they are and how they walk. It is written
// by hand, by the viewer and by importers, so it reads well, comments and
// trailing commas are fine, and only the version, the domain and a goal have to
// be there. Lengths are metres, times seconds, angles degrees; x points right, y
// up. The example of Read is a whole scene in ten lines.
//
// # Reading
//
// Read takes a document apart once and tells everything that is wrong with it,
// each problem with line, column, the path of the field and what is allowed:
//
//	town.json:12:31: $.profiles[0].radius: radius has to be above 0 m, got -0.25
//
// It goes in five steps, each a file:
//
//   - scan.go looks over the text: its size, its depth, and words such as NaN.
//   - read.go parses it and decodes it into the types of scene.go, guided by
//     their tags, which hold names, units, limits and defaults (fields.go).
//   - complete.go fills in the defaults that depend on other fields.
//   - check*.go check what concerns more than a field: polygons, ids, sources in
//     the interior of obstacles (on the exact ground of package geom), room for
//     people to start.
//   - effect.go notes what the format has but the program does not do yet.
//
// # Time
//
// Obstacles open and move. Obstacle.PresentAt and Obstacle.PolygonAt tell whether one is there at a time, and where
// (timeline.go); Scene.GroundAt is the ground of a time, on which Goal.SourcesOn says what a goal leads to (sources.go).
//
// # What is sure
//
// A scene that Read returns is sound and whole: every default is filled in, and
// whoever gets it need not check it again. What only placing the people can tell,
// such as how many fit between obstacles, package agents finds out.
//
// # Building scenes in a program
//
// New starts a scene of a domain. What a program leaves out is zero; Scene.Checked returns the scene that Read makes of its
// document, filled in and checked, and engine.New calls it. See Scene for which zeros are values.
//
// # Writing
//
// Scene.Encode writes a scene so that equal scenes give equal bytes, fields with
// their default value are left out, and Read gives back an equal scene.
//
// # In an editor
//
// Schema is the JSON Schema of the format. Editors that know JSON Schema complete
// and check scene files once they are told that it belongs to them; a test holds
// it against the types.
//
// # Built-in scenes
//
// List names them and Load loads them. Maps: those of Table 1 of Farias and Kallmann,
// Improved Shortest Path Maps with GPU Shaders (2018), with the paper's numbers of
// polygons and vertices. Crowds: those of Guy et al., ClearPath (clearpath.go, bowl.go,
// city.go), and of Bleiweiss, Multi Agent Navigation on the GPU (bleiweiss.go), both
// 2009, with the papers' numbers of people and obstacles; the evacuations of both are
// of one floor (office.go). And the plaza, which is shown where no scene is asked for.
// The generated ones are Go code, the drawn ones files in assets/scenes. Some exist in
// any size (family.go).
package scenes
