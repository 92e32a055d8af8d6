package geom

import "github.com/wayfront/wayfront/engine/geom/heap"

// Viewer reports what is visible on a ground. It keeps its working memory, so that asking again
// allocates nothing. Not for use by several goroutines at a time; each may have its own.
type Viewer struct {
	ground  *Ground
	corner  [][3]int32 // see CornersOfTriangles
	windows []window
	// entrances and footings are where the light of the question started.
	entrances []Entrance
	footings  []FootInterval
	nearest   heap.Heap[ranked]
	view      VisibilityResult
	// seen[i] is the question that reported corner i last.
	seen     []uint32
	question uint32
	visit    func(corner int)
}

// NewViewer returns a viewer of the ground.
func (g *Ground) NewViewer() *Viewer {
	return &Viewer{ground: g, corner: g.CornersOfTriangles(), seen: make([]uint32, len(g.Corners))}
}

// window is the part of an edge that a generator lights, between the rays through the vertices left
// and right. The light enters the triangle through its edge V[edge] to V[edge+1], of which V[edge]
// is the left end.
type window struct {
	triangle    int32
	edge        int32
	left, right Point
}

// rays are those of a generator: all from one point, or parallel.
type rays struct {
	at       Point
	beam     LightField
	parallel bool
}

// side returns on which side of the ray through l, looking with the light, p lies.
func (r *rays) side(l, p Point) Side {
	if r.parallel {
		return r.beam.side(l, p)
	}
	return Orient(r.at, l, p)
}

// Visible calls visit once for every corner that the sector s sees in closed sight, as an index
// into Corners, in an order that depends on the ground and s only: the corners that Sees names,
// without the one at s.At. s is a sector as Sectors and Corners give them; s.At is in closed free
// space.
//
// Light is carried from triangle to triangle in windows, whose rays go through vertices. A window
// has a width: where light touches a vertex, it continues beside it but never through a point, and
// a vertex on the border of a window is lit by rays that pass beside it. That is closed sight: a
// window to the left of a ray is the rule of sight for rays turned left, one to the right for rays
// turned right. A vertex is seen from inside a triangle, and so within one of its sectors.
func (v *Viewer) Visible(s Sector, visit func(corner int)) {
	v.begin(visit)
	v.enter(s, func(int32) {})
	v.spread(&rays{at: s.At})
}

// VisibleFrom calls visit once for every corner that a parallel light field lights, those of
// SeesFrom. Corners on its source segment are among them.
func (v *Viewer) VisibleFrom(b LightField, visit func(corner int)) {
	v.begin(visit)
	v.footings = v.ground.FootIntervals(b, v.footings[:0])
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

// begin begins a question.
func (v *Viewer) begin(visit func(corner int)) {
	v.visit = visit
	v.question++
	if v.question == 0 { // after 2^32 questions their numbers repeat
		clear(v.seen)
		v.question = 1
	}
}

// enter lets the light of a sector into the triangles around it and calls entered for each.
func (v *Viewer) enter(s Sector, entered func(triangle int32)) {
	g := v.ground
	v.entrances = g.Entrances(s, v.entrances[:0])
	for _, in := range v.entrances {
		triangle := &g.Triangles[in.Triangle]
		for i, vertex := range triangle.V {
			if g.Vertices[vertex] != s.At {
				v.see(in.Triangle, int32(i))
			}
		}
		entered(in.Triangle)
		for e := range int32(3) {
			if in.Exits[e] {
				v.pass(in.Triangle, e, g.Vertices[triangle.V[(e+1)%3]], g.Vertices[triangle.V[e]])
			}
		}
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

// carry carries a window through its triangle.
func (v *Viewer) carry(r *rays, w window) {
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

// see reports the corner at vertex i of triangle t, if it has one there.
func (v *Viewer) see(t, i int32) {
	corner := v.corner[t][i]
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

// Entrance is a triangle that light from a point enters first, with the edges that it leaves by:
// those that the point is not on. Walls are among them.
type Entrance struct {
	Triangle int32
	Exits    [3]bool
}

// Entrances appends the free triangles that hold s.At and lie within s, and returns the extended
// slice. It panics if s.At is outside the domain.
func (g *Ground) Entrances(s Sector, in []Entrance) []Entrance {
	if !g.Lattice.Holds(s.At) {
		panic("geom: sight from a point outside the domain; ask Ground.Sectors for the sectors at a point")
	}
	var some someFaces
	for _, h := range g.facesAt(s.At, some[:0]) {
		// A sector is bounded by walls, and walls are edges of triangles: a triangle is within it
		// if the ray along its right side, turned left, is.
		if !g.free(h) || !s.admits(g.Vertices[g.mesh.End(h)], Left) {
			continue
		}
		entrance := Entrance{Triangle: h / 3}
		v := g.vertices(h / 3)
		for e := range v {
			entrance.Exits[e] = Orient(v[e], v[(e+1)%3], s.At) != Collinear
		}
		in = append(in, entrance)
	}
	return in
}

// VisibilityQuery is a question to Search.
type VisibilityQuery interface {
	// Corner is called once for every corner seen, as by Visible.
	Corner(corner int)
	// Enter is called whenever light gets into a triangle, for the part that it lights.
	Enter(triangle int32, view *VisibilityResult)
	// Bound returns a lower bound of what is to be found in a triangle and beyond it by the light
	// that gets in by its edge e, of which V[e] is the left end.
	Bound(triangle, e int32) float64
	// Enough returns the bound from which on nothing is searched. It may decrease.
	Enough() float64
}

// VisibilityResult is the part of a triangle that is seen from a point in another, or all of it. It
// is valid during a call of Enter.
type VisibilityResult struct {
	at, left, right Point
	all             bool
}

// Holds reports whether p, a point of the triangle, is seen.
func (v *VisibilityResult) Holds(p Point) bool {
	return v.all || Orient(v.at, v.left, p) != Left && Orient(v.at, v.right, p) != Right
}

// Reaches reports whether the viewer sees its foot point on the source segment of a parallel light
// field, of which the triangle seen is above the part from..to, by Along (see FootInterval), and is
// on the side that the light goes to. A foot point just off that part by rounding counts: a point
// of the segment as near to it is seen then. That is SeesFrom, and where the foot point is an end
// of the segment, what the end sees by rays outside the light field.
func (v *VisibilityResult) Reaches(b LightField, from, to float64) bool {
	along := b.Along(v.at)
	if !(float64(along) >= from && float64(along) <= to) || !b.Faces(v.at) {
		return false
	}
	if v.all {
		return true
	}
	behind := b.Behind(v.at)
	return b.Above(v.at) > 0 && Orient(v.at, v.left, behind) != Left && Orient(v.at, v.right, behind) != Right
}

// Search looks around from a sector, first where the bounds are least, and nowhere where Bound is
// not below Enough. The corners that it finds are among those of Visible; where no bound stops it,
// all of them.
func (v *Viewer) Search(s Sector, q VisibilityQuery) {
	v.begin(q.Corner)
	v.view = VisibilityResult{at: s.At, all: true}
	v.enter(s, func(triangle int32) { q.Enter(triangle, &v.view) })
	r := rays{at: s.At}
	v.nearest = v.nearest[:0]
	v.view.all = false
	v.rank(q, 0)
	for len(v.nearest) > 0 {
		next := v.nearest.Pop()
		if next.bound >= q.Enough() {
			break
		}
		v.view.left, v.view.right = next.left, next.right
		q.Enter(next.triangle, &v.view)
		v.carry(&r, next.window)
		v.rank(q, next.bound)
	}
	v.visit = nil
}

// rank moves the windows just pushed to the heap. Nothing in them is below least.
func (v *Viewer) rank(q VisibilityQuery, least float64) {
	for _, w := range v.windows {
		bound := max(least, q.Bound(w.triangle, w.edge))
		if bound < q.Enough() {
			v.nearest.Push(ranked{w, bound})
		}
	}
	v.windows = v.windows[:0]
}

// ranked is a window with its bound.
type ranked struct {
	window
	bound float64
}

// Before has the least bound first.
func (r ranked) Before(s ranked) bool { return r.bound < s.bound }
