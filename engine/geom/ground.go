package geom

import (
	"cmp"
	"slices"
	"sync"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/arrangement"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
	"github.com/wayfront/wayfront/engine/geom/internal/triangulation"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// The integer coordinates of a domain, and the polygons that become obstacles.
type (
	// Point is a point of the lattice, in steps from the domain's lower left corner. Inside a
	// domain both coordinates are in 0..Steps.
	Point = lattice.Point
	// Lattice lays integer coordinates over a domain.
	Lattice = lattice.Lattice
	// Side says on which side of a directed line a point lies: Left, Right or Collinear.
	Side = lattice.Side
	// Ring is a closed chain of vertices of either orientation. Units: m.
	Ring = polygon.Ring
	// Polygon is the closed region inside a ring less the open regions inside its holes.
	Polygon = polygon.Polygon
	// LimitError reports that obstacles are too intricate to make ground of.
	LimitError = polygon.LimitError
	// VertexError reports a vertex of an obstacle that cannot be put on the lattice.
	VertexError = arrangement.VertexError
)

// Constants of the lattice and limits of obstacles.
const (
	// Bits is the resolution: the longer side of a domain has 2^Bits steps.
	Bits = lattice.Bits
	// Steps is the number of lattice steps over the longer side of a domain.
	Steps = lattice.Steps

	Right     = lattice.Right
	Collinear = lattice.Collinear
	Left      = lattice.Left

	// Contact is how near a vertex comes to an edge, in lattice steps, to touch it.
	Contact = arrangement.Contact
	// MaxMeetings limits how often edges of obstacles cross, touch and are bent.
	MaxMeetings = arrangement.MaxMeetings
	// MaxVertices limits the vertices of all obstacles.
	MaxVertices = arrangement.MaxVertices
)

// NewLattice returns the lattice of the domain with the given opposite corners. It refuses a domain
// that is not finite or has no area, or is too thin or too far from the origin for the lattice.
func NewLattice(lo, hi mgl64.Vec2) (Lattice, error) { return lattice.NewLattice(lo, hi) }

// Orient returns on which side of the directed line from a to b the point c lies. It is exact for
// coordinates within ±2^29.
func Orient(a, b, c Point) Side { return lattice.Orient(a, b, c) }

// Ground is the exact division of a domain into free and covered triangles, with the walls between
// them and the corners that shortest paths turn at. It is immutable and may be read from any
// goroutine.
type Ground struct {
	Lattice Lattice
	// Vertices are sorted by X, then by Y.
	Vertices []Point
	// Triangles cover the whole domain, free and covered.
	Triangles []Triangle
	// Walls are sorted by A, then by B.
	Walls []Wall
	// Corners are the free sectors wider than pi, sorted by At: the only points where a shortest
	// path can turn. No vertex has more than one.
	Corners []Sector

	mesh *triangulation.Mesh
	// edges are those of the arrangement, walls and others.
	edges []arrangement.Edge
	// fans[first[v]:first[v+1]] are the sectors at vertex v, by the direction of From,
	// counter-clockwise from that of the x axis. Vertices without walls have none.
	fans   []fan
	first  []int32
	hints  hints
	places []mgl64.Vec2 // the vertices before rounding
	made   []Polygon    // of what, in any order, where a Builder made it

	// corners serves CornersOfTriangles, which fills it when first called.
	corners     [][3]int32
	cornersOnce sync.Once
}

// Triangle is one triangle of a Ground.
type Triangle struct {
	// V are the vertices, counter-clockwise, as indices into Ground.Vertices.
	V [3]int32
	// N are the neighbors across the edges V[i] to V[(i+1)%3], as indices into Ground.Triangles; -1
	// outside the domain.
	N [3]int32
	// Wall says which of the edges are walls.
	Wall [3]bool
	// Free is false where obstacles cover the triangle.
	Free bool
}

// Wall is an edge that bounds free ground, with A below B, indices into Ground.Vertices.
type Wall struct {
	A, B int32
	// Left and Right say on which sides, seen from A to B, the ground is free: at least one. Both:
	// an obstacle thinner than the lattice, kept as a wall of no thickness.
	Left, Right bool
	// Border is true on the domain's border.
	Border bool
}

// Build returns the ground of the domain of l without the obstacles: it snap-rounds their rings,
// triangulates the domain with the result as fixed edges, and counts how often obstacles wind
// around each triangle. Covered is where the winding number of all rings together is positive,
// outer rings counted counter-clockwise and holes clockwise whatever their orientation. On the
// lattice that is the union of the obstacles, exactly. Rings that cross themselves cover what they
// wind around more often counter-clockwise than clockwise, their larger part first.
//
// Obstacles may touch, overlap, repeat, reach out of the domain or cover it. Where they touch, and
// where a vertex comes within Contact of an edge, no gap is left between them. An obstacle thinner
// than the lattice leaves walls without thickness, one that rounds to a single point nothing. Every
// wall is within a step, along either axis, of the edge it comes from (see SnapSlack).
//
// The result is the same, bit for bit, for any order of the obstacles, of the holes, and any
// orientation and first vertex of the rings. Vertices that cannot be put on the lattice give a
// *VertexError. Obstacles that meet in more than MaxMeetings places, have more than MaxVertices, or
// are near one another everywhere, give a *LimitError, before much memory is taken.
func Build(l Lattice, obstacles []Polygon) (*Ground, error) { return build(l, obstacles, MaxMeetings) }

// build is Build with another limit.
func build(l Lattice, obstacles []Polygon, meetings int64) (*Ground, error) {
	if !l.Valid() {
		panic("geom: Build on a lattice without size; make it with NewLattice")
	}
	a, err := arrangement.New(l, obstacles, meetings)
	if err != nil {
		return nil, err
	}
	var places []mgl64.Vec2
	var wait sync.WaitGroup
	wait.Go(func() { places = arrangement.Places(l, a.Vertices, obstacles) })
	g := newGround(l, a.Edges, triangulation.New(a))
	wait.Wait()
	g.places = places
	return g, nil
}

// Obstacles are the polygons that a Builder made the ground of, in an order of their coordinates:
// Build of them makes a ground that is the same, bit for bit. Do not write to them.
func (g *Ground) Obstacles() []Polygon {
	all := slices.Clone(g.made)
	slices.SortFunc(all, comparePolygons)
	return all
}

// comparePolygons orders polygons by their coordinates.
func comparePolygons(a, b Polygon) int {
	return slices.CompareFunc(a.Rings(), b.Rings(), func(a, b Ring) int {
		return slices.CompareFunc(a, b, func(a, b mgl64.Vec2) int {
			return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
		})
	})
}

// newGround returns the ground of a triangulation and its edges, without places.
func newGround(l Lattice, edges []arrangement.Edge, t *triangulation.Mesh) *Ground {
	g := &Ground{Lattice: l, Vertices: t.Points, mesh: t, edges: edges}
	g.setTriangles()
	g.setFans(g.setWalls())
	g.setHints()
	return g
}

// setTriangles makes the triangles; their winding numbers say which are free.
func (g *Ground) setTriangles() {
	t := g.mesh
	g.Triangles = make([]Triangle, len(t.Start)/3)
	winding := make([]int32, len(g.Triangles))
	net := make([]int32, len(g.edges)+1) // of edge i at i+1; the first is no edge
	for i := range g.edges {
		net[i+1] = g.edges[i].Net
	}
	for i := range g.Triangles {
		triangle := &g.Triangles[i]
		for k := range 3 {
			h := 3*i + k
			triangle.V[k], triangle.N[k] = t.Start[h], -1
			if twin := t.Twin[h]; twin >= 0 {
				triangle.N[k] = twin / 3
			}
		}
		// The first edge goes up, with the triangle to the left. To the right of it is an earlier
		// triangle, or the outside, where the winding number is 0.
		w := net[t.Edge[3*i]+1]
		if n := triangle.N[0]; n >= 0 {
			w += winding[n]
		}
		winding[i], triangle.Free = w, w <= 0
	}
}

// setWalls makes walls of the arrangement's edges with free ground on a side, and returns the
// half-edges of free triangles along walls. Free ground on both sides: the two sides of an obstacle
// have become one edge.
func (g *Ground) setWalls() []int32 {
	t := g.mesh
	along := make([]int32, len(g.edges)+1) // a half-edge along edge i at i+1
	for h, e := range t.Edge {
		along[e+1] = int32(h)
	}
	g.Walls = make([]Wall, 0, len(g.edges))
	sides := make([]int32, 0, len(g.edges)+len(g.edges)/4)
	for i, left := range along[1:] {
		right := t.Twin[left]
		if t.Start[left] > t.End(left) {
			left, right = right, left
		}
		w := Wall{A: g.edges[i].A, B: g.edges[i].B, Left: g.free(left), Right: g.free(right), Border: left < 0 || right < 0}
		if !w.Left && !w.Right {
			continue
		}
		g.Walls = append(g.Walls, w)
		for _, h := range [2]int32{left, right} {
			if h >= 0 {
				g.Triangles[h/3].Wall[h%3] = true
			}
			if g.free(h) {
				sides = append(sides, h)
			}
		}
	}
	return sides
}

// free reports whether h is a half-edge of a free triangle; -1 is not.
func (g *Ground) free(h int32) bool { return h >= 0 && g.Triangles[h/3].Free }

// freeTriangle reports whether t is a free triangle; -1 is not.
func (g *Ground) freeTriangle(t int32) bool { return t >= 0 && g.Triangles[t].Free }

// wall reports whether h is on a wall.
func (g *Ground) wall(h int32) bool { return g.Triangles[h/3].Wall[h%3] }

// vertices returns the vertices of triangle t.
func (g *Ground) vertices(t int32) [3]Point {
	v := &g.Triangles[t].V
	return [3]Point{g.Vertices[v[0]], g.Vertices[v[1]], g.Vertices[v[2]]}
}

// Across returns the neighbor across edge e of triangle t and the edge that leads back; -1, -1
// behind a wall.
func (g *Ground) Across(t, e int32) (triangle, edge int32) {
	h := g.mesh.Twin[3*t+e]
	if h < 0 || g.wall(h) {
		return -1, -1
	}
	return h / 3, h % 3
}
