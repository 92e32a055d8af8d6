package geom

import (
	"sync"

	"github.com/go-gl/mathgl/mgl64"
)

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

	mesh *triangulation
	// edges are those of the arrangement, walls and others, which stay in the mesh.
	edges []edge
	// fans[first[v]:first[v+1]] are the sectors at vertex v, by the direction of
	// From, counter-clockwise from that of the x axis. None where no wall is.
	fans  []fan
	first []int32
	hints hints
	// places are the vertices before rounding.
	places []mgl64.Vec2

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

// Build divides the domain of l by the obstacles: it snap-rounds their rings,
// triangulates the domain with what comes of them as fixed edges, and counts
// how often obstacles wind around each triangle. Covered is what the winding
// number of all rings together is positive for, outer rings counted
// counter-clockwise and holes clockwise whatever their orientation. On the
// lattice that is the union of the obstacles, exactly. Rings that cross
// themselves cover what they wind around more often counter-clockwise than
// clockwise, their larger part first.
//
// Obstacles may touch, overlap, repeat, reach out of the domain or cover it
// whole. Where they touch, and where a vertex comes within Contact of an edge,
// no way is left between them. Of an obstacle thinner
// than the lattice walls without thickness are left, of one that rounds to a
// single point nothing. Every wall is within a step, along either axis, of the
// edge it comes from (see SnapSlack).
//
// The result is the same, bit for bit, for any order of the obstacles, of the
// holes, and any orientation and first vertex of the rings. Vertices that
// cannot be put on the lattice give a *VertexError, and obstacles that meet in
// more than MaxMeetings places, have more than MaxVertices, or are near one another everywhere, a *LimitError,
// before much memory is taken.
func Build(l Lattice, obstacles []Polygon) (*Ground, error) {
	return build(l, obstacles, MaxMeetings)
}

// build is Build, with another limit.
func build(l Lattice, obstacles []Polygon, meetings int64) (*Ground, error) {
	if !l.sized() {
		panic("geom: Build on a lattice without size; make it with NewLattice")
	}
	if err := l.reaches(obstacles); err != nil {
		return nil, err
	}
	if err := tooManyVertices(verticesOf(obstacles)); err != nil {
		return nil, err
	}
	e := effort{most: meetings}
	a := arrange(l, joined(l, obstacles, &e), &e)
	if err := e.err(verticesOf(obstacles)); err != nil {
		return nil, err
	}
	var places []mgl64.Vec2
	var wait sync.WaitGroup
	wait.Go(func() { places = placesOf(l, a.vertices, obstacles) })
	t := triangulate(a.vertices)
	t.constrain(a)
	t = t.ordered(t.inOrder(), a.vertices, counting(0, len(a.vertices)), counting(-1, len(a.edges)+1), make([]int32, len(t.start)))
	g := newGround(l, a.edges, t)
	wait.Wait()
	g.places = places
	return g, nil
}

// newGround returns the ground of a triangulation in order and its edges, which are sorted, without places.
func newGround(l Lattice, edges []edge, t *triangulation) *Ground {
	g := &Ground{Lattice: l, Vertices: t.points, mesh: t, edges: edges}
	g.flood()
	g.setFans(g.setWalls())
	g.setHints()
	return g
}

// flood makes the triangles, and finds by their winding numbers which are
// free.
func (g *Ground) flood() {
	t := g.mesh
	g.Triangles = make([]Triangle, len(t.start)/3)
	winding := make([]int32, len(g.Triangles))
	net := make([]int32, len(g.edges)+1) // by edge, from the second on; the first is no edge
	for i := range g.edges {
		net[i+1] = g.edges[i].net
	}
	for i := range g.Triangles {
		triangle := &g.Triangles[i]
		for k := range 3 {
			h := 3*i + k
			triangle.V[k], triangle.N[k] = t.start[h], -1
			if twin := t.twin[h]; twin >= 0 {
				triangle.N[k] = twin / 3
			}
		}
		// The first edge goes up, with the triangle to the left, and what is to the
		// right of it was before: another triangle, or the outside, where the winding
		// number is 0.
		w := net[t.edge[3*i]+1]
		if n := triangle.N[0]; n >= 0 {
			w += winding[n]
		}
		winding[i], triangle.Free = w, w <= 0
	}
}

// setWalls picks the walls from the arrangement's edges: those with free ground
// on a side. With free ground on both, an obstacle's two sides have become one
// edge. It returns the half-edges of free triangles along walls.
func (g *Ground) setWalls() []int32 {
	t := g.mesh
	along := make([]int32, len(g.edges)+1) // a half-edge along each edge, as in flood
	for h, e := range t.edge {
		along[e+1] = int32(h)
	}
	g.Walls = make([]Wall, 0, len(g.edges))
	sides := make([]int32, 0, len(g.edges)+len(g.edges)/4)
	for i, left := range along[1:] {
		right := t.twin[left]
		if t.start[left] > t.end(left) {
			left, right = right, left
		}
		w := Wall{A: g.edges[i].a, B: g.edges[i].b, Left: g.free(left), Right: g.free(right), Border: left < 0 || right < 0}
		if !w.Left && !w.Right {
			continue
		}
		g.Walls = append(g.Walls, w)
		if w.Left {
			sides = append(sides, left)
		}
		if w.Right {
			sides = append(sides, right)
		}
		for _, h := range [2]int32{left, right} {
			if h >= 0 {
				g.Triangles[h/3].Wall[h%3] = true
			}
		}
	}
	return sides
}

// free returns whether h is a half-edge of a free triangle.
func (g *Ground) free(h int32) bool { return h >= 0 && g.Triangles[h/3].Free }

// wall returns whether h is on a wall.
func (g *Ground) wall(h int32) bool { return g.Triangles[h/3].Wall[h%3] }
