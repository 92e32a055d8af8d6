package spm

import "github.com/wayfront/wayfront/engine/gpu"

// propagateInput is what propagate.comp.glsl takes: it carries windows through triangles, as far as
// the wave reaches.
type propagateInput struct {
	lightInput
	generators  *gpu.Buffer[Generator] `gpu:"read"`
	sites       *gpu.Buffer[[2]uint32] `gpu:"read"` // see shaders/spm/voronoi.glsl
	latticeStep float32                // m
	slackOfAll  float32                // what lengths of paths may be off, lattice steps
}

var propagatePass = gpu.PassSpec[propagateInput]{Name: "spm propagate", Stages: []string{"spm/propagate.comp.glsl"}, Defines: defines}

// lightInput is what all passes take that send light on, by shaders/include/light.glsl.
type lightInput struct {
	front   *gpu.Buffer[front]       `gpu:"readwrite"`
	reach   *gpu.Buffer[reachRecord] `gpu:"readwrite"`
	windows *gpu.Buffer[window]      `gpu:"readwrite"`
	offers  *gpu.Buffer[offer]       `gpu:"readwrite"`
	faces   *gpu.Buffer[face]        `gpu:"read"`
	lit     *gpu.Buffer[lit]         `gpu:"write"` // the page that is being filled
	stride  uint32                   // records of a slot
	wave    uint32
}
