package local

import (
	"github.com/wayfront/wayfront/engine/gpu"
)

// moveInput is what move.comp.glsl takes: it keeps headings and potentials where walkers get other
// places.
type moveInput struct {
	walkersInput
	walkers    *gpu.Buffer[Walker] `gpu:"readwrite"`
	potentials *gpu.Buffer[uint32] `gpu:"write"`
	before     *gpu.Buffer[Walker] `gpu:"read"`
	kept       *gpu.Buffer[uint32] `gpu:"read"`
	moves      *gpu.Buffer[uint32] `gpu:"read"` // of each walker its place before

	firstBefore, beforeCount uint32
}

var movePass = gpu.PassSpec[moveInput]{Stages: []string{"bvp/move.comp.glsl"}, Defines: Defines()}

// move copies what walkers keep of another state of the maps: moves is the place there of each.
func (m *Maps) move(from *Maps, moves []uint32) error {
	list, err := gpu.NewBuffer[uint32](m.Device, "bvp moves", len(moves))
	if err != nil {
		return err
	}
	defer list.Delete()
	list.Write(0, moves)
	m.Settings(0, 1)
	m.Device.Unordered(func() {
		for _, here := range m.buffers {
			for _, there := range from.buffers {
				m.moving.Run(moveInput{
					walkersInput: m.input(here), walkers: m.walkers, potentials: m.potentials[m.slots[here.first].buffer],
					before: from.walkers, kept: from.potentials[from.slots[there.first].buffer], moves: list,
					firstBefore: uint32(there.first), beforeCount: uint32(there.count),
				}, gpu.Groups(here.count, groupSize))
			}
		}
	})
	return nil
}
