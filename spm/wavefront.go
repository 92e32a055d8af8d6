package spm

import (
	"errors"
	"math"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// face is a triangle of the ground as windows cross it.
type face struct {
	AX, AY, BX, BY, CX, CY    int32  // lattice, counter-clockwise
	Across0, Across1, Across2 int32  // the half-edge behind each side, 3 * triangle + side; -1 behind walls
	Corner0, Corner1, Corner2 uint32 // the record of the corner at each vertex whose sector holds the triangle, or NoParent
}

// window is light from a generator that enters a triangle.
type window struct {
	Generator                    uint32
	Distance                     float32 // of the generator when it sent the light, m
	Entry                        int32   // the half-edge it enters by
	Key                          float32 // no point behind it is nearer than that, m
	RightX, RightY, LeftX, LeftY int32   // its bounding rays go through these, lattice
}

// lit is the part of a triangle that a generator lights.
type lit struct {
	Generator                    uint32
	Bits                         uint32 // of the generator's distance when it sent the light, m; once tallied its rank among what is drawn of the generator, NoParent where it is not
	Face                         uint32
	Entry                        uint32 // the side of the face that the light came in by; wholeFace or fromSegment where it began there
	RightX, RightY, LeftX, LeftY int32
}

// offer is a distance that a generator offers to a corner.
type offer struct {
	Corner, Generator uint32
	Bits              uint32 // of the distance, a float32 in m
}

// The Entry of light that began in a face.
const (
	wholeFace   = 3 // from a point, with no rays to bound it yet: all that lies in the box from Right, its low corner, to Left
	fromSegment = 4 // from a leg, all that lies between it and what leaves by side Entry - fromSegment
)

// front is the state of a wavefront, as shaders/include/front.glsl has it: its head, or
// slotsPerFront of its slots.
type front [16]uint32

// Where things are in the head.
const (
	frontWindows        = 0 // of either queue
	frontOffers         = 2 // of either queue
	frontLit            = 4
	frontWindowsNeeded  = 5
	frontOffersNeeded   = 6
	frontWindowCapacity = 7
	frontOfferCapacity  = 8
	frontLitCapacity    = 9
	frontLitPage        = 11
)

// A slot in front: leastKey of either queue, waveStep, firstFace.
const (
	slotWords     = 4
	slotsPerFront = len(front{}) / slotWords
)

// unreachedBits are the bits of the distance of what is not reached.
var unreachedBits = math.Float32bits(float32(math.Inf(1)))

// reachRecord is a record of reach, as shaders/include/light.glsl has it.
type reachRecord = [7]uint32

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
	rivals  *gpu.Buffer[[2]uint32]
	counts  *gpu.Buffer[uint32] // by record
	faces   *gpu.Buffer[face]   // of several grounds
	sizes   capacities          // that there are
	guess   func(corners int) capacities
	slack   float64 // that sources beat one another by where light of the farther one ends, in parts of the domain's diagonal
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

// mostTurns is how many turns loops of an invocation take in a dispatch of a wave. Any number that
// holds a step, 577, gives the same map.
const mostTurns = 1 << 12

func newWavefront(d *gpu.Device) (*wavefront, error) {
	// A thread takes several windows of a long queue: enough workgroups to fill the device, few where
	// each costs.
	w := &wavefront{device: d, groups: 128, guess: guess, slack: slack, most: d.Info().Limits.MaxStorageBlock, longest: longestDraw}
	if d.Info().Software {
		w.groups = 4
	}
	err := errors.Join(
		compile(d, startPass, &w.start),
		compile(d, seedPass, &w.seed),
		compile(d, propagatePass, &w.propagate),
		compile(d, tiesPass, &w.ties),
		compile(d, expandPass, &w.expand),
		compile(d, tallyPass, &w.tally),
		compile(d, scanPass, &w.scan),
		compile(d, scatterPass, &w.scatter),
		compile(d, shardPass, &w.shard),
	)
	if err == nil {
		w.mail, err = gpu.NewMailbox[front](d, gpu.MailboxSpec{Label: "spm front", Length: 1, Slots: 2 * mostPending})
	}
	return w, err
}

func (w *wavefront) delete() {
	if w.mail != nil {
		w.mail.Delete()
	}
	free(w.buffers()...)
}

// buffers are all that the method has on the device.
func (w *wavefront) buffers() []resource {
	all := []resource{w.front, w.windows, w.offers, w.reach, w.rivals, w.counts, w.faces}
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
type capacities struct{ windows, offers, lit, records, slots, faces, rivals int }

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
	r := w.guess(corners)
	r.records, r.slots = stride*len(layers), len(layers)
	if len(grounds) > 1 { // the faces of a single one are read where they are
		r.faces = faces
	}
	return r
}

// fits reports whether shaders can see all of queues of those lengths, and all that is lit in one
// page.
func (w *wavefront) fits(r capacities) bool {
	for _, bytes := range []int64{
		sizeOf[window](2 * r.windows), sizeOf[offer](2 * r.offers), sizeOf[lit](r.lit),
		sizeOf[Generator](r.records), sizeOf[reachRecord](r.records), sizeOf[face](r.faces), sizeOf[[2]uint32](r.rivals),
	} {
		if bytes > w.most {
			return false
		}
	}
	return true
}

// mostIn is how many elements of a size a shader can see in a buffer.
func (w *wavefront) mostIn(bytes int64) int { return int(w.most / bytes) }

// grow makes the queues at least as long as given.
func (w *wavefront) grow(r capacities) error {
	err := errors.Join(
		enlarge(w.device, &w.front, "spm front", 1+(r.slots+slotsPerFront-1)/slotsPerFront),
		enlarge(w.device, &w.windows, "spm windows", 2*r.windows),
		enlarge(w.device, &w.offers, "spm offers", 2*r.offers),
		w.growLit(r.lit),
		enlarge(w.device, &w.reach, "spm reach", r.records),
		enlarge(w.device, &w.counts, "spm tally", r.records),
		enlarge(w.device, &w.faces, "spm all faces", r.faces),
		enlarge(w.device, &w.rivals, "spm rivals", r.rivals),
	)
	if err != nil {
		return err
	}
	w.sizes = capacities{w.windows.Len() / 2, w.offers.Len() / 2, w.lit[0].Len(), w.reach.Len(), r.slots, w.faces.Len(), w.rivals.Len()}
	return nil
}

// growLit makes one page of all that there are, and at least as long as given, as far as shaders
// can see it.
func (w *wavefront) growLit(n int) error {
	most := w.mostIn(sizeOf[lit](1))
	sum := 0
	for _, p := range w.lit {
		sum += p.Len()
	}
	n = min(max(n, sum), most)
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
		sum := 0
		for _, p := range w.lit {
			sum += p.Len()
		}
		page, err := gpu.NewBuffer[lit](w.device, "spm lit", min(sum/2+1, w.mostIn(sizeOf[lit](1))))
		if err != nil {
			return err
		}
		w.lit = append(w.lit, page)
	}
	f.lit = append(f.lit, w.lit[len(f.lit)].Len())
	return nil
}

// collected gives buffers for what the slots of a batch leave.
func (w *wavefront) collected(records int) (*collected, error) {
	c := &collected{}
	if n := len(w.kept); n > 0 {
		c, w.kept = w.kept[n-1], w.kept[:n-1]
	}
	if err := enlarge(w.device, &c.records, "spm working generators", records); err != nil {
		free(c.buffers()...)
		return nil, err
	}
	return c, nil
}

// keep keeps the buffers of a batch for the next.
func (w *wavefront) keep(f *layerBatch) {
	if f.collected != nil {
		w.kept = append(w.kept, f.collected)
		f.collected = nil
	}
}

// slack is what lengths of paths may be off: float32 carries 2^-24 for each leg, and 2^-16 of the
// domain's diagonal is past what a hundred legs add up to. Any that is larger gives the same map.
const slack = 1.0 / (1 << 16)

// waveStep is how far a wave reaches: the width of a good dozen triangles. Any positive length
// gives the same map. Longer ones take fewer waves and more windows that are dropped later; of
// powers of two this took the least time on squares and octagons of 1,600 to 20,000 vertices.
func waveStep(g *geom.Ground) float32 {
	area := float64(g.Lattice.Size.X) * float64(g.Lattice.Size.Y)
	return float32(8 * math.Sqrt(area/float64(len(g.Triangles))) * g.Lattice.Step)
}
