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
	Parent   mgl64.Vec2 // the point to walk to next, world metres; the source itself where it is in sight. Only if Reached
	next     int        // index of the parent's node
}

// View answers questions about one goal from the CPU, exactly at the point asked about, whatever the size of the map's
// texels. It is immutable and may be used from any number of goroutines.
type View struct {
	ground  *geom.Ground
	sources []site
	nodes   []node // sources, then ground.Corners
	viewers sync.Pool
}

func newView(g *geom.Ground, sources []site) *View {
	v := &View{ground: g, sources: sources, nodes: newNodes(g, sources)}
	v.viewers.New = func() any { return g.NewViewer() }
	return v
}

// node is a generator with its distance in float64.
type node struct {
	position mgl64.Vec2 // world
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

// Query tells distance and parent at a world point. Of parents that are equally good the first generator counts, sources
// before corners. A point on a wall is free; one within geom.SnapSlack lattice steps of a wall, on its far side, counts
// as on it.
func (v *View) Query(p mgl64.Vec2) Answer {
	here := sites(v.ground, p, 0)
	if here == nil {
		return Answer{State: Obstacle, Distance: math.NaN(), next: -1}
	}
	best := Answer{State: Unreached, Distance: math.Inf(1), next: -1}
	offer := func(i int) {
		n := &v.nodes[i]
		d := n.distance + p.Sub(n.position).Len()
		if d < best.Distance || d == best.Distance && i < best.next {
			best = Answer{State: Reached, Distance: d, Parent: n.position, next: i}
		}
	}
	viewer := v.viewers.Get().(*geom.Viewer)
	defer v.viewers.Put(viewer)
	for _, h := range here {
		for i, s := range v.sources {
			if v.ground.Sees(s.sector, h.sector) {
				offer(i)
			}
		}
		viewer.Visible(h.sector, func(corner int) { offer(len(v.sources) + corner) })
	}
	return best
}

// Path is the shortest way from a world point to its nearest source: p, the corners it turns at, the source. It is nil
// where there is none.
func (v *View) Path(p mgl64.Vec2) []mgl64.Vec2 {
	a := v.Query(p)
	if a.State != Reached {
		return nil
	}
	path := []mgl64.Vec2{p}
	for i := a.next; ; i = v.nodes[i].parent {
		path = append(path, v.nodes[i].position)
		if v.nodes[i].parent == i {
			return path
		}
	}
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
