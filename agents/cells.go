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
	Manner   uint32     // of its profile; NoManner of who avoids nobody
}

// NoManner is the Manner of a Body that nobody's neighbours are listed for: who stands, or has NoMethod.
const NoManner uint32 = 0xffffffff

// Agents are sorted into cells on two levels, so that neither sparse nor crowded places cost
// more than they must: see shaders/include/bodies.glsl. Memory goes with the number of
// agents, whatever the size of the domain.
const (
	cellAgents = 16      // agents in a cell, were all spread evenly over the domain
	mostCells  = 1 << 14 // but there are about so many at most
	partAgents = 3       // agents in a part of a cell, at least, where the cell has that many
)

// scanSize is the size of the one work group that goes over all cells, and over all parts: the
// largest that OpenGL promises.
const scanSize = 1024

// The binding points of the passes that sort agents into cells.
const (
	bindCells  = 2 // of each cell its first part and side; before, how many agents are in it
	bindParts  = 6 // of each part its first body; before, how many agents are in it
	bindPlaces = 4 // of each agent its part and its number there
)

// The texture units by which cells are read.
const (
	unitCells = 2 + iota
	unitParts
	unitSpots
	unitPositions
)

// cells sort the agents of a crowd.
type cells struct {
	size          [2]int32 // columns, rows
	cellsPerMetre float32
	parts         int // that there can be; who is not there is in one more
	cells         *gpu.Buffer[[2]uint32]
	starts        *gpu.Buffer[uint32]
	places        *gpu.Buffer[[2]uint32]
	bodies        *gpu.Buffer[Body] // sorted

	cellTexels, partTexels, spots, positions *gpu.TexelBuffer
	count, divide, countParts, scan, gather  *gpu.Program
}

// cellGrid is the grid of square cells for so many agents on a domain.
func cellGrid(l geom.Lattice, count int) (size [2]int32, cellsPerMetre float32) {
	width, height := float64(l.Size.X)*l.Step, float64(l.Size.Y)*l.Step
	wanted := min(max(1, float64(count)/cellAgents), mostCells)
	// On a domain that is narrower than a cell, cells lie in one row.
	side := max(math.Sqrt(width*height/wanted), max(width, height)/wanted)
	cellsPerMetre = float32(1 / side)
	number := func(length float64) int32 { return int32(float32(length)*cellsPerMetre) + 1 }
	return [2]int32{number(width), number(height)}, cellsPerMetre
}

func newCells(h *hoard, l geom.Lattice, count int) cells {
	s := cells{}
	s.size, s.cellsPerMetre = cellGrid(l, count)
	n := int(s.size[0]) * int(s.size[1])
	s.parts = n + count/partAgents // a cell of k agents has one, or at most k / partAgents
	s.cells = upload(h, "agents cells", make([][2]uint32, n))
	s.starts = upload(h, "agents parts of cells", make([]uint32, s.parts+1))
	s.places = upload(h, "agents places in cells", make([][2]uint32, count))
	s.bodies = upload(h, "agents bodies", make([]Body, count))
	s.cellTexels = keep(h, func() (*gpu.TexelBuffer, error) { return gpu.NewTexelBuffer(s.cells, gpu.RG32UI) })
	s.partTexels = keep(h, func() (*gpu.TexelBuffer, error) { return gpu.NewTexelBuffer(s.starts, gpu.R32UI) })
	s.spots = keep(h, func() (*gpu.TexelBuffer, error) { return gpu.NewTexelBuffer(s.bodies, gpu.RGBA32UI) })
	s.positions = keep(h, func() (*gpu.TexelBuffer, error) { return gpu.NewTexelBuffer(s.bodies, gpu.RG32F) })
	for i, spec := range cellPrograms() {
		p := keep(h, func() (*gpu.Program, error) { return gpu.NewProgram(h.device, spec) })
		*[...]**gpu.Program{&s.count, &s.divide, &s.countParts, &s.scan, &s.gather}[i] = p
	}
	return s
}

// cellPrograms are the programs that sort agents, in order.
func cellPrograms() []gpu.Spec {
	var specs []gpu.Spec
	for _, stage := range [...]string{"cellcount", "celldivide", "partcount", "partscan", "bodies"} {
		specs = append(specs, avoidanceSpec("agents/"+stage+".comp.glsl", map[string]any{"SCAN_SIZE": scanSize}))
	}
	return specs
}

// uniforms sets what shaders need to visit cells.
func (s *cells) uniforms(p *gpu.Program) {
	p.Set("cellsPerMetre", s.cellsPerMetre)
	p.Set("cellCount", s.size)
	s.cellTexels.Bind(unitCells)
	s.partTexels.Bind(unitParts)
	s.spots.Bind(unitSpots)
	s.positions.Bind(unitPositions)
}

// sort sorts those who are there: by guidance, as steering has left it, at their places before the
// step. Traits, agents, guidance and manners are bound.
func (s *cells) sort(d *gpu.Device, count int) {
	d.Barrier(gpu.BarrierUpdate)
	s.cells.Clear()
	s.starts.Clear()
	s.cells.Bind(bindCells)
	s.starts.Bind(bindParts)
	s.places.Bind(bindPlaces)
	s.bodies.Bind(bindBodies)
	for _, p := range [...]*gpu.Program{s.count, s.divide, s.countParts} {
		s.uniforms(p)
	}
	for _, p := range [...]*gpu.Program{s.count, s.countParts, s.gather} {
		p.Set("count", uint32(count))
	}
	for _, p := range [...]*gpu.Program{s.countParts, s.scan} {
		p.Set("nowhere", uint32(s.parts))
	}
	groups := gpu.Groups(count, groupSize)
	for _, pass := range [...]struct {
		program *gpu.Program
		groups  uint32
	}{{s.count, groups}, {s.divide, 1}, {s.countParts, groups}, {s.scan, 1}, {s.gather, groups}} {
		d.Barrier(gpu.BarrierStorage)
		pass.program.Dispatch(pass.groups, 1, 1)
	}
	d.Barrier(gpu.BarrierStorage | gpu.BarrierTexture)
}
