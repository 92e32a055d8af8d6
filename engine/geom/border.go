package geom

import (
	"cmp"
	"slices"

	"github.com/wayfront/wayfront/engine/geom/internal/arrangement"
	"github.com/wayfront/wayfront/engine/geom/internal/triangulation"
)

// Walls returns the walls that an obstacle borders, as indices into Walls of the last Ground,
// ascending: those on the border of the domain are none of them. Obstacles whose borders run
// together share walls, which both have. It panics where obstacles have changed since that Ground.
//
// It takes time by the vertices of the obstacle where the last Ground was an update, else for the
// first obstacle by those of all.
func (b *Builder) Walls(id int) []int32 {
	g := b.Unchanged()
	if g == nil {
		panic("geom: Walls of obstacles that have changed; call Ground first")
	}
	if b.outlines == nil && b.arrangement != nil {
		b.outlines = b.arrangement.Outlines()
	} else if b.outlines == nil {
		b.outlines = arrangement.NewOutlines(b.lattice, b.all())
	}
	var walls []int32
	for _, p := range b.obstacles[id].polygons {
		for _, ring := range p.Rings() {
			for _, e := range b.outlines.Edges(ring) {
				walls = g.appendWalls(walls, &e)
			}
		}
	}
	slices.Sort(walls)
	return slices.Compact(walls)
}

// appendWalls appends the walls that an edge of an outline was bent to. From each vertex it goes on
// to the next one whose pixel it meets, which an edge of the arrangement leads to; one that leads
// farther may belong to another outline.
func (g *Ground) appendWalls(walls []int32, e *arrangement.Edge) []int32 {
	t := g.mesh
	v, _ := slices.BinarySearchFunc(g.Vertices, e.From, Point.Compare)
	for at := e.From; at != e.To; at = t.Points[v] {
		next, edge := int32(-1), int32(-1)
		consider := func(end, along int32) {
			q := t.Points[end]
			if along >= 0 && (q == e.To || e.Through(q)) && e.Along(q) > e.Along(at) && (next < 0 || e.Along(q) < e.Along(t.Points[next])) {
				next, edge = end, along
			}
		}
		for h := range t.Around(int32(v)) {
			consider(t.End(h), t.Edge[h])
			last := triangulation.Prev(h)
			consider(t.Start[last], t.Edge[last])
		}
		if next < 0 {
			panic("geom: an edge of an obstacle is missing; the arrangement is broken")
		}
		if wall, ok := g.wallOf(edge); ok && !g.Walls[wall].Border {
			walls = append(walls, wall)
		}
		v = int(next)
	}
	return walls
}

// wallOf returns the wall that an edge of the arrangement is, if it is one.
func (g *Ground) wallOf(edge int32) (int32, bool) {
	e := &g.edges[edge]
	i, ok := slices.BinarySearchFunc(g.Walls, e, func(w Wall, e *arrangement.Edge) int {
		return cmp.Or(cmp.Compare(w.A, e.A), cmp.Compare(w.B, e.B))
	})
	return int32(i), ok
}
