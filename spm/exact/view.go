package exact

import (
	"math"
	"sync"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// State says what a point is to a map.
type State uint32

// The states of points and texels, with the numbers that Field and exported maps hold.
const (
	Unreached State = 0 // free ground that no source reaches
	Reached   State = 1
	Obstacle  State = 2 // inside an obstacle or outside the domain
)

// Answer is what a map says about a point.
type Answer struct {
	State    State
	Distance float64    // m, to the nearest source; +Inf where unreached, NaN where Obstacle
	Parent   mgl64.Vec2 // where the path turns next, world meters: a corner, or the source. Only if Reached
	Node     int        // the parent: of the sources, then of the ground's corners; -1 where there is none
}

// View answers questions about one goal from the CPU, exactly at the point asked about, whatever
// the size of the map's texels. It is immutable and may be used from any number of goroutines.
type View struct {
	ground     *geom.Ground
	sources    []Source
	nodes      []node // sources, then ground.Corners
	placements []Placement
	order      []int32 // of the placements, by triangle
	first      []int32 // in order, of each triangle
	corners    [][3]int32
	searches   sync.Pool
}

// node is a generator with its distance in float64.
type node struct {
	position mgl64.Vec2 // world; of a light field that of its A
	distance float64    // +Inf where unreached
	parent   int        // itself for sources, -1 where unreached
}

// newView returns a view in which only the sources are reached.
func newView(g *geom.Ground, sources []Source) *View {
	v := &View{ground: g, sources: sources, corners: g.CornersOfTriangles(), placements: Placements(g, sources)}
	for i, s := range sources {
		v.nodes = append(v.nodes, node{position: s.Position, parent: i})
	}
	for _, c := range g.Corners {
		v.nodes = append(v.nodes, node{position: g.Place(c.At), distance: math.Inf(1), parent: -1})
	}
	keys := make([]int32, len(v.placements))
	for i, p := range v.placements {
		keys[i] = p.Triangle
	}
	v.order, v.first = ByKey(keys, len(g.Triangles))
	v.searches.New = func() any { return &search{view: v, viewer: g.NewViewer()} }
	return v
}

// NewView returns the view of a goal of which the parents of all corners are known, as nodes: see
// Answer.Node. Those of corners that no source reaches are -1. Distances are summed along them.
func NewView(g *geom.Ground, sources []Source, parents []int) *View {
	v := newView(g, sources)
	for i, parent := range parents {
		v.nodes[len(sources)+i].parent = parent
	}
	var chain []int
	for i := range v.nodes {
		chain = chain[:0]
		for n := i; v.nodes[n].parent >= 0 && v.nodes[n].parent != n && math.IsInf(v.nodes[n].distance, 1); n = v.nodes[n].parent {
			chain = append(chain, n)
		}
		for k := len(chain) - 1; k >= 0; k-- {
			n := &v.nodes[chain[k]]
			n.distance, _ = v.over(n.parent, n.position)
		}
	}
	return v
}

// Corner returns the place of a corner of the ground, its distance, and the node of its parent:
// +Inf and -1 where it is unreached.
func (v *View) Corner(i int) (place mgl64.Vec2, distance float64, parent int) {
	n := &v.nodes[len(v.sources)+i]
	return n.position, n.distance, n.parent
}

// Over is the answer at a world point that sees a node, if the shortest path leads over that.
func (v *View) Over(node int, p mgl64.Vec2) Answer {
	d, place := v.over(node, p)
	return Answer{State: Reached, Distance: d, Parent: place, Node: node}
}

// Nowhere is the answer where there is no path: the state is Unreached or Obstacle.
func Nowhere(state State) Answer {
	if state == Obstacle {
		return Answer{State: Obstacle, Distance: math.NaN(), Node: -1}
	}
	return Answer{State: Unreached, Distance: math.Inf(1), Node: -1}
}

// over is the distance of a world point over a node that it sees, and where its path leads: to the
// node's place, or for a light field to the point's foot point on the segment.
func (v *View) over(i int, p mgl64.Vec2) (float64, mgl64.Vec2) {
	place := v.nodes[i].position
	if i < len(v.sources) {
		if b, ok := v.sources[i].LightField(); ok {
			a := v.ground.Lattice.World(b.A)
			d := v.ground.Lattice.World(b.B).Sub(a)
			place = a.Add(d.Mul(min(max(p.Sub(a).Dot(d)/d.Dot(d), 0), 1)))
		}
	}
	return v.nodes[i].distance + p.Sub(place).Len(), place
}

// Query returns distance and parent at a world point. Of parents that are equally good the first
// generator counts, sources before corners. A point on a wall is free; one within geom.SnapSlack
// lattice steps of a wall, on its far side, counts as on it.
//
// It looks round from the point, nearest first, and no farther than anything better may be found:
// some tens of triangles.
func (v *View) Query(p mgl64.Vec2) Answer {
	at, ok := v.ground.Standing(p)
	if !ok {
		return Nowhere(Obstacle)
	}
	q := v.searches.Get().(*search)
	defer v.searches.Put(q)
	q.p, q.best = p, Nowhere(Unreached)
	for _, s := range v.ground.Sectors(at) {
		q.viewer.Search(s, q)
	}
	return q.best
}

// search is a search for the nearest generator.
type search struct {
	view   *View
	viewer *geom.Viewer
	p      mgl64.Vec2
	best   Answer
}

func (q *search) offer(i int) {
	d, place := q.view.over(i, q.p)
	if d < q.best.Distance || d == q.best.Distance && i < q.best.Node {
		q.best = Answer{State: Reached, Distance: d, Parent: place, Node: i}
	}
}

// Corner offers a corner that is seen.
func (q *search) Corner(corner int) { q.offer(len(q.view.sources) + corner) }

// Enter offers the sources that are seen in a triangle.
func (q *search) Enter(triangle int32, seen *geom.VisibilityResult) {
	v := q.view
	for _, i := range v.order[v.first[triangle]:v.first[triangle+1]] {
		p := v.placements[i]
		s := &v.sources[p.Source]
		b, field := s.LightField()
		if field && seen.Reaches(b, p.From, p.To) || !field && seen.Holds(s.Sector.At) {
			q.offer(int(p.Source))
		}
	}
}

// Bound is less than any distance over what lies behind an edge. The path there passes a point X of
// the edge. With v an end of the edge, and w the other,
//
//	|p X| + d(X) >= |p X| + d(v) - |v X| >= |p w| + d(v) - |v w|,
//
// since distances change by no more than the length walked, and going from X to w along the edge
// adds to |v X| all of it, and to |p X| no more. Distances over nodes are within Tolerance of exact
// ones, of which that is true: it is taken off here, for v, and put on in Enough.
func (q *search) Bound(triangle, e int32) float64 {
	v := q.view
	ends := [2]int32{e, (e + 1) % 3}
	var place [2]mgl64.Vec2
	var away [2]float64
	for k, end := range ends {
		place[k] = v.ground.Lattice.World(v.ground.Vertices[v.ground.Triangles[triangle].V[end]])
		away[k] = length(place[k].Sub(q.p))
	}
	edge := length(place[1].Sub(place[0]))
	bound := 0.0
	for k, end := range ends {
		if c := v.corners[triangle][end]; c >= 0 {
			d := v.nodes[len(v.sources)+int(c)].distance
			if math.IsInf(d, 1) {
				return d // what reaches the edge reaches this corner
			}
			bound = max(bound, d-v.Tolerance(d)+away[1-k]-edge)
		}
	}
	return bound
}

// Enough is what Bound has to stay below.
func (q *search) Enough() float64 { return q.best.Distance + q.view.Tolerance(q.best.Distance) }

// length is good to some units in the last place, and faster than Vec2.Len.
func length(d mgl64.Vec2) float64 { return math.Sqrt(float64(d[0]*d[0]) + float64(d[1]*d[1])) }

// Path is the shortest path from a world point to its nearest source: p, the corners it turns at,
// the source. It is nil where there is none.
func (v *View) Path(p mgl64.Vec2) []mgl64.Vec2 {
	a := v.Query(p)
	if a.State != Reached {
		return nil
	}
	path := []mgl64.Vec2{p, a.Parent}
	for i := a.Node; v.nodes[i].parent != i; i = v.nodes[i].parent {
		path = append(path, v.Over(v.nodes[i].parent, v.nodes[i].position).Parent)
	}
	return path
}

// NearestSource is the index, in Goal.Points and then Goal.Segments, of the source that a world
// point's shortest path leads to; -1 where there is none.
func (v *View) NearestSource(p mgl64.Vec2) int {
	i := v.Query(p).Node
	if i < 0 {
		return -1
	}
	for v.nodes[i].parent != i {
		i = v.nodes[i].parent
	}
	return v.sources[i].Of
}

// InSight reports whether two world points see each other: whether the lattice points that stand
// for them, as in View.Query, do by geom.Ground.InSight. What lies in obstacles, outside the
// domain, or is no number, sees nothing.
func InSight(g *geom.Ground, a, b mgl64.Vec2) bool {
	p, ok := g.Standing(a)
	if !ok {
		return false
	}
	q, ok := g.Standing(b)
	return ok && g.InSight(p, q)
}

// Accuracy is what maps and queries promise: |d - exact| <= Accuracy (d + L), with L the domain's
// longer side.
const Accuracy = 1e-5

// Tolerance is Accuracy in meters for a distance on the map's ground.
func (v *View) Tolerance(distance float64) float64 {
	return Accuracy * (distance + v.ground.Lattice.Length())
}
