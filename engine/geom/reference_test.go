package geom

import "github.com/wayfront/wayfront/engine/geom/internal/lattice"

// sameWay reports whether b lies in the direction of a from at, the three being collinear.
func sameWay(at, a, b Point) bool { return lattice.Dot(at, a, at, b) > 0 }

// onRun reports whether p lies on the closed segment from at to end.
func onRun(at, end, p Point) bool {
	return Orient(at, end, p) == Collinear &&
		min(at.X, end.X) <= p.X && p.X <= max(at.X, end.X) &&
		min(at.Y, end.Y) <= p.Y && p.Y <= max(at.Y, end.Y)
}

// Lit reports whether p is lit from the generator a: the rule of sight, for rays turned to the
// left, over all walls, which shades a map.
//
// a.At itself is lit, and so are the points of the run of walls from there to a.To: a ray along it
// is turned out of the sector, but a path may follow the wall.
func (g *Ground) Lit(a Sector, p Point) bool {
	return p == a.At || onRun(a.At, a.To, p) || g.clear(a, p, Left)
}

// LitFrom is Lit for a parallel light field. The points of its segment are lit.
func (g *Ground) LitFrom(b LightField, p Point) bool {
	return b.Faces(p) && b.Above(p) == 0 || g.clearFrom(b, p, Left)
}

// segmentsTouch reports whether two closed segments, which may be points, have a point in common.
func segmentsTouch(a, b, c, d Point) bool {
	return onRun(a, b, c) || onRun(a, b, d) || onRun(c, d, a) || onRun(c, d, b) ||
		Orient(a, b, c)*Orient(a, b, d) < 0 && Orient(c, d, a)*Orient(c, d, b) < 0
}

// Faces returns the free triangles listed for the cell of p, a point of the domain: all that
// contain p, and some more. They are shared: the caller must not write to them.
func (f *FaceGrid) Faces(p Point) []uint32 {
	shift := f.Shift
	cell := f.Cells[p.Y>>shift*f.Columns+p.X>>shift]
	for cell.Count == FaceSplit {
		shift -= splitBits
		const mask = 1<<splitBits - 1
		cell = f.Cells[cell.First+uint32(p.Y>>shift&mask<<splitBits|p.X>>shift&mask)]
	}
	return f.Items[cell.First : cell.First+cell.Count]
}
