package geom

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// Plan keeps the obstacles of a domain while they come, move and go, and makes the ground that they leave. Only what changed
// is made anew, but the ground is the same, bit for bit, as Build's of the obstacles as they are.
//
// A Plan is for one goroutine at a time. The grounds that it returns are immutable, like all: changes make new ones.
type Plan struct {
	lattice   Lattice
	obstacles map[int]obstacle
	vertices  int // of all obstacles

	// ground is the last one, nil before the first. changed has what obstacles were then that were set or removed since.
	ground  *Ground
	changed map[int]obstacle
	change  int // vertices of those that changed, before and after

	// draft has the arrangement of the last ground; nil until it is needed. capacity is how many vertices it was made for.
	draft    *draft
	capacity int
	rings    map[int][]int32 // in the draft, by obstacle
	amender  amender
	// share of the vertices, from which on building all is faster than changing the draft.
	share float64
	most  int64 // meetings
}

// obstacle is a set of polygons that come and go together.
type obstacle struct {
	polygons []Polygon
	vertices int
}

// NewPlan returns a plan of a domain without obstacles.
func NewPlan(l Lattice) *Plan {
	if !l.sized() {
		panic("geom: NewPlan of a lattice without size; make it with NewLattice")
	}
	return &Plan{lattice: l, obstacles: map[int]obstacle{}, changed: map[int]obstacle{}, share: wholesale, most: MaxMeetings}
}

// LimitMeetings sets how often edges may meet, as MaxMeetings counts: that many in a new plan.
func (p *Plan) LimitMeetings(most int64) {
	p.most, p.draft = most, nil
}

// Set makes the given polygons the obstacle of that id, in place of those that it was before. Any number of polygons may be
// one obstacle, such as those that Polygon.Grow returns. They are the plan's from now on: nobody may write to them.
//
// A vertex that cannot be put on the lattice gives a *VertexError, whose Obstacle counts the given polygons, and the
// obstacle stays as it was. That obstacles are too many shows in Ground.
func (p *Plan) Set(id int, polygons ...Polygon) error {
	if err := p.lattice.reaches(polygons); err != nil {
		return err
	}
	o := obstacle{polygons: polygons}
	for _, polygon := range polygons {
		for k := range len(polygon.Holes) + 1 {
			o.vertices += len(polygon.ring(k))
		}
	}
	p.note(id)
	p.obstacles[id] = o
	p.vertices += o.vertices
	p.change += o.vertices
	p.settle(id)
	return nil
}

// Remove takes away the obstacle of that id. It panics if there is none.
func (p *Plan) Remove(id int) {
	if _, ok := p.obstacles[id]; !ok {
		panic(fmt.Sprintf("geom: Remove of obstacle %d, which is not there; Set it first", id))
	}
	p.note(id)
	delete(p.obstacles, id)
	p.settle(id)
}

// settle forgets that an obstacle changed that is what it was in the last ground.
func (p *Plan) settle(id int) {
	is, was := p.obstacles[id].polygons, p.changed[id].polygons
	if slices.EqualFunc(is, was, func(a, b Polygon) bool {
		return slices.Equal(a.Outer, b.Outer) && slices.EqualFunc(a.Holes, b.Holes, slices.Equal[Ring])
	}) {
		delete(p.changed, id)
	}
}

// note takes the obstacle of that id, if there is one, off the count, and notes what it was in the last ground.
func (p *Plan) note(id int) {
	was := p.obstacles[id]
	if _, ok := p.changed[id]; !ok {
		p.changed[id] = was
		p.change += was.vertices
	}
	p.vertices -= was.vertices
}

// Ground returns the ground of the obstacles as they are: the same one until they change, and where they are set back to what
// they were. Obstacles that are too intricate give a *LimitError, every time until they change; the ground before stays good.
func (p *Plan) Ground() (*Ground, error) {
	var ground *Ground
	err := tooManyVertices(p.vertices)
	switch {
	case p.ground != nil && len(p.changed) == 0:
		p.change = 0
		return p.ground, nil
	case err != nil:
	case p.ground == nil || float64(p.change) > p.share*float64(p.vertices):
		p.draft = nil
		ground, err = p.whole()
	default:
		if p.draft != nil && p.vertices > 4*p.capacity {
			p.draft = nil // its cells are crowded
		}
		if p.draft == nil {
			p.begin()
		}
		ground, err = p.revised()
	}
	if err != nil {
		p.draft = nil
		return nil, err
	}
	p.ground = ground
	clear(p.changed)
	p.change = 0
	return p.ground, nil
}

// wholesale is the share of the vertices that have to come and go for a build of all to be faster: squares in rows, and octagons at
// random, of 10,000 vertices take 8 and 5 ms by the draft and 10 and 12 ms whole at that share.
const wholesale = 0.5

// whole builds the ground of all obstacles.
func (p *Plan) whole() (*Ground, error) {
	var all []Polygon
	for _, o := range p.obstacles {
		all = append(all, o.polygons...)
	}
	return build(p.lattice, all, p.most)
}

// begin drafts the last ground.
func (p *Plan) begin() {
	p.capacity = p.vertices + 64
	p.draft = newDraft(p.lattice, p.capacity)
	p.draft.most = p.most
	p.rings = make(map[int][]int32, len(p.obstacles))
	for id, o := range p.obstacles {
		if _, ok := p.changed[id]; !ok {
			p.draw(id, o)
		}
	}
	for id, was := range p.changed {
		p.draw(id, was)
	}
	p.draft.revise() // there was this ground
}

// draw enters an obstacle in the draft.
func (p *Plan) draw(id int, o obstacle) {
	for _, polygon := range o.polygons {
		for k := range len(polygon.Holes) + 1 {
			p.rings[id] = append(p.rings[id], p.draft.add(polygon.ring(k), turnOf(k)))
		}
	}
}

// revised changes the draft and the last ground where obstacles changed.
func (p *Plan) revised() (*Ground, error) {
	for id := range p.changed {
		for _, i := range p.rings[id] {
			p.draft.remove(i)
		}
		delete(p.rings, id)
		if o, ok := p.obstacles[id]; ok {
			p.draw(id, o)
		}
	}
	r, ok := p.draft.revise()
	if !ok {
		return nil, tooManyMeetings(p.draft.meetings, p.most, p.vertices)
	}
	g, was := p.amender.amended(p.ground, r)
	g.places = make([]mgl64.Vec2, len(g.Vertices))
	for v, k := range was {
		if k >= 0 {
			g.places[v] = p.ground.places[k]
		}
	}
	for _, points := range [...][]Point{r.come, r.moved} {
		for _, at := range points {
			if v, ok := slices.BinarySearchFunc(g.Vertices, at, Point.Compare); ok {
				g.places[v] = p.draft.place(at)
			}
		}
	}
	return g, nil
}
