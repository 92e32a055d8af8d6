package geom

// Ground is the exact division of a domain into free and covered triangles,
// with the walls between them and the corners that shortest paths turn at.
// It is immutable and may be read from any goroutine.
type Ground struct {
	Lattice Lattice
	// Vertices are sorted by X, then by Y.
	Vertices []Point
	// Triangles cover the whole domain, free and covered ground alike.
	Triangles []Triangle
	// Walls are sorted by A, then by B.
	Walls []Wall
	// Corners are the free sectors wider than pi, sorted by At: the only points
	// where a shortest path can turn. No vertex has more than one.
	Corners []Sector

	// index serves Viewer, which fills it when it is first needed.
	index sightIndex
}

// Triangle is one triangle of a Ground.
type Triangle struct {
	// V are the vertices, counter-clockwise, as indices into Ground.Vertices.
	V [3]int32
	// N are the neighbours across the edges V[i] to V[(i+1)%3], as indices into
	// Ground.Triangles; -1 outside the domain.
	N [3]int32
	// Wall says which of the edges are walls.
	Wall [3]bool
	// Free is false where obstacles cover the triangle.
	Free bool
}

// Wall is an edge that bounds free ground. Its vertices are indices into
// Ground.Vertices, A below B.
type Wall struct {
	A, B int32
	// Left and Right say on which sides, seen from A to B, the ground is free:
	// at least one. Both: an obstacle thinner than the lattice, kept as a wall
	// of no thickness.
	Left, Right bool
	// Border is true on the domain's border.
	Border bool
}

// SectorKind says how wide a sector is.
type SectorKind uint32

// The kinds of sectors.
const (
	// SectorAll is the full turn: no wall here, or the tip of a wall of no
	// thickness.
	SectorAll SectorKind = 0
	// SectorConvex is less than pi.
	SectorConvex SectorKind = 1
	// SectorStraight is exactly pi.
	SectorStraight SectorKind = 2
	// SectorReflex is more than pi.
	SectorReflex SectorKind = 3
)

// Sector is a fan of free ground around the point At. It runs
// counter-clockwise from the ray At->From to the ray At->To. From and To are
// the far ends of the collinear wall runs that bound it: the runs go on over
// vertices whose sector on that side is straight. At the tip of a wall of no
// thickness Kind is SectorAll and From and To are both the far end of its run;
// in open ground they equal At.
type Sector struct {
	At, From, To Point
	Kind         SectorKind
}

// Build divides the domain of l by the obstacles.
func Build(l Lattice, obstacles []Polygon) (*Ground, error) {
	return nil, nil
}

// SnapSlack bounds, in lattice steps along either axis, how far a rounded
// point may lie behind a wall that it was in front of before rounding.
const SnapSlack = 3

// Locate returns a triangle that contains p, borders included.
func (g *Ground) Locate(p Point) int32 { return -1 }

// Free reports whether p is in closed free space.
func (g *Ground) Free(p Point) bool { return false }

// NearestFree returns the free lattice point nearest to p.
func (g *Ground) NearestFree(p Point, within int32) (Point, bool) { return Point{}, false }

// Sectors returns the free sectors at p.
func (g *Ground) Sectors(p Point) []Sector { return nil }
