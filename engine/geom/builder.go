package geom

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/arrangement"
	"github.com/wayfront/wayfront/engine/geom/internal/triangulation"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// Builder keeps the obstacles of a domain while they come, move and go, and updates their ground
// incrementally. The ground is the same, bit for bit, as Build's of the obstacles as they are.
//
// A Builder is for one goroutine at a time. The grounds that it returns are immutable: changes make
// new ones.
type Builder struct {
	lattice   Lattice
	obstacles map[int]obstacle
	vertices  int // of all obstacles

	// ground is the last one, nil before the first. changed has the obstacles set or removed since,
	// as they were then.
	ground  *Ground
	changed map[int]obstacle
	change  int // vertices of those that changed, before and after

	// arrangement is that of the last ground; nil until it is needed. capacity is the number of
	// vertices it was made for.
	arrangement *arrangement.Incremental
	capacity    int
	rings       map[int][]int32 // in the arrangement, by obstacle
	editor      triangulation.Editor
	// share of the vertices whose change makes a whole build faster than an update.
	share float64
	most  int64 // meetings
}

// obstacle is a set of polygons that come and go together.
type obstacle struct {
	polygons []Polygon
	vertices int
}

// NewBuilder returns the builder of a domain without obstacles.
func NewBuilder(l Lattice) *Builder {
	if !l.Valid() {
		panic("geom: NewBuilder of a lattice without size; make it with NewLattice")
	}
	return &Builder{lattice: l, obstacles: map[int]obstacle{}, changed: map[int]obstacle{}, share: wholesale, most: MaxMeetings}
}

// LimitMeetings sets how often edges may meet; the default is MaxMeetings.
func (p *Builder) LimitMeetings(most int64) {
	p.most, p.arrangement = most, nil
}

// Set makes the given polygons the obstacle of that id, in place of its polygons before. Any number
// of polygons may be one obstacle, such as those that Polygon.Grow returns. The builder owns them:
// the caller must not write to them.
//
// A vertex that cannot be put on the lattice gives a *VertexError, whose Obstacle counts the given
// polygons, and the obstacle stays as it was. Ground reports too many obstacles.
func (p *Builder) Set(id int, polygons ...Polygon) error {
	if err := arrangement.Check(p.lattice, polygons); err != nil {
		return err
	}
	p.note(id)
	o := obstacle{polygons: polygons, vertices: polygon.Vertices(polygons)}
	p.obstacles[id] = o
	p.vertices += o.vertices
	p.change += o.vertices
	p.forgetUnchanged(id)
	return nil
}

// Remove removes the obstacle of that id. It panics if there is none.
func (p *Builder) Remove(id int) {
	if _, ok := p.obstacles[id]; !ok {
		panic(fmt.Sprintf("geom: Remove of obstacle %d, which is not there; Set it first", id))
	}
	p.note(id)
	delete(p.obstacles, id)
	p.forgetUnchanged(id)
}

// note takes the obstacle of that id, if there is one, off the count, and records how it is in the
// last ground.
func (p *Builder) note(id int) {
	was := p.obstacles[id]
	if _, ok := p.changed[id]; !ok {
		p.changed[id] = was
		p.change += was.vertices
	}
	p.vertices -= was.vertices
}

// forgetUnchanged drops the record of an obstacle that is again as in the last ground.
func (p *Builder) forgetUnchanged(id int) {
	if slices.EqualFunc(p.obstacles[id].polygons, p.changed[id].polygons, func(a, b Polygon) bool {
		return slices.EqualFunc(a.Rings(), b.Rings(), slices.Equal[Ring])
	}) {
		delete(p.changed, id)
	}
}

// Ground returns the ground of the obstacles as they are: the same one until they change, and where
// they are set back to what they were. Obstacles that are too intricate give a *LimitError, every
// time until they change; the ground before stays valid.
func (p *Builder) Ground() (*Ground, error) {
	var ground *Ground
	err := arrangement.CheckCount(p.vertices)
	switch {
	case p.ground != nil && len(p.changed) == 0:
		p.change = 0
		return p.ground, nil
	case err != nil:
	case p.ground == nil || float64(p.change) > p.share*float64(p.vertices):
		p.arrangement = nil
		ground, err = p.whole()
	default:
		if p.arrangement == nil || p.vertices > 4*p.capacity { // its cells are crowded
			err = p.begin()
		}
		if err == nil {
			ground, err = p.updated()
		}
	}
	if err != nil {
		p.arrangement = nil
		return nil, err
	}
	p.ground = ground
	clear(p.changed)
	p.change = 0
	return p.ground, nil
}

// wholesale is the share of the vertices that have to come and go for a whole build to be faster:
// squares in rows, and octagons at random, of 10,000 vertices take 8 and 5 ms by an update and 10
// and 12 ms whole at that share.
const wholesale = 0.5

// whole builds the ground of all obstacles.
func (p *Builder) whole() (*Ground, error) {
	var all []Polygon
	for _, o := range p.obstacles {
		all = append(all, o.polygons...)
	}
	return build(p.lattice, all, p.most)
}

// begin makes the arrangement of the last ground.
func (p *Builder) begin() error {
	p.capacity = p.vertices + 64
	p.arrangement = arrangement.NewIncremental(p.lattice, p.capacity, p.most)
	p.rings = make(map[int][]int32, len(p.obstacles))
	for id, o := range p.obstacles {
		if _, ok := p.changed[id]; !ok {
			p.add(id, o)
		}
	}
	for id, was := range p.changed {
		p.add(id, was)
	}
	_, err := p.arrangement.Update()
	return err
}

// add adds an obstacle to the arrangement.
func (p *Builder) add(id int, o obstacle) {
	for _, polygon := range o.polygons {
		for k, ring := range polygon.Rings() {
			p.rings[id] = append(p.rings[id], p.arrangement.Add(ring, arrangement.Winding(k)))
		}
	}
}

// updated changes the arrangement and the last ground where obstacles changed.
func (p *Builder) updated() (*Ground, error) {
	for id := range p.changed {
		for _, i := range p.rings[id] {
			p.arrangement.Remove(i)
		}
		delete(p.rings, id)
		if o, ok := p.obstacles[id]; ok {
			p.add(id, o)
		}
	}
	change, err := p.arrangement.Update()
	if err != nil {
		return nil, err
	}
	mesh, edges, was := p.editor.Update(p.ground.mesh, p.ground.edges, change, p.ground.hints.near)
	g := newGround(p.lattice, edges, mesh)
	g.places = make([]mgl64.Vec2, len(g.Vertices))
	for v, k := range was {
		if k >= 0 {
			g.places[v] = p.ground.places[k]
		}
	}
	for _, points := range [...][]Point{change.Come, change.Moved} {
		for _, at := range points {
			if v, ok := slices.BinarySearchFunc(g.Vertices, at, Point.Compare); ok {
				g.places[v] = p.arrangement.Place(at)
			}
		}
	}
	return g, nil
}
