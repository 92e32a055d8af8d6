package spm

import "github.com/wayfront/wayfront/engine/gpu"

// tallyInput is what tally.comp.glsl takes: it counts and numbers what each generator lights.
type tallyInput struct {
	generators *gpu.Buffer[Generator] `gpu:"read"`
	lit        *gpu.Buffer[lit]       `gpu:"readwrite"` // a page
	tally      *gpu.Buffer[uint32]    `gpu:"readwrite"` // by generator
	litCount   uint32                 // in the page
}

var tallyPass = gpu.PassSpec[tallyInput]{Name: "spm tally", Stages: []string{"spm/tally.comp.glsl"}, Defines: defines}

// tallyPages tallies what a batch lit.
func (w *wavefront) tallyPages(f *layerBatch) {
	w.counts.Clear()
	w.device.Unordered(func() {
		for i, n := range f.lit {
			w.tally.Run(tallyInput{f.records, w.lit[i], w.counts, uint32(n)}, w.groups)
		}
	})
}
