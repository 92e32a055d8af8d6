package bench

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
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

	Behavior bool `aliases:"behaviour" help:"Time no steps: run cases to their end, with contact rounds and, up to 1,000 people, without, and report what the crowds did. all: the scenes that the papers describe."`

	flags `embed:""`
}

func (avoidanceBench) Help() string { return report.Text("avoidance help", nil) }

// Validate checks the flags.
func (v avoidanceBench) Validate() error {
	at := v.from("")
	fewest := slices.Min(append([]int{1}, v.Agents...))
	return cmp.Or(
		anyOf("--methods", v.Methods, avoidanceMethods), console.Check(fewest >= 1, "--agents %d: at least 1", fewest),
		console.Check(at >= 0 && at <= console.Longest, "--at %v: 0s to %v", at, console.Longest), v.check(v.Runs),
	)
}

func (v avoidanceBench) Run(s *console.Session) error { return v.run(s, v) }

func (avoidanceBench) name() string { return report.Avoidance }

func (v avoidanceBench) facts() report.Values {
	return report.Values{"Runs": v.Runs, "Behavior": v.Behavior, "Exhaustive": v.Exhaustive, "RawMost": rawMost}
}

// avoidanceMethods are the methods of the suite.
var avoidanceMethods = append(scenes.Avoidances(), report.RVOFlat, report.RVONested)

// launchOf returns the avoidance method of a scene and its launch.
func launchOf(method string) (string, agents.Launch) {
	switch method {
	case report.RVOFlat:
		return string(scenes.AvoidanceRVO), agents.LaunchFlat
	case report.RVONested:
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

// busiest is the time at which columns and circles meet and rooms have emptied into corridors, of
// the papers' scenes. Unit: s.
var busiest = map[string]time.Duration{
	"circle-1k": 80, "4-streams": 45, "back-and-forth-80": 12, "evac-500": 25, "evac-1k": 25, "evac-5k": 25, "stadium-25k": 1, "city-10k": 5, "city-100k": 1,
	"simple": 10, "car": 7, "robots": 12, "circle": 8, "narrow": 15, "stadium": 30, "crosswalk": 30,
	"evacuation-500": 25, "evacuation-1k": 25, "evacuation-5k": 25, "evacuation-10k": 10, "evacuation-20k": 5,
}

var avoidanceCases = map[string][]string{
	// The papers' scenes.
	"all": {
		"circle-1k", "4-streams", "back-and-forth-80", "evac-500", "evac-1k", "evac-5k", "stadium-25k", "city-10k", "city-100k",
		"simple", "car", "robots", "circle", "narrow", "stadium", "crosswalk",
		"evacuation-500", "evacuation-1k", "evacuation-5k", "evacuation-10k", "evacuation-20k",
	},
	// Discs of one density.
	"growth": {"disc-100", "disc-1k", "disc-10k", "disc-100k", "disc-1000k"},
	// Discs that do not fill a device with an invocation an agent (Bleiweiss 2009, figure 11).
	"few": {"disc-4", "disc-8", "disc-16", "disc-32", "disc-64", "disc-128", "disc-256", "disc-512", "disc-1k"},
	// Those of Bleiweiss 2009, figure 12.
	"evacuations": {"evacuation-500", "evacuation-1k", "evacuation-5k", "evacuation-10k", "evacuation-20k"},
}

// describedCrowds are the scenes whose crowds the papers describe: all cases of --behavior.
var describedCrowds = []string{
	"back-and-forth-20", "back-and-forth-40", "back-and-forth-60", "back-and-forth-80", "back-and-forth-100",
	"circle-250", "circle-1k", "4-streams", "evac-500", "evac-1k", "evac-5k", "robots", "narrow", "crosswalk",
}

// names returns the scenes to measure, each once. A family takes the sizes of --agents.
func (v avoidanceBench) names() (all []string) {
	lists := maps.Clone(avoidanceCases)
	if v.Behavior {
		lists["all"] = describedCrowds
	}
	exists := func(name string) bool {
		_, _, err := builtin.Open(name)
		return err == nil
	}
	for _, name := range named(v.Cases, lists) {
		family := name
		if exists(name) {
			family = report.Family(name)
		}
		var members []string
		for _, n := range v.Agents {
			members = append(members, fmt.Sprintf("%s-%d", family, n))
		}
		if members = slices.DeleteFunc(members, func(name string) bool { return !exists(name) }); len(members) == 0 {
			members = []string{name}
		}
		for _, name := range members {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// rawMost is the number of agents up to which runs are repeated without contact rounds.
const rawMost = 1000

// avoidanceWarmUps is the number of steps before those that count.
const avoidanceWarmUps = 5

func (v avoidanceBench) jobs() (list []job, err error) {
	for _, name := range v.names() {
		scene, err := builtin.Load(name)
		if err != nil {
			return nil, err
		}
		all := slices.Compact([]int{scene.Simulation.ContactRounds, 0})
		if scene.Agents() > rawMost {
			all = all[:1]
		}
		for _, method := range v.Methods {
			if !v.Behavior {
				list = append(list, job{scene.Name, method, avoidanceWarmUps + v.Runs, func(d *gpu.Device, bar *console.Progress) (report.Result, error) {
					return v.measure(d, name, method, bar)
				}})
				continue
			}
			for _, rounds := range all {
				list = append(list, job{scene.Name, method, 1, func(d *gpu.Device, bar *console.Progress) (report.Result, error) {
					defer bar.Step()
					return runToEnd(d, name, method, rounds)
				}})
			}
		}
	}
	return list, nil
}

// from is the simulated time at which timing of a scene starts.
func (v avoidanceBench) from(scene string) time.Duration {
	if v.At != nil {
		return *v.At
	}
	return busiest[scene] * time.Second
}

// measure times steps of a crowd.
func (v avoidanceBench) measure(d *gpu.Device, name, method string, bar *console.Progress) (report.Result, error) {
	r := report.Result{Suite: report.Avoidance, Runs: v.Runs}
	scene, err := builtin.Load(name)
	if err != nil {
		return r, err
	}
	from := v.from(scene.Name).Seconds()
	r.Params = map[string]int{
		"agents": scene.Agents(), "obstacles": len(scene.Obstacles), "vertices": scene.Vertices(), "after_s": int(from + 0.5),
	}
	world, err := worldBy(d, scene, method, nil)
	if err != nil {
		return r, err
	}
	defer world.Close()
	search, state := func() {}, make([]agents.Agent, world.Crowd().Count())
	if v.Exhaustive {
		r.Suite = report.Search
	}
	if v.Exhaustive && len(state) > 0 {
		all, err := newExhaustive(d, len(state), scene.Profiles[0])
		if err != nil {
			return r, err
		}
		defer all.free()
		search = func() {
			world.Crowd().Snapshot(state)
			all.search(state)
			d.Finish()
		}
	}
	for world.Time() < from {
		if err := world.Step(); err != nil {
			return r, err
		}
	}
	frameTimes(d) // what came before does not count
	times := stopwatch{}
	err = times.repeat(avoidanceWarmUps, v.Runs, bar, func(int) error { return times.step(d, world.Step, search) })
	if err != nil {
		return r, err
	}
	times.setSteps(&r)
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
		if !agents.There(a.Status) {
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
