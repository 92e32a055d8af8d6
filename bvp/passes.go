package bvp

import (
	"slices"

	"github.com/wayfront/wayfront/engine/gpu"
)

const (
	groupSize = 64 // walkers a work group of steer
	// aroundRelaxing is how many turns a cell takes before and after a dispatch's relaxations: masks, factors, to shared
	// memory and back.
	aroundRelaxing = 4
	// batch is how many relaxations a dispatch does at most, so that no loop takes more turns than Mesa's software renderer
	// allows an invocation, 65,535. It is a multiple of shifts.
	batch = 200
)

// passes are the programs of local maps, those that depend on the size of maps by class.
type passes struct {
	stamped  map[int]*gpu.Pass[stampInput]
	relaxing [len(relaxers)]map[int]*gpu.Pass[relaxInput]
	residual map[int]*gpu.Pass[residualInput]
	steering *gpu.Pass[steerInput]
	moving   *gpu.Pass[moveInput]
}

func newPasses() passes {
	p := passes{stamped: map[int]*gpu.Pass[stampInput]{}, residual: map[int]*gpu.Pass[residualInput]{}}
	for i := range p.relaxing {
		p.relaxing[i] = map[int]*gpu.Pass[relaxInput]{}
	}
	return p
}

// compile makes the passes that the kinds need and that are not there yet.
func (m *Maps) compile() error {
	for _, k := range m.kinds {
		c := classOf(k.Cells)
		if m.residual[c] != nil && m.relaxing[k.Method][c] != nil {
			continue
		}
		var err error
		if m.stamped[c], err = gpu.NewPass(m.device, stampPass(classes[c])); err != nil {
			return err
		}
		if m.relaxing[k.Method][c], err = gpu.NewPass(m.device, relaxPass(k.Method, classes[c])); err != nil {
			return err
		}
		if m.residual[c], err = gpu.NewPass(m.device, residualPass(classes[c])); err != nil {
			return err
		}
	}
	if m.steering != nil {
		return nil
	}
	var err error
	m.steering, err = gpu.NewPass(m.device, steerPass)
	return err
}

// defines are what the shaders of local maps are put together with, for maps of a class.
func (c class) defines() map[string]any {
	return map[string]any{
		"EDGE":        c.edge,
		"MAPS":        c.maps,
		"CREW":        c.crew(),
		"COLUMNS":     c.columns(),
		"WIDE":        c.wide,
		"ROWS":        c.rows,
		"STRIPS":      c.strips,
		"SHIFTS":      shifts,
		"STANDING":    float32(standing),
		"GOAL_LENGTH": float32(goalLength),
		"SHOULDER":    float32(shoulder),
		"NO_HEADING":  NoHeading,
		"NOT_THERE":   NotThere,
		"AFAR":        float32(Afar),
		"GROUP_SIZE":  groupSize,
	}
}

// Passes are all passes, in every form.
func Passes() []gpu.PassInfo {
	specs := []gpu.PassInfo{steerPass.Info(), movePass.Info()}
	for _, c := range classes {
		specs = append(specs, stampPass(c).Info(), residualPass(c).Info())
		for method := range relaxers {
			specs = append(specs, relaxPass(Method(method), c).Info())
		}
	}
	return slices.Concat(specs, teamPasses(), harmonicPasses())
}

// stampInput is what stamp.comp.glsl takes: it writes what a walker sees into its map.
type stampInput struct {
	walkers    *gpu.Buffer[Walker]   `gpu:"readwrite"`
	settings   *gpu.Buffer[Settings] `gpu:"read"`
	potentials *gpu.Buffer[uint32]   `gpu:"readwrite"`
	walls      *gpu.Buffer[[4]int32] `gpu:"read"`

	cellsOf, partsOf, spotsOf *gpu.TexelBuffer

	firstWalker, walkerCount uint32
	wallGrid                 [4]int32
	latticeStepBits          [2]uint32
	cellCount                [2]int32
	cellsPerMetre, largest   float32
}

func stampPass(c class) gpu.PassSpec[stampInput] {
	return gpu.PassSpec[stampInput]{Stages: []string{"bvp/stamp.comp.glsl"}, Defines: c.defines()}
}

func (m *Maps) stamp(w World) {
	// A wall or a body may touch every cell of a map.
	turns := w.Walls.Len() + w.Bodies.Spots.Len()/2 + aroundRelaxing
	run(m, m.stamped, turns, allKinds, func(at mapsAt) stampInput {
		return stampInput{
			walkers: m.walkers, settings: m.settings, potentials: at.potentials, firstWalker: at.first, walkerCount: at.count,
			walls: w.Walls, wallGrid: w.Grid, latticeStepBits: gpu.DoubleBits(w.LatticeStep),
			cellsOf: w.Bodies.Cells, partsOf: w.Bodies.Parts, spotsOf: w.Bodies.Spots,
			cellCount: w.Bodies.Size, cellsPerMetre: w.Bodies.CellsPerMetre, largest: w.Bodies.Largest,
		}
	})
}

// relaxInput is what redblack, jacobi and adi.comp.glsl take: they relax maps.
type relaxInput struct {
	walkers    *gpu.Buffer[Walker]   `gpu:"read"`
	settings   *gpu.Buffer[Settings] `gpu:"read"`
	potentials *gpu.Buffer[uint32]   `gpu:"readwrite"`

	firstWalker, walkerCount  uint32
	method, relaxations, most uint32
}

// relaxers are the stages of the methods, and how many turns a relaxation takes a cell: ADI goes through rows and through
// columns, three times each.
var relaxers = [...]struct {
	stage string
	turns int
}{RedBlack: {"bvp/redblack.comp.glsl", 1}, JacobiGS: {"bvp/jacobi.comp.glsl", 1}, ADI: {"bvp/adi.comp.glsl", 6}}

func relaxPass(method Method, c class) gpu.PassSpec[relaxInput] {
	return gpu.PassSpec[relaxInput]{Stages: []string{relaxers[method].stage}, Defines: c.defines()}
}

func (m *Maps) relax() {
	for method, r := range relaxers {
		longest := 0
		for _, k := range m.kinds {
			if k.Method == Method(method) {
				longest = max(longest, k.Relaxations)
			}
		}
		for done := 0; done < longest; done += batch {
			most := min(batch, longest-done)
			wants := func(k Parameters) bool { return k.Method == Method(method) && k.Relaxations > done }
			run(m, m.relaxing[method], most*r.turns+aroundRelaxing, wants, func(at mapsAt) relaxInput {
				return relaxInput{
					walkers: m.walkers, settings: m.settings, potentials: at.potentials, firstWalker: at.first, walkerCount: at.count,
					method: uint32(method), relaxations: uint32(done), most: uint32(most),
				}
			})
		}
	}
}

// residualInput is what residual.comp.glsl takes: it measures how far maps are from the solution.
type residualInput struct {
	walkers    *gpu.Buffer[Walker]   `gpu:"read"`
	settings   *gpu.Buffer[Settings] `gpu:"read"`
	potentials *gpu.Buffer[uint32]   `gpu:"read"`
	residuals  *gpu.Buffer[float32]  `gpu:"write"`

	firstWalker, walkerCount uint32
}

func residualPass(c class) gpu.PassSpec[residualInput] {
	return gpu.PassSpec[residualInput]{Stages: []string{"bvp/residual.comp.glsl"}, Defines: c.defines()}
}

// steerInput is what steer.comp.glsl takes: it turns walkers along the gradients of their maps.
type steerInput struct {
	walkers    *gpu.Buffer[Walker]   `gpu:"readwrite"`
	settings   *gpu.Buffer[Settings] `gpu:"read"`
	potentials *gpu.Buffer[uint32]   `gpu:"read"`
	velocities gpu.Storage           `gpu:"readwrite"`
	counters   *gpu.Buffer[uint32]   `gpu:"readwrite"`

	firstWalker, walkerCount uint32
	velocityWords, flatWords [2]uint32
}

var steerPass = gpu.PassSpec[steerInput]{Stages: []string{"bvp/steer.comp.glsl"}, Defines: classes[0].defines()}

func (m *Maps) steer(w World) {
	m.device.Unordered(func() {
		for _, r := range m.buffers {
			m.steering.Run(steerInput{
				walkers: m.walkers, settings: m.settings, potentials: m.potentials[m.slots[r.first].buffer],
				velocities: w.Velocities.Buffer, velocityWords: [2]uint32{uint32(w.Velocities.Stride), uint32(w.Velocities.Offset)},
				counters: w.Counters, flatWords: [2]uint32{uint32(w.Flat), uint32(w.FlatSum)},
				firstWalker: uint32(r.first), walkerCount: uint32(r.count),
			}, gpu.Groups(r.count, groupSize))
		}
	})
}

// moveInput is what move.comp.glsl takes: it keeps headings and potentials where walkers get other places.
type moveInput struct {
	walkers    *gpu.Buffer[Walker]   `gpu:"readwrite"`
	settings   *gpu.Buffer[Settings] `gpu:"read"`
	potentials *gpu.Buffer[uint32]   `gpu:"write"`
	before     *gpu.Buffer[Walker]   `gpu:"read"`
	kept       *gpu.Buffer[uint32]   `gpu:"read"`
	moves      *gpu.Buffer[uint32]   `gpu:"read"` // of each walker its place before

	firstWalker, walkerCount, firstBefore, beforeCount uint32
}

var movePass = gpu.PassSpec[moveInput]{Stages: []string{"bvp/move.comp.glsl"}, Defines: classes[0].defines()}

// keep copies what walkers keep of another state of the maps: moves is the place there of each.
func (m *Maps) keep(from *Maps, moves []uint32) (err error) {
	if m.moving == nil {
		if m.moving, err = gpu.NewPass(m.device, movePass); err != nil {
			return err
		}
	}
	list, err := gpu.NewBuffer[uint32](m.device, "bvp moves", len(moves))
	if err != nil {
		return err
	}
	defer list.Delete()
	list.Write(0, moves)
	m.settings.Write(0, m.at(0, 1))
	m.device.Unordered(func() {
		for _, here := range m.buffers {
			for _, there := range from.buffers {
				m.moving.Run(moveInput{
					walkers: m.walkers, settings: m.settings, potentials: m.potentials[m.slots[here.first].buffer],
					before: from.walkers, kept: from.potentials[from.slots[there.first].buffer], moves: list,
					firstWalker: uint32(here.first), walkerCount: uint32(here.count),
					firstBefore: uint32(there.first), beforeCount: uint32(there.count),
				}, gpu.Groups(here.count, groupSize))
			}
		}
	})
	return nil
}
