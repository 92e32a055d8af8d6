package spm

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
	Distance float64    // metres to the nearest source; +Inf where unreached, NaN in obstacles and outside the domain
	Parent   mgl64.Vec2 // the point to walk to next, world metres; of the source itself where that is in sight. Only if Reached
	next     int        // index of the parent's node
}

// View answers questions about one goal from the CPU, exactly at the point asked about, whatever the size of the map's
// texels. It is immutable and may be used from any number of goroutines.
type View struct {
	ground  *geom.Ground
	sources []site
	nodes   []node  // sources, then ground.Corners
	homes   []home  // of the sources, by triangle
	first   []int32 // of each triangle, where its homes begin
	corners [][3]int32
	quests  sync.Pool
}

func newView(g *geom.Ground, sources []site) *View {
	v := &View{ground: g, sources: sources, nodes: newNodes(g, sources), corners: g.CornersOfTriangles()}
	v.homes, v.first = byTriangle(homes(g, sources), len(g.Triangles))
	v.quests.New = func() any { return &quest{view: v, viewer: g.NewViewer()} }
	return v
}

// node is a generator with its distance in float64.
type node struct {
	position mgl64.Vec2 // world; of a beam that of its A
	distance float64    // +Inf where unreached
	parent   int        // itself for sources, -1 where unreached
}

// newNodes returns a goal's nodes with only the sources reached.
func newNodes(g *geom.Ground, sources []site) []node {
	nodes := make([]node, 0, len(sources)+len(g.Corners))
	for i, s := range sources {
		nodes = append(nodes, node{position: s.position, parent: i})
	}
	for _, c := range g.Corners {
		nodes = append(nodes, node{position: g.Place(c.At), distance: math.Inf(1), parent: -1})
	}
	return nodes
}

// over is the distance of a world point over a node that it sees, and where it walks to there: the node's place, or for a beam
// the point's foot on the leg.
func (v *View) over(i int, p mgl64.Vec2) (float64, mgl64.Vec2) {
	place := v.nodes[i].position
	if i < len(v.sources) {
		if b, ok := v.sources[i].beam(); ok {
			place = foot(v.ground.Lattice, b, p)
		}
	}
	return v.nodes[i].distance + p.Sub(place).Len(), place
}

// foot is the point of a beam's leg that is nearest to a world point.
func foot(l geom.Lattice, b geom.Beam, p mgl64.Vec2) mgl64.Vec2 {
	a := l.World(b.A)
	d := l.World(b.B).Sub(a)
	return a.Add(d.Mul(min(max(p.Sub(a).Dot(d)/d.Dot(d), 0), 1)))
}

// Query tells distance and parent at a world point. Of parents that are equally good the first generator counts, sources
// before corners. A point on a wall is free; one within geom.SnapSlack lattice steps of a wall, on its far side, counts
// as on it.
//
// It looks round from the point, nearest first, and no farther than anything better may be found: some tens of triangles.
func (v *View) Query(p mgl64.Vec2) Answer {
	at, ok := v.ground.Standing(p)
	if !ok {
		return Answer{State: Obstacle, Distance: math.NaN(), next: -1}
	}
	q := v.quests.Get().(*quest)
	defer v.quests.Put(q)
	q.p, q.best = p, Answer{State: Unreached, Distance: math.Inf(1), next: -1}
	for _, s := range v.ground.Sectors(at) {
		q.viewer.Search(s, q)
	}
	return q.best
}

// quest is the search for the nearest generator.
type quest struct {
	view   *View
	viewer *geom.Viewer
	p      mgl64.Vec2
	best   Answer
}

func (q *quest) offer(i int) {
	d, place := q.view.over(i, q.p)
	if d < q.best.Distance || d == q.best.Distance && i < q.best.next {
		q.best = Answer{State: Reached, Distance: d, Parent: place, next: i}
	}
}

// Corner offers a corner that is seen.
func (q *quest) Corner(corner int) { q.offer(len(q.view.sources) + corner) }

// Enter offers the sources that are seen in a triangle.
func (q *quest) Enter(triangle int32, seen *geom.Glimpse) {
	v := q.view
	for _, h := range v.homes[v.first[triangle]:v.first[triangle+1]] {
		s := &v.sources[h.source]
		if b, ok := s.beam(); ok {
			if seen.Reaches(b, h.from, h.to) {
				q.offer(int(h.source))
			}
		} else if seen.Holds(s.sector.At) {
			q.offer(int(h.source))
		}
	}
}

// Bound is less than any distance over what lies behind an edge. The way there passes a point X of the edge. With v an end of
// the edge, and w the other,
//
//	|p X| + d(X) >= |p X| + d(v) - |v X| >= |p w| + d(v) - |v w|,
//
// since distances change by no more than the way, and going from X to w along the edge adds to |v X| all of it, and to |p X| no more.
// Distances over nodes are within Tolerance of exact ones, of which that is true: it is taken off here, for v, and put on
// in Enough.
func (q *quest) Bound(triangle, e int32) float64 {
	v := q.view
	t := &v.ground.Triangles[triangle]
	ends := [2]int32{e, (e + 1) % 3}
	var place [2]mgl64.Vec2
	var away [2]float64
	for k, end := range ends {
		place[k] = v.ground.Lattice.World(v.ground.Vertices[t.V[end]])
		away[k] = length(place[k].Sub(q.p))
	}
	edge := length(place[1].Sub(place[0]))
	bound := 0.0
	for k, end := range ends {
		if c := v.corners[triangle][end]; c >= 0 {
			d := v.nodes[len(v.sources)+int(c)].distance
			if math.IsInf(d, 1) {
				return d // whoever reaches the edge reaches this corner
			}
			bound = max(bound, d-v.Tolerance(d)+away[1-k]-edge)
		}
	}
	return bound
}

// Enough is what Bound has to stay below.
func (q *quest) Enough() float64 { return q.best.Distance + q.view.Tolerance(q.best.Distance) }

// length is good to some units in the last place, and faster than Vec2.Len.
func length(d mgl64.Vec2) float64 { return math.Sqrt(float64(d[0]*d[0]) + float64(d[1]*d[1])) }

// Path is the shortest way from a world point to its nearest source: p, the corners it turns at, the source. It is nil
// where there is none.
func (v *View) Path(p mgl64.Vec2) []mgl64.Vec2 {
	a := v.Query(p)
	if a.State != Reached {
		return nil
	}
	path := []mgl64.Vec2{p, a.Parent}
	for i := a.next; v.nodes[i].parent != i; i = v.nodes[i].parent {
		_, place := v.over(v.nodes[i].parent, v.nodes[i].position)
		path = append(path, place)
	}
	return path
}

// NearestSource is the index, in Goal.Points and then Goal.Segments, of the source that a world point's shortest path leads to; -1 where
// there is none.
func (v *View) NearestSource(p mgl64.Vec2) int {
	i := v.Query(p).next
	if i < 0 {
		return -1
	}
	for v.nodes[i].parent != i {
		i = v.nodes[i].parent
	}
	return v.sources[i].of
}
