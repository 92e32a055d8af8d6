package spm

import "github.com/wayfront/wayfront/engine/gpu"

// startInput is what start.comp.glsl takes: it fills the records of a slot from its ground, with
// nothing reached.
type startInput struct {
	generators  *gpu.Buffer[Generator]   `gpu:"write"`
	reach       *gpu.Buffer[reachRecord] `gpu:"readwrite"`
	corners     *gpu.Buffer[Generator]   `gpu:"read"`
	fans        *gpu.Buffer[int32]       `gpu:"read"` // by corner: its first half-edge
	slot        uint32
	stride      uint32 // records of a slot
	sources     uint32 // records before the corners
	cornerCount uint32
}

var startPass = gpu.PassSpec[startInput]{Name: "spm start", Stages: []string{"spm/start.comp.glsl"}, Defines: defines}

// startSlots fills the records of all slots of a batch. Sources are written over them.
func (w *wavefront) startSlots(b *building, f *layerBatch, layers []layer) {
	w.device.Unordered(func() {
		for i, l := range layers {
			w.start.Run(startInput{
				generators: f.records, reach: w.reach, corners: l.surface.corners, fans: l.surface.fans,
				slot: uint32(i), stride: uint32(b.stride), sources: uint32(b.sources), cornerCount: uint32(len(l.surface.ground.Corners)),
			}, gpu.Groups(b.stride, group))
		}
	})
}
