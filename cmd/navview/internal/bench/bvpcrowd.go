package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/bvp/reference"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// Parameters of crowds with local maps.
const (
	bvpArea    = 2.0   // m2 an agent
	bvpWalls   = 20    // agents a wall
	bvpCell    = 0.25  // m
	bvpRadius  = 0.25  // m
	bvpReach   = 4.0   // how far agents see each other and walls, m: more than half the diagonal of the largest map, and a radius
	bvpChecked = 1_000 // agents that are compared with the reference, at most
)

// bvpScene returns agents at random places among walls, determined by its arguments.
func bvpScene(count, cells, relaxations int, by scenes.Method) *scenes.Scene {
	const block = 6.324555 // side of a square for a wall, m: the root of bvpArea * bvpWalls
	blocks := math.Ceil(math.Sqrt(float64(count) / bvpWalls))
	side := blocks * block
	s := scenes.New(scenes.Rect{-1, -1, side + 1, side + 1})
	s.Map.Size = 100 // agents find their paths exactly
	random := rand.New(rand.NewPCG(uint64(count), 9))
	for k := range int(blocks * blocks) {
		middle := mgl64.Vec2{float64(k%int(blocks)) + 0.5, float64(k/int(blocks)) + 0.5}.Mul(block)
		sin, cos := math.Sincos(2 * math.Pi * random.Float64())
		along := mgl64.Vec2{cos, sin}.Mul(0.5 + 1.5*random.Float64())
		across := mgl64.Vec2{-sin, cos}.Mul(1e-6) // thinner than the lattice: a wall of no thickness
		s.Obstacles = append(s.Obstacles, scenes.Obstacle{Outline: []mgl64.Vec2{
			middle.Sub(along).Sub(across), middle.Add(along).Sub(across), middle.Add(along).Add(across), middle.Sub(along).Add(across),
		}})
	}
	s.Goals = []scenes.Goal{{ID: "corner", Points: []mgl64.Vec2{{-0.9, -0.9}}}} // where no agent is
	p := &s.Profiles[0]
	p.Steering, p.Avoidance = scenes.SteeringBVP, scenes.AvoidanceNone
	p.Radius = scenes.Exactly(bvpRadius)
	p.MaxAcceleration = 1e-6 // a tick moves no agent out of the cell that it is sorted into
	p.BVP.Cells, p.BVP.CellSize, p.BVP.Relaxations = scenes.Exactly(float64(cells)), scenes.Exactly(bvpCell), scenes.Exactly(float64(relaxations))
	p.BVP.Method = by
	s.Groups = []scenes.Group{{
		ID: "crowd", Profile: p.ID, Count: count, Itinerary: []string{"corner"},
		Spawn: scenes.Spawn{Rect: &scenes.Rect{0, 0, side, side}},
	}}
	return s
}

// bvpCrowd is a world whose local maps take one step after another. Its agents stand, so that every
// step does the same work.
type bvpCrowd struct {
	*engine.World
	maps    *local.Maps
	context agents.StepContext
}

// newBVPCrowd creates the world and takes a tick, by which maps get their inputs. The error is a
// *gpu.CapacityError if it exceeds the device.
func newBVPCrowd(d *gpu.Device, scene *scenes.Scene) (*bvpCrowd, error) {
	world, err := engine.New(d, scene, engine.Options{})
	if err != nil {
		return nil, err
	}
	if err := world.Step(); err != nil {
		world.Close()
		return nil, err
	}
	context, _ := world.Crowd().StepContext() // local maps have agents sorted
	return &bvpCrowd{world, world.LocalMaps(), context}, nil
}

// step takes a step of the local maps.
func (c *bvpCrowd) step() { c.maps.Step(c.context) }

// bvpPlain is a part of a crowd for the reference passes on one thread.
type bvpPlain struct {
	settings local.Settings
	method   scenes.Method
	walkers  []local.Walker
	walls    [][]reference.Wall
	own      []reference.Disc
	others   [][]reference.Disc
	fields   []reference.Potential[float32]
	turned   [][2]float32
}

// plain collects what every nth agent sees.
func (c *bvpCrowd) plain(every int) *bvpPlain {
	params, all, walls := c.Scene().Profiles[0].Mean().BVP, make([]agents.Agent, c.Crowd().Count()), c.walls()
	c.Crowd().Snapshot(all)
	p := &bvpPlain{settings: local.SettingsAt(params, c.context.Time, c.context.Timestep), method: params.Method}
	for i := 0; i < len(all); i += every {
		index, ok := c.maps.Walker(i)
		w, field := c.maps.Read(index)
		if !ok || w.Body == local.NotThere {
			continue
		}
		at := w.Position
		near := func(a, b [2]float32) bool { // the box of two points
			return min(a[0], b[0]) < at[0]+bvpReach && max(a[0], b[0]) > at[0]-bvpReach &&
				min(a[1], b[1]) < at[1]+bvpReach && max(a[1], b[1]) > at[1]-bvpReach
		}
		var others []reference.Disc
		for k, other := range all {
			if k != i && other.Status == agents.Walking && near(other.Position, other.Position) {
				// Bodies have the velocities of before the tick, in which all agents stood.
				others = append(others, reference.Disc{Center: other.Position, Radius: bvpRadius})
			}
		}
		p.walkers, p.fields, p.others = append(p.walkers, w), append(p.fields, field), append(p.others, others)
		p.own = append(p.own, reference.Disc{Radius: bvpRadius})
		p.walls = append(p.walls, slices.DeleteFunc(slices.Clone(walls), func(w reference.Wall) bool { return !near(w[0], w[1]) }))
	}
	p.turned = make([][2]float32, len(p.walkers))
	return p
}

// walls returns the walls of the ground, with free ground on their left.
func (c *bvpCrowd) walls() (all []reference.Wall) {
	ground := c.Ground()
	place := func(v int32) [2]float32 {
		p := ground.Vertices[v]
		return [2]float32{float32(float64(p.X) * ground.Lattice.Step), float32(float64(p.Y) * ground.Lattice.Step)}
	}
	for _, w := range ground.Walls {
		if w.Left {
			all = append(all, reference.Wall{place(w.A), place(w.B)})
		}
		if w.Right {
			all = append(all, reference.Wall{place(w.B), place(w.A)})
		}
	}
	return all
}

// step takes a step of the reference passes, each over all agents.
func (p *bvpPlain) step(times stopwatch) {
	start := time.Now()
	times.time(devicePass+"/stamp", func() {
		for i := range p.walkers {
			p.fields[i] = reference.Stamp(p.fields[i], &p.walkers[i], p.settings, p.walls[i], p.own[i], p.others[i])
		}
	})
	times.time(devicePass+"/relax", func() {
		for _, field := range p.fields {
			reference.Relax(field, p.settings, p.method, int(p.settings.Relaxations))
		}
	})
	times.time(devicePass+"/steer", func() {
		for i := range p.walkers {
			p.turned[i], _ = reference.Steer(p.fields[i], &p.walkers[i], p.settings)
		}
	})
	times.add(wall, time.Since(start))
}

// check takes a step on the device and compares it with that of the reference, bit by bit.
func (c *bvpCrowd) check(p *bvpPlain) error {
	c.step()
	p.step(stopwatch{})
	guidance := make([]agents.Guidance, c.context.Guidance.Len())
	c.context.Guidance.Read(0, guidance)
	for i, want := range p.walkers {
		index, _ := c.maps.Walker(int(want.Agent))
		got, field := c.maps.Read(index)
		g := guidance[want.Agent]
		switch {
		case got != want:
			return fmt.Errorf("agent %d is %+v on the device, %+v by the reference", want.Agent, got, want)
		case g.Preferred != p.turned[i] || g.Velocity != p.turned[i]:
			return fmt.Errorf("agent %d has the velocities %v and %v on the device, %v by the reference", want.Agent, g.Preferred, g.Velocity, p.turned[i])
		case !slices.Equal(reference.Words(field), reference.Words(p.fields[i])):
			return fmt.Errorf("agent %d has another potential on the device than by the reference", want.Agent)
		}
	}
	return nil
}

// converges holds what jacobi-gs comes to on the device against direct solutions. What less
// relaxations give is a matter of chance.
func converges(d *gpu.Device, cells int) error {
	// An empty map's error shrinks by the cosine of 180 degrees over n - 1 each time, in the slowest
	// order; of 21 cells to less than a part in 2^24 within 1,350.
	crowd, err := newBVPCrowd(d, bvpScene(10, cells, 2_000, scenes.MethodJacobiGS))
	if err != nil {
		return err
	}
	defer crowd.Close()
	crowd.step()
	settings := local.SettingsAt(crowd.Scene().Profiles[0].Mean().BVP, crowd.context.Time, crowd.context.Timestep)
	for i := range crowd.maps.Walkers().Len() {
		_, got := crowd.maps.Read(i)
		exact := reference.Potential[float64]{Cells: got.Cells, Q: make([]float64, len(got.Q)), Fixed: got.Fixed}
		for k, q := range got.Q {
			exact.Q[k] = float64(q)
		}
		reference.Solve(exact, settings)
		for k, q := range got.Q {
			// A relaxation rounds a few times by 2^-24 relative to 1; errors of single cells add up as
			// the means do over cells^2 / 8 steps of a walk to the border.
			if bound := 4 * 0x1p-24 * (4 + float64(len(got.Q))/8); math.Abs(float64(q)-exact.Q[k]) > bound {
				return fmt.Errorf("jacobi-gs: cell %d of map %d is %v, %v by the direct solution", k, i, q, exact.Q[k])
			}
		}
	}
	return nil
}
