package bench

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/simulation"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// observePeriod is the time between two frames of observers. Unit: s.
const observePeriod = 0.5

// runToEnd runs a scene as simulate does, and reports what the crowd did.
func runToEnd(d *gpu.Device, name, method string, rounds int) (Result, error) {
	r := Result{Suite: suiteBehaviour, Runs: 1}
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
	steps, early := simulation.EndOf(scene, nil, nil)
	if err := sim.Run(steps, early, &console.Progress{}); err != nil {
		return r, err
	}
	if _, err := sane(world); err != nil {
		return r, err
	}
	report := sim.Report()
	r.Params = map[string]int{"agents": report.Agents, "contact_rounds": rounds, "steps": report.Steps}
	r.Wall = spread{report.PerStep, report.PerStep, report.PerStep}
	r.Checks = map[string]any{
		"sane": true, "arrived": report.Arrived, "stuck": report.Stuck, "agent_contacts": report.AgentContacts, "max_penetration": report.MaxPenetration,
		"wall_contacts": report.WallContacts, "max_wall_penetration": report.MaxWallPenetration, "max_speed_excess": report.MaxSpeedExcess,
		"timestep": report.Timestep,
	}
	if report.LastArrival != nil {
		r.Checks["last_arrival_s"], r.Checks["mean_travel_s"] = *report.LastArrival, *report.MeanTravel
	}
	for _, o := range observers {
		o.report(&r.behaviour)
	}
	if rounds == 0 {
		r.Still = nil // pictures are of crowds as they are by default
	}
	return r, nil
}

// Check is a check as a number.
func (r Result) Check(check string) float64 {
	switch v := r.Checks[check].(type) {
	case float64:
		return v
	case int:
		return float64(v)
	case uint64:
		return float64(v)
	}
	return 0
}

var behaviourHead = fmt.Sprintf("\n%-18s%8s  %-10s%7s%9s%7s%9s%11s%10s%10s  %s\n",
	"case", "agents", "method", "rounds", "arrived", "stuck", "last s", "contacts", "overlap", "ms/step", "measures")

func behaviourRow(r Result) string {
	row := fmt.Sprintf("%-18s%8d  %-10s%7d%9.0f%7.0f%9.1f%11.0f%10.4f%10s ", r.Case, r.Params["agents"], r.Method, r.Params["contact_rounds"],
		r.Check("arrived"), r.Check("stuck"), r.Check("last_arrival_s"), r.Check("agent_contacts"), r.Check("max_penetration"), console.MS(r.Wall.Median))
	for _, name := range slices.Sorted(maps.Keys(r.Measures)) {
		row += fmt.Sprintf(" %s %.3g", name, r.Measures[name])
	}
	return strings.TrimRight(row, " ")
}
