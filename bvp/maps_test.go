package bvp

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// crowd is a world of walls and people for tests, and what the plain passes make of it.
type crowd struct {
	step    float64    // of the lattice, m
	lines   [][4]int32 // walls on the lattice
	others  []Disc     // people without maps
	kinds   []Parameters
	of      []int
	walkers []Walker // by agent
	maps    []Potential[float32]
	turned  [][2]float32 // velocities, m/s
	flat    []bool
	away    map[int]bool // agents that are not there
}

// newCrowd puts agents among random walls and discs on a ground of 40 m by 40 m.
func newCrowd(kinds []Parameters, of []int, r *rand.Rand) *crowd {
	c := &crowd{step: 40.0 / (1 << 20), kinds: kinds, of: of}
	for range 60 {
		a := [2]int32{r.Int32N(1 << 20), r.Int32N(1 << 20)}
		reach := int32(1<<20) / 8
		c.lines = append(c.lines, [4]int32{a[0], a[1], a[0] + r.Int32N(2*reach) - reach, a[1] + r.Int32N(2*reach) - reach})
	}
	for range 200 {
		c.others = append(c.others, Disc{[2]float32{40 * r.Float32(), 40 * r.Float32()}, 0.2 + 0.2*r.Float32()})
	}
	c.walkers = make([]Walker, len(of))
	c.maps = make([]Potential[float32], len(of))
	c.turned, c.flat = make([][2]float32, len(of)), make([]bool, len(of))
	for agent := range of {
		c.walkers[agent] = Walker{Heading: NoHeading, Agent: uint32(agent)}
		at := [2]float32{40 * r.Float32(), 40 * r.Float32()}
		if agent%6 == 5 { // on a wall
			w, t := c.walls()[agent%len(c.lines)], r.Float32()
			at = [2]float32{w[0][0] + t*(w[1][0]-w[0][0]), w[0][1] + t*(w[1][1]-w[0][1])}
		}
		c.tell(agent, at, r)
	}
	return c
}

// walledIn is the kind of the mixture whose walkers have somebody around them who takes all cells near theirs.
const walledIn = 10

// tell gives a walker a place, a guide's point, a goal and a speed.
func (c *crowd) tell(agent int, at [2]float32, r *rand.Rand) {
	w := &c.walkers[agent]
	w.Position, w.Speed = at, 1+r.Float32()
	w.Guide = [2]float32{at[0] + 10*r.Float32() - 5, at[1] + 10*r.Float32() - 5}
	if agent%4 == 1 {
		u := polar(Afar, 2*math.Pi*r.Float64())
		w.Guide = [2]float32{float32(u[0]), float32(u[1])}
	}
	w.Goal = NoGoal
	if agent%3 == 0 {
		w.Goal = [2]float32{at[0] + 2*r.Float32() - 1, at[1] + 2*r.Float32() - 1}
	}
	if agent%7 == 0 {
		w.Goal = [2]float32{at[0] + 0.01, at[1]}
	}
	if c.of[agent] == walledIn {
		for k := range 4 {
			u := polar(1.6, float64(k)*math.Pi/2)
			c.others = append(c.others, Disc{[2]float32{at[0] + float32(u[0]), at[1] + float32(u[1])}, 1.5})
		}
	}
}

// bodyOf is the disc of an agent.
func (c *crowd) bodyOf(agent int) Disc {
	return Disc{c.walkers[agent].Position, 0.2 + 0.01*float32(agent%10)}
}

// seen are those whom an agent may see: all within a bound of its map's corners and a radius.
func (c *crowd) seen(agent int) []Disc {
	at := c.walkers[agent].Position
	k := c.kinds[c.of[agent]]
	var seen []Disc
	add := func(d Disc) {
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

// bodies sorts everybody who is there by so many cells in a row, of one to three parts along a side, and tells walkers which body is
// theirs. Behind them, in no cell, lie those who are not there.
func (c *crowd) bodies(t testing.TB, d *gpu.Device, columns int) Bodies {
	t.Helper()
	cellsPerMetre := float32(columns) / 40
	cells := make([][2]uint32, columns*columns)
	parts := 0
	for i := range cells {
		side := 1 + i%3
		cells[i] = [2]uint32{uint32(parts), uint32(side)}
		parts += side * side
	}
	at := func(x, first float32, side, last int) int {
		return min(max(int((x*cellsPerMetre-first)*float32(side)), 0), last)
	}
	partOf := func(p [2]float32) int {
		x, y := at(p[0], 0, 1, columns-1), at(p[1], 0, 1, columns-1)
		cell := cells[y*columns+x]
		side := int(cell[1])
		return int(cell[0]) + at(p[1], float32(y), side, side-1)*side + at(p[0], float32(x), side, side-1)
	}
	type person struct {
		Disc
		agent int // -1: has no map
		part  int
	}
	var people []person
	for _, o := range c.others {
		people = append(people, person{o, -1, partOf(o.Center)})
	}
	for agent := range c.walkers {
		p := person{c.bodyOf(agent), agent, partOf(c.walkers[agent].Position)}
		if c.away[agent] {
			p.part = parts
		}
		people = append(people, p)
	}
	slices.SortStableFunc(people, func(a, b person) int { return a.part - b.part })
	starts := make([]uint32, parts+1)
	spots := make([][8]float32, len(people))
	b := Bodies{Size: [2]int32{int32(columns), int32(columns)}, CellsPerMetre: cellsPerMetre}
	for i, p := range people {
		spots[i] = [8]float32{p.Center[0], p.Center[1], p.Radius, 7, 7, 7, 7, 7}
		b.Largest = max(b.Largest, p.Radius)
		if p.part < parts {
			starts[p.part+1]++
		}
		if p.agent >= 0 {
			c.walkers[p.agent].Body = uint32(i)
			if c.away[p.agent] {
				c.walkers[p.agent].Body = NotThere
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

func (c *crowd) walls() []Wall {
	at := func(x, y int32) [2]float32 {
		return [2]float32{float32(float64(x) * c.step), float32(float64(y) * c.step)}
	}
	var walls []Wall
	for _, l := range c.lines {
		walls = append(walls, Wall{at(l[0], l[1]), at(l[2], l[3])})
	}
	return walls
}

// records are the walls by the cells of a grid of 2^shift lattice steps: in every cell that a wall's bounding box meets.
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

// world puts everything into buffers, sorted by cells of walls as records has them, and of people, so many in a row. Velocities are the
// last four of each record.
func (c *crowd) world(t testing.TB, d *gpu.Device, shift int32, columns int) (w World, velocities *gpu.Buffer[[6]float32]) {
	records, grid := c.records(shift)
	velocities = buffer(t, d, make([][6]float32, len(c.of)))
	return World{
		Walls: buffer(t, d, records), Grid: grid, LatticeStep: c.step,
		Bodies:     c.bodies(t, d, columns),
		Velocities: Records{velocities, 6, 2},
		Counters:   buffer(t, d, []uint32{5, 0, 1<<32 - 1, 2}), Flat: 1, FlatSum: 2,
	}, velocities
}

// told writes what walkers are told into the maps' buffer.
func (c *crowd) told(m *Maps) {
	all := make([]Walker, len(m.slots))
	m.walkers.Read(0, all)
	for i := range all {
		w := c.walkers[all[i].Agent]
		all[i].Position, all[i].Guide, all[i].Goal, all[i].Speed, all[i].Body = w.Position, w.Guide, w.Goal, w.Speed, w.Body
	}
	m.walkers.Write(0, all)
}

// pass is one of the plain passes for an agent: 0 stamps, 1 relaxes, 2 steers.
func (c *crowd) pass(pass, agent int, s Settings) {
	w := &c.walkers[agent]
	switch pass {
	case 0:
		c.maps[agent] = Stamp(c.maps[agent], w, s, c.walls(), c.seen(agent))
	case 1:
		Relax(c.maps[agent], s, s.Method, int(s.Relaxations))
	case 2:
		c.turned[agent], c.flat[agent] = Steer(c.maps[agent], w, s)
	}
}

// compare holds what the device has of an agent against the plain passes.
func (c *crowd) compare(t *testing.T, m *Maps, pass string, agent int) {
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
	got, words := Words(p), Words(c.maps[agent])
	for k := range words {
		if got[k] != words[k] {
			n := p.Cells
			t.Fatalf("%s: agent %d, map of %d cells: cell %d, %d is %g (%08x), want %g (%08x)", pass, agent, n, k%n, k/n,
				p.Q[k], got[k], c.maps[agent].Q[k], words[k])
		}
	}
}

// mixture is a crowd of maps of many sizes and settings.
func mixture(methods ...Method) []Parameters {
	var kinds []Parameters
	for i, cells := range []int{5, 6, 11, 12, 16, 21, 22, 23, 24, 33, 46, 63} {
		p := Parameters{
			Cells: cells, CellSize: 0.25, Relaxations: 3 + 4*i, ViewAngle: 0.5 + float64(i)*0.6, Inertia: float64(i) / 12,
			SpeedControl: i%2 == 0, Method: methods[i%len(methods)],
		}
		p.Bias = Bias{Direction: polar(1, float64(i)), Strength: float64(i%4) * 0.66, Wave: Wave{float64(i % 3), 0.3}}
		kinds = append(kinds, p)
	}
	return kinds
}

// TestPasses compares every pass with its plain form, bit by bit, over steps in which walkers move: stamping cell by cell, red-black and ADI
// after all their relaxations, and headings and velocities.
func TestPasses(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		defer d.SetBudget(gpu.Budget)
		for _, method := range []Method{RedBlack, ADI} {
			r := rand.New(rand.NewPCG(10, uint64(method)))
			kinds := mixture(method)
			of := make([]int, 41)
			for agent := range of {
				of[agent] = agent*5%(len(kinds)+1) - 1 // one in so many has no map
			}
			c := newCrowd(kinds, of, r)
			m, err := NewMaps(d, kinds, of)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			for step := range 3 {
				time := float64(step) * 0.1
				c.away = map[int]bool{6: step == 1, 13: step == 1}
				d.SetBudget([]int{gpu.Budget, 1, 1e5}[step]) // all at once, each map alone, a few small ones together
				w, velocities := c.world(t, d, []int32{20, 16, 14}[step], []int{1, 7, 30}[step])
				c.told(m)
				m.settings.Write(0, m.at(time, 0.1))
				for pass, name := range []string{"stamp", "relax", "steer"} {
					switch pass {
					case 0:
						m.stamp(w)
					case 1:
						m.relax()
					case 2:
						m.steer(w)
					}
					flat := 0
					for agent, kind := range of {
						if kind == NoMap {
							continue
						}
						if c.walkers[agent].Body != NotThere {
							c.pass(pass, agent, kinds[kind].At(time, 0.1))
						}
						c.compare(t, m, name, agent)
						if c.flat[agent] && c.walkers[agent].Body != NotThere {
							flat++
						}
					}
					if pass == 2 {
						checkFlat(t, w, flat)
					}
				}
				got := make([][6]float32, len(of))
				velocities.Read(0, got)
				for agent, kind := range of {
					want := c.turned[agent]
					if kind == NoMap || c.walkers[agent].Body == NotThere {
						want = [2]float32{}
					}
					if got[agent] != [6]float32{2: want[0], 3: want[1], 4: want[0], 5: want[1]} {
						t.Errorf("step %d: agent %d's record is %v, want the velocity %v", step, agent, got[agent], want)
					}
				}
				residuals, err := m.Residuals()
				if err != nil {
					t.Fatal(err)
				}
				for agent, kind := range of {
					if i, ok := m.Walker(agent); ok && c.walkers[agent].Cells > 0 {
						if want := Residual(c.maps[agent], kinds[kind].At(time, 0.1)); residuals[i] != want {
							t.Errorf("agent %d's residual is %g, want %g", agent, residuals[i], want)
						}
					}
				}
				for agent := range of {
					at := c.walkers[agent].Position
					at[0] += 0.1 * c.turned[agent][0]
					at[1] += 0.1 * c.turned[agent][1]
					c.tell(agent, at, r)
				}
			}
		}
	})
}

// checkFlat holds the counters of a world after one step: that of the step, and the sum, which overflows into its second word.
func checkFlat(t *testing.T, w World, flat int) {
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

// begin makes the maps of a crowd, with all that their walkers are told.
func (c *crowd) begin(t *testing.T, d *gpu.Device) (*Maps, World, *gpu.Buffer[[6]float32]) {
	t.Helper()
	m, err := NewMaps(d, c.kinds, c.of)
	if err != nil {
		t.Fatal(err)
	}
	w, velocities := c.world(t, d, 16, 5)
	c.told(m)
	return m, w, velocities
}

// TestPortions: the largest maps that a buffer of 128 MiB holds are relaxed in dispatches that are within the budget, each map once.
func TestPortions(t *testing.T) {
	for _, cells := range []int{11, MaxCells} {
		kinds := []Parameters{{Cells: cells}}
		slots, _ := arrange(kinds, make([]int, 1<<25/(cells*cells)), 1<<25)
		m := Maps{slots: slots, batches: []row{{0, len(slots)}}}
		for turns, want := range map[int]int{1: 1, batch + aroundRelaxing: 7, 6*batch + aroundRelaxing: 38} {
			all, next := m.portions(turns, gpu.Budget), 0
			for _, r := range all {
				if r.first != next || r.count*cells*cells*turns > gpu.Budget {
					t.Errorf("%d cells, %d turns: %d maps from %d on, after %d", cells, turns, r.count, r.first, next)
				}
				next += r.count
			}
			if next != len(slots) || len(all) != want {
				t.Errorf("%d cells, %d turns: %d of %d maps in %d dispatches, want %d", cells, turns, next, len(slots), len(all), want)
			}
		}
	}
}

// TestNobodyIsMissed: everybody who touches the update zone is stamped, however many, from however far, and whatever cells they are
// sorted by, but for oneself and for who is not there.
func TestNobodyIsMissed(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		for _, columns := range []int{1, 2, 9, 50, 200} {
			r := rand.New(rand.NewPCG(16, uint64(columns)))
			kinds := []Parameters{
				{Cells: 63, CellSize: 0.25, Relaxations: 1, ViewAngle: 7},
				{Cells: 11, CellSize: 0.25, Relaxations: 1, ViewAngle: 7},
				{Cells: 21, CellSize: 0.1, Relaxations: 1, ViewAngle: 2},
			}
			c := newCrowd(kinds, []int{0, 1, 2, 0, 1, 2, 0, 1, 2}, r)
			c.lines = nil
			for range 1000 { // so small that most cells stay free
				c.others = append(c.others, Disc{[2]float32{40 * r.Float32(), 40 * r.Float32()}, 0.05 * r.Float32()})
			}
			for range 3000 { // a heap, next to one of them
				c.others = append(c.others, Disc{[2]float32{c.walkers[4].Position[0] + 0.5, c.walkers[4].Position[1]}, 0.1})
			}
			if columns != 200 { // else nobody is large
				c.others = append(c.others, Disc{[2]float32{c.walkers[0].Position[0] + 13, c.walkers[0].Position[1]}, 10})
			}
			c.away = map[int]bool{7: true}
			m, w, _ := c.begin(t, d)
			w.Bodies = c.bodies(t, d, columns)
			c.told(m)
			m.settings.Write(0, m.at(0, 0.1))
			m.stamp(w)
			for agent, kind := range c.of {
				if !c.away[agent] {
					c.pass(0, agent, kinds[kind].At(0, 0.1))
				}
				c.compare(t, m, "stamp", agent)
			}
			m.Close()
		}
	})
}

// TestJacobiConverges: what Fischer's method gives after some relaxations is the device's affair, but not what it ends at.
func TestJacobiConverges(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		kinds := []Parameters{
			{Cells: 11, CellSize: 0.25, Relaxations: 450, ViewAngle: 3, Method: JacobiGS},
			{Cells: 16, CellSize: 0.25, Relaxations: 900, ViewAngle: 7, Method: JacobiGS, Bias: Bias{Direction: polar(1, 1), Strength: 0.4}},
		}
		c := newCrowd(kinds, []int{0, 1, 0, 1, 1, 0, 0}, rand.New(rand.NewPCG(12, 1)))
		m, w, _ := c.begin(t, d)
		defer m.Close()
		m.Step(0, 0.1, w)
		for agent, kind := range c.of {
			i, _ := m.Walker(agent)
			_, got := m.Read(i)
			exact := wide(got)
			Solve(exact, kinds[kind].At(0, 0.1))
			// As in TestMethodsConverge.
			if off, bound := distance(wide(got), exact), 4*0x1p-24*(4+float64(len(got.Q))/8); off > bound {
				t.Errorf("agent %d: %g from the solution, allowed %g", agent, off, bound)
			}
		}
	})
}

// TestManyRelaxations needs several dispatches, the last of them of a part of a batch, and no more of some maps.
func TestManyRelaxations(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		var kinds []Parameters
		for _, times := range []int{batch - 1, batch, batch + 1, 2*batch + 3} {
			kinds = append(kinds, Parameters{Cells: 6, CellSize: 0.25, Relaxations: times, ViewAngle: 3, Method: ADI})
		}
		c := newCrowd(kinds, []int{0, 1, 2, 3, 2, 1}, rand.New(rand.NewPCG(13, 1)))
		m, w, _ := c.begin(t, d)
		defer m.Close()
		m.Step(0, 0.1, w)
		for agent, kind := range c.of {
			for pass := range 3 {
				c.pass(pass, agent, kinds[kind].At(0, 0.1))
			}
			c.compare(t, m, "step", agent)
		}
	})
}

// state is all that a crowd's maps have on the device.
func state(m *Maps, velocities *gpu.Buffer[[6]float32]) (walkers []Walker, words []uint32, out [][6]float32) {
	walkers = make([]Walker, m.walkers.Len())
	out = make([][6]float32, velocities.Len())
	m.walkers.Read(0, walkers)
	for _, b := range m.potentials {
		part := make([]uint32, b.Len())
		b.Read(0, part)
		words = append(words, part...)
	}
	velocities.Read(0, out)
	return walkers, words, out
}

// TestSameResultEachRun: of everything but JacobiGS, which is exempt by its nature.
func TestSameResultEachRun(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		kinds := mixture(RedBlack, ADI)
		of := make([]int, 60)
		for agent := range of {
			of[agent] = agent % len(kinds)
		}
		var walkers []Walker
		var words []uint32
		var out [][6]float32
		for run := range 2 {
			c := newCrowd(kinds, of, rand.New(rand.NewPCG(14, 1)))
			m, w, velocities := c.begin(t, d)
			for step := range 3 {
				m.Step(float64(step)*0.1, 0.1, w)
			}
			a, b, v := state(m, velocities)
			m.Close()
			if run == 0 {
				walkers, words, out = a, b, v
			} else if !slices.Equal(a, walkers) || !slices.Equal(b, words) || !slices.Equal(v, out) {
				t.Error("the second run differs")
			}
		}
	})
}

// TestSeveralBuffers: maps whose potentials fill several buffers do as those in one, through steps and changes of kinds and of places. The
// smallest buffers hold one of the largest maps.
func TestSeveralBuffers(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		kinds := mixture(RedBlack, ADI)
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
		type result struct {
			walkers   []Walker
			out       [][6]float32
			maps      []Potential[float32]
			residuals []float32
		}
		outcome := func(room int) (r result, buffers int) {
			c := newCrowd(kinds, of, rand.New(rand.NewPCG(14, 3)))
			m, err := newMaps(d, room, kinds, of)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			w, velocities := c.world(t, d, 16, 5)
			c.told(m)
			m.Step(0, 0.1, w)
			buffers = len(m.potentials)
			if err := m.Assign(kinds, later); err != nil {
				t.Fatal(err)
			}
			c.told(m)
			m.Step(0.1, 0.1, w)
			r.walkers, _, r.out = state(m, velocities)
			for i := range r.walkers {
				_, p := m.Read(i)
				r.maps = append(r.maps, p)
				r.walkers[i].First = 0
			}
			if r.residuals, err = m.Residuals(); err != nil {
				t.Fatal(err)
			}
			return r, buffers
		}
		want, one := outcome(1 << 20)
		for _, room := range []int{MaxCells * MaxCells, MaxCells*MaxCells + 1000} {
			got, several := outcome(room)
			if one != 1 || several < 4 {
				t.Fatalf("potentials are in %d buffers, and in %d", one, several)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("in %d buffers of %d words maps are others than in one", several, room)
			}
		}
	})
}

// TestAssign changes kinds and agents while running: who keeps a size keeps the map, who changes it begins anew with the same heading,
// and all go on as the plain passes do.
func TestAssign(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		kinds := mixture(RedBlack)
		of := []int{5, 2, 0, NoMap, 9, 5, 5, 3}
		c := newCrowd(kinds, of, rand.New(rand.NewPCG(15, 1)))
		m, w, _ := c.begin(t, d)
		defer m.Close()
		run := func(step int) {
			m.Step(float64(step)*0.1, 0.1, w)
			for agent, kind := range c.of {
				for pass := range 3 {
					if kind != NoMap {
						c.pass(pass, agent, c.kinds[kind].At(float64(step)*0.1, 0.1))
					}
				}
				if kind != NoMap {
					c.compare(t, m, "step", agent)
				}
			}
		}
		run(0)
		before := m.Walkers()
		// Kind 5 bends another way: nobody moves in memory.
		c.kinds = slices.Clone(kinds)
		c.kinds[5].Bias = Bias{Direction: polar(1, 2), Strength: 1.2}
		if err := m.Assign(c.kinds, c.of); err != nil {
			t.Fatal(err)
		}
		if m.Walkers() != before {
			t.Error("walkers have moved without a reason")
		}
		run(1)
		// Kind 2 grows, agent 0 becomes as agent 4, agent 3 gets a map, agent 7 loses his.
		c.kinds[2].Cells = 30
		c.of = []int{9, 2, 0, 5, 9, 5, 5, NoMap}
		for _, agent := range []int{0, 1} {
			c.walkers[agent].Cells = 0
			c.maps[agent] = Potential[float32]{}
		}
		if err := m.Assign(c.kinds, c.of); err != nil {
			t.Fatal(err)
		}
		c.told(m)
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
		kinds := []Parameters{{Cells: 21, CellSize: 0.25, Relaxations: 1, ViewAngle: 1}}
		m, err := NewMaps(d, kinds, of)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if got, want := m.Bytes(), int64(len(of)*(64+4*21*21)+64); got != want {
			t.Errorf("%d bytes, want %d", got, want)
		}
	})
}

// TestTooManyMaps: an error that says what is missing, and everything as it was.
func TestTooManyMaps(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		kinds := []Parameters{{Cells: 5, CellSize: 0.25, Relaxations: 1, ViewAngle: 1}}
		of := make([]int, d.Info().Limits.MaxStorageBlock/64+1) // a Walker has 64 bytes
		for agent := range of {
			of[agent] = NoMap
		}
		of[0] = 0
		m, err := NewMaps(d, kinds, of)
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
		if m.Walkers() != walkers || m.Potentials(0) != potentials || m.of[1] != NoMap {
			t.Error("the maps have changed")
		}
	})
}

// TestNobody: maps of no agents are a crowd as any.
func TestNobody(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		m, err := NewMaps(d, nil, []int{NoMap, NoMap})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		m.Step(0, 0.1, World{})
		if all, err := m.Residuals(); err != nil || len(all) != 0 {
			t.Errorf("residuals %v, %v", all, err)
		}
	})
}
