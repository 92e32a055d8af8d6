package spm

import (
	"math"

	"github.com/wayfront/wayfront/engine/gpu"
)

// face is a triangle of the ground as windows cross it.
type face struct {
	AX, AY, BX, BY, CX, CY    int32  // lattice, counter-clockwise
	Across0, Across1, Across2 int32  // the half-edge behind, 3 * triangle + side; -1 at walls
	Corner0, Corner1, Corner2 uint32 // the record of the corner that has the triangle, or NoParent
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
	Bits                         uint32 // of the generator's distance, m; once tallied its rank, or NoParent
	Face                         uint32
	Entry                        uint32 // the side that light came in by, or where it began
	RightX, RightY, LeftX, LeftY int32
}

// The Entry of light that began in a face.
const (
	wholeFace   = 3 // from a point, in the box from Right, its low corner, to Left
	fromSegment = 4 // from a source segment: all up to what leaves by side Entry - fromSegment
)

// offer is a distance that a generator offers to a corner.
type offer struct {
	Corner, Generator uint32
	Bits              uint32 // of the distance, a float32 in m
}

// reachRecord is a record of reach, as shaders/include/reach.glsl has it.
type reachRecord = [7]uint32

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

// fronts is how many elements the slots take.
func fronts(slots int) int { return (slots + slotsPerFront - 1) / slotsPerFront }

// unreachedBits are the bits of the distance of what is not reached.
var unreachedBits = math.Float32bits(float32(math.Inf(1)))

// mostTurns is how many turns loops of an invocation take in a dispatch of a wave. Any number that
// holds a step, 577, gives the same map.
const mostTurns = 1 << 12

// startInput is what start.comp.glsl takes: it fills the records of a slot from its ground, with
// nothing reached.
type startInput struct {
	generators *gpu.Buffer[Generator]   `gpu:"write"`
	reach      *gpu.Buffer[reachRecord] `gpu:"readwrite"`
	corners    *gpu.Buffer[Generator]   `gpu:"read"`
	fans       *gpu.Buffer[int32]       `gpu:"read"` // by corner: its first half-edge

	slot, stride, sources, cornerCount uint32 // sources: records before the corners
}

// lightInput is what all passes take that send light on, by shaders/include/light.glsl.
type lightInput struct {
	front   *gpu.Buffer[front]       `gpu:"readwrite"`
	reach   *gpu.Buffer[reachRecord] `gpu:"readwrite"`
	windows *gpu.Buffer[window]      `gpu:"readwrite"`
	offers  *gpu.Buffer[offer]       `gpu:"readwrite"`
	faces   *gpu.Buffer[face]        `gpu:"read"`
	lit     *gpu.Buffer[lit]         `gpu:"write"` // the page that is being filled

	stride, wave uint32 // records of a slot
}

// seedInput is what seed.comp.glsl takes: sources offer their distance to the corners of the
// triangles that they are in.
type seedInput struct {
	lightInput
	generators *gpu.Buffer[Generator] `gpu:"read"`
	count      uint32                 // of offers
}

// propagateInput is what propagate.comp.glsl takes: it carries windows through triangles, as far as
// the wave reaches.
type propagateInput struct {
	lightInput
	generators *gpu.Buffer[Generator] `gpu:"read"`
	sites      *gpu.Buffer[[2]uint32] `gpu:"read"` // see shaders/spm/voronoi.glsl

	latticeStep, slackOfAll float32 // m; what lengths of paths may be off, lattice steps
}

// tiesInput is what ties.comp.glsl takes: of the generators that offer a corner the same least
// distance it finds the one of lowest index.
type tiesInput struct {
	front  *gpu.Buffer[front]       `gpu:"readwrite"`
	reach  *gpu.Buffer[reachRecord] `gpu:"readwrite"`
	offers *gpu.Buffer[offer]       `gpu:"read"`

	wave, slotCount, litPage, litCapacity uint32 // the page that is being filled
}

// expandInput is what expand.comp.glsl takes: it makes corners with a new distance or parent
// generators of their taut wedges.
type expandInput struct {
	lightInput
	generators  *gpu.Buffer[Generator] `gpu:"readwrite"`
	latticeStep float32                // m
}

// startSlots fills the records of all slots of a batch. Sources are written over them.
func (w *wavefront) startSlots(b *building, f *layerBatch, layers []layer) {
	w.device.Unordered(func() {
		for i, l := range layers {
			w.start.Run(startInput{
				generators: f.records, reach: w.reach, corners: l.surface.corners, fans: l.surface.fans, slot: uint32(i),
				stride: uint32(b.stride), sources: uint32(b.sources), cornerCount: uint32(len(l.surface.ground.Corners)),
			}, gpu.Groups(b.stride, group))
		}
	})
}

// submit issues waves, and has the state after them read back.
func (w *wavefront) submit(f *layerBatch) error {
	page := uint32(len(f.lit))
	light := f.light
	light.lit = w.lit[page]
	for range f.submission {
		light.wave = f.wave
		w.propagate.Run(propagateInput{light, f.records, w.sites, f.latticeStep, f.slackOfAll}, w.groups)
		w.ties.Run(tiesInput{
			front: w.front, reach: w.reach, offers: w.offers, wave: f.wave,
			slotCount: uint32(len(f.layers)), litPage: page, litCapacity: uint32(light.lit.Len()),
		}, w.groups)
		w.expand.Run(expandInput{light, f.records, f.latticeStep}, w.groups)
		f.wave++
	}
	if !w.mail.Post(w.front, 0) {
		return errLost
	}
	f.pending++
	f.submission = min(2*f.submission, longestSubmission)
	return nil
}
