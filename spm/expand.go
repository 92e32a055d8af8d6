package spm

import "github.com/wayfront/wayfront/engine/gpu"

// expandInput is what expand.comp.glsl takes: it makes corners with a new distance or parent
// generators of their taut wedges.
type expandInput struct {
	lightInput
	generators  *gpu.Buffer[Generator] `gpu:"readwrite"`
	latticeStep float32                // m
}

var expandPass = gpu.PassSpec[expandInput]{
	Name: "spm expand", Stages: []string{"spm/expand.comp.glsl"}, Defines: defines, Structs: []any{cone{}},
}
