package geom

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// Contact is how near a vertex comes to an edge, in lattice steps, to touch it. The lattice resolves nothing finer: of a gap
// that is narrower rounding would leave a way or none, as it happens. So what touches in the input, in decimals that no
// float64 holds exactly, touches on the lattice.
const Contact = 0.5

// joined puts every vertex of an obstacle that touches an edge, of another obstacle or of its own, into that edge: a copy of
// the vertex, which rounds to the same lattice point. The edge moves within the strip that is Contact wide on either side, and
// passes over no vertex, since all those in the strip are on it afterwards: winding numbers elsewhere stay as they were.
//
// It depends on no order: vertices on an edge are found from its two ends in sorted order.
func joined(l Lattice, obstacles []Polygon) []Polygon {
	t := newToucher(l, obstacles)
	touched := obstacles
	for i, o := range obstacles {
		changed := false
		outer, ok := t.ring(o.Outer)
		changed = changed || ok
		holes := make([]Ring, len(o.Holes))
		for k, h := range o.Holes {
			holes[k], ok = t.ring(h)
			changed = changed || ok
		}
		if changed {
			if &touched[0] == &obstacles[0] {
				touched = slices.Clone(obstacles)
			}
			touched[i] = Polygon{Outer: outer, Holes: holes}
		}
	}
	return touched
}

// toucher finds vertices by place, in a grid of about one vertex a cell.
type toucher struct {
	lattice       Lattice
	cell          float64 // in lattice steps
	columns, rows int
	start         []int32
	vertices      []placed // by cell
	found         []joint
}

// placed is a vertex in the world and, without rounding, in lattice steps.
type placed struct {
	world mgl64.Vec2
	at    [2]float64
}

// joint is a vertex on an edge, so far along it.
type joint struct {
	along float64
	placed
}

func newToucher(l Lattice, obstacles []Polygon) *toucher {
	t := &toucher{lattice: l}
	var all []placed
	add := func(r Ring) {
		for _, v := range r {
			if l.Contains(v) {
				all = append(all, placed{v, l.fractional(v)})
			}
		}
	}
	for _, o := range obstacles {
		add(o.Outer)
		for _, h := range o.Holes {
			add(h)
		}
	}
	w, h := float64(l.Size.X), float64(l.Size.Y)
	t.cell = max(1, math.Sqrt(w*h/float64(len(all)+1)))
	t.columns, t.rows = int(w/t.cell)+1, int(h/t.cell)+1
	t.start = make([]int32, t.columns*t.rows+1)
	for _, p := range all {
		t.start[t.cellOf(p.at)+1]++
	}
	for i := range t.columns * t.rows {
		t.start[i+1] += t.start[i]
	}
	t.vertices = make([]placed, len(all))
	next := slices.Clone(t.start)
	for _, p := range all {
		c := t.cellOf(p.at)
		t.vertices[next[c]] = p
		next[c]++
	}
	return t
}

func (t *toucher) cellOf(p [2]float64) int {
	return clampCell(p[1]/t.cell, t.rows)*t.columns + clampCell(p[0]/t.cell, t.columns)
}

// ring returns the ring with what touches it, and whether there was anything.
func (t *toucher) ring(r Ring) (Ring, bool) {
	var out Ring
	for i, p := range r {
		q := r[(i+1)%len(r)]
		t.edge(p, q)
		if len(t.found) > 0 && out == nil {
			out = append(make(Ring, 0, len(r)+len(t.found)), r[:i]...)
		}
		if out == nil {
			continue
		}
		out = append(out, p)
		for _, c := range t.found {
			out = append(out, c.world)
		}
	}
	if out == nil {
		return r, false
	}
	return out, true
}

// edge finds the vertices that touch the edge from p to q, in that order.
func (t *toucher) edge(p, q mgl64.Vec2) {
	t.found = t.found[:0]
	turned := lessWorld(q, p)
	if turned {
		p, q = q, p
	}
	a, b := t.lattice.fractional(p), t.lattice.fractional(q)
	d := [2]float64{b[0] - a[0], b[1] - a[1]}
	length := math.Hypot(d[0], d[1])
	if !(length > 0) || math.IsInf(length, 1) {
		return
	}
	first, last := clampCell((min(a[0], b[0])-1)/t.cell, t.columns), clampCell((max(a[0], b[0])+1)/t.cell, t.columns)
	for column := first; column <= last; column++ {
		// The edge within the column, one step wider than it is on all sides.
		low, high := min(a[1], b[1]), max(a[1], b[1])
		if d[0] != 0 {
			y := func(x float64) float64 { return a[1] + (x-a[0])*(d[1]/d[0]) }
			x0 := min(max(float64(column)*t.cell-1, min(a[0], b[0])), max(a[0], b[0]))
			x1 := min(max(float64(column+1)*t.cell+1, min(a[0], b[0])), max(a[0], b[0]))
			low, high = max(low, min(y(x0), y(x1))), min(high, max(y(x0), y(x1)))
		}
		for row := clampCell((low-1)/t.cell, t.rows); row <= clampCell((high+1)/t.cell, t.rows); row++ {
			c := row*t.columns + column
			for _, v := range t.vertices[t.start[c]:t.start[c+1]] {
				if v.world == p || v.world == q {
					continue
				}
				e := [2]float64{v.at[0] - a[0], v.at[1] - a[1]}
				along := float64(e[0]*d[0]) + float64(e[1]*d[1])
				across := float64(e[0]*d[1]) - float64(e[1]*d[0])
				if along > 0 && along < length*length && math.Abs(across) <= Contact*length {
					t.found = append(t.found, joint{along, v})
				}
			}
		}
	}
	slices.SortFunc(t.found, func(u, v joint) int {
		if c := cmp.Compare(u.along, v.along); c != 0 {
			return c
		}
		if u.world == v.world {
			return 0
		}
		if lessWorld(u.world, v.world) {
			return -1
		}
		return 1
	})
	t.found = slices.CompactFunc(t.found, func(u, v joint) bool { return u.world == v.world })
	if turned {
		slices.Reverse(t.found)
	}
}
