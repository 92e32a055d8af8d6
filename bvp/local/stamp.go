package local

import (
	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/gpu"
)

const (
	// GoalLength is the length of the intermediate goal, in cells.
	GoalLength = 3
	// Shoulder is how far before an obstacle touches a cell it begins to take it, in cells: the
	// most with which a wall in the middle of a row of cells takes that row alone. A wall on the
	// line between two rows takes both.
	Shoulder = 0.5
	// Still is the speed below which agents stand when others foresee them, m/s: what moves a
	// millimeter in a second is nowhere else when they meet.
	Still = 1e-3
	// Yielding is how much of cells an agent takes at most, where it and the walker avoid each other:
	// each does half of evading.
	Yielding = 0.5
)

// stampInput is what stamp.comp.glsl takes: it writes what a walker sees into its map.
type stampInput struct {
	walkersInput
	walkers    *gpu.Buffer[Walker]   `gpu:"readwrite"`
	potentials *gpu.Buffer[uint32]   `gpu:"readwrite"`
	walls      *gpu.Buffer[[4]int32] `gpu:"read"`

	cellsOf, partsOf, spotsOf *gpu.TexelBuffer

	wallGrid               [4]int32
	latticeStepBits        [2]uint32
	cellCount              [2]int32
	cellsPerMeter, largest float32
}

func stampPass(c class) gpu.PassSpec[stampInput] {
	return gpu.PassSpec[stampInput]{Stages: []string{"bvp/stamp.comp.glsl"}, Defines: c.defines()}
}

func (m *Maps) stamp(s agents.StepContext) {
	// A wall or a body may touch every cell of a map.
	turns := s.Walls.Len() + s.Bodies.Spots.Len()/2 + aroundRelaxing
	all := func(*batch) bool { return true }
	run(m, m.stamping[:], turns, all, func(in walkersInput, potentials *gpu.Buffer[uint32]) stampInput {
		return stampInput{
			walkersInput: in, walkers: m.walkers, potentials: potentials,
			walls: s.Walls, wallGrid: s.Grid, latticeStepBits: gpu.DoubleBits(s.Lattice.Step),
			cellsOf: s.Bodies.Cells, partsOf: s.Bodies.Parts, spotsOf: s.Bodies.Spots,
			cellCount: s.Bodies.Size, cellsPerMeter: s.Bodies.CellsPerMeter, largest: s.Bodies.Largest,
		}
	})
}
