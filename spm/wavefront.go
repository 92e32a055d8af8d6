package spm

import (
	"errors"
	"math"
	"unsafe"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// face is a triangle of the ground as windows cross it.
type face struct {
	AX, AY, BX, BY, CX, CY    int32  // lattice, counter-clockwise
	Across0, Across1, Across2 int32  // the half-edge behind each side, 3 * triangle + side; -1 behind walls
	Corner0, Corner1, Corner2 uint32 // the record of the corner at each vertex whose sector holds the triangle, or NoParent
}

// window is light from a generator on its way into a triangle.
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
	Entry                        uint32 // the side of the face that the light came in by; wholeFace or footing where it began there
	RightX, RightY, LeftX, LeftY int32
}

// offer is a distance that a generator offers to a corner.
type offer struct {
	Corner, Generator uint32
	Bits              uint32 // of the distance, a float32 in m
}

// The Entry of light that began in a face.
const (
	wholeFace = 3 // from a point, with no rays to bound it yet: all that lies in the box from Right, its low corner, to Left
	footing   = 4 // from a leg, all that lies between it and what leaves by side Entry - footing
)

// shard is a lit part as it is drawn, with all that drawing needs.
type shard struct {
	Position                     [2]float32 // of the generator
	Distance                     float32    // of the generator
	Index                        uint32     // of the generator
	X, Y                         int32      // of the generator, lattice
	AX, AY, BX, BY, CX, CY       int32      // the triangle; where there are rays, light came in between C and A; C is B where it began on a leg
	RightX, RightY, LeftX, LeftY int32
	AheadX, AheadY               int32 // of a beam where all its light goes; zero where rays part from X, Y
	// Where there are no rays, and Right is X, Y, the box from Left to Ahead holds all that the generator can win.
}

// drawCommand is an indirect draw in OpenGL's layout.
type drawCommand struct{ Count, Instances, First, Base uint32 }

// front is the state of a wavefront, as shaders/include/front.glsl has it: its head, or slotsPerFront of its slots.
type front [16]uint32

// Where things are in the head.
const (
	frontWindows       = 0 // of either queue
	frontOffers        = 2 // of either queue
	frontLit           = 4
	frontWindowsNeeded = 5
	frontOffersNeeded  = 6
	frontWindowRoom    = 7
	frontOfferRoom     = 8
	frontLitRoom       = 9
	frontLitPage       = 11
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

// wavefront holds the programs and queues of the method.
type wavefront struct {
	device *gpu.Device

	start, seed             *gpu.Program
	propagate, ties, expand *gpu.Program
	tally, scan, scatter    *gpu.Program
	shard                   *gpu.Program

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
	rooms   rooms
	guess   func(corners int) rooms
	slack   float64 // that sources beat one another by where light of the farther one ends, in parts of the domain's diagonal
	most    int64   // bytes of a buffer that shaders can see
	longest uint32  // shards of a draw

	kept []*harvest // buffers that wait for their next use
}

// harvest is what a flight leaves for drawing.
type harvest struct {
	records  *gpu.Buffer[Generator]   // of all slots
	shards   []*gpu.Buffer[shard]     // pages; by slot and generator
	commands *gpu.Buffer[drawCommand] // of each slot and draw
	pieces
}

// pieces are how shards are cut: into pages that a shader can see, and these into draws that do not hold the device.
type pieces struct{ count, length, inPage uint32 }

// cut cuts shards.
func (w *wavefront) cut(shards int) pieces {
	room := uint32(w.mostIn(sizeOf[shard](1)))
	p := pieces{length: min(w.longest, room)}
	p.count, p.inPage = gpu.Groups(shards, int(p.length)), room/p.length
	return p
}

// longestDraw is how many shards a draw has at most. Any number gives the same map.
const longestDraw = 1 << 18

// mostTurns is how many turns loops of an invocation take in a dispatch of a wave. Any number that holds a step, 577, gives the
// same map.
const mostTurns = 1 << 12

// scanGroup is the number of invocations that add up the tally. Any power of two up to 1024 gives the same map.
const scanGroup = 256

func newWavefront(d *gpu.Device) (*wavefront, error) {
	// A thread takes several windows of a long queue: enough workgroups to fill the device, few where each costs.
	w := &wavefront{device: d, groups: 128, guess: guess, slack: slack, most: d.Info().Limits.MaxStorageBlock, longest: longestDraw}
	if d.Info().Software {
		w.groups = 4
	}
	err := compile(d, map[string]**gpu.Program{
		"start": &w.start, "seed": &w.seed, "propagate": &w.propagate, "ties": &w.ties, "expand": &w.expand,
		"tally": &w.tally, "scan": &w.scan, "scatter": &w.scatter, "shard": &w.shard,
	})
	if err == nil {
		w.mail, err = gpu.NewMailbox[front](d, gpu.MailboxSpec{Label: "spm front", Length: 1, Slots: 2 * mostUnderWay})
	}
	return w, err
}

func (w *wavefront) delete() {
	for _, p := range []*gpu.Program{w.start, w.seed, w.propagate, w.ties, w.expand, w.tally, w.scan, w.scatter, w.shard} {
		p.Delete()
	}
	if w.mail != nil {
		w.mail.Delete()
	}
	w.front.Delete()
	w.windows.Delete()
	w.offers.Delete()
	remove(&w.lit)
	w.reach.Delete()
	w.rivals.Delete()
	w.counts.Delete()
	w.faces.Delete()
	for _, h := range w.kept {
		h.delete()
	}
}

func (h *harvest) delete() {
	h.records.Delete()
	remove(&h.shards)
	h.commands.Delete()
}

// bytes is the memory that the queues take.
func (w *wavefront) bytes() int64 {
	sum := w.front.Bytes() + w.windows.Bytes() + w.offers.Bytes() + bytesOf(w.lit) + w.reach.Bytes() + w.rivals.Bytes() +
		w.counts.Bytes() + w.faces.Bytes()
	for _, h := range w.kept {
		sum += h.bytes()
	}
	return sum
}

func (h *harvest) bytes() int64 { return h.records.Bytes() + bytesOf(h.shards) + h.commands.Bytes() }

// bytesOf is the memory that pages take.
func bytesOf[T any](pages []*gpu.Buffer[T]) (sum int64) {
	for _, p := range pages {
		sum += p.Bytes()
	}
	return sum
}

// remove deletes pages.
func remove[T any](pages *[]*gpu.Buffer[T]) {
	for _, p := range *pages {
		p.Delete()
	}
	*pages = nil
}

// rooms are the lengths of the queues, and that of the first page of what is lit.
type rooms struct{ windows, offers, lit, records, slots, faces, rivals int }

// guess is the room that maps of so many corners in all mostly need, so that few flights are flown twice. Rows of squares,
// which have the most to see, light 23 parts of triangles a corner.
func guess(corners int) rooms {
	return rooms{windows: max(1<<12, corners), offers: max(1<<12, corners), lit: max(1<<14, 24*corners)}
}

// expected is the room that layers will need.
func (w *wavefront) expected(stride int, layers []layer) rooms {
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

// fits says whether shaders can see all of queues of those lengths, and all that is lit in one page.
func (w *wavefront) fits(r rooms) bool {
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

// sizeOf is the size of n elements in bytes.
func sizeOf[T any](n int) int64 { return int64(n) * int64(unsafe.Sizeof(*new(T))) }

// larger is the room to make where so much was needed: half as much again, since what is needed grows once there is more.
func larger(needed uint32) int { return int(needed) + int(needed)/2 }

// grow makes the queues at least as large as asked for.
func (w *wavefront) grow(r rooms) error {
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
	w.rooms = rooms{w.windows.Len() / 2, w.offers.Len() / 2, w.lit[0].Len(), w.reach.Len(), r.slots, w.faces.Len(), w.rivals.Len()}
	return nil
}

// growLit makes one page of all that there are, and at least as long as asked for, as far as shaders can see it.
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
	remove(&w.lit)
	w.lit = append(w.lit, page)
	return nil
}

// turn turns to the next page of what is lit, half as long as those before together.
func (w *wavefront) turn(f *flight) error {
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

// harvest gives buffers for what the slots of a flight leave.
func (w *wavefront) harvest(records int) (*harvest, error) {
	h := &harvest{}
	if n := len(w.kept); n > 0 {
		h, w.kept = w.kept[n-1], w.kept[:n-1]
	}
	if err := enlarge(w.device, &h.records, "spm working generators", records); err != nil {
		h.delete()
		return nil, err
	}
	return h, nil
}

// keep keeps the buffers of a flight for the next.
func (w *wavefront) keep(f *flight) {
	if f.harvest != nil {
		w.kept = append(w.kept, f.harvest)
		f.harvest = nil
	}
}

// enlarge puts a buffer of n elements in the place of an old one that is smaller. Without room for it the old one stays.
func enlarge[T any](d *gpu.Device, b **gpu.Buffer[T], label string, n int) error {
	if *b != nil && (*b).Len() >= n {
		return nil
	}
	return renew(d, b, label, n)
}

// renew puts a buffer of n elements in the place of an old one. Without room for it the old one stays.
func renew[T any](d *gpu.Device, b **gpu.Buffer[T], label string, n int) error {
	fresh, err := gpu.NewBuffer[T](d, label, n)
	if err != nil {
		return err
	}
	(*b).Delete()
	*b = fresh
	return nil
}

// Storage buffer bindings of the method's programs, besides bindGenerators.
const (
	bindOffers  = 1
	bindReach   = 2
	bindFans    = 3 // in start
	bindRivals  = 3 // in propagate
	bindTally   = 3 // in tally, scan and scatter
	bindFaces   = 4
	bindFront   = 5
	bindWindows = 6 // in seed, propagate, ties and expand
	bindCorners = 6 // in start
	bindShards  = 6 // in scatter
	bindLit     = 7
)

// slack is what lengths of paths may be off: float32 carries 2^-24 for each leg, and 2^-16 of the domain's diagonal is past what a hundred
// legs add up to. Any that is larger gives the same map.
const slack = 1.0 / (1 << 16)

// waveStep is how far a wave reaches: the width of a good dozen triangles. Any positive length gives the same map. Longer ones
// take fewer waves and more windows that turn out to have been in vain; of powers of two this took the least time on squares
// and octagons of 1,600 to 20,000 vertices.
func waveStep(g *geom.Ground) float32 {
	area := float64(g.Lattice.Size.X) * float64(g.Lattice.Size.Y)
	return float32(8 * math.Sqrt(area/float64(len(g.Triangles))) * g.Lattice.Step)
}
