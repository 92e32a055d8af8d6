package local

import (
	"maps"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/gpu"
)

// steerInput is what steer.comp.glsl takes: it turns walkers along the gradients of their maps.
type steerInput struct {
	walkersInput
	agents.ReasonInput
	walkers    *gpu.Buffer[Walker]          `gpu:"readwrite"`
	potentials *gpu.Buffer[uint32]          `gpu:"read"`
	guidance   *gpu.Buffer[agents.Guidance] `gpu:"write"`
	counters   *gpu.Buffer[uint32]          `gpu:"readwrite"`
	flatWords  [2]uint32                    // of counters: maps without a gradient in this step, and in all
}

var steerPass = gpu.PassSpec[steerInput]{Stages: []string{"bvp/steer.comp.glsl"}, Defines: steerDefines()}

func steerDefines() map[string]any {
	all := Defines()
	maps.Copy(all, agents.ReasonMacros())
	return all
}

func (m *Maps) steer(s agents.StepContext) {
	m.Device.Unordered(func() {
		for _, r := range m.buffers {
			m.steering.Run(steerInput{
				walkersInput: m.input(r), ReasonInput: s.Reasons, walkers: m.walkers, potentials: m.potentials[m.slots[r.first].buffer],
				guidance: s.Guidance, counters: s.Counters,
				flatWords: [2]uint32{uint32(s.ZeroGradient), uint32(s.ZeroGradientSum)},
			}, gpu.Groups(r.count, groupSize))
		}
	})
}
