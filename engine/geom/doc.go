// Package geom makes exact ground of obstacles and answers questions of sight on it.
//
// Paths turn at corners, and whether a corner sees another depends on signs that floating point
// gets wrong where it matters: walls in a row, obstacles that touch, gaps of no width. So
// coordinates are rounded once, to a lattice of 2^20 steps over the longer side of the domain, and
// from there on every decision is made with integers and is right. There is no tolerance anywhere.
//
// Build makes the ground in these steps:
//
//	internal/arrangement    snap rounding: edges that neither cross nor overlap
//	internal/triangulation  constrained Delaunay triangulation, exact predicates
//	ground                  winding numbers over the triangles: covered or free; walls
//	sector                  free sectors around the vertices, and corners
//
// A triangle is covered if its winding number is positive: the union of the obstacles, exactly and
// without a polygon library, since winding numbers add up as the edges do.
//
// Where obstacles move, a Builder updates the arrangement and the triangulation around them. Each
// step has one result, whatever the order of the work, so the ground is Build's.
//
// A Ground is the result. Its corners are the only points that shortest paths turn at, its sectors
// say between which walls light from a point can leave, its walls stop it, and its triangles lead
// from one place to the next. The rule of sight (sight.go) consists of orientation signs only, so
// the same rule on the GPU gives the same answer. Segments that sources stand along are cut in
// segment.go; lightfield.go has the light that they send, viewer and grids speed up the questions.
//
// Package polygon checks, merges, grows and clips polygons, on float64 coordinates.
//
// The package has more than 2,000 lines because sight, sectors and location are methods of Ground
// that share its triangulation.
package geom
