package spm

import "github.com/wayfront/wayfront/engine/gpu"

// tiesInput is what ties.comp.glsl takes: of the generators that offer a corner the same least
// distance it finds the one of lowest index.
type tiesInput struct {
	front       *gpu.Buffer[front]       `gpu:"readwrite"`
	reach       *gpu.Buffer[reachRecord] `gpu:"readwrite"`
	offers      *gpu.Buffer[offer]       `gpu:"read"`
	wave        uint32
	slotCount   uint32
	litPage     uint32 // that is being filled
	litCapacity uint32 // of that page
}

var tiesPass = gpu.PassSpec[tiesInput]{Name: "spm ties", Stages: []string{"spm/ties.comp.glsl"}, Defines: defines, Structs: []any{offer{}}}
