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
	effort   effort
	contacts contacts
	clipper  clipper
	arranger arranger

	corners  bins[placed]                  // vertices of rings in the domain, as given
	outlines bins[ringEdge]                // edges of rings, as given
	segments map[[2]lattice.Point]*segment // by ends
	lines    bins[*segment]
	hot      map[lattice.Point]int32    // number of ends and crossings
	spots    bins[lattice.Point]        // hot points
	edges    map[[2]lattice.Point]tally // the arrangement's
	vertices int                        // of all rings

	// The update being made; the first is number 1.
	round   uint32
	redo    []*Ring
	moved   []lattice.Point            // where vertices came or went
	touched []*segment                 // those whose tally changed
	heated  map[lattice.Point]bool     // points whose count changed: whether they were hot
	bent    map[[2]lattice.Point]tally // edges whose tally changed: what it was

	cells    []int32
	question uint64 // number of searches for crossings
}

// Ring is a ring of an Incremental.
type Ring struct {
	ring    polygon.Ring // as given
	winding int32
	edges   []Edge // on the lattice
	met     int64  // vertices that touch it
	redo    uint32 // the last round in which it is redone
}

// ringEdge is the edge of a ring that begins at its vertex of that number.
type ringEdge struct {
	*Ring
	edge int
}

// ends returns the ends of the edge as given.
func (e ringEdge) ends() (p, q mgl64.Vec2) { return e.ring[e.edge], e.ring[(e.edge+1)%len(e.ring)] }

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
	seen  uint64          // the last question that found it
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
		lattice:  l,
		effort:   effort{most: most},
		clipper:  clipper{lattice: l},
		corners:  newBins[placed](r, 2),
		outlines: newBins[ringEdge](r, 4),
		lines:    newBins[*segment](r, 4),
		spots:    newBins[lattice.Point](r, 2),
		segments: make(map[[2]lattice.Point]*segment, capacity),
		hot:      make(map[lattice.Point]int32, capacity),
		edges:    make(map[[2]lattice.Point]tally, capacity),
		heated:   map[lattice.Point]bool{},
		bent:     map[[2]lattice.Point]tally{},
	}
	d.contacts = contacts{lattice: l, effort: &d.effort, raster: r, in: func(c int32) []placed { return d.corners.lists[c] }}
	for _, e := range border(l) {
		d.tally(Edge{From: e[0], To: e[1]}, 1)
	}
	return d
}

// Add adds a ring. It is in the arrangement after the next Update.
func (d *Incremental) Add(r polygon.Ring, winding int32) *Ring {
	ring := &Ring{ring: r, winding: winding}
	d.list(ring, true)
	d.mark(ring)
	d.vertices += len(r)
	return ring
}

// Remove removes a ring that Add returned.
func (d *Incremental) Remove(r *Ring) {
	d.list(r, false)
	for _, e := range r.edges {
		d.tally(e, -1)
	}
	r.edges, r.redo = nil, 0
	d.vertices -= len(r.ring)
	d.effort.meetings.Add(-r.met)
}

// mark has the next update join a ring again.
func (d *Incremental) mark(r *Ring) {
	if r.redo != d.round+1 {
		r.redo = d.round + 1
		d.redo = append(d.redo, r)
	}
}

// list adds a ring to the bins or removes it, and marks the rings that its vertices touch.
func (d *Incremental) list(r *Ring, add bool) {
	for k := range r.ring {
		e := ringEdge{r, k}
		p, q := e.ends()
		d.cells = d.outlines.near(d.lattice.Fractional(p), d.lattice.Fractional(q), d.cells[:0])
		d.outlines.set(e, add, d.cells...)
	}
	for _, p := range r.ring {
		if !d.lattice.Contains(p) {
			continue
		}
		v := placed{world: p, at: d.lattice.Fractional(p)}
		cell := d.corners.of(v.at)
		d.corners.set(v, add, cell)
		d.moved = append(d.moved, d.lattice.Round(v.at))
		for _, e := range d.outlines.lists[cell] {
			if e.redo == d.round+1 {
				continue
			}
			p, q := e.ends()
			if s, ok := newStrip(d.lattice, p, q); ok {
				if _, ok := s.holds(&v); ok {
					d.mark(e.Ring)
				}
			}
		}
	}
}

// tally counts an edge of a ring, or takes it back with count -1.
func (d *Incremental) tally(e Edge, count int32) {
	ends := [2]lattice.Point{e.From, e.To}
	s := d.segments[ends]
	if s == nil {
		s = &segment{Edge: Edge{From: e.From, To: e.To}}
		d.segments[ends] = s
	}
	d.touch(s, d.round+1)
	s.count += count
	s.Net += count * e.Net
}

// touch records what s was before the round, once, and reports whether this was the first time.
func (d *Incremental) touch(s *segment, round uint32) bool {
	if s.stamp == round {
		return false
	}
	s.stamp, s.was = round, tally{s.count, s.Net}
	d.touched = append(d.touched, s)
	return true
}

// Update brings the arrangement up to date with the rings and returns how it changed; the first
// time it returns no change. After a *polygon.LimitError the Incremental must not be used any more.
func (d *Incremental) Update() (Change, error) {
	var c Change
	d.effort.comparisons.Store(0)
	d.rejoin()
	d.round++
	for _, step := range [...]func(*Change){d.recross, d.reheat, d.rebend} {
		if !d.effort.over() {
			step(&c)
		}
	}
	if err := d.effort.err(d.vertices); err != nil {
		return Change{}, err
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
	clear(d.redo)
	clear(d.touched)
	d.redo, d.touched, d.moved = d.redo[:0], d.touched[:0], d.moved[:0]
	clear(d.heated)
	clear(d.bent)
	return c, nil
}

// rejoin joins the marked rings that are still there with the vertices that touch them, and replaces
// their edges on the lattice. Contacts that go are taken off before those that come are counted.
func (d *Incremental) rejoin() {
	for _, r := range d.redo {
		if r.redo == d.round+1 { // it was not removed
			d.effort.meetings.Add(-r.met)
			r.met = 0
		}
	}
	for _, r := range d.redo {
		if r.redo != d.round+1 {
			continue
		}
		joined := d.contacts.join(r.ring)
		if d.effort.over() {
			return
		}
		r.met = int64(len(joined) - len(r.ring))
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
}

// recross drops segments from touched that are what they were, and replaces the crossings of the
// others: first it takes back the chains and crossings of those that were there.
func (d *Incremental) recross(*Change) {
	d.touched = slices.DeleteFunc(d.touched, func(s *segment) bool {
		if s.count == 0 && s.was.count == 0 {
			d.drop(s)
			return true
		}
		same := s.was == tally{s.count, s.Net}
		if same {
			s.stamp = 0
		}
		return same
	})
	for _, s := range d.touched {
		if s.was.count > 0 {
			d.count(s, -1, s.was.net)
			if s.count == 0 {
				d.place(s, false)
				d.cross(s, -1)
			}
		}
	}
	for _, s := range d.touched {
		if s.was.count > 0 || s.count == 0 {
			continue
		}
		d.place(s, true)
		if d.cross(s, 1); d.effort.over() {
			return
		}
	}
}

// place adds a segment to the lines or removes it, and leaves the cells that it is near in d.cells.
func (d *Incremental) place(s *segment, add bool) {
	d.cells = d.lines.near(inSteps(s.From), inSteps(s.To), d.cells[:0])
	d.lines.set(s, add, d.cells...)
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
			for _, s := range d.lines.lists[d.lines.of(inSteps(p))] {
				if s.bend == d.round || !s.Through(p) {
					continue
				}
				s.bend = d.round
				if d.touch(s, d.round) {
					d.count(s, -1, s.Net)
				}
			}
		}
	}
	for _, s := range d.touched {
		if s.count == 0 {
			d.drop(s)
			continue
		}
		if s.bend == d.round || s.was.count == 0 {
			d.chain(s)
		}
		if d.count(s, 1, s.Net); d.effort.over() {
			return
		}
	}
}

// drop deletes a segment.
func (d *Incremental) drop(s *segment) { delete(d.segments, [2]lattice.Point{s.From, s.To}) }

// cross heats the ends of s and where it crosses others listed in d.cells, or takes that back with
// count -1.
func (d *Incremental) cross(s *segment, count int32) {
	d.heat(s.From, count)
	d.heat(s.To, count)
	d.question++
	for _, c := range d.cells {
		for _, f := range d.lines.lists[c] {
			if f.seen == d.question || f.apart(&s.Edge) {
				continue
			}
			f.seen = d.question
			if p, ok := s.crossing(&f.Edge); ok {
				d.effort.meetings.Add(int64(count))
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
	d.effort.meetings.Add(int64(count) * int64(len(s.chain)))
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
	d.cells = d.spots.near(inSteps(s.From), inSteps(s.To), d.cells[:0])
	for _, c := range d.cells {
		for _, p := range d.spots.lists[c] {
			if s.Through(p) {
				s.chain = append(s.chain, p)
			}
		}
	}
	slices.SortFunc(s.chain, func(p, q lattice.Point) int { return cmp.Compare(s.Along(p), s.Along(q)) })
}

// Place returns the place of a vertex as Places does.
func (d *Incremental) Place(p lattice.Point) mgl64.Vec2 {
	place, given := d.lattice.World(p), false
	d.cells = d.corners.near(inSteps(p), inSteps(p), d.cells[:0])
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
