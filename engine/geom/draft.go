package geom

import (
	"cmp"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// draft is an arrangement that is kept up to date while rings come and go. It holds what arrange makes of all the rings there are:
// after each change it says how the arrangement differs from the one before.
//
// Rings become segments, edges on the lattice not yet bent; a segment becomes a chain through hot points; chains add up to the
// arrangement's edges. What a change can alter at each step is found by place:
//
//   - rings with an edge that a vertex touches which came or went are joined and clipped again;
//   - segments that came or went cross others, and each crossing heats a point. A point is hot as long as a segment ends there or
//     two cross there;
//   - segments that a point can bend which became hot or cold are bent again.
//
// A chain is through all hot points whose pixels the segment meets, as in an arrangement, where it says why that is all.
type draft struct {
	lattice  Lattice
	clipper  clipper
	arranger arranger

	rings      []draftRing
	ringIDs    []int32            // not in use
	corners    bins[placed]       // vertices of rings in the domain, as given
	outlines   bins[ringEdge]     // edges of rings, as given
	segments   []segment          // those with count 0 are not in use
	segmentIDs []int32            // not in use
	segmentOf  map[[2]Point]int32 // by ends
	lines      bins[int32]        // segments
	hot        map[Point]int32    // by how many ends and crossings
	meetings   int64              // as effort counts them
	most       int64              // of these
	spots      bins[Point]        // hot points
	edges      map[[2]Point]tally // the arrangement's

	// Changes being made.
	round   uint32
	redo    []int32            // rings
	moved   []Point            // where vertices came or went
	touched []int32            // segments whose tally changed
	heated  map[Point]bool     // points whose count changed: whether they were hot
	bent    map[[2]Point]tally // edges whose tally changed: what it was

	cells []int32
	found []joint
	// question counts searches for crossings.
	question uint32
}

// draftRing is a ring as given, and what it is on the lattice.
type draftRing struct {
	ring  Ring
	turn  int32
	edges []edge
	met   int64  // vertices that touch it
	redo  uint32 // the round in which it was taken up last
}

// ringEdge is the edge of a ring that begins at a vertex of it.
type ringEdge struct{ ring, edge int32 }

// tally is how many chains, or rings, go along an edge, and by how much the winding number is higher on its left.
type tally struct{ count, net int32 }

// segment is an edge of rings on the lattice.
type segment struct {
	edge  // from, to and net
	count int32
	was   tally   // before the round in which it was touched last
	stamp uint32  // that round
	bend  uint32  // the round in which a point came or went that can bend it
	seen  uint32  // the last question that came by it
	chain []Point // between its ends
}

func newDraft(l Lattice, vertices int) *draft {
	r := newRaster(l, vertices)
	d := &draft{
		lattice:   l,
		most:      MaxMeetings,
		clipper:   clipper{lattice: l},
		corners:   newBins[placed](r, 2),
		outlines:  newBins[ringEdge](r, 4),
		lines:     newBins[int32](r, 4),
		spots:     newBins[Point](r, 2),
		segmentOf: make(map[[2]Point]int32, vertices),
		hot:       make(map[Point]int32, vertices),
		edges:     make(map[[2]Point]tally, vertices),
		heated:    map[Point]bool{},
		bent:      map[[2]Point]tally{},
	}
	w, h := l.Size.X, l.Size.Y
	for _, e := range [4][2]Point{{{0, 0}, {w, 0}}, {{0, 0}, {0, h}}, {{w, 0}, {w, h}}, {{0, h}, {w, h}}} {
		d.tally(edge{from: e[0], to: e[1]}, 1)
	}
	return d
}

// revision is how an arrangement differs from the one before. Points and edges are sorted.
type revision struct {
	gone, come []Point // vertices
	less, more []edge  // edges; one whose net changed is in recount
	recount    []edge
	// moved are points where vertices came or went before rounding.
	moved []Point
}

// add takes a ring in and returns its number. It is in the arrangement after the next revise.
func (d *draft) add(r Ring, turn int32) int32 {
	var i int32
	if n := len(d.ringIDs); n > 0 {
		i, d.ringIDs = d.ringIDs[n-1], d.ringIDs[:n-1]
	} else {
		i = int32(len(d.rings))
		d.rings = append(d.rings, draftRing{})
	}
	d.rings[i] = draftRing{ring: r, turn: turn, redo: d.round + 1}
	d.redo = append(d.redo, i)
	d.list(i, true)
	return i
}

// remove takes ring i out.
func (d *draft) remove(i int32) {
	d.list(i, false)
	for _, e := range d.rings[i].edges {
		d.tally(e, -1)
	}
	d.meetings -= d.rings[i].met
	d.rings[i] = draftRing{}
	d.ringIDs = append(d.ringIDs, i)
}

// list enters ring i by place, or strikes it off, and has the rings redone that its vertices touch.
func (d *draft) list(i int32, enter bool) {
	ring := d.rings[i].ring
	for k, p := range ring {
		e := ringEdge{i, int32(k)}
		a, b := d.lattice.fractional(p), d.lattice.fractional(ring[(k+1)%len(ring)])
		d.cells = d.outlines.near(a, b, margin, d.cells[:0])
		if enter {
			d.outlines.add(e, d.cells...)
		} else {
			d.outlines.remove(e, d.cells...)
		}
	}
	for _, p := range ring {
		if !d.lattice.Contains(p) {
			continue
		}
		v := placed{p, d.lattice.fractional(p)}
		cell := d.corners.of(v.at)
		if enter {
			d.corners.add(v, cell)
		} else {
			d.corners.remove(v, cell)
		}
		d.moved = append(d.moved, d.lattice.Snap(p))
		for _, e := range d.outlines.lists[cell] {
			r := &d.rings[e.ring]
			if r.redo == d.round+1 {
				continue
			}
			s, ok := newStrip(d.lattice, r.ring[e.edge], r.ring[(int(e.edge)+1)%len(r.ring)])
			if !ok {
				continue
			}
			if _, ok := s.holds(v); ok {
				r.redo = d.round + 1
				d.redo = append(d.redo, e.ring)
			}
		}
	}
}

// join joins ring i with what touches it, puts it on the lattice and counts its edges instead of those that it had.
func (d *draft) join(i int32) {
	r := &d.rings[i]
	d.meetings -= r.met
	r.met = 0
	var out Ring
	for k, p := range r.ring {
		d.found = d.found[:0]
		if s, ok := newStrip(d.lattice, p, r.ring[(k+1)%len(r.ring)]); ok {
			d.cells = d.corners.near(s.a, s.b, margin, d.cells[:0])
			for _, c := range d.cells {
				for _, v := range d.corners.lists[c] {
					if along, ok := s.holds(v); ok {
						d.found = append(d.found, joint{along, v})
					}
				}
			}
			d.found = s.sorted(d.found)
			r.met += int64(len(d.found))
			if d.meetings+r.met > d.most {
				break
			}
		}
		out = extend(out, r.ring, k, d.found)
	}
	if out == nil {
		out = r.ring
	}
	if d.meetings += r.met; d.meetings > d.most {
		return
	}
	before := r.edges
	d.arranger.raw = d.arranger.raw[:0]
	d.arranger.addRing(d.clipper.clip(out), r.turn)
	r.edges = slices.Clone(d.arranger.raw)
	for _, e := range r.edges {
		d.tally(e, 1)
	}
	for _, e := range before {
		d.tally(e, -1)
	}
}

// tally counts an edge of a ring, or takes it back.
func (d *draft) tally(e edge, count int32) {
	i, ok := d.segmentOf[[2]Point{e.from, e.to}]
	if !ok {
		if n := len(d.segmentIDs); n > 0 {
			i, d.segmentIDs = d.segmentIDs[n-1], d.segmentIDs[:n-1]
		} else {
			i = int32(len(d.segments))
			d.segments = append(d.segments, segment{})
		}
		d.segments[i] = segment{edge: edge{from: e.from, to: e.to}}
		d.segmentOf[[2]Point{e.from, e.to}] = i
	}
	s := &d.segments[i]
	if s.stamp != d.round+1 {
		s.stamp, s.was = d.round+1, tally{s.count, s.net}
		d.touched = append(d.touched, i)
	}
	s.count += count
	s.net += count * e.net
}

// revise brings the arrangement up to date with the rings and tells how it changed; of the first time, when there was nothing
// before, it says nothing. False: edges meet too often, and the draft is of no use any more.
func (d *draft) revise() (revision, bool) {
	first := d.round == 0
	// Contacts that go are taken off before those that come are counted.
	for _, i := range d.redo {
		if r := &d.rings[i]; r.redo == d.round+1 {
			d.meetings -= r.met
			r.met = 0
		}
	}
	for _, i := range d.redo {
		if d.rings[i].redo == d.round+1 { // else it went
			if d.join(i); d.meetings > d.most {
				return revision{}, false
			}
		}
	}
	d.round++
	d.touched = slices.DeleteFunc(d.touched, func(i int32) bool {
		s := &d.segments[i]
		if s.count == 0 && s.was.count == 0 {
			d.drop(i)
			return true
		}
		same := s.was == tally{s.count, s.net}
		if same {
			s.stamp = 0
		}
		return same
	})

	// Chains of segments that were there, as they were, and their crossings; then crossings of those that come.
	for _, i := range d.touched {
		s := &d.segments[i]
		if s.was.count > 0 {
			d.count(s, -1, s.was.net)
		}
		if s.was.count > 0 && s.count == 0 {
			d.cells = d.lines.near(s.from.steps(), s.to.steps(), margin, d.cells[:0])
			d.lines.remove(i, d.cells...)
			d.cross(s, d.cells, -1)
		}
	}
	for _, i := range d.touched {
		s := &d.segments[i]
		if s.was.count > 0 || s.count == 0 {
			continue
		}
		d.cells = d.lines.near(s.from.steps(), s.to.steps(), margin, d.cells[:0])
		if d.cross(s, d.cells, 1); d.meetings > d.most {
			return revision{}, false
		}
		d.lines.add(i, d.cells...)
	}

	var r revision
	if first {
		for p := range d.hot {
			d.spots.add(p, d.spots.of(p.steps()))
		}
	}
	for p, was := range d.heated {
		switch is := d.hot[p] > 0; {
		case is && !was:
			r.come = append(r.come, p)
			d.spots.add(p, d.spots.of(p.steps()))
		case was && !is:
			r.gone = append(r.gone, p)
			d.spots.remove(p, d.spots.of(p.steps()))
		}
		if d.hot[p] == 0 {
			delete(d.hot, p)
		}
	}
	slices.SortFunc(r.come, Point.Compare)
	slices.SortFunc(r.gone, Point.Compare)

	// Of the others, those to be bent anew.
	for _, points := range [...][]Point{r.come, r.gone} {
		for _, p := range points {
			for _, i := range d.lines.lists[d.lines.of(p.steps())] {
				s := &d.segments[i]
				if s.bend == d.round || !s.through(p) {
					continue
				}
				s.bend = d.round
				if s.stamp != d.round {
					s.stamp, s.was = d.round, tally{s.count, s.net}
					d.touched = append(d.touched, i)
					d.count(s, -1, s.net)
				}
			}
		}
	}
	for _, i := range d.touched {
		s := &d.segments[i]
		if s.count > 0 {
			if s.bend == d.round || s.was.count == 0 {
				d.chain(s)
			}
			if d.count(s, 1, s.net); d.meetings > d.most {
				return revision{}, false
			}
		} else {
			d.drop(i)
		}
	}
	for ends, was := range d.bent {
		is := d.edges[ends]
		e := edge{from: ends[0], to: ends[1], net: is.net}
		switch {
		case is.count == 0:
			delete(d.edges, ends)
			if was.count > 0 {
				r.less = append(r.less, e)
			}
		case was.count == 0:
			r.more = append(r.more, e)
		case was.net != is.net:
			r.recount = append(r.recount, e)
		}
	}
	slices.SortFunc(r.less, compareEdges)
	slices.SortFunc(r.more, compareEdges)
	slices.SortFunc(r.recount, compareEdges)
	if !first {
		slices.SortFunc(d.moved, Point.Compare)
		r.moved = slices.Clone(slices.Compact(d.moved))
	}

	d.redo, d.touched, d.moved = d.redo[:0], d.touched[:0], d.moved[:0]
	clear(d.heated)
	clear(d.bent)
	return r, true
}

// drop forgets segment i.
func (d *draft) drop(i int32) {
	s := &d.segments[i]
	delete(d.segmentOf, [2]Point{s.from, s.to})
	*s = segment{}
	d.segmentIDs = append(d.segmentIDs, i)
}

// cross heats the ends of s and where it crosses others near the cells, or takes that back.
func (d *draft) cross(s *segment, near []int32, count int32) {
	d.heat(s.from, count)
	d.heat(s.to, count)
	if d.question++; d.question == 0 { // all numbers were used: forget them, they would come up again
		for i := range d.segments {
			d.segments[i].seen = 0
		}
		d.question = 1
	}
	low, top := min(s.from.Y, s.to.Y), max(s.from.Y, s.to.Y)
	for _, c := range near {
		for _, i := range d.lines.lists[c] {
			f := &d.segments[i]
			if f.seen == d.question {
				continue
			}
			f.seen = d.question
			if f.from.X >= s.to.X || f.to.X <= s.from.X || min(f.from.Y, f.to.Y) >= top || max(f.from.Y, f.to.Y) <= low {
				continue
			}
			if p, ok := s.crossing(&f.edge); ok {
				d.meetings += int64(count)
				d.heat(p, count)
			}
		}
	}
}

// heat counts a reason for p to be hot, or takes it back.
func (d *draft) heat(p Point, count int32) {
	n := d.hot[p]
	if d.round > 1 {
		if _, ok := d.heated[p]; !ok {
			d.heated[p] = n > 0
		}
	}
	d.hot[p] = n + count
}

// count counts the edges of the chain of s, or takes them back.
func (d *draft) count(s *segment, count, net int32) {
	d.meetings += int64(count) * int64(len(s.chain))
	p := s.from
	for k := range len(s.chain) + 1 {
		q := s.to
		if k < len(s.chain) {
			q = s.chain[k]
		}
		ends, n := [2]Point{p, q}, net
		if q.Less(p) {
			ends, n = [2]Point{q, p}, -net
		}
		is := d.edges[ends]
		if d.round > 1 {
			if _, ok := d.bent[ends]; !ok {
				d.bent[ends] = is
			}
		}
		d.edges[ends] = tally{is.count + count, is.net + count*n}
		p = q
	}
}

// chain bends s through the hot points.
func (d *draft) chain(s *segment) {
	s.chain = s.chain[:0]
	d.cells = d.spots.near(s.from.steps(), s.to.steps(), margin, d.cells[:0])
	for _, c := range d.cells {
		for _, p := range d.spots.lists[c] {
			if s.through(p) {
				s.chain = append(s.chain, p)
			}
		}
	}
	slices.SortFunc(s.chain, func(p, q Point) int { return cmp.Compare(s.along(p), s.along(q)) })
}

// place returns where the vertex at p was before it was rounded (see Ground.Place).
func (d *draft) place(p Point) mgl64.Vec2 {
	place, given := d.lattice.World(p), false
	d.cells = d.corners.near(p.steps(), p.steps(), margin, d.cells[:0])
	for _, c := range d.cells {
		for _, v := range d.corners.lists[c] {
			if (!given || lessWorld(v.world, place)) && d.lattice.Snap(v.world) == p {
				place, given = v.world, true
			}
		}
	}
	return place
}

// steps returns p as raster takes it.
func (p Point) steps() [2]float64 { return [2]float64{float64(p.X), float64(p.Y)} }

// compareEdges orders edges by their ends.
func compareEdges(a, b edge) int {
	return cmp.Or(a.from.Compare(b.from), a.to.Compare(b.to))
}
