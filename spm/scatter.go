package spm

import "github.com/wayfront/wayfront/engine/gpu"

// scatterInput is what scatter.comp.glsl takes: it writes what is drawn, sorted by generator.
type scatterInput struct {
	generators *gpu.Buffer[Generator] `gpu:"read"`
	faces      *gpu.Buffer[face]      `gpu:"read"`
	lit        *gpu.Buffer[lit]       `gpu:"read"` // a page
	tally      *gpu.Buffer[uint32]    `gpu:"read"` // the place of each generator's first shard
	shards     *gpu.Buffer[shard]     `gpu:"write"`
	stride     uint32                 // records of a slot
	litCount   uint32                 // in the page
	first      uint32                 // of the page of shards
	pageLength uint32                 // in shards
}

var scatterPass = gpu.PassSpec[scatterInput]{Name: "spm scatter", Stages: []string{"spm/scatter.comp.glsl"}, Defines: defines}

// scatterPages writes the shards of a batch: from each page of lit parts what belongs into each
// page of shards.
func (w *wavefront) scatterPages(f *layerBatch) {
	length := f.pieces.inPage * f.pieces.length
	w.device.Unordered(func() {
		for i, page := range f.shards {
			for k, n := range f.lit {
				w.scatter.Run(scatterInput{
					generators: f.records, faces: f.light.faces, lit: w.lit[k], tally: w.counts, shards: page,
					stride: f.light.stride, litCount: uint32(n), first: uint32(i) * length, pageLength: length,
				}, w.groups)
			}
		}
	})
}
