// Package simulation runs a world without drawing it, hands frames to observers, and reports what
// happened.
package simulation

import (
	"io"
	"math"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// Overrides are the flags that replace values of a scene.
type Overrides struct {
	Seed      *uint64 `placeholder:"N" help:"Instead of the scene's seed."`
	Avoidance string  `enum:",${avoidances}" default:"" placeholder:"METHOD" help:"Instead of what profiles say: ${avoidances}."`
	Rounds    *int    `name:"contact-rounds" placeholder:"N" help:"Instead of the scene's number of rounds, per step, that separate agents that overlap; 0 leaves agents where their method put them."`
}

// Apply changes the scene.
func (v Overrides) Apply(s *scenes.Scene) {
	if v.Seed != nil {
		s.Simulation.Seed = *v.Seed
	}
	if v.Rounds != nil {
		s.Simulation.ContactRounds = *v.Rounds
	}
	if v.Avoidance != "" {
		for i := range s.Profiles {
			s.Profiles[i].Avoidance = scenes.Avoidance(v.Avoidance)
		}
	}
}

// Limits of a run if neither flags nor the scene end it. Unit: s.
const (
	openEnd     = 600.0
	openEndLoop = 120.0 // where people walk in circles
)

// Ticks is the number of ticks after which a time in seconds has come. A whole number of ticks but
// for a part in 10^9 counts as whole: 0.1 s is no binary fraction.
func Ticks(s *scenes.Scene, seconds float64) int {
	return int(math.Ceil(seconds / s.Simulation.Timestep * (1 - 1e-9)))
}

// endOf returns the number of steps of a run, and whether it ends early once all agents have
// arrived or are stuck.
func endOf(s *scenes.Scene, duration *time.Duration, most *int) (steps int, early bool) {
	switch {
	case most != nil:
		return *most, false
	case duration != nil:
		return Ticks(s, duration.Seconds()), false
	case s.Simulation.Duration > 0:
		return Ticks(s, s.Simulation.Duration), false
	case slices.ContainsFunc(s.Groups, func(g scenes.Group) bool { return g.OnArrival == scenes.ArrivalLoop }):
		return Ticks(s, openEndLoop), true
	}
	return Ticks(s, openEnd), true
}

// Simulation is a running world with its measurements.
type Simulation struct {
	world     *engine.World
	device    *gpu.Device
	traits    []agents.Traits
	state     []agents.Agent // of the last look at the world
	observers []observer
	took      time.Duration
}

// observer sees the frame of every nth step.
type observer struct {
	every int
	see   func(measure.Frame) error
}

// New starts measuring a world that has not run yet.
func New(d *gpu.Device, world *engine.World) (*Simulation, error) {
	b := world.Buffers().Agents
	sim := &Simulation{
		world: world, device: d, traits: make([]agents.Traits, b.Count), state: make([]agents.Agent, b.Count),
	}
	if b.Count > 0 {
		b.Traits.Read(0, sim.traits)
	}
	return sim, world.Crowd().Measure(true)
}

// Open makes the world of a scene and starts measuring it. It reports its progress.
func Open(d *gpu.Device, scene *scenes.Scene, progress io.Writer) (*Simulation, error) {
	defer console.NewProgress(progress, "maps and agents", 0).Done()
	world, err := engine.New(d, scene, engine.Options{})
	if err != nil {
		return nil, err
	}
	sim, err := New(d, world)
	if err != nil {
		world.Close()
	}
	return sim, err
}

// Close closes the world.
func (sim *Simulation) Close() error { return sim.world.Close() }

// Observe has a function see the crowd at the start and after every nth step of Run, which ends
// with its first error.
func (sim *Simulation) Observe(every int, see func(measure.Frame) error) {
	sim.observers = append(sim.observers, observer{every, see})
}

// Every is the number of steps in a time in seconds, at least one.
func (sim *Simulation) Every(seconds float64) int {
	return max(1, int(math.Round(seconds/sim.world.Scene().Simulation.Timestep)))
}

// Run runs for a duration or a number of steps where one is given, else as long as the scene's runs
// are by themselves, and reports its progress. Whether all agents have arrived or are stuck is
// checked every second.
func (sim *Simulation) Run(duration *time.Duration, most *int, progress io.Writer) error {
	steps, early := endOf(sim.world.Scene(), duration, most)
	bar := console.NewProgress(progress, "simulate", steps)
	defer bar.Done()
	start := time.Now()
	second := sim.Every(1)
	for step := 0; ; {
		if err := sim.show(step); err != nil {
			return err
		}
		if step == steps || early && step%second == 0 && sim.over() {
			break
		}
		if err := sim.world.Step(); err != nil {
			return err
		}
		sim.device.FrameEnd()
		step++
		bar.Step()
	}
	sim.look() // waits for the device
	sim.took = time.Since(start)
	return nil
}

// show hands the frame after a number of steps to the observers that want it.
func (sim *Simulation) show(step int) error {
	var frame *measure.Frame
	for _, o := range sim.observers {
		if step%o.every != 0 {
			continue
		}
		if frame == nil {
			sim.look()
			f := frameOf(sim.world.Time(), sim.state, sim.traits, sim.world.Ground().Lattice.Origin)
			frame = &f
		}
		if err := o.see(*frame); err != nil {
			return err
		}
	}
	return nil
}

// look reads the agents back.
func (sim *Simulation) look() {
	if len(sim.state) > 0 {
		sim.world.Crowd().Snapshot(sim.state)
	}
}

// frameOf returns the agents that are there, in world coordinates.
func frameOf(time float64, state []agents.Agent, traits []agents.Traits, corner mgl64.Vec2) measure.Frame {
	f := measure.Frame{Time: time}
	for i, a := range state {
		if agents.There(a.Status) {
			f.Walkers = append(f.Walkers, measure.Walker{
				ID:       i,
				At:       corner.Add(mgl64.Vec2{float64(a.Position[0]), float64(a.Position[1])}),
				Velocity: mgl64.Vec2{float64(a.Velocity[0]), float64(a.Velocity[1])},
				Group:    int(traits[i].Group),
			})
		}
	}
	return f
}

// over reports whether all agents have entered, and have arrived or are stuck.
func (sim *Simulation) over() bool {
	if len(sim.state) == 0 {
		return true
	}
	c := sim.world.Crowd().CountersNow()
	return sim.world.Ticks() > 0 && c.Reached+c.Stuck == len(sim.state)
}
