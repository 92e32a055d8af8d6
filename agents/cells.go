package agents

import (
	"math"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Body is what others see of an agent, and what avoidance knows of it.
type Body struct {
	Position [2]float32 // m, local
	Radius   float32    // m
	ID       uint32     // its slot in the buffers of agents
	Velocity [2]float32 // m/s
	MaxSpeed float32    // m/s
	Profile  uint32     // its index in the scene; NoProfile of an agent that avoids no others
}

// NoProfile is the Profile of a Body with no neighbor list: of agents that stand, or have
// NoMethod.
const NoProfile uint32 = 0xffffffff

// Agents are sorted into cells on two levels: see include/bodies.glsl. Memory goes with the
// number of agents, whatever the size of the domain.
const (
	cellAgents = 16      // agents in a cell, were all spread evenly over the domain
	mostCells  = 1 << 14 // but there are about so many at most
	partAgents = 3       // agents in a part of a cell, at least, where the cell has that many
)

// scanSize is the size of the one work group that goes over all cells, and over all parts: the
// largest that OpenGL promises.
const scanSize = 1024

// cells sort the agents of a crowd.
type cells struct {
	// Of the newest sorting.
	size          [2]int32 // columns, rows
	cellsPerMeter float32
	parts         int // that there can be; agents that are not there are in one more

	cells  *gpu.Buffer[[2]uint32]
	starts *gpu.Buffer[uint32]
	places *gpu.Buffer[[2]uint32]
	bodies *gpu.Buffer[Body] // sorted

	cellTexels, partTexels, spots, positions *gpu.TexelBuffer
}

// cellInput is that of include/cells.glsl.
type cellInput struct {
	cellsPerMeter float32
	cellCount     [2]int32
}

// bodyInput is that of agents/cells.glsl, with include/bodies.glsl.
type bodyInput struct {
	cellInput
	cellsOf, partsOf, spotsOf, positionsOf *gpu.TexelBuffer
}

func (s *cells) input() cellInput { return cellInput{s.cellsPerMeter, s.size} }

func (s *cells) visiting() bodyInput {
	return bodyInput{s.input(), s.cellTexels, s.partTexels, s.spots, s.positions}
}

// The inputs of the passes that sort agents, in order.
type (
	cellsCountInput struct {
		cellInput
		cells    *gpu.Buffer[[2]uint32] `gpu:"readwrite"`
		before   *gpu.Buffer[Agent]     `gpu:"read"`
		guidance *gpu.Buffer[Guidance]  `gpu:"read"`
		count    uint32
	}
	cellsDivideInput struct {
		cellInput
		cells *gpu.Buffer[[2]uint32] `gpu:"readwrite"`
	}
	cellsPartsInput struct {
		cellInput
		cells    *gpu.Buffer[[2]uint32] `gpu:"read"`
		parts    *gpu.Buffer[uint32]    `gpu:"readwrite"`
		before   *gpu.Buffer[Agent]     `gpu:"read"`
		guidance *gpu.Buffer[Guidance]  `gpu:"read"`
		places   *gpu.Buffer[[2]uint32] `gpu:"write"`
		count    uint32
		nowhere  uint32
	}
	cellsScanInput struct {
		parts   *gpu.Buffer[uint32] `gpu:"readwrite"`
		nowhere uint32
	}
	cellsBodiesInput struct {
		parts    *gpu.Buffer[uint32]          `gpu:"read"`
		traits   *gpu.Buffer[Traits]          `gpu:"read"`
		before   *gpu.Buffer[Agent]           `gpu:"read"`
		guidance *gpu.Buffer[Guidance]        `gpu:"read"`
		params   *gpu.Buffer[AvoidanceParams] `gpu:"read"`
		bodies   *gpu.Buffer[Body]            `gpu:"write"`
		places   *gpu.Buffer[[2]uint32]       `gpu:"readwrite"`
		count    uint32
	}
)

// cellGrid is the grid of square cells for so many agents on a domain.
func cellGrid(l geom.Lattice, count int) (size [2]int32, cellsPerMeter float32) {
	width, height := float64(l.Size.X)*l.Step, float64(l.Size.Y)*l.Step
	wanted := min(max(1, float64(count)/cellAgents), mostCells)
	// On a domain that is narrower than a cell, cells lie in one row.
	side := max(math.Sqrt(width*height/wanted), max(width, height)/wanted)
	cellsPerMeter = float32(1 / side)
	number := func(length float64) int32 { return int32(float32(length)*cellsPerMeter) + 1 }
	return [2]int32{number(width), number(height)}, cellsPerMeter
}

// arrange chooses the cells for so many agents. More agents never have fewer cells or parts.
func (s *cells) arrange(l geom.Lattice, count int) {
	s.size, s.cellsPerMeter = cellGrid(l, count)
	// a cell of k agents has one, or at most k / partAgents
	s.parts = int(s.size[0])*int(s.size[1]) + count/partAgents
}

// prepare makes what cells of so many agents need unless it is there. The newest sorting stays.
func (s *cells) prepare(r *gpu.ResourceSet, l geom.Lattice, capacity int) {
	var largest cells
	largest.arrange(l, capacity)
	number := int(largest.size[0]) * int(largest.size[1])
	if s.bodies != nil && s.bodies.Len() >= capacity && s.cells.Len() >= number && s.starts.Len() > largest.parts {
		return
	}
	if s.bodies != nil {
		r.Replace(s.cellTexels, s.partTexels, s.spots, s.positions)
	} else if s.parts == 0 {
		s.arrange(l, capacity)
	}
	gpu.Fit(r, &s.cells, "agents cells", number)
	gpu.Fit(r, &s.starts, "agents parts of cells", largest.parts+1)
	gpu.Fit(r, &s.places, "agents places in cells", capacity)
	gpu.Fit(r, &s.bodies, "agents bodies", capacity)
	s.cellTexels, s.partTexels = texels(r, s.cells, gpu.RG32UI), texels(r, s.starts, gpu.R32UI)
	s.spots, s.positions = texels(r, s.bodies, gpu.RGBA32UI), texels(r, s.bodies, gpu.RG32F)
}

// Sort sorts the agents that are there into cells, by guidance and their places before the step.
// It does nothing where no pass looks for neighbors; see SortAlways.
func (c *Crowd) Sort() {
	c.sorted = c.sorts()
	if c.sorted {
		c.device.Stage("cells", c.sortIntoCells)
	}
}

// sortAsTheyAre sorts the agents by the states before the step, without its guidance.
func (c *Crowd) sortAsTheyAre() {
	all, guidance := make([]Agent, c.count), make([]Guidance, c.count)
	c.agents[0].Read(0, all)
	for i, a := range all {
		guidance[i].Status = a.Status
	}
	c.guidance.Write(0, guidance)
	c.sortIntoCells()
	c.sorted = true
}

func (c *Crowd) sortIntoCells() {
	s, p := &c.cells, &c.passes
	s.arrange(c.lattice, c.count)
	s.cells.Clear()
	s.starts.Clear()
	count, nowhere := uint32(c.count), uint32(s.parts)
	before, guidance := c.agents[0], c.guidance
	p.cellsCount.Run(cellsCountInput{s.input(), s.cells, before, guidance, count}, c.groups())
	p.cellsDivide.Run(cellsDivideInput{s.input(), s.cells}, 1)
	p.cellsParts.Run(cellsPartsInput{s.input(), s.cells, s.starts, before, guidance, s.places, count, nowhere}, c.groups())
	p.cellsScan.Run(cellsScanInput{s.starts, nowhere}, 1)
	p.cellsBodies.Run(cellsBodiesInput{s.starts, c.traits, before, guidance, c.paramBuffer, s.bodies, s.places, count}, c.groups())
}
