package spm

import (
	"errors"
	"math"
	"slices"

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
	layers     []layer // by slot
	need       capacities
	lit        []int // lit parts by page; until the batch is complete of full pages only
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
	layers, first := f.layers, firstFaces(f.layers)
	s := seedLayers(layers, first, b.stride, b.sources, w.slack)
	c := w.expected(b.stride, layers)
	c.windows = max(c.windows, f.need.windows, len(s.windows))
	c.offers = max(c.offers, f.need.offers, len(s.offers))
	c.lit = max(c.lit, len(s.lit))
	c.sites = len(s.sites)
	if len(layers) > 1 && !w.fits(c) {
		return false, nil
	}
	if err := w.grow(c); err != nil {
		return false, err
	}
	if err := w.collect(f, c.records); err != nil {
		return false, err
	}
	w.startSlots(b, f, layers)
	for i, sources := range s.sources {
		f.records.Write(i*b.stride, sources)
	}
	offers := w.offers.Len() / 2
	w.windows.Write(0, s.windows)
	w.offers.Write(offers, s.offers)
	w.sites.Write(0, s.sites)
	lit := s.lit
	f.lit = nil
	for length := w.lit[0].Len(); len(lit) > length; length = w.lit[len(f.lit)].Len() {
		w.lit[len(f.lit)].Write(0, lit[:length])
		lit = lit[length:]
		if err := w.turn(f); err != nil {
			return false, err
		}
	}
	page := w.lit[len(f.lit)]
	page.Write(0, lit)

	state := make([]front, 1+fronts(len(layers)))
	state[0] = front{
		frontWindows: uint32(len(s.windows)), frontLit: uint32(len(lit)),
		frontWindowCapacity: uint32(w.windows.Len() / 2), frontOfferCapacity: uint32(offers),
		frontLitCapacity: uint32(page.Len()), frontLitPage: uint32(len(f.lit)),
	}
	for i, l := range layers {
		// Sources are at distance 0.
		slot := []uint32{0, unreachedBits, math.Float32bits(l.surface.waveStep), uint32(first[i])}
		copy(state[1+i/slotsPerFront][i%slotsPerFront*slotWords:], slot)
	}
	w.front.Write(0, state)

	f.light = lightInput{
		front: w.front, reach: w.reach, windows: w.windows, offers: w.offers,
		faces: w.gather(layers, first), lit: w.lit[0], stride: uint32(b.stride),
	}
	f.latticeStep, f.slackOfAll = float32(b.m.lattice.Step), float32(w.slack*onPlane(b.m.lattice.Size).Len())
	w.seed.Run(seedInput{f.light, f.records, uint32(len(s.offers))}, gpu.Groups(len(s.offers), group))
	f.wave, f.submission, f.first, f.pending = 0, firstSubmission, w.mail.Posted(), 0
	return true, w.submit(f)
}

// firstFaces says where the faces of each layer's ground begin among those of all.
func firstFaces(layers []layer) []int {
	all := make([]int, len(layers))
	at, next := map[*surface]int{}, 0
	for i, l := range layers {
		if _, ok := at[l.surface]; !ok {
			at[l.surface] = next
			next += l.surface.faces.Len()
		}
		all[i] = at[l.surface]
	}
	return all
}

// gather returns the faces of all layers' grounds in one buffer: those of one ground where it has
// them, of several a copy.
func (w *wavefront) gather(layers []layer, first []int) *gpu.Buffer[face] {
	if !slices.ContainsFunc(layers, func(l layer) bool { return l.surface != layers[0].surface }) {
		return layers[0].surface.faces
	}
	for i, l := range layers {
		l.surface.faces.CopyRange(0, w.faces, first[i], l.surface.faces.Len())
	}
	return w.faces
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
		if windows, offers := int(end[frontWindowsNeeded]), int(end[frontOffersNeeded]); windows > 0 || offers > 0 {
			f.need.windows = max(f.need.windows, windows, min(grown(0, windows), mostIn[window](w)/2))
			f.need.offers = max(f.need.offers, offers, min(grown(0, offers), mostIn[offer](w)/2))
			return full, nil
		}
		thisPage := int(end[frontLitPage]) == len(f.lit) // otherwise the page turned to was not begun
		if end[frontWindows] == 0 && end[frontOffers] == 0 {
			if thisPage {
				f.lit = append(f.lit, int(min(end[frontLit], end[frontLitCapacity])))
			}
			return completed, nil
		}
		if thisPage && end[frontLit] > end[frontLitCapacity] {
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
