package bench

import (
	"fmt"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// exhaustive finds neighbors among all agents, for comparison (Bleiweiss 2009, figure 12).
type exhaustive struct {
	device  *gpu.Device
	pass    *gpu.Pass[exhaustiveInput]
	places  *gpu.Buffer[[2]float32]
	texels  *gpu.TexelBuffer
	nearest *gpu.Buffer[uint32]
	most    int     // neighbors of each
	reach   float32 // m
}

// exhaustiveMost is the limit of agents: Mesa's software renderer ends loops after 65,535 turns.
const exhaustiveMost = 65_535

const exhaustiveGroup = 64 // invocations of a work group

// exhaustiveInput is that of exhaustive.comp.glsl.
type exhaustiveInput struct {
	places  *gpu.TexelBuffer
	nearest *gpu.Buffer[uint32] `gpu:"write"`
	count   uint32
	First   uint32
	reach   float32
}

// exhaustiveSpec is the pass that finds up to most neighbors of each agent.
func exhaustiveSpec(most int) gpu.PassSpec[exhaustiveInput] {
	return gpu.PassSpec[exhaustiveInput]{
		Stages:  []string{"navview/exhaustive.comp.glsl"},
		Defines: map[string]any{"GROUP_SIZE": exhaustiveGroup, "MOST": most},
	}
}

// ExhaustiveInfo describes the pass that finds so many neighbors.
func ExhaustiveInfo(most int) gpu.PassInfo { return exhaustiveSpec(most).Info() }

// newExhaustive creates the search for up to count agents of a profile.
func newExhaustive(d *gpu.Device, count int, p scenes.Profile) (e *exhaustive, err error) {
	if count > exhaustiveMost {
		return nil, fmt.Errorf("the search for neighbors among all agents takes at most %d people, not %d", exhaustiveMost, count)
	}
	e = &exhaustive{device: d, most: p.MaxNeighbors, reach: float32(p.NeighborDistance)}
	defer func() {
		if err != nil {
			e.free()
		}
	}()
	if e.pass, err = gpu.NewPass(d, exhaustiveSpec(e.most)); err != nil {
		return nil, err
	}
	if e.nearest, err = gpu.NewBuffer[uint32](d, "nearest", max(1, count*e.most)); err != nil {
		return nil, err
	}
	if e.places, err = gpu.NewBuffer[[2]float32](d, "places", max(1, count)); err != nil {
		return nil, err
	}
	e.texels, err = gpu.NewTexelBuffer(e.places, gpu.RG32F)
	return e, err
}

// search finds the neighbors of present agents, and returns their number.
func (e *exhaustive) search(state []agents.Agent) (there int) {
	var places [][2]float32
	for _, a := range state {
		if agents.There(a.Status) {
			places = append(places, a.Position)
		}
	}
	if len(places) == 0 {
		return 0
	}
	e.places.Write(0, places)
	e.device.Stage(report.Exhaustive, func() {
		e.pass.RunEach(exhaustiveInput{places: e.texels, nearest: e.nearest, count: uint32(len(places)), reach: e.reach}, len(places), exhaustiveGroup, len(places))
	})
	return len(places)
}

func (e *exhaustive) free() {
	e.texels.Delete()
	e.nearest.Delete()
	e.places.Delete()
}
