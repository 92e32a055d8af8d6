package bvp

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/wayfront/wayfront/engine/gpu"
)

// NoMap is the kind of an agent that has no local map.
const NoMap = -1

// Maps are the local maps of a crowd, on the device: for each walker a Walker record, and its potentials. They are sorted
// by size, so walkers have an order of their own; a walker's Agent says whose it is. Potentials fill as many buffers as they need.
type Maps struct {
	device     *gpu.Device
	room       int // words that a buffer of potentials holds at most
	kinds      []Parameters
	of         []int // the kind of each agent
	slots      []slot
	batches    []row // of slots, by class and buffer
	buffers    []row // by buffer
	walkers    *gpu.Buffer[Walker]
	potentials []*gpu.Buffer[uint32]
	settings   *gpu.Buffer[Settings]
	passes
	closed bool
}

// ErrClosed says that maps were closed before the call. A world closes its maps when it is closed.
var ErrClosed = errors.New("bvp: the maps were closed, with their world if they had one: make others")

// do runs f in the device's context, unless the maps that it is about were closed.
func do(d *gpu.Device, closed bool, f func() error) error {
	if closed {
		return ErrClosed
	}
	return d.Do(f)
}

// mustDo is do for what has no error to return.
func mustDo(d *gpu.Device, closed bool, f func()) {
	if err := do(d, closed, func() error { f(); return nil }); err != nil {
		panic(err)
	}
}

// slot is the place of a walker, and of its potentials: the number of the buffer and the first word there.
type slot struct {
	agent, kind, class, buffer, first int
}

// Records are a value of every one of some records in a buffer: Stride words each, the value from word Offset on.
type Records struct {
	Buffer         gpu.Storage
	Stride, Offset int
}

// Bodies are everybody who can be seen, sorted by the cells of a grid, and the parts of each, as shaders/include/bodies.glsl says.
type Bodies struct {
	Cells         *gpu.TexelBuffer // of each cell its first part and its side in parts
	Parts         *gpu.TexelBuffer // of each part its first body, and at the end their number
	Spots         *gpu.TexelBuffer // of each body two texels: place, m, radius, m, and what does not matter here
	Size          [2]int32         // columns and rows of cells
	CellsPerMetre float32
	Largest       float32 // no radius is larger, m
}

// World is what walkers see, and where their velocities go: buffers of whoever has them.
type World struct {
	// Walls lists walls by cells of a grid, as shaders/include/walls.glsl says, and Grid tells the grid: shift, columns, rows
	// and where it begins. LatticeStep is the length of a lattice step, m.
	Walls       *gpu.Buffer[[4]int32]
	Grid        [4]int32
	LatticeStep float64
	Bodies      Bodies
	// Velocities are what a walker's Agent counts. The velocity, m/s, is written twice in a row, as it is wished and as it is to be
	// taken, so that who avoids others finds both.
	Velocities Records
	// Counters count the maps that have no gradient: those of this step are added to word Flat, and to the sum over steps in the
	// two words from FlatSum on.
	Counters      *gpu.Buffer[uint32]
	Flat, FlatSum int
}

// NewMaps makes local maps for agents: of says the kind of each, an index in kinds or NoMap. Before the first step what walkers are
// told has to be written into Walkers. The error is a *gpu.CapacityError where the maps are too many for the device.
func NewMaps(d *gpu.Device, kinds []Parameters, of []int) (*Maps, error) {
	return newMaps(d, int(d.Info().Limits.MaxStorageBlock/4), kinds, of)
}

// newMaps makes maps whose potentials are in buffers of so many words.
func newMaps(d *gpu.Device, room int, kinds []Parameters, of []int) (*Maps, error) {
	m := &Maps{device: d, room: room, passes: newPasses()}
	if err := m.Assign(kinds, of); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// arrange lays out maps of those kinds: walkers by class, then by agent. It returns the words of each buffer of potentials; room is how
// many one holds.
func arrange(kinds []Parameters, of []int, room int) (slots []slot, words []int) {
	for agent, kind := range of {
		if kind != NoMap {
			slots = append(slots, slot{agent: agent, kind: kind, class: classOf(kinds[kind].Cells)})
		}
	}
	slices.SortStableFunc(slots, func(a, b slot) int { return a.class - b.class })
	words = []int{0}
	for i := range slots {
		cells := kinds[slots[i].kind].Cells
		if last := len(words) - 1; words[last]+cells*cells > room {
			words = append(words, 0)
		}
		last := len(words) - 1
		slots[i].buffer, slots[i].first = last, words[last]
		words[last] += cells * cells
	}
	return slots, words
}

// row is walkers that follow one another.
type row struct{ first, count int }

// rows are the rows of slots that are alike in what matters.
func rows(slots []slot, alike func(a, b slot) bool) []row {
	var all []row
	for i, s := range slots {
		if i == 0 || !alike(slots[i-1], s) {
			all = append(all, row{first: i})
		}
		all[len(all)-1].count++
	}
	return all
}

// Assign changes kinds, and which agents are of which, from the next step on; at least as many agents as before. Who had
// a map keeps heading and potentials, unless the map changes its size: then it begins anew. On an error, a
// *gpu.CapacityError or *gpu.CompileError, all stays as it was. Walkers and Potentials are other buffers afterwards unless nobody's
// place has changed, and what walkers are told has to be written again.
func (m *Maps) Assign(kinds []Parameters, of []int) error {
	return do(m.device, m.closed, func() error { return m.assign(kinds, of) })
}

func (m *Maps) assign(kinds []Parameters, of []int) error {
	for _, k := range kinds {
		k.check()
	}
	for agent, kind := range of {
		if kind != NoMap && (kind < 0 || kind >= len(kinds)) {
			panic(fmt.Sprintf("bvp: agent %d is of kind %d; there are %d", agent, kind, len(kinds)))
		}
	}
	if len(of) < len(m.of) {
		panic(fmt.Sprintf("bvp: maps for %d agents; there are %d", len(of), len(m.of)))
	}
	slots, words := arrange(kinds, of, m.room)
	next := *m
	next.kinds, next.of, next.slots = slices.Clone(kinds), slices.Clone(of), slots
	next.batches = rows(slots, func(a, b slot) bool { return a.buffer == b.buffer && a.class == b.class })
	next.buffers = rows(slots, func(a, b slot) bool { return a.buffer == b.buffer })
	var err error
	if m.settings == nil || m.settings.Len() < len(kinds) {
		if next.settings, err = gpu.NewBuffer[Settings](m.device, "bvp settings", len(kinds)); err != nil {
			return err
		}
	}
	if m.walkers == nil || !slices.Equal(slots, m.slots) {
		err = next.move(m, words)
	}
	if err == nil {
		err = next.compile()
	}
	if err != nil {
		next.discard(m)
		return err
	}
	m.discard(&next)
	*m = next
	return nil
}

// discard deletes what another state of the maps does not use.
func (m *Maps) discard(other *Maps) {
	if m.settings != other.settings {
		m.settings.Delete()
	}
	if m.walkers != other.walkers {
		m.walkers.Delete()
		for _, b := range m.potentials {
			b.Delete()
		}
	}
}

// move makes buffers for the slots, and fills them with what is kept of another state.
func (m *Maps) move(from *Maps, words []int) error {
	m.walkers, m.potentials = nil, nil
	before := map[int]uint32{} // walkers by agent
	for i, s := range from.slots {
		before[s.agent] = uint32(i)
	}
	walkers := make([]Walker, len(m.slots))
	moves := make([]uint32, len(m.slots))
	for i, s := range m.slots {
		walkers[i] = Walker{
			Goal: NoGoal, Body: NotThere, Heading: NoHeading,
			Settings: uint32(s.kind), First: uint32(s.first), Agent: uint32(s.agent),
		}
		moves[i] = math.MaxUint32
		if was, ok := before[s.agent]; ok {
			moves[i] = was
		}
	}
	var err error
	if m.walkers, err = gpu.NewBuffer[Walker](m.device, "bvp walkers", len(walkers)); err != nil {
		return err
	}
	m.walkers.Write(0, walkers)
	for _, n := range words {
		b, err := gpu.NewBuffer[uint32](m.device, "bvp potentials", n)
		if err != nil {
			return err
		}
		m.potentials = append(m.potentials, b)
	}
	if len(before) == 0 || len(walkers) == 0 {
		return nil
	}
	return m.keep(from, moves)
}

// at are the settings of all kinds.
func (m *Maps) at(time, timestep float64) []Settings {
	settings := make([]Settings, len(m.kinds))
	for i, k := range m.kinds {
		settings[i] = k.At(time, timestep)
	}
	return settings
}

// Walkers are the records of all walkers. Whoever steers the crowd writes what they are told before each step.
func (m *Maps) Walkers() *gpu.Buffer[Walker] { return m.walkers }

// Potentials are the words of a walker's map, from its First on, and those of others. A walker that there is not panics.
func (m *Maps) Potentials(walker int) *gpu.Buffer[uint32] {
	return m.potentials[m.slot(walker).buffer]
}

// slot is the place of a walker.
func (m *Maps) slot(walker int) slot {
	if walker < 0 || walker >= len(m.slots) {
		panic(fmt.Sprintf("bvp: there is no walker %d; there are %d, counted from 0", walker, len(m.slots)))
	}
	return m.slots[walker]
}

// Walker is the index of an agent's walker, and false if it has none. It looks through all of them.
func (m *Maps) Walker(agent int) (int, bool) {
	i := slices.IndexFunc(m.slots, func(s slot) bool { return s.agent == agent })
	return i, i >= 0
}

// Parameters are those that a walker's map has. A walker that there is not panics.
func (m *Maps) Parameters(walker int) Parameters { return m.kinds[m.slot(walker).kind] }

// Bytes is the memory that the maps take on the device.
func (m *Maps) Bytes() int64 {
	bytes := m.walkers.Bytes() + m.settings.Bytes()
	for _, b := range m.potentials {
		bytes += b.Bytes()
	}
	return bytes
}

// Step takes every walker that is there a step further, at a time, for a time step, in seconds: its map is stamped and relaxed, and
// it turns and gets its velocity.
func (m *Maps) Step(time, timestep float64, w World) {
	if len(m.slots) == 0 {
		return
	}
	mustDo(m.device, m.closed, func() {
		m.settings.Write(0, m.at(time, timestep))
		m.device.Stage("stamp", func() { m.stamp(w) })
		m.device.Stage("relax", m.relax)
		m.device.Stage("turn", func() { m.steer(w) })
	})
}

// mapsAt says which maps a dispatch is for.
type mapsAt struct {
	potentials   *gpu.Buffer[uint32]
	first, count uint32 // walkers
}

// run runs a pass on the maps of each class and buffer that wants it. A map takes up to so many turns for each of its cells,
// which bounds how many maps a dispatch has.
func run[T any](m *Maps, byClass map[int]*gpu.Pass[T], turns int, wants func(Parameters) bool, input func(at mapsAt) T) {
	m.device.Unordered(func() {
		for _, r := range m.portions(turns, m.device.Budget()) {
			slots := m.slots[r.first : r.first+r.count]
			if slices.ContainsFunc(slots, func(s slot) bool { return wants(m.kinds[s.kind]) }) {
				x, y := inRows(gpu.Groups(r.count, classes[slots[0].class].maps))
				byClass[slots[0].class].Run(input(mapsAt{m.potentials[slots[0].buffer], uint32(r.first), uint32(r.count)}), x, y)
			}
		}
	})
}

// portions are the batches, cut so that dispatches of so many turns a cell are within a budget.
func (m *Maps) portions(turns, budget int) (all []row) {
	for _, r := range m.batches {
		edge := classes[m.slots[r.first].class].edge
		most := max(budget/(edge*edge*turns), 1)
		for end := r.first + r.count; r.first < end; r.first += most {
			all = append(all, row{r.first, min(most, end-r.first)})
		}
	}
	return all
}

func allKinds(Parameters) bool { return true }

// Residuals are those of all walkers' maps after the last step: the most by which a cell differs from what the equation asks of it.
// It waits for the device. The error is a *gpu.CapacityError or ErrClosed.
func (m *Maps) Residuals() (all []float32, err error) {
	err = do(m.device, m.closed, func() error {
		all, err = m.residuals()
		return err
	})
	return all, err
}

func (m *Maps) residuals() ([]float32, error) {
	all := make([]float32, len(m.slots))
	b, err := gpu.NewBuffer[float32](m.device, "bvp residuals", len(all))
	if err != nil {
		return nil, err
	}
	defer b.Delete()
	run(m, m.residual, 1, allKinds, func(at mapsAt) residualInput {
		return residualInput{
			walkers: m.walkers, settings: m.settings, potentials: at.potentials, residuals: b,
			firstWalker: at.first, walkerCount: at.count,
		}
	})
	b.Read(0, all)
	return all, nil
}

// Read is the map of a walker, and the walker. It waits for the device. A walker that was not there yet has no map, of 0 cells.
// It panics with ErrClosed and the errors of gpu.Device.Do.
func (m *Maps) Read(walker int) (Walker, Potential[float32]) {
	if m.closed {
		panic(ErrClosed)
	}
	var w [1]Walker
	m.walkers.Read(walker, w[:])
	if w[0].Cells == 0 {
		return w[0], Potential[float32]{}
	}
	cells := int(w[0].Cells)
	words := make([]uint32, cells*cells)
	m.Potentials(walker).Read(int(w[0].First), words)
	return w[0], PotentialOf(cells, words)
}

// Close frees what the maps have on the device. Later calls that use the device return ErrClosed, or panic with it.
func (m *Maps) Close() {
	m.closed = true
	m.discard(&Maps{})
}
