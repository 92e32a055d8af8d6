package bench

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// steeredScenes are those of case behavior: the papers' figures, and what their rules find hard.
var steeredScenes = []string{
	"fischer-1", "fischer-2", "dapper-1", "dapper-3", "dapper-4", "dapper-5", "dapper-6", "dapper-7", "dapper-8a", "dapper-8b",
	"pairs-200", "counterflow-100", "counterflow-200",
}

// steeredFor is how long scenes run where not all agents arrive. Unit: s.
const steeredFor = 150.0

// steered runs a scene by rules until all have arrived, and reports what its agents did on their
// way.
func steered(d *gpu.Device, name string, rules scenes.Rules) (report.Result, error) {
	r := report.Result{Suite: report.Steering, Runs: 1}
	scene, err := builtin.Load(name)
	if err != nil {
		return r, err
	}
	for i := range scene.Profiles {
		scene.Profiles[i].BVP.Rules = rules
	}
	world, err := engine.New(d, scene, engine.Options{})
	if err != nil {
		return r, err
	}
	defer world.Close()
	if err := world.Crowd().Measure(true); err != nil {
		return r, err
	}
	state := make([]agents.Agent, world.Crowd().Count())
	tracks := make([]measure.Track, len(state))
	for {
		world.Crowd().Snapshot(state)
		walking := 0
		for i, a := range state {
			if a.Arrivals > 0 {
				continue
			}
			walking++
			if agents.There(a.Status) {
				tracks[i] = append(tracks[i], mgl64.Vec2{float64(a.Position[0]), float64(a.Position[1])})
			}
		}
		if walking == 0 || world.Time() >= steeredFor {
			break
		}
		if err := world.Step(); err != nil {
			return r, err
		}
		d.FrameEnd()
	}
	if r.Checks, err = sane(world); err != nil {
		return r, err
	}
	end, walked, walkedSteps := world.Crowd().CountersNow(), 0, 0
	for _, k := range tracks {
		// Some stand where they have arrived from the start, in the way of others.
		if len(k) < 3 {
			continue
		}
		walked, walkedSteps = walked+1, walkedSteps+len(k)-1
		timestep := scene.Simulation.Timestep
		stood := float64(k.Stood(timestep)) * timestep
		for name, v := range map[string]float64{
			"turning_degrees": k.Turning(timestep), "reversals": float64(k.Reversals(timestep)), "waiting_s": stood,
		} {
			r.Set(name, r.Measures[name]+v)
		}
		r.Set("longest_wait_s", max(r.Measures["longest_wait_s"], stood))
	}
	for _, name := range []string{"turning_degrees", "reversals", "waiting_s"} {
		r.Set(name, r.Measures[name]/float64(max(walked, 1)))
	}
	arrived := walked
	for _, a := range state {
		if a.Arrivals == 0 {
			arrived--
		}
	}
	r.Params = map[string]int{"agents": walked, "steps": int(world.Ticks()), "agent_steps": walkedSteps}
	for name, v := range map[string]any{
		"arrived": arrived, "stuck": end.Stuck, "agent_contacts": end.Tally.Contacts, "max_penetration": end.Tally.Penetration,
		"wall_contacts": end.Tally.WallContacts, "flat": end.Tally.ZeroGradient, "last_arrival_s": end.Tally.LastArrival,
	} {
		r.Checks[name] = v
	}
	return r, nil
}
