package geom

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"

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
// It depends on no order: vertices on an edge are found from its two ends in sorted order. If that passes a limit, which e says
// then, what it returns is not finished.
func joined(l Lattice, obstacles []Polygon, e *effort) []Polygon {
	result := slices.Clone(obstacles)
	grid := newToucher(l, obstacles)
	grid.effort = e
	parallel(len(obstacles), func(first, last int) {
		t := *grid // with memory of its own
		t.cells, t.found = nil, nil
		for i := first; i < last; i++ {
			o := &result[i]
			o.Outer = t.ring(o.Outer)
			for k, h := range o.Holes {
				if r := t.ring(h); len(r) != len(h) {
					if &o.Holes[0] == &obstacles[i].Holes[0] {
						o.Holes = slices.Clone(o.Holes)
					}
					o.Holes[k] = r
				}
			}
		}
	})
	return result
}

// parallel divides the numbers below n among the processors, in parts from first up to last, and returns when all are done.
func parallel(n int, do func(first, last int)) {
	parts := min(runtime.GOMAXPROCS(0), n)
	var wait sync.WaitGroup
	for i := range parts {
		wait.Go(func() { do(i*n/parts, (i+1)*n/parts) })
	}
	wait.Wait()
}

// toucher finds vertices by place, in a grid of about one vertex a cell.
type toucher struct {
	lattice  Lattice
	effort   *effort
	raster   raster
	start    []int32
	vertices []placed // by cell
	found    []joint
	cells    []int32
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
	all := make([]placed, 0, verticesOf(obstacles))
	for _, o := range obstacles {
		for k := range len(o.Holes) + 1 {
			for _, v := range o.ring(k) {
				if l.Contains(v) {
					all = append(all, placed{v, l.fractional(v)})
				}
			}
		}
	}
	t := &toucher{lattice: l}
	// Each place once: obstacles repeat, and share corners. Where most go, the cells of all are too many.
	if t.sort(all); 2*len(t.vertices) < len(all) {
		t.sort(t.vertices)
	}
	return t
}

// sort sorts vertices into cells and drops those that repeat.
func (t *toucher) sort(all []placed) {
	t.raster = newRaster(t.lattice, len(all))
	t.start = make([]int32, t.raster.columns*t.raster.rows+1)
	t.cells = make([]int32, len(all))
	for i, p := range all {
		c := t.raster.of(p.at)
		t.cells[i] = c
		t.start[c+1]++
	}
	for i := range t.raster.columns * t.raster.rows {
		t.start[i+1] += t.start[i]
	}
	t.vertices = make([]placed, len(all))
	next := slices.Clone(t.start)
	for i, p := range all {
		c := t.cells[i]
		t.vertices[next[c]] = p
		next[c]++
	}
	kept := t.vertices[:0]
	for c := range next {
		if c == len(next)-1 {
			t.start[c] = int32(len(kept))
			break
		}
		list := t.vertices[t.start[c]:t.start[c+1]]
		if t.start[c] = int32(len(kept)); len(list) > 1 {
			slices.SortFunc(list, func(u, v placed) int { return compareWorld(u.world, v.world) })
			list = slices.CompactFunc(list, func(u, v placed) bool { return u.world == v.world })
		}
		kept = append(kept, list...)
	}
	t.vertices = kept
}

// ring returns the ring with what touches it: the same one if nothing does.
func (t *toucher) ring(r Ring) Ring {
	var out Ring
	for i, p := range r {
		t.edge(p, r[(i+1)%len(r)])
		out = extend(out, r, i, t.found)
	}
	if out == nil {
		return r
	}
	return out
}

// extend appends vertex i of ring r to out, and what touches the edge from there. As long as nothing has touched any, out stays
// nil.
func extend(out, r Ring, i int, found []joint) Ring {
	if len(found) > 0 && out == nil {
		out = append(make(Ring, 0, len(r)+len(found)), r[:i]...)
	}
	if out == nil {
		return nil
	}
	out = append(out, r[i])
	for _, c := range found {
		out = append(out, c.world)
	}
	return out
}

// edge finds the vertices that touch the edge from p to q, in that order.
func (t *toucher) edge(p, q mgl64.Vec2) {
	t.found = t.found[:0]
	s, ok := newStrip(t.lattice, p, q)
	if !ok || t.effort.over() {
		return
	}
	t.cells = t.raster.near(s.a, s.b, 1, t.cells[:0])
	compared := int64(len(t.cells))
	for _, c := range t.cells {
		compared += int64(t.start[c+1] - t.start[c])
	}
	if t.effort.comparisons.Add(compared); t.effort.over() {
		return
	}
	for _, c := range t.cells {
		for _, v := range t.vertices[t.start[c]:t.start[c+1]] {
			if along, ok := s.holds(v); ok {
				t.found = append(t.found, joint{along, v})
			}
		}
	}
	t.found = s.sorted(t.found)
	t.effort.meetings.Add(int64(len(t.found)))
}

// strip is what is near an edge, enough to touch it.
type strip struct {
	p, q   mgl64.Vec2 // in order
	turned bool       // against the edge
	a, b   [2]float64 // in lattice steps
	d      [2]float64
	length float64
}

// newStrip returns the strip of the edge from p to q. It is false if there is none.
func newStrip(l Lattice, p, q mgl64.Vec2) (strip, bool) {
	s := strip{p: p, q: q}
	if lessWorld(q, p) {
		s.p, s.q, s.turned = q, p, true
	}
	s.a, s.b = l.fractional(s.p), l.fractional(s.q)
	s.d = [2]float64{s.b[0] - s.a[0], s.b[1] - s.a[1]}
	s.length = math.Hypot(s.d[0], s.d[1])
	return s, s.length > 0 && !math.IsInf(s.length, 1)
}

// holds returns whether v touches the edge, and how far along.
func (s *strip) holds(v placed) (along float64, ok bool) {
	if v.world == s.p || v.world == s.q {
		return 0, false
	}
	e := [2]float64{v.at[0] - s.a[0], v.at[1] - s.a[1]}
	along = float64(e[0]*s.d[0]) + float64(e[1]*s.d[1])
	across := float64(e[0]*s.d[1]) - float64(e[1]*s.d[0])
	return along, along > 0 && along < float64(s.length*s.length) && math.Abs(across) <= Contact*s.length
}

// sorted returns what touches the edge in the order of the edge, each once, in place.
func (s *strip) sorted(found []joint) []joint {
	if len(found) < 2 {
		return found
	}
	slices.SortFunc(found, func(u, v joint) int {
		if c := cmp.Compare(u.along, v.along); c != 0 {
			return c
		}
		return compareWorld(u.world, v.world)
	})
	found = slices.CompactFunc(found, func(u, v joint) bool { return u.world == v.world })
	if s.turned {
		slices.Reverse(found)
	}
	return found
}
