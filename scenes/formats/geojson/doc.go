// Package geojson reads and writes GeoJSON (RFC 7946), in meters of a plane or in degrees, which
// are projected (globe.go).
//
// The role of a feature is in its property role, or else class, layer, type or name: the first of
// these that names one. Polygons without a role are obstacles, points and lines are goals if no
// others are. The property count is the number of agents of a spawn, clearance and arrivalRadius
// are a goal's, id names the shape.
//
// The reader is not that of package simplefeatures, since a message has to have the place, and
// lists may be incomplete; the writer is.
package geojson
