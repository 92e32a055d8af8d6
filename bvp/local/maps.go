package local

import (
	"fmt"
	"math"
	"slices"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/internal/owned"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// NoMap is the kind of an agent that has no local map.
const NoMap = -1

// Maps are the local maps of a crowd, on the device: for each walker a Walker record, and its
// potentials. They are sorted by size, so walkers have an order of their own. Potentials fill as
// many buffers as they need. After Close, methods that use the device return bvp.ErrClosed, or
// panic with it.
type Maps struct {
	owned.Resources
	layout
	capacity int // words that a buffer of potentials holds at most

	stamping [len(classes)]*gpu.Pass[stampInput]
	relaxing [len(relaxers)][len(classes)]*gpu.Pass[relaxInput]
	steering *gpu.Pass[steerInput]
	moving   *gpu.Pass[moveInput]

	// Of calls before, for others to write to.
	cut []row
}

// layout is which agents have maps, and where.
type layout struct {
	kinds      []scenes.BVP
	of         []int // the kind of each agent
	slots      []slot
	batches    []batch // of slots, by class and buffer
	buffers    []row   // by buffer
	settings   *gpu.Buffer[Settings]
	derived    []Settings // what settings holds: of each kind
	time       float64    // of derived, s
	timestep   float64    // of derived, s; 0: they are to be derived
	bending    []int      // kinds with a bias that depends on the time
	walkers    *gpu.Buffer[Walker]
	potentials []*gpu.Buffer[uint32]
}

// slot is the place of a walker, and of its potentials: the number of the buffer and the first word
// there.
type slot struct {
	agent, kind, class, buffer, first int
}

// row is walkers that follow one another.
type row struct{ first, count int }

// batch is a row of walkers of one class and buffer, and how many relaxations one of them has at
// most by each method.
type batch struct {
	row
	relaxations [len(relaxers)]int
}

// New makes local maps for agents: of is the kind of each, an index in kinds or NoMap. Agents that
// differ have a kind each: that costs 64 bytes a kind on the device, and no dispatch. Before the
// first step the inputs of walkers have to be written into Walkers. The error is a
// *gpu.CapacityError where the maps are too many for the device, or a *gpu.CompileError. What
// scenes.BVP.Check refuses panics.
func New(d *gpu.Device, kinds []scenes.BVP, of []int) (*Maps, error) {
	return newMaps(d, int(d.Info().Limits.MaxStorageBlock/4), kinds, of)
}

// newMaps makes maps whose potentials are in buffers of so many words.
func newMaps(d *gpu.Device, capacity int, kinds []scenes.BVP, of []int) (*Maps, error) {
	m := &Maps{Resources: owned.Resources{ResourceSet: gpu.ResourceSet{Device: d}}, capacity: capacity}
	if err := m.Assign(kinds, of); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// arrange lays out maps: walkers by class, then by agent. It returns the words of each buffer of
// potentials, each at most capacity.
func arrange(kinds []scenes.BVP, of []int, capacity int) (slots []slot, words []int) {
	for agent, kind := range of {
		if kind != NoMap {
			slots = append(slots, slot{agent: agent, kind: kind, class: classOf(kinds[kind].Cells)})
		}
	}
	slices.SortStableFunc(slots, func(a, b slot) int { return a.class - b.class })
	words = []int{0}
	for i := range slots {
		cells := kinds[slots[i].kind].Cells
		if last := len(words) - 1; words[last]+cells*cells > capacity {
			words = append(words, 0)
		}
		last := len(words) - 1
		slots[i].buffer, slots[i].first = last, words[last]
		words[last] += cells * cells
	}
	return slots, words
}

// rows are the rows of slots of one buffer, and of one class if byClass.
func rows(slots []slot, byClass bool) (all []row) {
	for i, s := range slots {
		if i == 0 || slots[i-1].buffer != s.buffer || byClass && slots[i-1].class != s.class {
			all = append(all, row{first: i})
		}
		all[len(all)-1].count++
	}
	return all
}

// batchesOf are the batches of slots.
func batchesOf(kinds []scenes.BVP, slots []slot) (all []batch) {
	for _, r := range rows(slots, true) {
		b := batch{row: r}
		for _, s := range slots[r.first : r.first+r.count] {
			k := &kinds[s.kind]
			most := &b.relaxations[methodOf(k.Method)]
			*most = max(*most, k.Relaxations)
		}
		all = append(all, b)
	}
	return all
}

// Assign changes kinds, and which agents are of which, from the next step on; at least as many
// agents as before. Walkers that had a map keep heading and potentials, unless the map changes its
// size: then it begins anew. On an error, a *gpu.CapacityError or *gpu.CompileError, all stays as
// it was. Walkers and Potentials are other buffers afterwards unless no place has changed, and the
// inputs of walkers have to be written again.
func (m *Maps) Assign(kinds []scenes.BVP, of []int) error {
	for i := range kinds {
		if problems := kinds[i].Check(); len(problems) > 0 {
			panic(fmt.Sprintf("bvp: kind %d of local maps: %v", i, problems))
		}
	}
	for agent, kind := range of {
		if kind != NoMap && (kind < 0 || kind >= len(kinds)) {
			panic(fmt.Sprintf("bvp: agent %d is of kind %d; there are %d", agent, kind, len(kinds)))
		}
	}
	if len(of) < len(m.of) {
		panic(fmt.Sprintf("bvp: maps for %d agents; there are %d", len(of), len(m.of)))
	}
	return m.Do(func() error {
		next := *m
		next.kinds, next.of = slices.Clone(kinds), slices.Clone(of)
		if err := next.make(m); err != nil {
			next.discard(m)
			return err
		}
		m.discard(&next)
		*m = next
		return nil
	})
}

// make makes what the kinds need besides what another state of the maps has.
func (m *Maps) make(from *Maps) (err error) {
	if m.settings, err = gpu.NewBuffer[Settings](m.Device, "bvp settings", len(m.kinds)); err != nil {
		return err
	}
	m.derived, m.timestep, m.bending = make([]Settings, len(m.kinds)), 0, nil
	for i := range m.kinds {
		if bends(&m.kinds[i]) {
			m.bending = append(m.bending, i)
		}
	}
	if err := m.compile(); err != nil {
		return err
	}
	slots, words := arrange(m.kinds, m.of, m.capacity)
	m.batches = batchesOf(m.kinds, slots)
	if from.walkers != nil && slices.Equal(slots, from.slots) {
		return nil
	}
	m.slots, m.buffers = slots, rows(slots, false)
	return m.place(from, words)
}

// compile makes the passes that the kinds need and that are not there yet.
func (m *Maps) compile() error {
	r := &gpu.ResourceSet{Device: m.Device}
	for i := range m.kinds {
		k := &m.kinds[i]
		if c, method := classOf(k.Cells), methodOf(k.Method); m.relaxing[method][c] == nil {
			m.stamping[c] = gpu.Compile(r, stampPass(classes[c]))
			m.relaxing[method][c] = gpu.Compile(r, relaxPass(method, classes[c]))
		}
	}
	if m.steering == nil {
		m.steering = gpu.Compile(r, steerPass)
		m.moving = gpu.Compile(r, movePass)
	}
	return r.Err
}

// place makes buffers for the slots, and fills them with what is kept of another state.
func (m *Maps) place(from *Maps, words []int) (err error) {
	m.walkers, m.potentials = nil, nil
	before := map[int]uint32{} // walkers by agent
	for i, s := range from.slots {
		before[s.agent] = uint32(i)
	}
	walkers, moves := make([]Walker, len(m.slots)), make([]uint32, len(m.slots))
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
	if m.walkers, err = gpu.NewBuffer[Walker](m.Device, "bvp walkers", len(walkers)); err != nil {
		return err
	}
	m.walkers.Write(0, walkers)
	for _, n := range words {
		b, err := gpu.NewBuffer[uint32](m.Device, "bvp potentials", n)
		if err != nil {
			return err
		}
		m.potentials = append(m.potentials, b)
	}
	if len(before) == 0 || len(walkers) == 0 {
		return nil
	}
	return m.move(from, moves)
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

// Close frees what the maps have on the device.
func (m *Maps) Close() {
	m.discard(&Maps{})
	m.Resources.Close()
}

// Walkers are the records of all walkers. Their inputs are written before each step.
func (m *Maps) Walkers() *gpu.Buffer[Walker] { return m.walkers }

// Settings are those of all kinds on the device, brought up to a time for a step of so many
// seconds. Only biases that depend on the time are derived anew in each step.
func (m *Maps) Settings(time, timestep float64) *gpu.Buffer[Settings] {
	anew := timestep != m.timestep
	if !anew && time == m.time {
		return m.settings
	}
	m.time = time
	if anew {
		for i := range m.kinds {
			m.derived[i] = SettingsAt(m.kinds[i], time, timestep)
		}
		m.timestep = timestep
	} else {
		for _, i := range m.bending {
			m.derived[i].bend(&m.kinds[i], time)
		}
	}
	if anew || len(m.bending) > 0 {
		m.settings.Write(0, m.derived)
	}
	return m.settings
}

// Reach is half the side of the largest map, m.
func (m *Maps) Reach() (reach float64) {
	for i := range m.kinds {
		k := &m.kinds[i]
		reach = max(reach, 0.5*float64(k.Cells)*k.CellSize)
	}
	return reach
}

// Potentials are the words of a walker's map, from its First on, and those of others. A walker that
// there is not panics.
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
func (m *Maps) Parameters(walker int) scenes.BVP { return m.kinds[m.slot(walker).kind] }

// Read is the map of a walker, and the walker. It waits for the device. A walker that was not there
// yet has no map, of 0 cells. It panics with bvp.ErrClosed and the errors of gpu.Device.Do.
func (m *Maps) Read(walker int) (w Walker, p Potential[float32]) {
	m.MustDo(func() {
		var record [1]Walker
		m.walkers.Read(walker, record[:])
		if w = record[0]; w.Cells > 0 {
			words := make([]uint32, w.Cells*w.Cells)
			m.Potentials(walker).Read(int(w.First), words)
			p = PotentialOf(int(w.Cells), words)
		}
	})
	return w, p
}

// Step takes every walker that is there a step further: its map is stamped and relaxed, and it
// turns and gets its velocity, as the preferred one and as the one to be taken.
func (m *Maps) Step(s agents.StepContext) {
	if len(m.slots) == 0 {
		return
	}
	m.MustDo(func() {
		m.Settings(s.Time, s.Timestep)
		m.Device.Stage("stamp", func() { m.stamp(s) })
		m.Device.Stage("relax", m.relax)
		m.Device.Stage("steer", func() { m.steer(s) })
	})
}

// Shift has places of agents count from another origin, which lies at by of the one before, m. It
// waits for the device.
func (m *Maps) Shift(by [2]float32) {
	if len(m.slots) == 0 {
		return
	}
	m.MustDo(func() {
		all := make([]Walker, m.walkers.Len())
		m.walkers.Read(0, all)
		for i := range all {
			all[i].Stamped[0] -= by[0]
			all[i].Stamped[1] -= by[1]
		}
		m.walkers.Write(0, all)
	})
}

// walkersInput is what every pass on walkers takes.
type walkersInput struct {
	settings                 *gpu.Buffer[Settings] `gpu:"read"`
	firstWalker, walkerCount uint32                // of this dispatch
}

// input is that of a row of walkers.
func (m *Maps) input(r row) walkersInput {
	return walkersInput{m.settings, uint32(r.first), uint32(r.count)}
}

// run runs a pass, made for each class, on the maps of each batch that wants it. A map takes up to
// so many turns for each of its cells, which bounds how many maps a dispatch has.
func run[T any](
	m *Maps, byClass []*gpu.Pass[T], turns int, wants func(*batch) bool,
	input func(in walkersInput, potentials *gpu.Buffer[uint32]) T,
) {
	m.Device.Unordered(func() {
		for i := range m.batches {
			b := &m.batches[i]
			if !wants(b) {
				continue
			}
			first := m.slots[b.first]
			m.cut = b.portions(m.cut[:0], classes[first.class], turns, m.Device.Budget())
			for _, r := range m.cut {
				groups := gpu.Groups(r.count, classes[first.class].maps)
				byClass[first.class].Run(input(m.input(r), m.potentials[first.buffer]), groups)
			}
		}
	})
}

// portions appends to dst a row of walkers of a class, cut so that dispatches of so many turns a
// cell are within a budget, and have as few work groups as any device can dispatch.
func (r row) portions(dst []row, c class, turns, budget int) []row {
	most := min(max(budget/(c.edge*c.edge*turns), 1), MostGroups*c.maps)
	for end := r.first + r.count; r.first < end; r.first += most {
		dst = append(dst, row{r.first, min(most, end-r.first)})
	}
	return dst
}
