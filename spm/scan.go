package spm

import "github.com/wayfront/wayfront/engine/gpu"

// scanInput is what scan.comp.glsl takes: it makes places of counts, and writes the draws.
type scanInput struct {
	front        *gpu.Buffer[front]       `gpu:"readwrite"`
	tally        *gpu.Buffer[uint32]      `gpu:"readwrite"` // by generator
	draws        *gpu.Buffer[drawCommand] `gpu:"write"`     // by slot and piece
	stride       uint32                   // records of a slot
	pieces       uint32                   // that shards are cut into, for a draw each
	pieceLength  uint32
	piecesInPage uint32
}

// scanGroup is the number of invocations that add up the tally. Any power of two up to 1024 gives
// the same map.
const scanGroup = 256

var scanPass = gpu.PassSpec[scanInput]{Name: "spm scan", Stages: []string{"spm/scan.comp.glsl"}, Defines: defines}

// drawCommand is an indirect draw in OpenGL's layout.
type drawCommand struct{ Count, Instances, First, Base uint32 }

// pieces are how shards are cut: into pages that a shader can see, and these into draws that do not
// hold the device.
type pieces struct{ count, length, inPage uint32 }

// longestDraw is how many shards a draw has at most. Any number gives the same map.
const longestDraw = 1 << 18

// cut cuts shards.
func (w *wavefront) cut(shards int) pieces {
	most := uint32(w.mostIn(sizeOf[shard](1)))
	p := pieces{length: min(w.longest, most)}
	p.count, p.inPage = gpu.Groups(shards, int(p.length)), most/p.length
	return p
}

// scanSlots gives what was tallied its places, a slot a work group.
func (w *wavefront) scanSlots(f *layerBatch) {
	w.scan.Run(scanInput{
		front: w.front, tally: w.counts, draws: f.commands, stride: f.light.stride,
		pieces: f.pieces.count, pieceLength: f.pieces.length, piecesInPage: f.pieces.inPage,
	}, uint32(len(f.layers)))
}
