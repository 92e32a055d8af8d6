package bench

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/bvp/reference"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// bvpCrowd is agents with local maps on a square with walls, and what they see. They stand, so
// that every step does the same work.
type bvpCrowd struct {
	params  scenes.BVP
	step    float64 // of the lattice, m
	shift   int32   // from lattice to the cells of walls
	size    int32   // of these in a row
	lines   [][4]int32
	cells   [][]int32    // the walls in each cell
	discs   [][4]float32 // place and radius of each
	seen    [][]int32    // the discs that each may see
	bodies  bvpBodies
	walkers []local.Walker // as they begin
}

// Parameters of crowds.
const (
	bvpArea     = 2.0   // m2 a person
	bvpRadius   = 0.25  // m
	bvpReach    = 4.0   // how far people see each other and walls, m: more than half the diagonal of the largest map, and a radius
	bvpCellSide = 5.6   // of the cells that people are sorted in, m: there are about sixteen in each, as in crowds that walk
	bvpParts    = 2     // of such a cell, along its side
	bvpWalls    = 20    // people a wall
	bvpTimestep = 0.1   // s
	bvpCell     = 0.25  // m
	bvpSpeed    = 1.4   // m/s
	bvpChecked  = 1_000 // people that are held against the plain passes, at most
)

// newBVPCrowd creates a crowd, determined by its arguments.
func newBVPCrowd(people, cells, relaxations int) *bvpCrowd {
	side := math.Sqrt(bvpArea*float64(people)) + 4*bvpReach
	c := &bvpCrowd{
		params: scenes.Default[scenes.BVP](),
		step:   side / geom.Steps,
	}
	c.params.Cells, c.params.CellSize, c.params.Relaxations = cells, bvpCell, relaxations
	c.shift = int32(math.Ceil(math.Log2(bvpReach / c.step)))
	c.size = geom.Steps>>c.shift + 1
	c.cells = make([][]int32, c.size*c.size)
	r := rand.New(rand.NewPCG(uint64(people), 9))
	for i := range int32(people/bvpWalls + 1) {
		a := [2]float64{side * r.Float64(), side * r.Float64()}
		turn, length := 2*math.Pi*r.Float64(), 1+3*r.Float64()
		snap := func(v float64) int32 { return int32(min(max(v, 0), side) / c.step) }
		w := [4]int32{snap(a[0]), snap(a[1]), snap(a[0] + length*math.Cos(turn)), snap(a[1] + length*math.Sin(turn))}
		c.lines = append(c.lines, w)
		for y := min(w[1], w[3]) >> c.shift; y <= max(w[1], w[3])>>c.shift; y++ {
			for x := min(w[0], w[2]) >> c.shift; x <= max(w[0], w[2])>>c.shift; x++ {
				c.cells[y*c.size+x] = append(c.cells[y*c.size+x], i)
			}
		}
	}
	inner := side - 4*bvpReach
	at := map[[2]int32][]int32{} // people by cells of the reach
	cell := func(p [4]float32) [2]int32 { return [2]int32{int32(p[0] / bvpReach), int32(p[1] / bvpReach)} }
	for i := range people {
		p := [4]float32{float32(2*bvpReach + inner*r.Float64()), float32(2*bvpReach + inner*r.Float64()), bvpRadius}
		c.discs = append(c.discs, p)
		at[cell(p)] = append(at[cell(p)], int32(i))
		turn := 2 * math.Pi * r.Float64()
		c.walkers = append(c.walkers, local.Walker{
			Position: [2]float32{p[0], p[1]}, Goal: local.NoGoal, Speed: bvpSpeed, Heading: local.NoHeading, Agent: uint32(i),
			Guide: [2]float32{p[0] + float32(20*math.Cos(turn)), p[1] + float32(20*math.Sin(turn))},
		})
	}
	c.seen = make([][]int32, people)
	for i, p := range c.discs {
		far := func(other int32) float64 {
			return math.Hypot(float64(c.discs[other][0]-p[0]), float64(c.discs[other][1]-p[1]))
		}
		var near []int32
		for k := range int32(9) {
			for _, other := range at[[2]int32{cell(p)[0] + k%3 - 1, cell(p)[1] + k/3 - 1}] {
				if int(other) != i && far(other) < bvpReach {
					near = append(near, other)
				}
			}
		}
		c.seen[i] = near
	}
	c.sortBodies(side)
	return c
}

// bvpBodies is a crowd sorted by cells: see agents.Bodies.
type bvpBodies struct {
	size  int32 // cells in a row
	cells [][2]uint32
	parts []uint32
	spots [][8]float32
}

// sortBodies sorts agents by cells, and sets the body of each walker.
func (c *bvpCrowd) sortBodies(side float64) {
	b := &c.bodies
	b.size = int32(side/bvpCellSide) + 1
	part := func(p [4]float32) int {
		const fine = float32(bvpParts) / bvpCellSide // of exactly as many digits as that of cells: parts are two by two
		x, y := int32(p[0]*fine), int32(p[1]*fine)
		cell := y/bvpParts*b.size + x/bvpParts
		return int((cell*bvpParts+y%bvpParts)*bvpParts + x%bvpParts)
	}
	b.cells = make([][2]uint32, b.size*b.size)
	for i := range b.cells {
		b.cells[i] = [2]uint32{uint32(i * bvpParts * bvpParts), bvpParts}
	}
	order := make([]int, len(c.discs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(part(c.discs[a]), part(c.discs[b])) })
	b.parts = make([]uint32, len(b.cells)*bvpParts*bvpParts+1)
	for i, person := range order {
		p := c.discs[person]
		c.walkers[person].Body = uint32(i)
		b.spots = append(b.spots, [8]float32{p[0], p[1], p[2]})
		b.parts[part(p)+1]++
	}
	for i := range b.parts[1:] {
		b.parts[i+1] += b.parts[i]
	}
}

// bvpRun is a crowd on a device.
type bvpRun struct {
	*bvpCrowd
	maps    *local.Maps
	context agents.StepContext
	held    []interface{ Delete() }
}

// on uploads the crowd. The error is a *gpu.CapacityError if it exceeds the device.
func (c *bvpCrowd) on(d *gpu.Device) (*bvpRun, error) {
	people := len(c.walkers)
	f := &bvpRun{bvpCrowd: c}
	records := make([][4]int32, len(c.cells))
	for i, list := range c.cells {
		first := int32(len(records))
		for _, w := range list {
			records = append(records, c.lines[w])
		}
		records[i] = [4]int32{first, int32(len(records))}
	}
	var err error
	if f.maps, err = local.New(d, []scenes.BVP{c.params}, make([]int, people)); err != nil {
		return nil, err
	}
	walls := upload(f, &err, d, "bench walls", records)
	cells := uploadTexels(f, &err, upload(f, &err, d, "bench cells", c.bodies.cells), gpu.RG32UI)
	parts := uploadTexels(f, &err, upload(f, &err, d, "bench parts", c.bodies.parts), gpu.R32UI)
	spots := uploadTexels(f, &err, upload(f, &err, d, "bench bodies", c.bodies.spots), gpu.RGBA32UI)
	counters := upload(f, &err, d, "bench counters", make([]uint32, 3))
	guidance := upload(f, &err, d, "bench guidance", make([]agents.Guidance, people))
	if err != nil {
		f.free()
		return nil, err
	}
	walkers := make([]local.Walker, people)
	f.maps.Walkers().Read(0, walkers)
	for i, w := range walkers {
		walkers[i] = c.walkers[w.Agent]
		walkers[i].First, walkers[i].Settings = w.First, w.Settings
	}
	f.maps.Walkers().Write(0, walkers)
	f.context = agents.StepContext{
		Timestep: bvpTimestep, Lattice: geom.Lattice{Step: c.step}, Guidance: guidance,
		Walls: walls, Grid: [4]int32{c.shift, c.size, c.size, 0},
		Bodies: agents.Bodies{
			Cells: cells, Parts: parts, Spots: spots, Size: [2]int32{c.bodies.size, c.bodies.size}, CellsPerMetre: float32(1) / bvpCellSide,
			Largest: bvpRadius,
		},
		Counters: counters, ZeroGradient: 0, ZeroGradientSum: 1,
	}
	return f, nil
}

// upload uploads a buffer that the run owns, unless an error occurred before.
func upload[T any](f *bvpRun, err *error, d *gpu.Device, label string, data []T) *gpu.Buffer[T] {
	if *err != nil {
		return nil
	}
	b, failed := gpu.NewBuffer[T](d, label, len(data))
	if failed != nil {
		*err = failed
		return nil
	}
	b.Write(0, data)
	f.held = append(f.held, b)
	return b
}

// uploadTexels makes a texel view, like upload.
func uploadTexels[T any](f *bvpRun, err *error, b *gpu.Buffer[T], format gpu.Format) *gpu.TexelBuffer {
	if *err != nil {
		return nil
	}
	t, failed := gpu.NewTexelBuffer(b, format)
	if failed != nil {
		*err = failed
		return nil
	}
	f.held = append(f.held, t)
	return t
}

func (f *bvpRun) free() {
	f.maps.Close()
	for _, b := range slices.Backward(f.held) {
		b.Delete()
	}
}

func (f *bvpRun) take() { f.maps.Step(f.context) }

// bvpPlain is a part of a crowd for the reference passes on one thread.
type bvpPlain struct {
	settings local.Settings
	method   scenes.Method
	walkers  []local.Walker
	walls    [][]reference.Wall
	others   [][]reference.Disc
	fields   []reference.Potential[float32]
	turned   [][2]float32
}

// plain collects what every nth agent sees.
func (c *bvpCrowd) plain(every int) *bvpPlain {
	p := &bvpPlain{settings: local.SettingsAt(c.params, 0, bvpTimestep), method: c.params.Method}
	point := func(x, y int32) [2]float32 {
		return [2]float32{float32(float64(x) * c.step), float32(float64(y) * c.step)}
	}
	for i := 0; i < len(c.walkers); i += every {
		w := c.walkers[i]
		var walls []reference.Wall
		var others []reference.Disc
		known := map[int32]bool{}
		cell := func(v float32) int32 { return int32(float64(v)/c.step) >> c.shift }
		for y := cell(w.Position[1] - bvpReach); y <= cell(w.Position[1]+bvpReach); y++ {
			for x := cell(w.Position[0] - bvpReach); x <= cell(w.Position[0]+bvpReach); x++ {
				for _, k := range c.cells[y*c.size+x] {
					if !known[k] {
						known[k] = true
						walls = append(walls, reference.Wall{point(c.lines[k][0], c.lines[k][1]), point(c.lines[k][2], c.lines[k][3])})
					}
				}
			}
		}
		for _, k := range c.seen[i] {
			others = append(others, reference.Disc{Center: [2]float32{c.discs[k][0], c.discs[k][1]}, Radius: c.discs[k][2]})
		}
		p.walkers, p.walls, p.others = append(p.walkers, w), append(p.walls, walls), append(p.others, others)
	}
	p.fields, p.turned = make([]reference.Potential[float32], len(p.walkers)), make([][2]float32, len(p.walkers))
	return p
}

// The reference passes, each over all agents.
func (p *bvpPlain) stamp() {
	for i := range p.walkers {
		p.fields[i] = reference.Stamp(p.fields[i], &p.walkers[i], p.settings, p.walls[i], p.others[i])
	}
}

func (p *bvpPlain) relax() {
	for _, field := range p.fields {
		reference.Relax(field, p.settings, p.method, int(p.settings.Relaxations))
	}
}

func (p *bvpPlain) turn() {
	for i := range p.walkers {
		p.turned[i], _ = reference.Steer(p.fields[i], &p.walkers[i], p.settings)
	}
}

// step times a step of all passes.
func (p *bvpPlain) step(times stopwatch) {
	sum := time.Duration(0)
	for i, pass := range []func(){p.stamp, p.relax, p.turn} {
		start := time.Now()
		pass()
		took := time.Since(start)
		times.add(devicePass+"/"+[]string{"stamp", "relax", "turn"}[i], took)
		sum += took
	}
	times.add(wall, sum)
}

// check compares a step on the device with the reference, bit by bit, for up to bvpChecked
// agents.
func (f *bvpRun) check() error {
	p := f.plain((len(f.walkers) + bvpChecked - 1) / bvpChecked)
	f.take()
	p.stamp()
	p.relax()
	p.turn()
	guidance := make([]agents.Guidance, len(f.walkers))
	f.context.Guidance.Read(0, guidance)
	for i, want := range p.walkers {
		index, ok := f.maps.Walker(int(want.Agent))
		if !ok {
			return fmt.Errorf("agent %d has no local map", want.Agent)
		}
		got, field := f.maps.Read(index)
		want.First, want.Settings = got.First, got.Settings
		v, took := p.turned[i], guidance[want.Agent]
		switch {
		case got != want:
			return fmt.Errorf("agent %d is %+v on the device, %+v by the reference", want.Agent, got, want)
		case took.Preferred != v || took.Velocity != v:
			return fmt.Errorf("agent %d has the velocities %v, %v on the device, %v by the reference", want.Agent, took.Preferred, took.Velocity, v)
		case !slices.Equal(reference.Words(field), reference.Words(p.fields[i])):
			return fmt.Errorf("agent %d has another potential on the device than by the reference", want.Agent)
		}
	}
	return nil
}

// tooLarge reports whether an error is a capacity of the device.
func tooLarge(err error) bool {
	var capacity *gpu.CapacityError
	return errors.As(err, &capacity)
}
