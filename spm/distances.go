package spm

import "github.com/wayfront/wayfront/engine/gpu"

// distancesInput is what distances.comp.glsl takes: it offers the current generator's distance to
// the corners that it sees (Procedure 4).
type distancesInput struct {
	generators  *gpu.Buffer[Generator] `gpu:"readwrite"`
	cone        *gpu.Buffer[cone]      `gpu:"read"`
	walls       *gpu.Buffer[wall]      `gpu:"read"`
	base        uint32                 // first record of the layer
	count       uint32                 // records of the layer
	wallCount   uint32
	latticeStep float32 // m
}

var distancesPass = gpu.PassSpec[distancesInput]{Name: "spm distances", Stages: []string{"spm/distances.comp.glsl"}, Defines: defines}
