package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
)

// simulation is a world that runs, and what is found out on the way.
type simulation struct {
	world  *engine.World
	traits []agents.Traits
	state  []agents.Agent // of the last look at the world
	still  stillness
	tally  tally
	writer *trajectories // nil where nobody asked for trajectories
	watch  []observer
	took   time.Duration
}

func newSimulation(world *engine.World) *simulation {
	b := world.Buffers().Agents
	sim := &simulation{
		world:  world,
		traits: make([]agents.Traits, b.Count),
		state:  make([]agents.Agent, b.Count),
	}
	if b.Count > 0 {
		b.Traits.Read(0, sim.traits)
	}
	sim.still = newStillness(world.Scene().Simulation.Timestep)
	sim.tally = newTally(world.Ground())
	return sim
}

// run runs so many steps, or, early, until all have arrived or are stuck.
func (sim *simulation) run(steps int, early bool, bar *progress) error {
	start := time.Now()
	sim.look()
	for step := 0; ; {
		if sim.writer != nil && step%sim.writer.every == 0 {
			if err := sim.writer.write(step, sim.state, sim.traits, sim.world.Ground().Lattice.Origin); err != nil {
				return err
			}
		}
		if len(sim.watch) > 0 && step%sim.glance() == 0 {
			frame := frameOf(sim.world.Time(), sim.state, sim.world.Ground().Lattice.Origin)
			for _, w := range sim.watch {
				w.see(frame)
			}
		}
		if sim.still.due(step) {
			sim.still.add(sim.state)
			if early && sim.over() {
				break
			}
		}
		if step == steps {
			break
		}
		if err := sim.world.Step(); err != nil {
			return err
		}
		step++
		bar.step()
		sim.look()
		sim.tally.add(sim.state, sim.traits)
	}
	sim.took = time.Since(start)
	return nil
}

// glance is how many steps there are from one frame of the observers to the next: half a second.
func (sim *simulation) glance() int {
	return max(1, int(math.Round(0.5/sim.world.Scene().Simulation.Timestep)))
}

// look reads the agents back.
func (sim *simulation) look() { sim.world.Crowd().Snapshot(sim.state) }

// over reports whether everybody has entered, and has arrived or is stuck.
func (sim *simulation) over() bool {
	for i, a := range sim.state {
		if a.Status == agents.Waiting || a.Arrivals == 0 && !sim.still.stuck(i, a, sim.traits[i]) {
			return false
		}
	}
	return true
}

// simulationReport is what simulate --report writes.
type simulationReport struct {
	Scene              string   `json:"scene"`
	Seed               uint64   `json:"seed"`
	Timestep           float64  `json:"timestep"`
	Steps              int      `json:"steps"`
	Simulated          float64  `json:"simulated_s"`
	Agents             int      `json:"agents"`
	Arrived            int      `json:"arrived"`
	Stuck              int      `json:"stuck"`
	FirstArrival       *float64 `json:"first_arrival_s"` // null where nobody arrived
	LastArrival        *float64 `json:"last_arrival_s"`
	MeanTravel         *float64 `json:"mean_travel_s"`
	AgentContacts      uint64   `json:"agent_contacts"`
	MaxPenetration     float64  `json:"max_penetration"`
	WallContacts       uint64   `json:"wall_contacts"`
	MaxWallPenetration float64  `json:"max_wall_penetration"`
	MaxSpeedExcess     float64  `json:"max_speed_excess"`
	Displaced          int      `json:"displaced"`
	WallClock          float64  `json:"wall_clock_s"`
	PerStep            float64  `json:"ms_per_step"`
	StateHash          string   `json:"state_hash"`
	Renderer           string   `json:"renderer"`
}

// report sums the run up.
func (sim *simulation) report() simulationReport {
	scene := sim.world.Scene()
	r := simulationReport{
		Scene: scene.Name, Seed: scene.Simulation.Seed, Timestep: scene.Simulation.Timestep,
		Steps: int(sim.world.Ticks()), Simulated: timeOf(int(sim.world.Ticks()), scene.Simulation.Timestep),
		AgentContacts: sim.tally.contacts, MaxPenetration: sim.tally.penetration,
		WallContacts: sim.tally.wallContacts, MaxWallPenetration: sim.tally.wallPenetration,
		MaxSpeedExcess: sim.tally.speedExcess,
		Displaced:      sim.world.Crowd().Counters().Displaced,
		WallClock:      sim.took.Seconds(),
		StateHash:      fmt.Sprintf("%016x", sim.world.StateHash()),
	}
	if r.Steps > 0 {
		r.PerStep = milliseconds(sim.took) / float64(r.Steps)
	}
	first, last, travelled := math.Inf(1), 0.0, 0.0
	for i, a := range sim.state {
		if a.Status == agents.Waiting {
			continue
		}
		r.Agents++
		if a.Arrivals > 0 {
			r.Arrived++
			at := timeOf(int(a.First), r.Timestep)
			first, last = min(first, at), max(last, at)
			travelled += timeOf(int(a.First-a.Entered), r.Timestep)
		} else if sim.still.stuck(i, a, sim.traits[i]) {
			r.Stuck++
		}
	}
	if r.Arrived > 0 {
		mean := travelled / float64(r.Arrived)
		r.FirstArrival, r.LastArrival, r.MeanTravel = &first, &last, &mean
	}
	return r
}

// timeOf is the time of a number of steps, without what decimal fractions lose in float64. Unit: s.
func timeOf(steps int, timestep float64) float64 {
	return math.Round(float64(steps)*timestep*1e9) / 1e9
}

// print tells the report in a few lines.
func (r simulationReport) print(w io.Writer) {
	count := func(n int) string { return figure(float64(n)) }
	fmt.Fprintf(w, "%s: %s of %s people arrived", r.Scene, count(r.Arrived), count(r.Agents))
	if r.Stuck > 0 {
		fmt.Fprintf(w, ", %s are stuck", count(r.Stuck))
	}
	fmt.Fprintf(w, "\nsimulated    %.6g s in %s steps, %s ms a step, %.1f s in all\n", r.Simulated, count(r.Steps), ms(r.PerStep), r.WallClock)
	if r.Arrived > 0 {
		fmt.Fprintf(w, "arrivals     from %.6g s to %.6g s, after %.1f s on average\n", *r.FirstArrival, *r.LastArrival, *r.MeanTravel)
	}
	fmt.Fprintf(w, "contacts     %s between people, at most %.2g of their radii; %s with walls\n", count(int(r.AgentContacts)), r.MaxPenetration, count(int(r.WallContacts)))
	if r.MaxWallPenetration > 0 {
		fmt.Fprintf(w, "in walls     up to %.2g m deep\n", r.MaxWallPenetration)
	}
	fmt.Fprintf(w, "state        %s on %s\n", r.StateHash, r.Renderer)
}
