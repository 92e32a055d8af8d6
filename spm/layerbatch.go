package spm

import (
	"errors"
	"math"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Waves are submitted some at a time. A submission is an even number of waves, so that the next one
// reads queue 0. The first are short, for maps that are done after a few waves; waves that come
// after the end find empty queues.
const (
	firstSubmission   = 4
	longestSubmission = 16
	mostPending       = 2 // submissions without a readback
)

// layerBatch is layers that spread in the same waves.
type layerBatch struct {
	layers     []int // as counted in the build's plan: slot i is of layers[i]
	need       capacities
	lit        []int // by page: how many parts are lit; until the batch is complete only of pages that are full
	wave       uint32
	submission uint32 // waves of the next one
	first      int64  // number of its first readback
	pending    int    // submissions without a readback
	*collected

	light       lightInput // but for wave and page
	latticeStep float32    // m
	slackOfAll  float32    // lattice steps
}

// begin starts a batch and submits its first waves. It reports false where the queues of all its
// layers together would be more than shaders can see, and those of a part of them need not be.
func (w *wavefront) begin(b *building, f *layerBatch) (bool, error) {
	layers := b.layersOf(f)
	s := seedLayers(layers, b.stride, b.sources, w.slack)
	if ok, err := w.prepare(b, f, layers, s); !ok || err != nil {
		return false, err
	}
	w.startSlots(b, f, layers)
	for i, sources := range s.sources {
		f.records.Write(i*b.stride, sources)
	}
	w.windows.Write(0, s.windows)
	w.offers.Write(w.sizes.offers, s.offers)
	w.rivals.Write(0, s.rivals)
	lit := s.lit
	f.lit = nil
	for length := w.lit[0].Len(); len(lit) > length; length = w.lit[len(f.lit)].Len() {
		w.lit[len(f.lit)].Write(0, lit[:length])
		lit = lit[length:]
		if err := w.turn(f); err != nil {
			return false, err
		}
	}
	w.lit[len(f.lit)].Write(0, lit)
	w.writeFront(f, layers, len(s.windows), len(lit))
	f.light = lightInput{
		front: w.front, reach: w.reach, windows: w.windows, offers: w.offers, faces: w.gather(layers), lit: w.lit[0], stride: uint32(b.stride),
	}
	f.latticeStep, f.slackOfAll = float32(b.m.lattice.Step), float32(w.slack*onPlane(b.m.lattice.Size).Len())
	w.seed.Run(seedInput{f.light, f.records, uint32(len(s.offers))}, gpu.Groups(len(s.offers), group))
	f.wave, f.submission, f.first, f.pending = 0, firstSubmission, w.mail.Posted(), 0
	return true, w.submit(f)
}

// prepare makes the queues and records that a batch needs. It reports false where they would be
// more than shaders can see.
func (w *wavefront) prepare(b *building, f *layerBatch, layers []layer, s *seeds) (bool, error) {
	c := w.expected(b.stride, layers)
	c.rivals = len(s.rivals)
	if len(layers) > 1 && !w.fits(c) {
		return false, nil
	}
	c.windows = max(min(c.windows, w.mostIn(sizeOf[window](2))), f.need.windows, len(s.windows))
	c.offers = max(min(c.offers, w.mostIn(sizeOf[offer](2))), f.need.offers, len(s.offers))
	c.lit = max(c.lit, len(s.lit))
	if len(layers) > 1 && !w.fits(c) {
		return false, nil
	}
	if err := w.grow(c); err != nil {
		return false, err
	}
	if f.collected == nil {
		c, err := w.collected(b.stride * len(layers))
		if err != nil {
			return false, err
		}
		f.collected = c
	}
	return true, nil
}

// writeFront writes the state before the first wave: so many windows, and lit parts in the page
// that is being filled.
func (w *wavefront) writeFront(f *layerBatch, layers []layer, windows, lit int) {
	state := make([]front, 1+(len(layers)+slotsPerFront-1)/slotsPerFront)
	head := &state[0]
	head[frontWindows], head[frontLit] = uint32(windows), uint32(lit)
	head[frontWindowCapacity], head[frontOfferCapacity] = uint32(w.sizes.windows), uint32(w.sizes.offers)
	head[frontLitCapacity], head[frontLitPage] = uint32(w.lit[len(f.lit)].Len()), uint32(len(f.lit))
	first := firstFaces(layers)
	for i, l := range layers {
		slot := state[1+i/slotsPerFront][i%slotsPerFront*slotWords:]
		slot[0], slot[1] = 0, unreachedBits // sources are at distance 0
		slot[2], slot[3] = math.Float32bits(l.surface.waveStep), uint32(first[i])
	}
	w.front.Write(0, state)
}

// firstFaces says where the faces of each layer's ground begin among those of all.
func firstFaces(layers []layer) []int {
	all := make([]int, len(layers))
	at, next := map[*surface]int{}, 0
	for i, l := range layers {
		first, ok := at[l.surface]
		if !ok {
			first = next
			at[l.surface] = first
			next += l.surface.faces.Len()
		}
		all[i] = first
	}
	return all
}

// gather returns the faces of all layers' grounds in one buffer: those of one ground where it has
// them, of several a copy.
func (w *wavefront) gather(layers []layer) *gpu.Buffer[face] {
	only := true
	for _, l := range layers {
		only = only && l.surface == layers[0].surface
	}
	if only {
		return layers[0].surface.faces
	}
	for i, first := range firstFaces(layers) {
		faces := layers[i].surface.faces
		faces.CopyRange(0, w.faces, first, faces.Len())
	}
	return w.faces
}

// submit issues waves, and has the state after them read back.
func (w *wavefront) submit(f *layerBatch) error {
	page := uint32(len(f.lit))
	light := f.light
	light.lit = w.lit[page]
	for range f.submission {
		light.wave = f.wave
		w.propagate.Run(propagateInput{light, f.records, w.rivals, f.latticeStep, f.slackOfAll}, w.groups)
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

// errLost is what a build ends with where a device was lost.
var errLost = errors.New("spm: the device has stopped to answer; make a new context")

// outcome is how a batch stands.
type outcome int

const (
	spreading outcome = iota
	full              // a queue had too little capacity: layerBatch.need says how much it takes
	completed         // nothing is left to expand
)

// poll takes the readbacks that have come, and submits more waves where few are pending: the device
// always has work. It does not wait.
func (w *wavefront) poll(f *layerBatch) (outcome, error) {
	var state [1]front
	for {
		number, ok := w.mail.Take(state[:])
		if !ok {
			break
		}
		if number < f.first {
			continue // of a batch before, whose last waves were too many
		}
		f.pending--
		end := &state[0]
		if windows, offers := end[frontWindowsNeeded], end[frontOffersNeeded]; windows > 0 || offers > 0 {
			f.need.windows = max(f.need.windows, int(windows), min(larger(windows), w.mostIn(sizeOf[window](2))))
			f.need.offers = max(f.need.offers, int(offers), min(larger(offers), w.mostIn(sizeOf[offer](2))))
			return full, nil
		}
		if end[frontWindows] == 0 && end[frontOffers] == 0 {
			if int(end[frontLitPage]) == len(f.lit) { // otherwise the page turned to was not begun
				f.lit = append(f.lit, int(min(end[frontLit], end[frontLitCapacity])))
			}
			return completed, nil
		}
		if end[frontLit] > end[frontLitCapacity] && int(end[frontLitPage]) == len(f.lit) {
			if err := w.turn(f); err != nil {
				return spreading, err
			}
		}
	}
	for f.pending < mostPending {
		if err := w.submit(f); err != nil {
			return spreading, err
		}
	}
	return spreading, nil
}

// sort sorts what a batch lit by layer and generator, for drawing.
func (w *wavefront) sort(f *layerBatch) error {
	if err := w.growShards(f); err != nil {
		return err
	}
	w.tallyPages(f)
	w.scanSlots(f)
	w.scatterPages(f)
	return nil
}

// growShards enlarges the shards of a batch, and the commands that draw them.
func (w *wavefront) growShards(f *layerBatch) error {
	shards := 0
	for _, n := range f.lit {
		shards += n
	}
	f.pieces = w.cut(shards)
	err := enlarge(w.device, &f.commands, "spm draws", len(f.layers)*int(f.pieces.count))
	page := int(f.pieces.inPage * f.pieces.length)
	for i := 0; i*page < shards && err == nil; i++ {
		if i == len(f.shards) {
			f.shards = append(f.shards, nil)
		}
		err = enlarge(w.device, &f.shards[i], "spm shards", min(larger(uint32(shards-i*page)), page))
	}
	return err
}
