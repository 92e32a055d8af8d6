package spm

import "github.com/wayfront/wayfront/engine/gpu"

// tallyInput is what tally.comp.glsl takes: it counts and numbers what each generator lights.
type tallyInput struct {
	generators *gpu.Buffer[Generator] `gpu:"read"`
	lit        *gpu.Buffer[lit]       `gpu:"readwrite"` // a page
	tally      *gpu.Buffer[uint32]    `gpu:"readwrite"` // by generator
	litCount   uint32                 // in the page
}

// scanInput is what scan.comp.glsl takes: it makes places of counts, and writes the draws.
type scanInput struct {
	front *gpu.Buffer[front]       `gpu:"readwrite"`
	tally *gpu.Buffer[uint32]      `gpu:"readwrite"` // by generator
	draws *gpu.Buffer[drawCommand] `gpu:"write"`     // by slot and piece

	stride, pieces, pieceLength, piecesInPage uint32 // records of a slot; see pieces
}

// scatterInput is what scatter.comp.glsl takes: it writes what is drawn, sorted by generator.
type scatterInput struct {
	generators *gpu.Buffer[Generator] `gpu:"read"`
	faces      *gpu.Buffer[face]      `gpu:"read"`
	lit        *gpu.Buffer[lit]       `gpu:"read"` // a page
	tally      *gpu.Buffer[uint32]    `gpu:"read"` // the place of each generator's first shard
	shards     *gpu.Buffer[shard]     `gpu:"write"`

	stride, litCount, first, pageLength uint32 // records of a slot; lit parts; a page of shards
}

// scanGroup is the number of invocations that add up the tally. Any power of two up to 1024 gives
// the same map.
const scanGroup = 256

// drawCommand is an indirect draw in OpenGL's layout.
type drawCommand struct{ Count, Instances, First, Base uint32 }

// longestDraw is how many shards a draw has at most. Any number gives the same map.
const longestDraw = 1 << 18

// cut cuts shards.
func (w *wavefront) cut(shards int) pieces {
	most := uint32(mostIn[shard](w))
	length := min(w.longest, most)
	return pieces{count: gpu.Groups(shards, int(length)), length: length, inPage: most / length}
}

// sort sorts what a batch lit by layer and generator, for drawing: it counts, makes places of the
// counts, a slot a work group, and writes from each page of lit parts what belongs into each page
// of shards.
func (w *wavefront) sort(f *layerBatch) error {
	shards := 0
	for _, n := range f.lit {
		shards += n
	}
	f.pieces = w.cut(shards)
	page := int(f.page())
	err := enlarge(w.device, &f.commands, "spm draws", len(f.layers)*int(f.pieces.count))
	for i := 0; i*page < shards && err == nil; i++ {
		if i == len(f.shards) {
			f.shards = append(f.shards, nil)
		}
		err = enlarge(w.device, &f.shards[i], "spm shards", min(grown(0, shards-i*page), page))
	}
	if err != nil {
		return err
	}
	w.counts.Clear()
	w.device.Unordered(func() {
		for i, n := range f.lit {
			w.tally.Run(tallyInput{f.records, w.lit[i], w.counts, uint32(n)}, w.groups)
		}
	})
	w.scan.Run(scanInput{
		front: w.front, tally: w.counts, draws: f.commands, stride: f.light.stride,
		pieces: f.pieces.count, pieceLength: f.pieces.length, piecesInPage: f.pieces.inPage,
	}, uint32(len(f.layers)))
	w.device.Unordered(func() {
		for i, shards := range f.shards {
			for k, n := range f.lit {
				w.scatter.Run(scatterInput{
					generators: f.records, faces: f.light.faces, lit: w.lit[k], tally: w.counts, shards: shards,
					stride: f.light.stride, litCount: uint32(n), first: uint32(i * page), pageLength: uint32(page),
				}, w.groups)
			}
		}
	})
	return nil
}
