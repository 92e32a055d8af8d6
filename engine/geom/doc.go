// Package geom turns obstacles into exact ground.
//
// Paths turn at corners, and whether a corner sees another hangs on signs that
// floating point gets wrong just where it matters: walls in a row, obstacles
// that touch, gaps of no width. So coordinates are rounded once, to a lattice
// of 2^20 steps over the longer side of the domain, and from there on every
// decision is made with integers and is right. There is no tolerance anywhere.
//
// Build goes through these stages, each in a file of its own:
//
//	clip           rings onto the lattice, cut off at the domain's border
//	arrangement    snap rounding: edges that neither cross nor overlap
//	meet           its inner loop, which edges and points are near one another
//	triangulation  Delaunay triangulation of all vertices, exact predicates
//	constrain      the edges of the arrangement put into it
//	order          triangles in the one order that depends on nothing but them
//	ground         winding numbers over the triangles: covered or free; walls
//	sector         free sectors around the vertices, and corners
//	locate         which triangle a point is in
//
// That a triangle is covered if its winding number is positive is the union of
// the obstacles, computed exactly and without a polygon library: the winding
// numbers add up as the edges do.
//
// Where obstacles move, a Plan keeps them and changes only what is around them:
// draft is an arrangement kept up to date, and amend a triangulation. As each
// stage has one result, whatever the order of the work, the ground is Build's.
//
// A Ground is the result. Its corners are the only points that shortest paths
// turn at, its sectors say between which walls light from a point can leave,
// its walls are what stops it, and its triangles lead from one place to the
// next. The rule of sight (file rule) is made of orientation signs only, so that
// the same rule on the GPU gives the same answer.
//
// Before all that, Polygon checks, merges and grows what users give, on float64
// coordinates, exactly where a decision is made.
//
// Sources: J. D. Hobby, Practical segment intersection with finite precision
// output, 1999; L. Guibas and D. Marimont, Rounding arrangements dynamically,
// 1998; C. L. Lawson, Software for C1 surface interpolation, 1977; N. Amenta,
// S. Choi and G. Rote, Incremental constructions con BRIO, 2003; M. V. Anglada,
// An improved incremental algorithm for constructing restricted Delaunay
// triangulations, 1997; J. R. Shewchuk and B. C. Brown, Fast segment insertion
// and incremental construction of constrained Delaunay triangulations, 2015.
package geom
