package simulation

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
)

// Report is the document of simulate --report, and a row of the results of sweep.
type Report struct {
	Scene              string   `json:"scene" parquet:"scene"`
	Seed               uint64   `json:"seed" parquet:"seed"`
	Timestep           float64  `json:"timestep" parquet:"timestep"`
	Steps              int      `json:"steps" parquet:"steps"`
	Simulated          float64  `json:"simulated_s" parquet:"simulated_s"`
	Agents             int      `json:"agents" parquet:"agents"`
	Arrived            int      `json:"arrived" parquet:"arrived"`
	Stuck              int      `json:"stuck" parquet:"stuck"`
	Walking            int      `json:"walking" parquet:"walking"`                          // neither
	FirstArrival       *float64 `json:"first_arrival_s" parquet:"first_arrival_s,optional"` // null if no agent arrived
	LastArrival        *float64 `json:"last_arrival_s" parquet:"last_arrival_s,optional"`
	MeanTravel         *float64 `json:"mean_travel_s" parquet:"mean_travel_s,optional"`
	AgentContacts      uint64   `json:"agent_contacts" parquet:"agent_contacts"`
	MaxPenetration     float64  `json:"max_penetration" parquet:"max_penetration"`
	WallContacts       uint64   `json:"wall_contacts" parquet:"wall_contacts"`
	MaxWallPenetration float64  `json:"max_wall_penetration" parquet:"max_wall_penetration"`
	MaxSpeedExcess     float64  `json:"max_speed_excess" parquet:"max_speed_excess"`
	Displaced          int      `json:"displaced" parquet:"displaced"`
	Waiting            int      `json:"waiting" parquet:"waiting"`
	Lost               int      `json:"lost" parquet:"lost"`
	Buried             int      `json:"buried" parquet:"buried"`
	Crowded            uint64   `json:"crowded" parquet:"crowded"`
	Hemmed             uint64   `json:"hemmed" parquet:"hemmed"`
	Flat               uint64   `json:"flat" parquet:"flat"`
	WallClock          float64  `json:"wall_clock_s" parquet:"wall_clock_s"`
	PerStep            float64  `json:"ms_per_step" parquet:"ms_per_step"`
	StateHash          string   `json:"state_hash" parquet:"state_hash"`
	Renderer           string   `json:"renderer" parquet:"renderer"`
}

// Report summarizes the run.
func (sim *Simulation) Report() Report {
	scene, counters := sim.world.Scene(), sim.world.Crowd().CountersNow()
	hash, err := sim.world.Hash()
	if err != nil {
		panic(err) // CountersNow has just used the device
	}
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
		StateHash:      fmt.Sprintf("%016x", hash), Renderer: sim.device.Info().Renderer,
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
