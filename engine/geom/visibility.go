package geom

import (
	"slices"
	"sync"
)

// Visible calls visit once for every corner that the sector s sees in closed
// sight, as an index into Corners, in an order that depends on the ground and s
// only. They are the corners that Sees names, without the one at s.At. It is
// NewViewer and one question: keep a Viewer to ask more.
//
// s is a sector as Sectors and Corners give them; s.At is in closed free space.
func (g *Ground) Visible(s Sector, visit func(corner int)) {
	g.NewViewer().Visible(s, visit)
}

// Viewer answers what is visible on a ground. It keeps its working memory, so
// that asking again allocates nothing. Not for use by several goroutines at a
// time; each may have its own.
type Viewer struct {
	ground  *Ground
	index   *sightIndex
	windows []window
	// entrances and footings are where the light of the question started.
	entrances []Entrance
	footings  []Footing
	nearest   nearestFirst
	glimpse   Glimpse
	// seen[i] is the question that reported corner i last.
	seen     []uint32
	question uint32
	visit    func(corner int)
	// expanded counts windows over all questions, the measure of the work done.
	expanded int
}

// NewViewer returns a viewer of the ground.
func (g *Ground) NewViewer() *Viewer {
	return &Viewer{ground: g, index: g.sight(), seen: make([]uint32, len(g.Corners))}
}

// window is what light from a generator lights of an edge: the part between the
// rays through the vertices left and right. The light enters the triangle through
// its edge V[edge] to V[edge+1], of which V[edge] is the left end.
type window struct {
	triangle    int32
	edge        int32
	left, right Point
}

// rays are those of a generator: all from one point, or those of a beam.
type rays struct {
	at       Point
	beam     Beam
	parallel bool
}

// side returns on which side of the ray through l, looking with the light, p lies.
func (r *rays) side(l, p Point) Side {
	if r.parallel {
		return r.beam.side(l, p)
	}
	return Orient(r.at, l, p)
}

// Visible is Ground.Visible.
//
// Light is carried from triangle to triangle in windows. A window's rays always
// go through vertices. It has a width: where light touches a vertex, it goes on
// beside it but never through a point, and a vertex on the border of a window is
// lit by rays that pass beside it. That is closed sight: a window to the left of a
// ray is the rule of sight for rays turned left, one to the right for rays turned
// right. A vertex is seen from inside a triangle, and so within one of its sectors.
func (v *Viewer) Visible(s Sector, visit func(corner int)) {
	v.ask(visit)
	g := v.ground
	v.entrances = g.Entrances(s, v.entrances[:0])
	for _, in := range v.entrances {
		triangle := &g.Triangles[in.Triangle]
		for i, vertex := range triangle.V {
			if g.Vertices[vertex] != s.At {
				v.see(in.Triangle, int32(i))
			}
		}
		for e := range int32(3) {
			if in.Exits[e] {
				v.pass(in.Triangle, e, g.Vertices[triangle.V[(e+1)%3]], g.Vertices[triangle.V[e]])
			}
		}
	}
	v.spread(&rays{at: s.At})
}

// VisibleFrom calls visit once for every corner that a beam lights, those of SeesFrom. Corners on its leg are among them.
func (v *Viewer) VisibleFrom(b Beam, visit func(corner int)) {
	v.ask(visit)
	v.footings = v.ground.Footings(b, v.footings[:0])
	for i := range v.footings {
		f := &v.footings[i]
		for e := range int32(3) {
			if f.Sees[e] {
				v.see(f.Triangle, e)
			}
			if x := f.Exits[e]; x.Open() {
				v.pass(f.Triangle, e, x.Left, x.Right)
			}
		}
	}
	v.spread(&rays{beam: b, parallel: true})
}

// ask begins a question.
func (v *Viewer) ask(visit func(corner int)) {
	v.visit = visit
	v.question++
	if v.question == 0 { // after 2^32 questions: forget the marks, they would come up again
		clear(v.seen)
		v.question = 1
	}
}

// spread carries all windows on until none is left.
func (v *Viewer) spread(r *rays) {
	for len(v.windows) > 0 {
		w := v.windows[len(v.windows)-1]
		v.windows = v.windows[:len(v.windows)-1]
		v.carry(r, w)
	}
	v.visit = nil
}

// carry takes a window through its triangle.
func (v *Viewer) carry(r *rays, w window) {
	v.expanded++
	rightEdge, apex := (w.edge+1)%3, (w.edge+2)%3
	p := v.ground.Vertices[v.ground.Triangles[w.triangle].V[apex]]
	fromLeft, fromRight := r.side(w.left, p), r.side(w.right, p)
	if fromLeft != Left && fromRight != Right {
		v.see(w.triangle, apex)
	}
	if fromLeft == Right {
		right := w.right
		if fromRight == Left {
			right = p
		}
		v.pass(w.triangle, apex, w.left, right)
	}
	if fromRight == Left {
		left := w.left
		if fromLeft == Right {
			left = p
		}
		v.pass(w.triangle, rightEdge, left, w.right)
	}
}

// Entrance is a triangle that light from a point enters first, with the edges that it leaves by: those that the point is not
// on. Walls are among them.
type Entrance struct {
	Triangle int32
	Exits    [3]bool
}

// Entrances appends the free triangles that hold s.At and lie within s, and returns the extended slice.
func (g *Ground) Entrances(s Sector, in []Entrance) []Entrance {
	// A sector is bounded by walls, and walls are edges of triangles: a triangle is
	// within it if the ray along its right side, turned left, is.
	if vertex, ok := slices.BinarySearchFunc(g.Vertices, s.At, Point.Compare); ok {
		for t, i := range g.around(g.mesh.out[vertex]/3, int32(vertex)) {
			triangle := &g.Triangles[t]
			if triangle.Free && s.admits(g.Vertices[triangle.V[(i+1)%3]], Left) {
				e := Entrance{Triangle: t}
				e.Exits[(i+1)%3] = true
				in = append(in, e)
			}
		}
		return in
	}
	t := g.Locate(s.At)
	if t < 0 {
		panic("geom: sight from a point outside the domain; ask Ground.Sectors for the sectors at a point")
	}
	all := Entrance{Triangle: t, Exits: [3]bool{true, true, true}}
	for e := range int32(3) {
		a, b := g.Triangles[t].V[e], g.Triangles[t].V[(e+1)%3]
		if Orient(g.Vertices[a], g.Vertices[b], s.At) != Collinear {
			continue
		}
		if g.Triangles[t].Free && s.admits(g.Vertices[b], Left) {
			all.Exits[e] = false
			in = append(in, all)
		}
		if n := g.Triangles[t].N[e]; n >= 0 && g.Triangles[n].Free && s.admits(g.Vertices[a], Left) {
			other := Entrance{Triangle: n, Exits: [3]bool{true, true, true}}
			other.Exits[g.edgeTo(n, t)] = false
			in = append(in, other)
		}
		return in
	}
	if g.Triangles[t].Free {
		in = append(in, all)
	}
	return in
}

// Across returns what lies behind edge e of triangle t: the neighbour and the edge that leads back. It is -1, -1 behind a
// wall.
func (g *Ground) Across(t, e int32) (triangle, edge int32) {
	n := g.Triangles[t].N[e]
	if n < 0 || g.Triangles[t].Wall[e] {
		return -1, -1
	}
	return n, g.edgeTo(n, t)
}

// CornersOfTriangles says, for every triangle and each of its vertices, which corner's sector holds the triangle, as an
// index into Corners; -1 where none does. It is shared: not to be written to.
func (g *Ground) CornersOfTriangles() [][3]int32 { return g.sight().corner }

// see reports the corner at vertex i of triangle t, if it has one there.
func (v *Viewer) see(t, i int32) {
	corner := v.index.corner[t][i]
	if corner >= 0 && v.seen[corner] != v.question {
		v.seen[corner] = v.question
		v.visit(int(corner))
	}
}

// pass lets light out of triangle t through its edge e, unless that is a wall.
func (v *Viewer) pass(t, e int32, left, right Point) {
	if n, entry := v.ground.Across(t, e); n >= 0 {
		v.windows = append(v.windows, window{n, entry, left, right})
	}
}

// edgeTo returns the edge of triangle t that leads to its neighbour n.
func (g *Ground) edgeTo(t, n int32) int32 {
	triangle := &g.Triangles[t]
	for e := range int32(2) {
		if triangle.N[e] == n {
			return e
		}
	}
	return 2
}

// around yields the triangles at the given vertex and its place in each, from
// one of them on; on the domain's border too, where they do not close a circle.
func (g *Ground) around(first, vertex int32) func(yield func(t, i int32) bool) {
	place := func(t int32) int32 {
		return int32(slices.Index(g.Triangles[t].V[:], vertex))
	}
	return func(yield func(t, i int32) bool) {
		t := first
		for t >= 0 { // counter-clockwise
			i := place(t)
			if !yield(t, i) {
				return
			}
			if t = g.Triangles[t].N[(i+2)%3]; t == first {
				return
			}
		}
		for t = g.Triangles[first].N[place(first)]; t >= 0; { // what is left, clockwise
			i := place(t)
			if !yield(t, i) {
				return
			}
			t = g.Triangles[t].N[i]
		}
	}
}

// sightIndex is what a Viewer needs to find its way on a ground.
type sightIndex struct {
	once sync.Once
	// corner has for each triangle, and each of its vertices, the corner whose
	// sector holds the triangle; -1 if there is none.
	corner [][3]int32
}

// sight returns the index, made when first asked for.
func (g *Ground) sight() *sightIndex {
	g.index.once.Do(func() { g.index.fill(g) })
	return &g.index
}

func (x *sightIndex) fill(g *Ground) {
	x.corner = make([][3]int32, len(g.Triangles))
	for t := range x.corner {
		x.corner[t] = [3]int32{-1, -1, -1}
	}
	t, corner := g.mesh, int32(0)
	for i := range g.fans {
		f := &g.fans[i]
		if !f.corner() {
			continue
		}
		// The triangles of the fan, counter-clockwise.
		h := f.open
		for {
			x.corner[h/3][h%3] = corner
			if prev(h) == f.shut {
				break
			}
			h = t.turn(h)
		}
		corner++
	}
}
