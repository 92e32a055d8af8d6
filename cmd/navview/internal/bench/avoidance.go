package bench

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/simulation"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
)

type avoidanceBench struct {
	Cases   []string       `placeholder:"SCENE,..." default:"all" help:"Scenes whose steps are timed. all: the papers' scenes; growth: discs of 100 to 1,000,000 people at one density; few: discs of 4 to 1,000; evacuations: those of 500 to 20,000."`
	Methods []string       `placeholder:"METHOD,..." default:"${methods}" help:"Methods by which people avoid others, instead of what scenes say: any of ${avoidances}, and rvo-flat and rvo-nested, which choose how rvo is launched."`
	Agents  []int          `placeholder:"N,..." help:"Sizes of the cases that exist in any, such as disc, circle-1k or evac-500, instead of their own."`
	At      *time.Duration `placeholder:"30s" help:"Simulated time from which on steps are timed. By default that at which a case is busiest, as far as it is known, else the start."`
	Runs    int            `placeholder:"N" default:"20" help:"Steps that count, after five that do not."`

	Exhaustive bool `help:"After each step, also search the neighbors of every agent among all agents, and report how long that takes; at most 65,535 people."`

	Behaviour bool `help:"Time no steps: run cases to their end, with contact rounds and, up to 1,000 people, without, and report what the crowds did. all: the scenes that the papers describe."`

	benchFlags `embed:""`
}

func (avoidanceBench) Help() string {
	return `Measures how long a step of a crowd takes on this device, as a whole and by its passes, while people avoid each other.
Wall time is that of a step with nothing before and after it in the queue. Software renderers do the work of a pass when
its commands are submitted, and their timestamps are unreliable: there the time of a pass is that of its submission. After the steps each
crowd is checked: every position and velocity is finite, no center is in a wall, no agent exceeds its maximum speed; a case that fails is an
error.

With cases of several sizes the exponent of growth is fitted from 1,000 people on.

Examples:
  navview bench avoidance
  navview bench avoidance --cases evac-5k,4-streams --methods clearpath --at 30s
  navview bench avoidance --cases growth --methods orca --chart growth.svg
  navview bench avoidance --cases disc --agents 1000,2000,4000 --json > disc.json
  navview bench avoidance --cases few --methods rvo-flat,rvo-nested
  navview bench avoidance --cases evacuations --methods rvo --exhaustive
  navview bench avoidance --behaviour --cases crosswalk,evac-500 --methods orca`
}

// avoidanceMethods are the methods of the suite.
var avoidanceMethods = append(scenes.Avoidances(), rvoFlat, rvoNested)

// Both ways to launch rvo, as methods of the suite.
const (
	rvoFlat   = "rvo-flat"
	rvoNested = "rvo-nested"
)

// launchOf returns the avoidance method of a scene and its launch.
func launchOf(method string) (string, agents.Launch) {
	switch method {
	case rvoFlat:
		return string(scenes.AvoidanceRVO), agents.LaunchFlat
	case rvoNested:
		return string(scenes.AvoidanceRVO), agents.LaunchNested
	}
	return method, agents.LaunchAuto
}

// worldBy creates a world of a scene, which it changes, by a method and a number of contact rounds;
// nil: that of the scene.
func worldBy(d *gpu.Device, scene *scenes.Scene, method string, rounds *int) (*engine.World, error) {
	method, launch := launchOf(method)
	simulation.Overrides{Avoidance: method, Rounds: rounds}.Apply(scene)
	world, err := engine.New(d, scene, engine.Options{})
	if err != nil {
		return nil, err
	}
	if err := world.Crowd().SetLaunch(launch); err != nil {
		world.Close()
		return nil, err
	}
	return world, nil
}

// busiest is the time at which columns and circles meet and rooms have emptied into corridors.
// Unit: s.
var busiest = map[string]float64{
	"circle-1k": 80, "4-streams": 45, "back-and-forth-80": 12, "evac-500": 25, "evac-1k": 25, "evac-5k": 25, "stadium-25k": 1, "city-10k": 5, "city-100k": 1,
	"simple": 10, "car": 7, "robots": 12, "circle": 8, "narrow": 15, "stadium": 30, "crosswalk": 30,
	"evacuation-500": 25, "evacuation-1k": 25, "evacuation-5k": 25, "evacuation-10k": 10, "evacuation-20k": 5,
}

// paperCrowds are the papers' scenes, in order.
var paperCrowds = []string{
	"circle-1k", "4-streams", "back-and-forth-80", "evac-500", "evac-1k", "evac-5k", "stadium-25k", "city-10k", "city-100k",
	"simple", "car", "robots", "circle", "narrow", "stadium", "crosswalk",
	"evacuation-500", "evacuation-1k", "evacuation-5k", "evacuation-10k", "evacuation-20k",
}

// watchedCrowds are the scenes whose crowds the papers describe.
var watchedCrowds = []string{
	"back-and-forth-20", "back-and-forth-40", "back-and-forth-60", "back-and-forth-80", "back-and-forth-100",
	"circle-250", "circle-1k", "4-streams", "evac-500", "evac-1k", "evac-5k", "robots", "narrow", "crosswalk",
}

// discs have one density.
var discs = []string{"disc-100", "disc-1k", "disc-10k", "disc-100k", "disc-1000k"}

// fewDiscs do not fill a device with an invocation for each agent (Bleiweiss 2009, figure 11).
var fewDiscs = []string{"disc-4", "disc-8", "disc-16", "disc-32", "disc-64", "disc-128", "disc-256", "disc-512", "disc-1k"}

// evacuations are those of Bleiweiss 2009, figure 12.
var evacuations = []string{"evacuation-500", "evacuation-1k", "evacuation-5k", "evacuation-10k", "evacuation-20k"}

// Validate checks the flags.
func (v avoidanceBench) Validate() error {
	if v.At == nil {
		v.At = new(time.Duration)
	}
	fewest := slices.Min(append([]int{1}, v.Agents...))
	return cmp.Or(
		anyOf("--methods", v.Methods, avoidanceMethods), console.Check(fewest >= 1, "--agents %d: at least 1", fewest),
		console.Check(*v.At >= 0 && *v.At <= console.Longest, "--at %v: 0s to %v", *v.At, console.Longest),
		console.Check(v.Runs >= 1, "--runs %d: at least 1", v.Runs), v.validate(),
	)
}

func (v avoidanceBench) Run(s *console.Session) error { return v.run(s, v) }

// names returns the scenes to measure, each once. A family takes the sizes of --agents.
func (v avoidanceBench) names() []string {
	var all []string
	add := func(name string) {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	every := paperCrowds
	if v.Behaviour {
		every = watchedCrowds
	}
	for _, name := range named(v.Cases, map[string][]string{"all": every, "growth": discs, "few": fewDiscs, "evacuations": evacuations}) {
		family := familyOf(name)
		if _, _, err := builtin.Open(name); err != nil {
			family = name
		}
		sized := false
		for _, n := range v.Agents {
			member := fmt.Sprintf("%s-%d", family, n)
			if _, _, err := builtin.Open(member); err == nil {
				add(member)
				sized = true
			}
		}
		if !sized {
			add(name)
		}
	}
	return all
}

func (v avoidanceBench) jobs() ([]job, error) {
	var list []job
	for _, name := range v.names() {
		scene, err := builtin.Load(name)
		if err != nil {
			return nil, err
		}
		for _, method := range v.Methods {
			if v.Behaviour {
				all := slices.Compact([]int{scene.Simulation.ContactRounds, 0})
				if scene.Agents() > rawMost {
					all = all[:1]
				}
				for _, rounds := range all {
					list = append(list, job{scene.Name, method, 1, func(d *gpu.Device, bar *console.Progress) (Result, error) {
						defer bar.Step()
						return runToEnd(d, name, method, rounds)
					}})
				}
				continue
			}
			list = append(list, job{scene.Name, method, avoidanceWarmUp + v.Runs, func(d *gpu.Device, bar *console.Progress) (Result, error) {
				return v.measure(d, name, method, bar)
			}})
		}
	}
	return list, nil
}

// rawMost is the number of agents up to which runs are repeated without contact rounds.
const rawMost = 1000

// avoidanceWarmUp is the number of steps before those that count.
const avoidanceWarmUp = 5

// from is the simulated time at which timing starts. Unit: s.
func (v avoidanceBench) from(scene *scenes.Scene) float64 {
	if v.At != nil {
		return v.At.Seconds()
	}
	return busiest[scene.Name]
}

// measure times steps of a crowd.
func (v avoidanceBench) measure(d *gpu.Device, name, method string, bar *console.Progress) (Result, error) {
	r := Result{Suite: suiteAvoidance, Runs: v.Runs}
	if v.Exhaustive {
		r.Suite = suiteSearch
	}
	scene, err := builtin.Load(name)
	if err != nil {
		return r, err
	}
	r.Params = map[string]int{"agents": scene.Agents(), "obstacles": len(scene.Obstacles), "vertices": scene.Vertices(), "after_s": int(v.from(scene) + 0.5)}
	world, err := worldBy(d, scene, method, nil)
	if err != nil {
		return r, err
	}
	defer world.Close()
	var all *exhaustive
	state := make([]agents.Agent, world.Crowd().Count())
	if v.Exhaustive && len(state) > 0 {
		if all, err = newExhaustive(d, len(state), scene.Profiles[0]); err != nil {
			return r, err
		}
		defer all.free()
	}
	for world.Time() < v.from(scene) {
		if err := world.Step(); err != nil {
			return r, err
		}
	}
	frameTimes(d) // what came before does not count
	var search func()
	if all != nil {
		search = func() {
			world.Crowd().Snapshot(state)
			all.search(state)
			d.Finish()
		}
	}
	times := stopwatch{}
	for run := range avoidanceWarmUp + v.Runs {
		if run == avoidanceWarmUp {
			clear(times)
		}
		if err := times.step(d, world.Step, search); err != nil {
			return r, err
		}
		bar.Step()
	}
	times.into(&r)
	r.Counts = countsOf(d)
	r.Checks, err = sane(world)
	return r, err
}

// sane checks properties of every crowd; the error is the first violation.
func sane(w *engine.World) (map[string]any, error) {
	state, traits := make([]agents.Agent, w.Crowd().Count()), make([]agents.Traits, w.Crowd().Count())
	if len(state) > 0 {
		w.Crowd().Snapshot(state)
		w.Buffers().Agents.Traits.Read(0, traits)
	}
	ground := w.Ground()
	there := 0
	for i, a := range state {
		if a.Status != agents.Walking && a.Status != agents.Arrived {
			continue
		}
		there++
		place := mgl64.Vec2{float64(a.Position[0]), float64(a.Position[1])}.Add(ground.Lattice.Origin)
		speed := math.Hypot(float64(a.Velocity[0]), float64(a.Velocity[1]))
		switch {
		case math.IsNaN(place[0] + place[1] + speed):
			return nil, fmt.Errorf("agent %d is at %v at %v m/s", i, place, speed)
		case !ground.Lattice.Contains(place) || !ground.Free(ground.Lattice.Snap(place)):
			return nil, fmt.Errorf("agent %d is in a wall or outside, at %v", i, place)
		case speed > float64(traits[i].MaxSpeed)*(1+1.0/(1<<20)): // what float32 rounds in three operations
			return nil, fmt.Errorf("agent %d walks at %v m/s where %v is its most", i, speed, traits[i].MaxSpeed)
		}
	}
	return map[string]any{"sane": true, "there": there}, nil
}

// shownPasses are the columns of tables; the JSON has all passes.
var shownPasses = []string{"escape", "steer", "cells", "neighbors", "walls", "avoid", "integrate", "contact"}

// columns are the passes shown.
func (v avoidanceBench) columns() []string {
	if v.Exhaustive {
		return append(slices.Clone(shownPasses), exhaustivePass)
	}
	return shownPasses
}

func (v avoidanceBench) head() string {
	if v.Behaviour {
		return behaviourHead
	}
	head := fmt.Sprintf("a step, median of %d, ms\n\n%-18s%9s  %-10s%10s%10s", v.Runs, "case", "agents", "method", "wall", "GPU")
	for _, pass := range v.columns() {
		head += fmt.Sprintf("%11s", pass)
	}
	return head + "\n"
}

func (v avoidanceBench) row(r Result) string {
	if v.Behaviour {
		return behaviourRow(r)
	}
	row := fmt.Sprintf("%-18s%9d  %-10s%10s%10s", r.Case, r.Params["agents"], r.Method, console.MS(r.Wall.Median), console.MS(r.GPU.Median))
	for _, pass := range v.columns() {
		row += fmt.Sprintf("%11s", r.Pass(pass))
	}
	return row
}

func (avoidanceBench) conclude(w io.Writer, report Report) {
	growth := report.fits(suiteAvoidance)
	if len(growth) > 0 {
		fmt.Fprintln(w)
	}
	for _, f := range growth {
		fmt.Fprintf(w, "%s, %s: grows as n^%.2f from %s to %s people\n", f.Family, f.Method, f.Exponent, console.Figure(float64(f.From)), console.Figure(float64(f.To)))
	}
}
