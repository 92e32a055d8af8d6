package stage

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// simulation is a running world with its measurements.
type simulation struct {
	world  *engine.World
	device *gpu.Device
	traits []agents.Traits
	state  []agents.Agent // of the last look at the world
	Writer *trajectories  // nil: no trajectories
	Watch  []func(measure.Frame)
	took   time.Duration
}

// NewSimulation starts measuring a world that has not run yet.
func NewSimulation(d *gpu.Device, world *engine.World) (*simulation, error) {
	b := world.Buffers().Agents
	sim := &simulation{
		world: world, device: d,
		traits: make([]agents.Traits, b.Count),
		state:  make([]agents.Agent, b.Count),
	}
	if b.Count > 0 {
		b.Traits.Read(0, sim.traits)
	}
	return sim, world.Crowd().Measure(true)
}

// Run runs so many steps. With early it ends once all agents have arrived or are stuck, which is
// checked every second.
func (sim *simulation) Run(steps int, early bool, bar *console.Progress) error {
	start := time.Now()
	second := sim.every(1)
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

// show hands the state after a number of steps to observers and the writer.
func (sim *simulation) show(step int) error {
	write := sim.Writer != nil && step%sim.Writer.every == 0
	watch := len(sim.Watch) > 0 && step%sim.every(observePeriod) == 0
	if !write && !watch {
		return nil
	}
	sim.look()
	corner := sim.world.Ground().Lattice.Origin
	if watch {
		frame := frameOf(sim.world.Time(), sim.state, corner)
		for _, see := range sim.Watch {
			see(frame)
		}
	}
	if write {
		return sim.Writer.write(step, sim.state, sim.traits, corner)
	}
	return nil
}

// observePeriod is the time between two frames of observers. Unit: s.
const observePeriod = 0.5

// every is the number of steps in a time, at least one.
func (sim *simulation) every(seconds float64) int {
	return max(1, int(math.Round(seconds/sim.world.Scene().Simulation.Timestep)))
}

// look reads the agents back.
func (sim *simulation) look() {
	if len(sim.state) > 0 {
		sim.world.Crowd().Snapshot(sim.state)
	}
}

// over reports whether all agents have entered, and have arrived or are stuck.
func (sim *simulation) over() bool {
	if len(sim.state) == 0 {
		return true
	}
	c := sim.world.Crowd().CountersNow()
	return sim.world.Ticks() > 0 && c.Reached+c.Stuck == len(sim.state)
}

// Report is the document of simulate --report.
type Report struct {
	Scene              string   `json:"scene"`
	Seed               uint64   `json:"seed"`
	Timestep           float64  `json:"timestep"`
	Steps              int      `json:"steps"`
	Simulated          float64  `json:"simulated_s"`
	Agents             int      `json:"agents"`
	Arrived            int      `json:"arrived"`
	Stuck              int      `json:"stuck"`
	Walking            int      `json:"walking"`         // neither
	FirstArrival       *float64 `json:"first_arrival_s"` // null if no agent arrived
	LastArrival        *float64 `json:"last_arrival_s"`
	MeanTravel         *float64 `json:"mean_travel_s"`
	AgentContacts      uint64   `json:"agent_contacts"`
	MaxPenetration     float64  `json:"max_penetration"`
	WallContacts       uint64   `json:"wall_contacts"`
	MaxWallPenetration float64  `json:"max_wall_penetration"`
	MaxSpeedExcess     float64  `json:"max_speed_excess"`
	Displaced          int      `json:"displaced"`
	Waiting            int      `json:"waiting"`
	Lost               int      `json:"lost"`
	Buried             int      `json:"buried"`
	Crowded            uint64   `json:"crowded"`
	Hemmed             uint64   `json:"hemmed"`
	Flat               uint64   `json:"flat"`
	WallClock          float64  `json:"wall_clock_s"`
	PerStep            float64  `json:"ms_per_step"`
	StateHash          string   `json:"state_hash"`
	Renderer           string   `json:"renderer"`
}

// Report summarizes the run.
func (sim *simulation) Report() Report {
	scene, counters := sim.world.Scene(), sim.world.Crowd().CountersNow()
	tally := counters.Tally
	r := Report{
		Scene: scene.Name, Seed: scene.Simulation.Seed, Timestep: scene.Simulation.Timestep,
		Steps: int(sim.world.Ticks()), Simulated: exactly(sim.world.Time()),
		Arrived: counters.Reached, Stuck: counters.Stuck, Displaced: counters.Displaced,
		Waiting: counters.Waiting, Lost: counters.Lost, Buried: counters.Buried, Crowded: counters.NeighborListOverflow, Hemmed: counters.WallListOverflow, Flat: tally.ZeroGradient,
		AgentContacts: tally.Contacts, MaxPenetration: tally.Penetration,
		WallContacts: tally.WallContacts, MaxWallPenetration: tally.WallPenetration,
		MaxSpeedExcess: tally.SpeedExcess,
		WallClock:      sim.took.Seconds(),
		StateHash:      fmt.Sprintf("%016x", sim.world.StateHash()),
	}
	if r.Steps > 0 {
		r.PerStep = console.Milliseconds(sim.took) / float64(r.Steps)
	}
	for _, a := range sim.state {
		if a.Status != agents.Waiting {
			r.Agents++
		}
	}
	r.Walking = r.Agents - r.Arrived - r.Stuck
	if r.Arrived > 0 {
		first, last, mean := exactly(tally.FirstArrival), exactly(tally.LastArrival), exactly(tally.MeanTravel)
		r.FirstArrival, r.LastArrival, r.MeanTravel = &first, &last, &mean
	}
	return r
}

// notes lists counts that are 0 in an undisturbed run.
func (r Report) notes() (notes []string) {
	for _, n := range []struct {
		times     uint64
		one, more string
		what      string
	}{
		{uint64(r.Waiting), "has", "have", "not entered"},
		{uint64(r.Lost), "sees", "see", "no path to the goal"},
		{uint64(r.Buried), "has", "have", "no free ground"},
		{uint64(r.Displaced), "time", "times", "an agent was put out of an obstacle"},
		{r.Crowded, "time", "times", "an agent had too many agents near to ask them all"},
		{r.Hemmed, "time", "times", "an agent had too many walls near to keep clear of all"},
		{r.Flat, "time", "times", "a local map had no gradient"},
	} {
		if n.times > 0 {
			notes = append(notes, console.Count(n.times, n.one, n.more)+" "+n.what)
		}
	}
	return notes
}

// exactly rounds a time to nanoseconds, which removes the rounding errors of float64. Unit: s.
func exactly(time float64) float64 { return math.Round(time*1e9) / 1e9 }

// Print prints the report in a few lines.
func (r Report) Print(w io.Writer) {
	fmt.Fprintf(w, "%s: %s of %s arrived", console.Legible(r.Scene), console.Figure(float64(r.Arrived)), console.Count(r.Agents, "agent", "agents"))
	if r.Stuck > 0 {
		fmt.Fprintf(w, ", %s stuck", console.Count(r.Stuck, "is", "are"))
	}
	if r.Walking > 0 {
		fmt.Fprintf(w, ", %s walking", console.Count(r.Walking, "is", "are"))
	}
	fmt.Fprintf(w, "\nsimulated    %.6g s in %s, %s ms a step, %.1f s in all\n", r.Simulated, console.Count(r.Steps, "step", "steps"), console.MS(r.PerStep), r.WallClock)
	if r.Arrived > 0 {
		fmt.Fprintf(w, "arrivals     from %.6g s to %.6g s, after %.1f s on average\n", *r.FirstArrival, *r.LastArrival, *r.MeanTravel)
	}
	fmt.Fprintf(w, "contacts     %s between agents, at most %.2g of their radii; %s with walls\n", console.Figure(float64(r.AgentContacts)), r.MaxPenetration, console.Figure(float64(r.WallContacts)))
	if r.MaxWallPenetration > 0 {
		fmt.Fprintf(w, "in walls     up to %.2g m deep\n", r.MaxWallPenetration)
	}
	if notes := r.notes(); len(notes) > 0 {
		fmt.Fprintf(w, "of note      %s\n", strings.Join(notes, ", "))
	}
	fmt.Fprintf(w, "state        %s on %s\n", r.StateHash, r.Renderer)
}

// Limits of a run if neither flags nor the scene end it. Unit: s.
const (
	openEnd     = 600.0
	openEndLoop = 120.0 // where people walk in circles
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

// EndOf returns the number of steps of a run, and whether it ends early once all agents have
// arrived or are stuck.
func EndOf(s *scenes.Scene, duration *time.Duration, most *int) (steps int, early bool) {
	// A whole number of steps but for a part in 10^9 counts as whole: 0.1 s is no binary fraction.
	in := func(seconds float64) int { return int(math.Ceil(seconds / s.Simulation.Timestep * (1 - 1e-9))) }
	switch {
	case most != nil:
		return *most, false
	case duration != nil:
		return in(duration.Seconds()), false
	case s.Simulation.Duration > 0:
		return in(s.Simulation.Duration), false
	case slices.ContainsFunc(s.Groups, func(g scenes.Group) bool { return g.OnArrival == scenes.ArrivalLoop }):
		return in(openEndLoop), true
	}
	return in(openEnd), true
}

// frameOf converts the state of a crowd for package measure.
func frameOf(time float64, state []agents.Agent, corner mgl64.Vec2) measure.Frame {
	f := measure.Frame{Time: time}
	for i, a := range state {
		if a.Status == agents.Walking || a.Status == agents.Arrived {
			f.Walkers = append(f.Walkers, measure.Walker{
				ID:       i,
				At:       corner.Add(mgl64.Vec2{float64(a.Position[0]), float64(a.Position[1])}),
				Velocity: mgl64.Vec2{float64(a.Velocity[0]), float64(a.Velocity[1])},
			})
		}
	}
	return f
}
