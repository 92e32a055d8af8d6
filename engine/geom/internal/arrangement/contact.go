package arrangement

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// Contact is how near a vertex comes to an edge, in lattice steps, to touch it. The lattice
// resolves nothing finer: rounding would keep or close a narrower gap by chance. So what touches in
// the input, in decimals that no float64 holds exactly, touches on the lattice.
const Contact = 0.5

// joined puts every vertex of an obstacle that touches an edge, of another obstacle or its own,
// into that edge: a copy of the vertex, which rounds to the same lattice point. The edge moves
// within the strip of width Contact on either side, and passes over no vertex, since all those in
// the strip are on it afterwards: winding numbers elsewhere stay.
//
// The result is independent of any order: vertices on an edge are found from its two ends in sorted
// order. If e passes a limit, it is incomplete.
func joined(l lattice.Lattice, obstacles []polygon.Polygon, e *effort) []polygon.Polygon {
	result := slices.Clone(obstacles)
	grid := newContactGrid(l, obstacles)
	grid.effort = e
	parts := min(runtime.GOMAXPROCS(0), len(obstacles))
	var wait sync.WaitGroup
	for part := range parts {
		wait.Go(func() {
			t := *grid // with its own scratch memory
			for i := part * len(obstacles) / parts; i < (part+1)*len(obstacles)/parts; i++ {
				o := &result[i]
				o.Outer = joinedRing(o.Outer, t.touching)
				for k, h := range o.Holes {
					if r := joinedRing(h, t.touching); len(r) != len(h) {
						if &o.Holes[0] == &obstacles[i].Holes[0] {
							o.Holes = slices.Clone(o.Holes)
						}
						o.Holes[k] = r
					}
				}
			}
		})
	}
	wait.Wait()
	return result
}

// joinedRing returns the ring with the vertices that touch each of its edges: the same one if there
// are none.
func joinedRing(r polygon.Ring, touching func(p, q mgl64.Vec2) []placed) polygon.Ring {
	var out polygon.Ring
	for i, p := range r {
		found := touching(p, r[(i+1)%len(r)])
		if len(found) > 0 && out == nil {
			out = append(make(polygon.Ring, 0, len(r)+len(found)), r[:i]...)
		}
		if out != nil {
			out = append(out, p)
			for _, v := range found {
				out = append(out, v.world)
			}
		}
	}
	if out == nil {
		return r
	}
	return out
}

// placed is a vertex in the world and, not rounded, in lattice steps.
type placed struct {
	world mgl64.Vec2
	at    [2]float64
	along float64 // along the edge that it was found on
}

// contactGrid finds vertices by place, in a grid of about one vertex a cell.
type contactGrid struct {
	lattice  lattice.Lattice
	effort   *effort
	raster   raster
	start    []int32
	vertices []placed // by cell
	found    []placed
	cells    []int32
}

func newContactGrid(l lattice.Lattice, obstacles []polygon.Polygon) *contactGrid {
	all := make([]placed, 0, polygon.Vertices(obstacles))
	for _, o := range obstacles {
		for _, r := range o.Rings() {
			for _, v := range r {
				if l.Contains(v) {
					all = append(all, placed{world: v, at: l.Fractional(v)})
				}
			}
		}
	}
	t := &contactGrid{lattice: l}
	// Obstacles repeat and share corners. Where most are dropped, the cells are too many.
	if t.sort(all); 2*len(t.vertices) < len(all) {
		t.sort(t.vertices)
	}
	return t
}

// sort sorts vertices into cells and drops those that repeat.
func (t *contactGrid) sort(all []placed) {
	t.raster = newRaster(t.lattice, len(all))
	t.start = make([]int32, t.raster.columns*t.raster.rows+1)
	where := make([]int32, len(all))
	for i, v := range all {
		where[i] = t.raster.of(v.at)
	}
	t.vertices = lattice.Distribute(t.start, where, all)
	kept := t.vertices[:0]
	for c := range len(t.start) - 1 {
		list := t.vertices[t.start[c]:t.start[c+1]]
		if t.start[c] = int32(len(kept)); len(list) > 1 {
			slices.SortFunc(list, func(u, v placed) int { return polygon.Compare(u.world, v.world) })
			list = slices.CompactFunc(list, func(u, v placed) bool { return u.world == v.world })
		}
		kept = append(kept, list...)
	}
	t.start[len(t.start)-1] = int32(len(kept))
	t.vertices = kept
}

// touching returns the vertices that touch the edge from p to q, in that order. The next call
// overwrites the result.
func (t *contactGrid) touching(p, q mgl64.Vec2) []placed {
	s, ok := newStrip(t.lattice, p, q)
	if !ok || t.effort.over() {
		return nil
	}
	t.cells = t.raster.near(s.a, s.b, margin, t.cells[:0])
	compared := int64(len(t.cells))
	for _, c := range t.cells {
		compared += int64(t.start[c+1] - t.start[c])
	}
	if !t.effort.compare(compared) {
		return nil
	}
	t.found = t.found[:0]
	for _, c := range t.cells {
		t.found = s.collect(t.found, t.vertices[t.start[c]:t.start[c+1]])
	}
	t.found = s.sorted(t.found)
	t.effort.meetings.Add(int64(len(t.found)))
	return t.found
}

// strip is the part of the plane near enough to an edge to touch it.
type strip struct {
	p, q     mgl64.Vec2 // in order
	reversed bool       // against the edge
	a, b     [2]float64 // in lattice steps
	d        [2]float64
	length   float64
}

// newStrip returns the strip of the edge from p to q, false if the edge has no length or no finite
// one.
func newStrip(l lattice.Lattice, p, q mgl64.Vec2) (strip, bool) {
	s := strip{p: p, q: q}
	if polygon.Less(q, p) {
		s.p, s.q, s.reversed = q, p, true
	}
	s.a, s.b = l.Fractional(s.p), l.Fractional(s.q)
	s.d = [2]float64{s.b[0] - s.a[0], s.b[1] - s.a[1]}
	s.length = math.Hypot(s.d[0], s.d[1])
	return s, s.length > 0 && !math.IsInf(s.length, 1)
}

// holds returns whether v touches the edge, and how far along.
func (s *strip) holds(v *placed) (along float64, ok bool) {
	if v.world == s.p || v.world == s.q {
		return 0, false
	}
	e := [2]float64{v.at[0] - s.a[0], v.at[1] - s.a[1]}
	along = float64(e[0]*s.d[0]) + float64(e[1]*s.d[1])
	across := float64(e[0]*s.d[1]) - float64(e[1]*s.d[0])
	return along, along > 0 && along < float64(s.length*s.length) && math.Abs(across) <= Contact*s.length
}

// collect appends those of the vertices that touch the edge.
func (s *strip) collect(found, vertices []placed) []placed {
	for i := range vertices {
		if along, ok := s.holds(&vertices[i]); ok {
			v := vertices[i]
			v.along = along
			found = append(found, v)
		}
	}
	return found
}

// sorted returns the vertices found in the order of the edge, each once, in place.
func (s *strip) sorted(found []placed) []placed {
	if len(found) < 2 {
		return found
	}
	slices.SortFunc(found, func(u, v placed) int {
		return cmp.Or(cmp.Compare(u.along, v.along), polygon.Compare(u.world, v.world))
	})
	found = slices.CompactFunc(found, func(u, v placed) bool { return u.world == v.world })
	if s.reversed {
		slices.Reverse(found)
	}
	return found
}
