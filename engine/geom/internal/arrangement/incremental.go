package arrangement

import (
	"cmp"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// Incremental keeps the arrangement of New up to date while rings come and go, and reports how each
// update changes it.
//
// Rings become segments, edges on the lattice not yet bent; a segment becomes a chain through hot
// points; chains add up to the arrangement's edges. An update finds by place what a change alters:
//
//   - rings with an edge that a vertex touches which came or went are joined and clipped again;
//   - segments that came or went cross others, and each crossing heats a point. A point is hot as
//     long as a segment ends there or two cross there;
//   - segments that a point can bend which became hot or cold are bent again.
type Incremental struct {
	lattice  lattice.Lattice
	clipper  clipper
	arranger arranger

	rings      []ringRecord
	ringIDs    []int32                    // unused
	corners    bins[placed]               // vertices of rings in the domain, as given
	outlines   bins[ringEdge]             // edges of rings, as given
	segments   []segment                  // unused ones have count 0
	segmentIDs []int32                    // unused
	segmentOf  map[[2]lattice.Point]int32 // by ends
	lines      bins[int32]                // segments
	hot        map[lattice.Point]int32    // number of ends and crossings
	spots      bins[lattice.Point]        // hot points
	edges      map[[2]lattice.Point]tally // the arrangement's
	vertices   int                        // of all rings
	meetings   int64                      // see MaxMeetings
	most       int64                      // of these

	// The update being made; the first is number 1.
	round   uint32
	redo    []int32                    // rings
	moved   []lattice.Point            // where vertices came or went
	touched []int32                    // segments whose tally changed
	heated  map[lattice.Point]bool     // points whose count changed: whether they were hot
	bent    map[[2]lattice.Point]tally // edges whose tally changed: what it was

	cells    []int32
	found    []placed
	question uint32 // number of searches for crossings
}

// ringRecord is a ring as given and its edges on the lattice.
type ringRecord struct {
	ring    polygon.Ring
	winding int32
	edges   []Edge
	met     int64  // vertices that touch it
	redo    uint32 // the last round in which it is redone
}

// ringEdge is the edge of a ring that begins at its vertex of that number.
type ringEdge struct{ ring, edge int32 }

// tally is how many chains, or rings, go along an edge, and by how much the winding number is
// higher on its left.
type tally struct{ count, net int32 }

// segment is an edge of rings on the lattice.
type segment struct {
	Edge  // without A and B
	count int32
	was   tally           // before the last round in which it was touched
	stamp uint32          // that round
	bend  uint32          // the last round in which a point that can bend it came or went
	seen  uint32          // the last question that found it
	chain []lattice.Point // between its ends
}

// Change is how an update changes an arrangement. Points and edges are sorted; A and B of edges are
// not set.
type Change struct {
	Gone, Come     []lattice.Point // vertices
	Removed, Added []Edge
	Recounted      []Edge // the same edges with another Net
	// Moved are the points where vertices came or went before rounding.
	Moved []lattice.Point
}

// NewIncremental returns the arrangement of a domain without obstacles, sized for so many vertices.
// Rings that meet more often than most (see MaxMeetings) make Update fail.
func NewIncremental(l lattice.Lattice, capacity int, most int64) *Incremental {
	r := newRaster(l, capacity)
	d := &Incremental{
		lattice:   l,
		most:      most,
		clipper:   clipper{lattice: l},
		corners:   newBins[placed](r, 2),
		outlines:  newBins[ringEdge](r, 4),
		lines:     newBins[int32](r, 4),
		spots:     newBins[lattice.Point](r, 2),
		segmentOf: make(map[[2]lattice.Point]int32, capacity),
		hot:       make(map[lattice.Point]int32, capacity),
		edges:     make(map[[2]lattice.Point]tally, capacity),
		heated:    map[lattice.Point]bool{},
		bent:      map[[2]lattice.Point]tally{},
	}
	for _, e := range border(l) {
		d.tally(Edge{From: e[0], To: e[1]}, 1)
	}
	return d
}

// Add adds a ring and returns its number. It is in the arrangement after the next Update.
func (d *Incremental) Add(r polygon.Ring, winding int32) int32 {
	i := unused(&d.ringIDs, &d.rings)
	d.rings[i] = ringRecord{ring: r, winding: winding, redo: d.round + 1}
	d.redo = append(d.redo, i)
	d.list(i, true)
	d.vertices += len(r)
	return i
}

// Remove removes ring i.
func (d *Incremental) Remove(i int32) {
	d.list(i, false)
	for _, e := range d.rings[i].edges {
		d.tally(e, -1)
	}
	d.vertices -= len(d.rings[i].ring)
	d.meetings -= d.rings[i].met
	d.rings[i] = ringRecord{}
	d.ringIDs = append(d.ringIDs, i)
}

// unused returns the number of an unused record.
func unused[T any](ids *[]int32, records *[]T) int32 {
	if n := len(*ids); n > 0 {
		i := (*ids)[n-1]
		*ids = (*ids)[:n-1]
		return i
	}
	var zero T
	*records = append(*records, zero)
	return int32(len(*records) - 1)
}

// list adds ring i to the bins or removes it, and marks the rings that its vertices touch.
func (d *Incremental) list(i int32, add bool) {
	ring := d.rings[i].ring
	for k, p := range ring {
		e := ringEdge{i, int32(k)}
		a, b := d.lattice.Fractional(p), d.lattice.Fractional(ring[(k+1)%len(ring)])
		d.cells = d.outlines.near(a, b, margin, d.cells[:0])
		d.outlines.set(e, add, d.cells...)
	}
	for _, p := range ring {
		if !d.lattice.Contains(p) {
			continue
		}
		v := placed{world: p, at: d.lattice.Fractional(p)}
		cell := d.corners.of(v.at)
		d.corners.set(v, add, cell)
		d.moved = append(d.moved, d.lattice.Round(v.at))
		for _, e := range d.outlines.lists[cell] {
			r := &d.rings[e.ring]
			if r.redo == d.round+1 {
				continue
			}
			if s, ok := newStrip(d.lattice, r.ring[e.edge], r.ring[(int(e.edge)+1)%len(r.ring)]); ok {
				if _, ok := s.holds(&v); ok {
					r.redo = d.round + 1
					d.redo = append(d.redo, e.ring)
				}
			}
		}
	}
}

// join joins ring i with the vertices that touch it, puts it on the lattice and replaces its edges.
func (d *Incremental) join(i int32) {
	r := &d.rings[i]
	joined := joinedRing(r.ring, func(p, q mgl64.Vec2) []placed {
		s, ok := newStrip(d.lattice, p, q)
		if !ok || d.over() {
			return nil
		}
		d.found = d.found[:0]
		d.cells = d.corners.near(s.a, s.b, margin, d.cells[:0])
		for _, c := range d.cells {
			d.found = s.collect(d.found, d.corners.lists[c])
		}
		d.found = s.sorted(d.found)
		r.met += int64(len(d.found))
		d.meetings += int64(len(d.found))
		return d.found
	})
	if d.over() {
		return
	}
	before := r.edges
	d.arranger.raw = d.arranger.raw[:0]
	d.arranger.addRing(d.clipper.clip(joined), r.winding)
	r.edges = slices.Clone(d.arranger.raw)
	for _, e := range r.edges {
		d.tally(e, 1)
	}
	for _, e := range before {
		d.tally(e, -1)
	}
}

// over reports whether edges meet too often.
func (d *Incremental) over() bool { return d.meetings > d.most }

// tally counts an edge of a ring, or takes it back with count -1.
func (d *Incremental) tally(e Edge, count int32) {
	ends := [2]lattice.Point{e.From, e.To}
	i, ok := d.segmentOf[ends]
	if !ok {
		i = unused(&d.segmentIDs, &d.segments)
		d.segments[i] = segment{Edge: Edge{From: e.From, To: e.To}}
		d.segmentOf[ends] = i
	}
	s := &d.segments[i]
	d.touch(i, s, d.round+1)
	s.count += count
	s.Net += count * e.Net
}

// touch records what s was before the round, once, and reports whether this was the first time.
func (d *Incremental) touch(i int32, s *segment, round uint32) bool {
	if s.stamp == round {
		return false
	}
	s.stamp, s.was = round, tally{s.count, s.Net}
	d.touched = append(d.touched, i)
	return true
}

// Update brings the arrangement up to date with the rings and returns how it changed; the first
// time it returns no change. After a *polygon.LimitError the Incremental must not be used any more.
func (d *Incremental) Update() (Change, error) {
	var c Change
	d.rejoin()
	d.round++
	if !d.over() {
		d.recross()
	}
	if !d.over() {
		d.reheat(&c)
		d.rebend(&c)
	}
	if d.over() {
		return Change{}, tooManyMeetings(d.meetings, d.most, d.vertices)
	}
	for ends, was := range d.bent {
		is := d.edges[ends]
		e := Edge{From: ends[0], To: ends[1], Net: is.net}
		switch {
		case is.count == 0:
			delete(d.edges, ends)
			if was.count > 0 {
				c.Removed = append(c.Removed, e)
			}
		case was.count == 0:
			c.Added = append(c.Added, e)
		case was.net != is.net:
			c.Recounted = append(c.Recounted, e)
		}
	}
	for _, edges := range [...][]Edge{c.Removed, c.Added, c.Recounted} {
		slices.SortFunc(edges, CompareEdges)
	}
	if d.round > 1 {
		slices.SortFunc(d.moved, lattice.Point.Compare)
		c.Moved = slices.Clone(slices.Compact(d.moved))
	}
	d.redo, d.touched, d.moved = d.redo[:0], d.touched[:0], d.moved[:0]
	clear(d.heated)
	clear(d.bent)
	return c, nil
}

// rejoin joins the marked rings that are still there. Contacts that go are taken off before those
// that come are counted.
func (d *Incremental) rejoin() {
	d.redo = slices.DeleteFunc(d.redo, func(i int32) bool {
		r := &d.rings[i]
		d.meetings -= r.met
		r.met = 0
		return r.redo != d.round+1 // it was removed
	})
	slices.Sort(d.redo)
	d.redo = slices.Compact(d.redo) // a number is there twice that was used again
	for _, i := range d.redo {
		if d.join(i); d.over() {
			return
		}
	}
}

// recross drops segments from touched that are what they were, and replaces the crossings of the
// others: first it takes back the chains and crossings of those that were there.
func (d *Incremental) recross() {
	d.touched = slices.DeleteFunc(d.touched, func(i int32) bool {
		s := &d.segments[i]
		if s.count == 0 && s.was.count == 0 {
			d.drop(i)
			return true
		}
		same := s.was == tally{s.count, s.Net}
		if same {
			s.stamp = 0
		}
		return same
	})
	for _, i := range d.touched {
		s := &d.segments[i]
		if s.was.count > 0 {
			d.count(s, -1, s.was.net)
		}
		if s.was.count > 0 && s.count == 0 {
			d.cells = d.lines.near(inSteps(s.From), inSteps(s.To), margin, d.cells[:0])
			d.lines.set(i, false, d.cells...)
			d.cross(s, -1)
		}
	}
	for _, i := range d.touched {
		s := &d.segments[i]
		if s.was.count > 0 || s.count == 0 {
			continue
		}
		d.cells = d.lines.near(inSteps(s.From), inSteps(s.To), margin, d.cells[:0])
		if d.cross(s, 1); d.over() {
			return
		}
		d.lines.set(i, true, d.cells...)
	}
}

// reheat finds the points that became hot or cold.
func (d *Incremental) reheat(c *Change) {
	if d.round == 1 {
		for p := range d.hot {
			d.spots.set(p, true, d.spots.of(inSteps(p)))
		}
	}
	for p, was := range d.heated {
		is := d.hot[p] > 0
		switch {
		case is && !was:
			c.Come = append(c.Come, p)
		case was && !is:
			c.Gone = append(c.Gone, p)
		}
		if is != was {
			d.spots.set(p, is, d.spots.of(inSteps(p)))
		}
		if d.hot[p] == 0 {
			delete(d.hot, p)
		}
	}
	slices.SortFunc(c.Come, lattice.Point.Compare)
	slices.SortFunc(c.Gone, lattice.Point.Compare)
}

// rebend makes the chains of new segments and of those that points which came or went can bend.
func (d *Incremental) rebend(c *Change) {
	for _, points := range [...][]lattice.Point{c.Come, c.Gone} {
		for _, p := range points {
			for _, i := range d.lines.lists[d.lines.of(inSteps(p))] {
				s := &d.segments[i]
				if s.bend == d.round || !s.through(p) {
					continue
				}
				s.bend = d.round
				if d.touch(i, s, d.round) {
					d.count(s, -1, s.Net)
				}
			}
		}
	}
	for _, i := range d.touched {
		s := &d.segments[i]
		if s.count == 0 {
			d.drop(i)
			continue
		}
		if s.bend == d.round || s.was.count == 0 {
			d.chain(s)
		}
		if d.count(s, 1, s.Net); d.over() {
			return
		}
	}
}

// drop deletes segment i.
func (d *Incremental) drop(i int32) {
	s := &d.segments[i]
	delete(d.segmentOf, [2]lattice.Point{s.From, s.To})
	*s = segment{}
	d.segmentIDs = append(d.segmentIDs, i)
}

// cross heats the ends of s and where it crosses others listed in d.cells, or takes that back with
// count -1.
func (d *Incremental) cross(s *segment, count int32) {
	d.heat(s.From, count)
	d.heat(s.To, count)
	if d.question++; d.question == 0 { // after 2^32 questions their numbers repeat
		for i := range d.segments {
			d.segments[i].seen = 0
		}
		d.question = 1
	}
	low, top := s.rows()
	for _, c := range d.cells {
		for _, i := range d.lines.lists[c] {
			f := &d.segments[i]
			if f.seen == d.question {
				continue
			}
			f.seen = d.question
			if f.From.X >= s.To.X || f.To.X <= s.From.X || min(f.From.Y, f.To.Y) >= top || max(f.From.Y, f.To.Y) <= low {
				continue
			}
			if p, ok := s.crossing(&f.Edge); ok {
				d.meetings += int64(count)
				d.heat(p, count)
			}
		}
	}
}

// heat counts a reason for p to be hot, or takes it back.
func (d *Incremental) heat(p lattice.Point, count int32) {
	n := d.hot[p]
	if d.round > 1 {
		if _, ok := d.heated[p]; !ok {
			d.heated[p] = n > 0
		}
	}
	d.hot[p] = n + count
}

// count counts the edges of the chain of s, or takes them back.
func (d *Incremental) count(s *segment, count, net int32) {
	d.meetings += int64(count) * int64(len(s.chain))
	p := s.From
	for k := range len(s.chain) + 1 {
		q := s.To
		if k < len(s.chain) {
			q = s.chain[k]
		}
		ends, n := [2]lattice.Point{p, q}, net
		if q.Less(p) {
			ends, n = [2]lattice.Point{q, p}, -net
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
func (d *Incremental) chain(s *segment) {
	s.chain = s.chain[:0]
	d.cells = d.spots.near(inSteps(s.From), inSteps(s.To), margin, d.cells[:0])
	for _, c := range d.cells {
		for _, p := range d.spots.lists[c] {
			if s.through(p) {
				s.chain = append(s.chain, p)
			}
		}
	}
	slices.SortFunc(s.chain, func(p, q lattice.Point) int { return cmp.Compare(s.along(p), s.along(q)) })
}

// Place returns the place of a vertex as Places does.
func (d *Incremental) Place(p lattice.Point) mgl64.Vec2 {
	place, given := d.lattice.World(p), false
	d.cells = d.corners.near(inSteps(p), inSteps(p), margin, d.cells[:0])
	for _, c := range d.cells {
		for _, v := range d.corners.lists[c] {
			if (!given || polygon.Less(v.world, place)) && d.lattice.Round(v.at) == p {
				place, given = v.world, true
			}
		}
	}
	return place
}

// inSteps returns p as raster takes it.
func inSteps(p lattice.Point) [2]float64 { return [2]float64{float64(p.X), float64(p.Y)} }
