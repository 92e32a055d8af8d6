// Package figure draws a world as vector graphics, for papers: SVG, PDF, or any other canvas of
// gonum.org/v1/plot/vg.
//
// Regions are polygons. Their borders are straight, or arcs of hyperbolas; both are followed with
// exact answers of the map, through a mesh of triangles with sides up to 4 points, and to 1 point
// where regions meet: a border is right to a sixteenth of a point where it crosses a side, arcs are
// chords of it, and then points are left out that move a border by an eighth of a point at most. A region narrower than that may be missed, and beside a wall of no thickness
// regions may reach over it by a side. Isolines are interpolated along sides. A point is 1/72 inch,
// and the pixel of a picture of the same size. SVG has coordinates with five digits.
package figure
