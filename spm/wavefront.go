package spm

import (
	"math"
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// wavefront is the method of that name: its passes and queues.
type wavefront struct {
	device *gpu.Device

	start     *gpu.Pass[startInput]
	seed      *gpu.Pass[seedInput]
	propagate *gpu.Pass[propagateInput]
	ties      *gpu.Pass[tiesInput]
	expand    *gpu.Pass[expandInput]
	tally     *gpu.Pass[tallyInput]
	scan      *gpu.Pass[scanInput]
	scatter   *gpu.Pass[scatterInput]
	shard     *gpu.Pass[shardInput]

	front  *gpu.Buffer[front]
	mail   *gpu.Mailbox[front]
	groups uint32

	windows *gpu.Buffer[window] // two queues
	offers  *gpu.Buffer[offer]  // two queues
	lit     []*gpu.Buffer[lit]  // pages, filled one after the other; at least one
	reach   *gpu.Buffer[reachRecord]
	sites   *gpu.Buffer[[2]uint32]
	counts  *gpu.Buffer[uint32] // by record
	faces   *gpu.Buffer[face]   // of several grounds
	guess   func(corners int) capacities
	slack   float64 // of lengths of paths, in parts of the domain's diagonal
	most    int64   // bytes of a buffer that shaders can see
	longest uint32  // shards of a draw

	kept []*collected // buffers that wait for their next use
}

// collected is what a batch leaves for drawing.
type collected struct {
	records  *gpu.Buffer[Generator]   // of all slots
	shards   []*gpu.Buffer[shard]     // pages; by slot and generator
	commands *gpu.Buffer[drawCommand] // of each slot and draw
	pieces
}

// pieces are how shards are cut: into pages that a shader can see, and these into draws that do not
// hold the device.
type pieces struct{ count, length, inPage uint32 }

// page is how many shards are in a page.
func (p pieces) page() uint32 { return p.inPage * p.length }

func (w *wavefront) load(l *loader) {
	load(l, &w.start, "start")
	load(l, &w.seed, "seed")
	load(l, &w.propagate, "propagate")
	load(l, &w.ties, "ties")
	load(l, &w.expand, "expand")
	load(l, &w.tally, "tally")
	load(l, &w.scan, "scan")
	load(l, &w.scatter, "scatter")
	load(l, &w.shard, "shard", "shard.vert", "shard.geom", "shard.frag")
}

func newWavefront(l *loader) (*wavefront, error) {
	d := l.device
	// A thread takes several windows of a long queue: enough workgroups to fill the device, few where
	// each costs.
	w := &wavefront{device: d, groups: 128, guess: guess, slack: slack, most: d.Info().Limits.MaxStorageBlock, longest: longestDraw}
	if d.Info().Software {
		w.groups = 4
	}
	if w.load(l); l.err == nil {
		w.mail, l.err = gpu.NewMailbox[front](d, gpu.MailboxSpec{Label: "spm front", Length: 1, Slots: 2 * mostPending})
	}
	return w, l.err
}

// buffers are all that the method has on the device.
func (w *wavefront) buffers() []resource {
	all := []resource{w.front, w.windows, w.offers, w.reach, w.sites, w.counts, w.faces}
	for _, page := range w.lit {
		all = append(all, page)
	}
	for _, c := range w.kept {
		all = append(all, c.buffers()...)
	}
	return all
}

func (c *collected) buffers() []resource {
	all := []resource{c.records, c.commands}
	for _, page := range c.shards {
		all = append(all, page)
	}
	return all
}

// capacities are the lengths of the queues, and that of the first page of what is lit.
type capacities struct{ windows, offers, lit, records, slots, faces, sites int }

// guess is the capacities that maps of so many corners in all mostly need, so that few batches
// begin anew. Rows of squares, which have the most to see, light 23 parts of triangles a corner.
func guess(corners int) capacities {
	return capacities{windows: max(1<<12, corners), offers: max(1<<12, corners), lit: max(1<<14, 24*corners)}
}

// expected is the capacities that layers will need.
func (w *wavefront) expected(stride int, layers []layer) capacities {
	corners, faces, grounds := 0, 0, map[*surface]bool{}
	for _, l := range layers {
		corners += len(l.surface.ground.Corners)
		if !grounds[l.surface] {
			grounds[l.surface] = true
			faces += l.surface.faces.Len()
		}
	}
	c := w.guess(corners)
	c.windows, c.offers = min(c.windows, mostIn[window](w)/2), min(c.offers, mostIn[offer](w)/2)
	c.records, c.slots = stride*len(layers), len(layers)
	if len(grounds) > 1 { // the faces of a single one are read where they are
		c.faces = faces
	}
	return c
}

// list is a buffer of the method that has to have some length.
type list struct {
	bytes   int64
	enlarge func() error
}

func listOf[T any](w *wavefront, b **gpu.Buffer[T], label string, n int) list {
	return list{sizeOf[T](n), func() error { return enlarge(w.device, b, label, n) }}
}

// lists are the queues with the lengths of capacities.
func (w *wavefront) lists(c capacities) []list {
	return []list{
		listOf(w, &w.front, "spm front", 1+fronts(c.slots)),
		listOf(w, &w.windows, "spm windows", 2*c.windows),
		listOf(w, &w.offers, "spm offers", 2*c.offers),
		{sizeOf[lit](c.lit), func() error { return w.growLit(c.lit) }},
		listOf(w, &w.reach, "spm reach", c.records),
		listOf(w, &w.counts, "spm tally", c.records),
		listOf(w, &w.faces, "spm all faces", c.faces),
		listOf(w, &w.sites, "spm sites", c.sites),
	}
}

// fits reports whether shaders can see all of queues of those lengths and of the records, and all
// that is lit in one page.
func (w *wavefront) fits(c capacities) bool {
	lists := append(w.lists(c), list{bytes: sizeOf[Generator](c.records)})
	return !slices.ContainsFunc(lists, func(l list) bool { return l.bytes > w.most })
}

// grow makes the queues at least as long as given.
func (w *wavefront) grow(c capacities) error {
	for _, l := range w.lists(c) {
		if err := l.enlarge(); err != nil {
			return err
		}
	}
	return nil
}

// mostIn is how many elements a shader can see in a buffer.
func mostIn[T any](w *wavefront) int { return int(w.most / sizeOf[T](1)) }

// litLength is the length of all pages of what is lit.
func (w *wavefront) litLength() (sum int) {
	for _, p := range w.lit {
		sum += p.Len()
	}
	return sum
}

// growLit makes one page of all that there are, and at least as long as given, as far as shaders
// can see it.
func (w *wavefront) growLit(n int) error {
	n = min(max(n, w.litLength()), mostIn[lit](w))
	if len(w.lit) > 0 && w.lit[0].Len() >= n {
		return nil
	}
	page, err := gpu.NewBuffer[lit](w.device, "spm lit", n)
	if err != nil {
		return err
	}
	for _, p := range w.lit {
		p.Delete()
	}
	w.lit = []*gpu.Buffer[lit]{page}
	return nil
}

// turn turns to the next page of what is lit, half as long as those before together.
func (w *wavefront) turn(f *layerBatch) error {
	if len(f.lit)+1 == len(w.lit) {
		page, err := gpu.NewBuffer[lit](w.device, "spm lit", min(w.litLength()/2+1, mostIn[lit](w)))
		if err != nil {
			return err
		}
		w.lit = append(w.lit, page)
	}
	f.lit = append(f.lit, w.lit[len(f.lit)].Len())
	return nil
}

// collect gives a batch buffers for what its slots leave.
func (w *wavefront) collect(f *layerBatch, records int) error {
	if n := len(w.kept); f.collected == nil && n > 0 {
		f.collected, w.kept = w.kept[n-1], w.kept[:n-1]
	} else if f.collected == nil {
		f.collected = &collected{}
	}
	return enlarge(w.device, &f.records, "spm working generators", records)
}

// keep keeps the buffers of a batch for the next.
func (w *wavefront) keep(f *layerBatch) {
	if f.collected != nil {
		w.kept = append(w.kept, f.collected)
		f.collected = nil
	}
}

// slack is what lengths of paths may be off: float32 carries 2^-24 for each edge, and 2^-16 of the
// domain's diagonal is past what a hundred edges add up to. Any that is larger gives the same map.
const slack = 1.0 / (1 << 16)

// waveStep is how far a wave reaches: the width of a good dozen triangles. Any positive length
// gives the same map. Longer ones take fewer waves and more windows that are dropped later; of
// powers of two this took the least time on squares and octagons of 1,600 to 20,000 vertices.
func waveStep(g *geom.Ground) float32 {
	area := float64(g.Lattice.Size.X) * float64(g.Lattice.Size.Y)
	return float32(8 * math.Sqrt(area/float64(len(g.Triangles))) * g.Lattice.Step)
}
