// Package wkt reads and writes well-known text as JuPedSim means it: a polygon is walkable ground,
// its holes are obstacles, and of several polygons the union counts. What remains of their bounding
// box becomes obstacles.
//
// The reader is not that of package simplefeatures, since a message has to have the place, down to
// the vertex at which a ring crosses itself.
package wkt
