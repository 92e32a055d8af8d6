package bench

import (
	"io"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
	"github.com/wayfront/wayfront/cmd/navview/internal/simulation"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// observePeriod is the time between two frames of observers. Unit: s.
const observePeriod = 0.5

// runToEnd runs a scene as simulate does, and reports what the crowd did.
func runToEnd(d *gpu.Device, name, method string, rounds int) (report.Result, error) {
	r := report.Result{Suite: report.Behavior, Runs: 1}
	scene, err := builtin.Load(name)
	if err != nil {
		return r, err
	}
	world, err := worldBy(d, scene, method, &rounds)
	if err != nil {
		return r, err
	}
	defer world.Close()
	sim, err := simulation.New(d, world)
	if err != nil {
		return r, err
	}
	observers := observersOf(scene)
	for _, o := range observers {
		sim.Observe(sim.Every(observePeriod), func(f measure.Frame) error { o.see(f); return nil })
	}
	if err := sim.Run(nil, nil, io.Discard); err != nil {
		return r, err
	}
	if _, err := sane(world); err != nil {
		return r, err
	}
	end := sim.Report()
	r.Params = map[string]int{"agents": end.Agents, "contact_rounds": rounds, "steps": end.Steps}
	r.Wall = report.Spread{Median: end.PerStep, Min: end.PerStep, P95: end.PerStep}
	r.Checks = map[string]any{
		"sane": true, "arrived": end.Arrived, "stuck": end.Stuck, "timestep": end.Timestep,
		"agent_contacts": end.AgentContacts, "max_penetration": end.MaxPenetration,
		"wall_contacts": end.WallContacts, "max_wall_penetration": end.MaxWallPenetration,
		"max_speed_excess": end.MaxSpeedExcess,
	}
	if end.LastArrival != nil {
		r.Checks["last_arrival_s"], r.Checks["mean_travel_s"] = *end.LastArrival, *end.MeanTravel
	}
	for _, o := range observers {
		o.report(&r.Observations)
	}
	if rounds == 0 {
		r.Still = nil // pictures are of crowds as they are by default
	}
	return r, nil
}
