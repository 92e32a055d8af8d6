package local_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/bvp/reference"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// polar is a vector.
func polar(length, angle float64) mgl64.Vec2 {
	s, c := math.Sincos(angle)
	return mgl64.Vec2{length * c, length * s}
}

// kindOf are the default parameters but for some.
func kindOf(cells, relaxations int, viewAngle float64) scenes.BVP {
	p := scenes.Default[scenes.BVP]()
	p.Cells, p.Relaxations, p.ViewAngle = cells, relaxations, viewAngle
	return p
}

// crowd is walls and agents for tests, and what the plain passes make of them.
type crowd struct {
	step    float64          // of the lattice, m
	lines   [][4]int32       // walls on the lattice
	others  []reference.Disc // agents without maps
	kinds   []scenes.BVP
	of      []int
	walkers []local.Walker // by agent
	maps    []reference.Potential[float32]
	turned  [][2]float32 // velocities, m/s
	flat    []bool
	away    map[int]bool // agents that are not there
}

// newCrowd puts agents among random walls and discs on a ground of 40 m by 40 m.
func newCrowd(kinds []scenes.BVP, of []int, r *rand.Rand) *crowd {
	c := &crowd{step: 40.0 / (1 << 20), kinds: kinds, of: of}
	for range 60 {
		a := [2]int32{r.Int32N(1 << 20), r.Int32N(1 << 20)}
		reach := int32(1<<20) / 8
		c.lines = append(c.lines, [4]int32{a[0], a[1], a[0] + r.Int32N(2*reach) - reach, a[1] + r.Int32N(2*reach) - reach})
	}
	for range 200 {
		c.others = append(c.others, reference.Disc{Center: [2]float32{40 * r.Float32(), 40 * r.Float32()}, Radius: 0.2 + 0.2*r.Float32(), Velocity: velocity(r), Yields: r.IntN(2) == 0})
	}
	c.walkers = make([]local.Walker, len(of))
	c.maps = make([]reference.Potential[float32], len(of))
	c.turned, c.flat = make([][2]float32, len(of)), make([]bool, len(of))
	for agent := range of {
		c.walkers[agent] = local.Walker{Heading: local.NoHeading, Agent: uint32(agent)}
		at := [2]float32{40 * r.Float32(), 40 * r.Float32()}
		if agent%6 == 5 { // on a wall
			w, t := c.walls()[agent%len(c.lines)], r.Float32()
			at = [2]float32{w[0][0] + t*(w[1][0]-w[0][0]), w[0][1] + t*(w[1][1]-w[0][1])}
		}
		c.place(agent, at, r)
	}
	return c
}

// walledIn is the kind of the mixture whose walkers have agents around them that take all cells
// near theirs.
const walledIn = 10

// place gives a walker a place, a guide's point, a goal and a speed.
func (c *crowd) place(agent int, at [2]float32, r *rand.Rand) {
	w := &c.walkers[agent]
	w.Position, w.Speed = at, 1+r.Float32()
	w.Guide = [2]float32{at[0] + 10*r.Float32() - 5, at[1] + 10*r.Float32() - 5}
	if agent%4 == 1 {
		u := polar(local.Afar, 2*math.Pi*r.Float64())
		w.Guide = [2]float32{float32(u[0]), float32(u[1])}
	}
	w.Goal = local.NoGoal
	if agent%3 == 0 {
		w.Goal = [2]float32{at[0] + 2*r.Float32() - 1, at[1] + 2*r.Float32() - 1}
	}
	if agent%7 == 0 {
		w.Goal = [2]float32{at[0] + 0.01, at[1]}
	}
	if c.of[agent] == walledIn {
		for k := range 4 {
			u := polar(1.6, float64(k)*math.Pi/2)
			c.others = append(c.others, reference.Disc{Center: [2]float32{at[0] + float32(u[0]), at[1] + float32(u[1])}, Radius: 1.5})
		}
	}
}

// velocity is one of an agent that stands, creeps or walks.
func velocity(r *rand.Rand) [2]float32 {
	v := polar([]float64{0, 1e-3, 1.5}[r.IntN(3)], 2*math.Pi*r.Float64())
	return [2]float32{float32(v[0]), float32(v[1])}
}

// bodyOf is the disc of an agent.
func (c *crowd) bodyOf(agent int) reference.Disc {
	return reference.Disc{
		Center: c.walkers[agent].Position, Radius: 0.2 + 0.01*float32(agent%10),
		Velocity: velocity(rand.New(rand.NewPCG(uint64(agent), 1))), Yields: agent%3 != 0,
	}
}

// seen are the discs that an agent may see: all within a bound of its map's corners and a radius.
func (c *crowd) seen(agent int) []reference.Disc {
	at := c.walkers[agent].Position
	k := c.kinds[c.of[agent]]
	var seen []reference.Disc
	add := func(d reference.Disc) {
		if math.Hypot(float64(d.Center[0]-at[0]), float64(d.Center[1]-at[1])) < float64(k.Cells)*k.CellSize+float64(d.Radius) {
			seen = append(seen, d)
		}
	}
	for _, d := range c.others {
		add(d)
	}
	for other := range c.walkers {
		if other != agent && !c.away[other] {
			add(c.bodyOf(other))
		}
	}
	return seen
}

// bodies sorts all agents that are there by so many cells in a row, of one to three parts along a
// side, and gives walkers their bodies. Behind them, in no cell, lie those that are not there.
func (c *crowd) bodies(t testing.TB, d *gpu.Device, columns int) agents.Bodies {
	t.Helper()
	cellsPerMeter := float32(columns) / 40
	cells := make([][2]uint32, columns*columns)
	parts := 0
	for i := range cells {
		side := 1 + i%3
		cells[i] = [2]uint32{uint32(parts), uint32(side)}
		parts += side * side
	}
	at := func(x, first float32, side, last int) int {
		return min(max(int((x*cellsPerMeter-first)*float32(side)), 0), last)
	}
	partOf := func(p [2]float32) int {
		x, y := at(p[0], 0, 1, columns-1), at(p[1], 0, 1, columns-1)
		cell := cells[y*columns+x]
		side := int(cell[1])
		return int(cell[0]) + at(p[1], float32(y), side, side-1)*side + at(p[0], float32(x), side, side-1)
	}
	type body struct {
		reference.Disc
		agent int // -1: has no map
		part  int
	}
	var all []body
	for _, o := range c.others {
		all = append(all, body{o, -1, partOf(o.Center)})
	}
	for agent := range c.walkers {
		p := body{c.bodyOf(agent), agent, partOf(c.walkers[agent].Position)}
		if c.away[agent] {
			p.part = parts
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b body) int { return a.part - b.part })
	starts := make([]uint32, parts+1)
	spots := make([]agents.Body, len(all))
	b := agents.Bodies{Size: [2]int32{int32(columns), int32(columns)}, CellsPerMeter: cellsPerMeter}
	for i, p := range all {
		spots[i] = agents.Body{Position: p.Center, Radius: p.Radius, ID: 7, Velocity: p.Velocity, MaxSpeed: 7, Profile: 7}
		if !p.Yields {
			spots[i].Profile = agents.NoProfile
		}
		b.Largest = max(b.Largest, p.Radius)
		if p.part < parts {
			starts[p.part+1]++
		}
		if p.agent >= 0 {
			c.walkers[p.agent].Body = uint32(i)
			if c.away[p.agent] {
				c.walkers[p.agent].Body = local.NotThere
			}
		}
	}
	for k := range parts {
		starts[k+1] += starts[k]
	}
	b.Cells = texels(t, buffer(t, d, cells), gpu.RG32UI)
	b.Parts = texels(t, buffer(t, d, starts), gpu.R32UI)
	b.Spots = texels(t, buffer(t, d, spots), gpu.RGBA32UI)
	return b
}

func (c *crowd) walls() []reference.Wall {
	at := func(x, y int32) [2]float32 {
		return [2]float32{float32(float64(x) * c.step), float32(float64(y) * c.step)}
	}
	var walls []reference.Wall
	for _, l := range c.lines {
		walls = append(walls, reference.Wall{at(l[0], l[1]), at(l[2], l[3])})
	}
	return walls
}

// records are the walls by the cells of a grid of 2^shift lattice steps: in every cell that a
// wall's bounding box meets.
func (c *crowd) records(shift int32) (records [][4]int32, grid [4]int32) {
	size := int32(1<<20)>>shift + 1
	grid = [4]int32{shift, size, size, 1} // one record in front, that is not the grid's
	records = make([][4]int32, size*size)
	for cell := range size * size {
		column, row := cell%size, cell/size
		first := int32(len(records))
		for _, l := range c.lines {
			if min(l[0], l[2])>>shift <= column && max(l[0], l[2])>>shift >= column && min(l[1], l[3])>>shift <= row && max(l[1], l[3])>>shift >= row {
				records = append(records, l)
			}
		}
		records[cell] = [4]int32{first, int32(len(records)), 0, 0}
	}
	return slices.Insert(records, 0, [4]int32{-1, -1, -1, -1}), grid
}

// buffer makes one of data.
func buffer[T any](t testing.TB, d *gpu.Device, data []T) *gpu.Buffer[T] {
	t.Helper()
	b, err := gpu.NewBuffer[T](d, "test", len(data))
	if err != nil {
		t.Fatal(err)
	}
	b.Write(0, data)
	return b
}

// texels makes a view of a buffer.
func texels[T any](t testing.TB, b *gpu.Buffer[T], format gpu.Format) *gpu.TexelBuffer {
	t.Helper()
	view, err := gpu.NewTexelBuffer(b, format)
	if err != nil {
		t.Fatal(err)
	}
	return view
}

// world puts everything into buffers, sorted by cells of walls as records has them, and of agents,
// so many in a row. What guidance has besides velocities is not to be changed.
func (c *crowd) world(t testing.TB, d *gpu.Device, shift int32, columns int) agents.StepContext {
	records, grid := c.records(shift)
	guidance := make([]agents.Guidance, len(c.of))
	for agent := range guidance {
		guidance[agent] = asked(agent, [2]float32{})
	}
	return agents.StepContext{
		Timestep: 0.1, Lattice: geom.Lattice{Step: c.step},
		Walls: buffer(t, d, records), Grid: grid, Bodies: c.bodies(t, d, columns), Guidance: buffer(t, d, guidance),
		Counters: buffer(t, d, []uint32{5, 0, 1<<32 - 1, 2}), ZeroGradient: 1, ZeroGradientSum: 2,
		Reasons: agents.ReasonInput{Reasons: buffer(t, d, make([][4]uint32, 1))},
	}
}

// asked is the guidance of an agent with a velocity.
func asked(agent int, velocity [2]float32) agents.Guidance {
	return agents.Guidance{Preferred: velocity, Velocity: velocity, Target: uint32(agent), Distance: float32(agent)}
}

// prepare writes the inputs of walkers into the maps' buffer.
func (c *crowd) prepare(m *local.Maps) {
	all := make([]local.Walker, m.Walkers().Len())
	m.Walkers().Read(0, all)
	for i := range all {
		w := c.walkers[all[i].Agent]
		all[i].Position, all[i].Guide, all[i].Goal, all[i].Speed, all[i].Body = w.Position, w.Guide, w.Goal, w.Speed, w.Body
	}
	m.Walkers().Write(0, all)
}

// pass is one of the plain passes for an agent at a time: 0 stamps, 1 relaxes, 2 steers.
func (c *crowd) pass(pass, agent int, time float64) {
	w, kind := &c.walkers[agent], c.kinds[c.of[agent]]
	s := local.SettingsAt(kind, time, 0.1)
	switch pass {
	case 0:
		c.maps[agent] = reference.Stamp(c.maps[agent], w, s, c.walls(), c.bodyOf(agent), c.seen(agent))
	case 1:
		reference.Relax(c.maps[agent], s, kind.Method, kind.Relaxations)
	case 2:
		c.turned[agent], c.flat[agent] = reference.Steer(c.maps[agent], w, s)
	}
}

// compare holds what the device has of an agent against the plain passes.
func (c *crowd) compare(t *testing.T, m *local.Maps, pass string, agent int) {
	t.Helper()
	i, ok := m.Walker(agent)
	if !ok {
		t.Fatalf("agent %d has no walker", agent)
	}
	w, p := m.Read(i)
	want := c.walkers[agent]
	w.First, w.Settings = want.First, want.Settings
	if w != want {
		t.Fatalf("%s: agent %d is\n%+v, want\n%+v", pass, agent, w, want)
	}
	got, words := reference.Words(p), reference.Words(c.maps[agent])
	for k := range words {
		if got[k] != words[k] {
			n := p.Cells
			t.Fatalf("%s: agent %d, map of %d cells: cell %d, %d is %g (%08x), want %g (%08x)", pass, agent, n, k%n, k/n,
				p.Q[k], got[k], c.maps[agent].Q[k], words[k])
		}
	}
}

// mixture is kinds of maps of many sizes and settings.
func mixture(methods ...scenes.Method) []scenes.BVP {
	var kinds []scenes.BVP
	for i, cells := range []int{5, 6, 11, 12, 16, 21, 22, 23, 24, 33, 46, 63} {
		p := kindOf(cells, 3+4*i, min(30+34*float64(i), 360))
		p.Inertia, p.SpeedControl, p.Method = float64(i)/12, i%2 == 0, methods[i%len(methods)]
		p.InertiaTime, p.InertiaForm = 0.05*float64(1+i), []scenes.InertiaForm{scenes.InertiaAngle, scenes.InertiaVector}[i%2]
		p.Rules = []scenes.Rules{scenes.RulesRobust, scenes.RulesPaper}[i/3%2]
		p.Bias = scenes.Bias{
			Direction: polar(1, float64(i)), Strength: float64(i%4) * 0.66,
			Wave: scenes.WaveOf[float64]{Amplitude: float64(i % 3), Frequency: 0.3},
		}
		kinds = append(kinds, p)
	}
	return kinds
}

// TestPasses compares every pass with its plain form, bit by bit, over steps in which walkers move:
// stamping cell by cell, red-black and ADI after all their relaxations, and headings and
// velocities.
func TestPasses(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		defer d.SetBudget(gpu.Budget)
		for i, method := range []scenes.Method{scenes.MethodRedBlack, scenes.MethodADI} {
			r := rand.New(rand.NewPCG(10, uint64(i)))
			kinds := mixture(method)
			of := make([]int, 41)
			for agent := range of {
				of[agent] = agent*5%(len(kinds)+1) - 1 // one in so many has no map
			}
			c := newCrowd(kinds, of, r)
			m, err := local.New(d, kinds, of)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			for step := range 3 {
				time := float64(step) * 0.1
				c.away = map[int]bool{6: step == 1, 13: step == 1}
				d.SetBudget([]int{gpu.Budget, 1, 1e5}[step]) // all at once, each map alone, a few small ones together
				w := c.world(t, d, []int32{20, 16, 14}[step], []int{1, 7, 30}[step])
				c.prepare(m)
				m.Settings(time, 0.1)
				for pass, run := range []func(agents.StepContext){m.StageStamp, m.StageRelax, m.StageSteer} {
					run(w)
					for agent, kind := range of {
						if kind == local.NoMap {
							continue
						}
						if !c.away[agent] {
							c.pass(pass, agent, time)
						}
						c.compare(t, m, fmt.Sprint("step ", step, ", pass ", pass), agent)
					}
				}
				c.checkVelocities(t, w)
				for agent := range of {
					at := c.walkers[agent].Position
					at[0] += 0.1 * c.turned[agent][0]
					at[1] += 0.1 * c.turned[agent][1]
					c.place(agent, at, r)
				}
			}
		}
	})
}

// checkVelocities compares what a step writes besides maps: the guidance of agents, and the
// counters of maps without a gradient.
func (c *crowd) checkVelocities(t *testing.T, w agents.StepContext) {
	t.Helper()
	got := make([]agents.Guidance, len(c.of))
	w.Guidance.Read(0, got)
	flat := 0
	for agent, kind := range c.of {
		want := asked(agent, c.turned[agent])
		if kind == local.NoMap || c.away[agent] {
			want = asked(agent, [2]float32{})
		} else if c.flat[agent] {
			flat++
		}
		if got[agent] != want {
			t.Errorf("agent %d's guidance is %+v, want %+v", agent, got[agent], want)
		}
	}
	checkFlat(t, w, flat)
}

// checkFlat compares the counters after one step: that of the step, and the sum, which overflows
// into its second word.
func checkFlat(t *testing.T, w agents.StepContext, flat int) {
	t.Helper()
	got := make([]uint32, 4)
	w.Counters.Read(0, got)
	want := []uint32{5, uint32(flat), uint32(flat) - 1, 2}
	if flat > 0 {
		want[3]++
	}
	if !slices.Equal(got, want) {
		t.Errorf("counters %v, want %v", got, want)
	}
}

// begin makes the maps of a crowd, with the inputs of their walkers.
func (c *crowd) begin(t *testing.T, d *gpu.Device) (*local.Maps, agents.StepContext) {
	t.Helper()
	m, err := local.New(d, c.kinds, c.of)
	if err != nil {
		t.Fatal(err)
	}
	w := c.world(t, d, 16, 5)
	c.prepare(m)
	return m, w
}

// TestAllBodiesAreStamped: every body that touches the update zone is stamped, however many, from
// however far, and whatever cells they are sorted by, but for the agent's own and those that are
// not there.
func TestAllBodiesAreStamped(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		for _, columns := range []int{1, 2, 9, 50, 200} {
			r := rand.New(rand.NewPCG(16, uint64(columns)))
			kinds := []scenes.BVP{
				kindOf(63, 1, 360), kindOf(11, 1, 360), kindOf(21, 1, 115),
			}
			kinds[2].CellSize = 0.1
			c := newCrowd(kinds, []int{0, 1, 2, 0, 1, 2, 0, 1, 2}, r)
			c.lines = nil
			for range 1000 { // so small that most cells stay free
				c.others = append(c.others, reference.Disc{Center: [2]float32{40 * r.Float32(), 40 * r.Float32()}, Radius: 0.05 * r.Float32()})
			}
			for range 3000 { // a heap, next to one of them
				c.others = append(c.others, reference.Disc{Center: [2]float32{c.walkers[4].Position[0] + 0.5, c.walkers[4].Position[1]}, Radius: 0.1})
			}
			if columns != 200 { // else none is large
				c.others = append(c.others, reference.Disc{Center: [2]float32{c.walkers[0].Position[0] + 13, c.walkers[0].Position[1]}, Radius: 10})
			}
			c.away = map[int]bool{7: true}
			m, w := c.begin(t, d)
			w.Bodies = c.bodies(t, d, columns)
			c.prepare(m)
			m.Settings(0, 0.1)
			m.StageStamp(w)
			for agent := range c.of {
				if !c.away[agent] {
					c.pass(0, agent, 0)
				}
				c.compare(t, m, "stamp", agent)
			}
			m.Close()
		}
	})
}

// TestJacobiConverges: what Fischer's method gives after some relaxations depends on the device,
// but not what it ends at.
func TestJacobiConverges(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		kinds := []scenes.BVP{
			kindOf(11, 450, 172), kindOf(16, 900, 360),
		}
		kinds[0].Method, kinds[1].Method = scenes.MethodJacobiGS, scenes.MethodJacobiGS
		kinds[1].Bias = scenes.Bias{Direction: polar(1, 1), Strength: 0.4}
		c := newCrowd(kinds, []int{0, 1, 0, 1, 1, 0, 0}, rand.New(rand.NewPCG(12, 1)))
		m, w := c.begin(t, d)
		defer m.Close()
		m.Step(w)
		for agent, kind := range c.of {
			i, _ := m.Walker(agent)
			_, got := m.Read(i)
			exact := reference.Potential[float64]{Cells: got.Cells, Q: make([]float64, len(got.Q)), Fixed: got.Fixed}
			for k, q := range got.Q {
				exact.Q[k] = float64(q)
			}
			reference.Solve(exact, local.SettingsAt(kinds[kind], 0, 0.1))
			off := 0.0
			for k, q := range got.Q {
				off = max(off, math.Abs(float64(q)-exact.Q[k]))
			}
			// As in TestMethodsConverge.
			if bound := 4 * 0x1p-24 * (4 + float64(len(got.Q))/8); off > bound {
				t.Errorf("agent %d: %g from the solution, allowed %g", agent, off, bound)
			}
		}
	})
}

// TestManyRelaxations needs several dispatches, the last of them of a part of a batch, and no more
// of some maps.
func TestManyRelaxations(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		var kinds []scenes.BVP
		for _, times := range []int{local.Batch - 1, local.Batch, local.Batch + 1, 2*local.Batch + 3} {
			kind := kindOf(6, times, 172)
			kind.Method = scenes.MethodADI
			kinds = append(kinds, kind)
		}
		c := newCrowd(kinds, []int{0, 1, 2, 3, 2, 1}, rand.New(rand.NewPCG(13, 1)))
		m, w := c.begin(t, d)
		defer m.Close()
		m.Step(w)
		for agent := range c.of {
			for pass := range 3 {
				c.pass(pass, agent, 0)
			}
			c.compare(t, m, "step", agent)
		}
	})
}

// state is all that a crowd's maps have on the device, and the guidance that they write.
type state struct {
	walkers  []local.Walker
	maps     []reference.Potential[float32]
	guidance []agents.Guidance
}

func stateOf(m *local.Maps, w agents.StepContext) state {
	s := state{walkers: make([]local.Walker, m.Walkers().Len()), guidance: make([]agents.Guidance, w.Guidance.Len())}
	m.Walkers().Read(0, s.walkers)
	w.Guidance.Read(0, s.guidance)
	for i := range s.walkers {
		_, p := m.Read(i)
		s.maps = append(s.maps, p)
	}
	return s
}

// TestSameResultEachRun: of all methods but jacobi-gs, whose result depends on the order of
// invocations.
func TestSameResultEachRun(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		kinds := mixture(scenes.MethodRedBlack, scenes.MethodADI)
		of := make([]int, 60)
		for agent := range of {
			of[agent] = agent % len(kinds)
		}
		var runs [2]state
		for i := range runs {
			c := newCrowd(kinds, of, rand.New(rand.NewPCG(14, 1)))
			m, w := c.begin(t, d)
			for step := range 3 {
				w.Time = float64(step) * 0.1
				m.Step(w)
			}
			runs[i] = stateOf(m, w)
			m.Close()
		}
		if !reflect.DeepEqual(runs[0], runs[1]) {
			t.Error("the second run differs")
		}
	})
}

// TestSeveralBuffers: maps whose potentials fill several buffers do as those in one, through steps
// and changes of kinds and of places. The smallest buffers hold one of the largest maps.
func TestSeveralBuffers(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		kinds := mixture(scenes.MethodRedBlack, scenes.MethodADI)
		of := make([]int, 60)
		for agent := range of {
			of[agent] = agent % len(kinds)
		}
		later := slices.Clone(of)
		for agent := range later {
			if agent%3 == 0 {
				later[agent] = (agent + 1) % len(kinds)
			}
		}
		outcome := func(capacity int) (s state, buffers int) {
			c := newCrowd(kinds, of, rand.New(rand.NewPCG(14, 3)))
			m, err := local.NewMaps(d, capacity, kinds, of)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			w := c.world(t, d, 16, 5)
			c.prepare(m)
			m.Step(w)
			potentials, _ := m.Memory()
			if err := m.Assign(kinds, later); err != nil {
				t.Fatal(err)
			}
			c.prepare(m)
			w.Time = 0.1
			m.Step(w)
			s = stateOf(m, w)
			for i := range s.walkers {
				s.walkers[i].First = 0
			}
			return s, len(potentials)
		}
		want, one := outcome(1 << 20)
		for _, capacity := range []int{reference.MaxCells * reference.MaxCells, reference.MaxCells*reference.MaxCells + 1000} {
			got, several := outcome(capacity)
			if one != 1 || several < 4 {
				t.Fatalf("potentials are in %d buffers, and in %d", one, several)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("in %d buffers of %d words maps are others than in one", several, capacity)
			}
		}
	})
}

// TestAssign changes kinds and agents while running: agents that keep a size keep the map, those
// that change it begin anew with the same heading, and all go on as the plain passes do.
func TestAssign(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		kinds := mixture(scenes.MethodRedBlack)
		of := []int{5, 2, 0, local.NoMap, 9, 5, 5, 3}
		c := newCrowd(kinds, of, rand.New(rand.NewPCG(15, 1)))
		m, w := c.begin(t, d)
		defer m.Close()
		run := func(step int) {
			w.Time = float64(step) * 0.1
			m.Step(w)
			for agent, kind := range c.of {
				if kind == local.NoMap {
					continue
				}
				for pass := range 3 {
					c.pass(pass, agent, w.Time)
				}
				c.compare(t, m, "step", agent)
			}
		}
		run(0)
		before := m.Walkers()
		// Kind 5 bends another way: no map moves in memory.
		c.kinds = slices.Clone(kinds)
		c.kinds[5].Bias = scenes.Bias{Direction: polar(1, 2), Strength: 1.2}
		if err := m.Assign(c.kinds, c.of); err != nil {
			t.Fatal(err)
		}
		if m.Walkers() != before {
			t.Error("walkers have moved without a reason")
		}
		run(1)
		// Kind 2 grows, agent 0 becomes as agent 4, agent 3 gets a map, agent 7 loses its own.
		c.kinds[2].Cells = 30
		c.of = []int{9, 2, 0, 5, 9, 5, 5, local.NoMap}
		for _, agent := range []int{0, 1} {
			c.walkers[agent].Cells = 0
			c.maps[agent] = reference.Potential[float32]{}
		}
		if err := m.Assign(c.kinds, c.of); err != nil {
			t.Fatal(err)
		}
		c.prepare(m)
		if _, ok := m.Walker(7); ok {
			t.Error("agent 7 still has a walker")
		}
		run(2)
	})
}

// TestMemory: the potentials and 64 bytes an agent, beside what all share.
func TestMemory(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		of := make([]int, 1000)
		kinds := []scenes.BVP{kindOf(21, 1, 57)}
		m, err := local.New(d, kinds, of)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		want := int64(len(of)*(64+4*21*21) + 64)
		if _, got := m.Memory(); got != want {
			t.Errorf("%d bytes, want %d", got, want)
		}
	})
}

// TestTooManyMaps: an error that says what is missing, and everything as it was.
func TestTooManyMaps(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		kinds := []scenes.BVP{kindOf(5, 1, 57)}
		of := make([]int, d.Info().Limits.MaxStorageBlock/64+1) // a local.Walker has 64 bytes
		for agent := range of {
			of[agent] = local.NoMap
		}
		of[0] = 0
		m, err := local.New(d, kinds, of)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		walkers, potentials := m.Walkers(), m.Potentials(0)
		err = m.Assign(kinds, make([]int, len(of)))
		var capacity *gpu.CapacityError
		if !errors.As(err, &capacity) || capacity.Limit == 0 {
			t.Errorf("the error is %v", err)
		}
		if m.Walkers() != walkers || m.Potentials(0) != potentials || m.Kind(1) != local.NoMap {
			t.Error("the maps have changed")
		}
	})
}

// TestNoAgents: maps of no agents are a crowd as any.
func TestNoAgents(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		m, err := local.New(d, nil, []int{local.NoMap, local.NoMap})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		m.Step(agents.StepContext{})
		if n := m.Walkers().Len(); n != 0 {
			t.Errorf("%d walkers", n)
		}
	})
}

// TestKindsAreChecked: what scenes.BVP.Check refuses panics.
func TestKindsAreChecked(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		for name, spoil := range map[string]func(p *scenes.BVP){
			"few cells":      func(p *scenes.BVP) { p.Cells = 4 },
			"many cells":     func(p *scenes.BVP) { p.Cells = 64 },
			"no size":        func(p *scenes.BVP) { p.CellSize = 0 },
			"endless cells":  func(p *scenes.BVP) { p.CellSize = math.Inf(1) },
			"no relaxations": func(p *scenes.BVP) { p.Relaxations = 0 },
			"blind":          func(p *scenes.BVP) { p.ViewAngle = 0 },
			"inertia 1":      func(p *scenes.BVP) { p.Inertia = 1 },
			"inertia < 0":    func(p *scenes.BVP) { p.Inertia = -0.1 },
			"method":         func(p *scenes.BVP) { p.Method = "fastest" },
			"bias":           func(p *scenes.BVP) { p.Bias.Strength = math.NaN() },
			"table":          func(p *scenes.BVP) { p.Table = []scenes.Sample{{1}, {1}} },
		} {
			t.Run(name, func(t *testing.T) {
				kind := kindOf(21, 30, 180)
				spoil(&kind)
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				_, _ = local.New(d, []scenes.BVP{kind}, []int{0})
			})
		}
	})
}
