package agents

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// hall is a hall with pillars; the groups are to be filled in.
const hall = `{"version": 1, "domain": [0, 0, 200, 120],
	"obstacles": [{"rect": [40, 0, 42, 80]}, {"rect": [80, 40, 82, 120]}, {"rect": [120, 0, 122, 50]}, {"rect": [120, 54, 122, 120]},
		{"circle": {"center": [20, 60], "radius": 6, "sides": 12}}, {"circle": {"center": [60, 60], "radius": 6, "sides": 12}},
		{"rect": [150, 20, 152, 100]}, {"rect": [160, 40, 170, 41]}, {"rect": [160, 80, 170, 81]}, {"rect": [95, 70, 105, 75]}],
	"goals": [{"id": "east", "points": [[198, 10], [198, 60], [198, 110]]}, {"id": "west", "points": [[2, 60]]}],
	"groups": [%s], "simulation": {"timestep": %s}}`

// Counts around the size of a work group, and none.
func TestCrowdSizes(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		for _, n := range []int{0, 1, 63, 64, 65} {
			x := try(t, d, fmt.Sprintf(hall, fmt.Sprintf(`{"count": %d, "spawn": {"rect": [160, 42, 199, 78]}}`, n), "0.1"), 50)
			history := []Counters{}
			for step := range 400 {
				x.step()
				x.checkMove(t, step)
				c := Counters{Step: step + 1}
				for _, a := range x.after {
					switch a.Status {
					case Walking:
						c.Walking++
					case Left:
						c.Left++
						c.Reached++
						if a.Arrivals != 1 || a.First == 0 {
							t.Fatalf("step %d: an agent that left has arrived %d times, first in step %d", step, a.Arrivals, a.First)
						}
					}
				}
				history = append(history, c)
				if step >= counterLatency {
					if got, want := x.crowd.Counters(), history[step-counterLatency]; got != want {
						t.Fatalf("%d agents: counters after step %d are %+v, want %+v", n, step, got, want)
					}
				} else if x.crowd.Counters().Step != 0 {
					t.Errorf("counters are there after step %d", step)
				}
			}
			if x.walking() > 0 {
				t.Errorf("%d of %d agents have not left", x.walking(), n)
			}
			if x.crowd.clock != 400 || x.crowd.Count() != n {
				t.Errorf("%d steps of %d agents, want 400 of %d", x.crowd.clock, x.crowd.Count(), n)
			}
		}
	})
}

// Agents that walk to a goal out of reach stand still and are counted, and so do
// agents in pockets too small for a texel.
func TestUnreachable(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, `{"version": 1, "domain": [0, 0, 40, 20],
			"obstacles": [{"polygon": [[2, 2], [18, 2], [18, 18], [2, 18]], "holes": [[[3, 3], [17, 3], [17, 17], [3, 17]]]},
				{"polygon": [[30, 10], [31, 10], [31, 11], [30, 11]], "holes": [[[30.4, 10.4], [30.6, 10.4], [30.6, 10.6], [30.4, 10.6]]]},
				{"polygon": [[34, 12], [36, 12], [36, 14], [34, 14]], "holes": [[[34.5, 12.5], [35.5, 12.5], [35.5, 13.5], [34.5, 13.5]]]}],
			"goals": [{"id": "out", "points": [[39, 10]]}, {"id": "in", "points": [[10, 10]]}],
			"groups": [{"id": "caught", "count": 20, "spawn": {"rect": [4, 4, 16, 16]}, "itinerary": ["out"]},
				{"id": "locked out", "count": 20, "spawn": {"rect": [20, 2, 28, 18]}, "itinerary": ["in"]},
				{"id": "pocket", "spawn": {"points": [[30.5, 10.5]]}, "itinerary": ["out"]},
				{"id": "cell", "spawn": {"points": [[34.8, 12.8]]}, "itinerary": ["out"]},
				{"id": "free", "count": 5, "spawn": {"rect": [32, 1, 38, 5]}, "itinerary": ["out"]}]}`, 20)
		start := slices.Clone(x.after)
		for step := range 200 {
			x.step()
			x.checkMove(t, step)
		}
		for i, a := range x.after {
			if x.traits[i].Group == 4 {
				if a.Status != Left {
					t.Errorf("agent %d is free to go and has not left: %+v", i, a)
				}
				continue
			}
			if a.Position != start[i].Position || a.Lost != 200 || a.Status != Walking || a.Velocity != [2]float32{} {
				t.Errorf("agent %d cannot reach its goal, but: %+v", i, a)
			}
		}
		if c := x.crowd.Counters(); c.Lost != 42 || c.Walking != 42 || c.Left != 5 {
			t.Errorf("counters %+v, want 42 lost", c)
		}
	})
}

// An agent pushed, or begun, where no texel around it knows its parent asks all generators.
func TestNarrowRegion(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		// A wall that bends by a hair: behind the bend, along the wall, lies a region
		// 30 m long and less than 3 cm wide, in texels of 1 m.
		x := try(t, d, `{"version": 1, "domain": [0, 0, 40, 20],
			"obstacles": [{"polygon": [[0, 10], [5, 10], [35, 9.97], [35, 0], [0, 0]]}],
			"goals": [{"id": "out", "points": [[0.5, 10.001]], "arrivalRadius": 0.1}],
			"groups": [{"spawn": {"points": [[33, 9.975], [20, 9.986]]}}]}`, 40)
		for i, a := range x.after {
			g := x.reference.Generators
			at := x.reference.onLattice(a.Position)
			if x.ground.LitClosed(sectorOf(g[0]), at) {
				t.Fatalf("agent %d sees the source; the scene tests nothing", i)
			}
		}
		for step := 0; x.walking() > 0; step++ {
			x.step()
			x.checkMove(t, step)
			for i, a := range x.after {
				if a.Lost > 0 {
					t.Fatalf("step %d: agent %d is lost at %v", step, i, a.Position)
				}
			}
			if step > 1000 {
				t.Fatal("not all arrive")
			}
		}
	})
}

// Itineraries, loops, agents that stay, agents that come later.
func TestItineraries(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, `{"version": 1, "domain": [0, 0, 20, 20],
			"goals": [{"id": "a", "points": [[3, 3]]}, {"id": "b", "points": [[17, 3]]}, {"id": "c", "points": [[10, 17]]}],
			"profiles": [{"id": "p", "preferredSpeed": {"mean": 1.5, "std": 0}}],
			"groups": [{"id": "leave", "spawn": {"points": [[10, 10]]}, "itinerary": ["a", "b", "c"]},
				{"id": "stay", "spawn": {"points": [[11, 10]]}, "itinerary": ["c", "a"], "onArrival": "stay"},
				{"id": "loop", "spawn": {"points": [[12, 10]]}, "itinerary": ["a", "b"], "onArrival": "loop"},
				{"id": "one", "spawn": {"points": [[13, 10]]}, "itinerary": ["b"], "onArrival": "loop"},
				{"id": "late", "spawn": {"points": [[14, 10]]}, "itinerary": ["b"], "start": {"at": 5}}]}`, 20)
		visits := make([][]uint32, 5)
		for step := range 600 {
			x.step()
			for i, a := range x.after {
				if before := x.before[i]; a.Stage != before.Stage || a.Arrivals != before.Arrivals {
					// The goal just reached is within half a meter and a step.
					goal := x.scene.Goals[before.Layer].Points[0]
					if d := math.Hypot(float64(before.Position[0])-goal[0], float64(before.Position[1])-goal[1]); d > 0.5 {
						t.Errorf("step %d: agent %d takes goal %d for reached from %v m", step, i, before.Layer, d)
					}
					visits[i] = append(visits[i], before.Layer)
				}
				if i == 4 && (a.Status == Waiting) != (step < 50) {
					t.Fatalf("step %d: the agent that is to enter at 5 s has status %d", step, a.Status)
				}
				if i == 4 && step < 50 && a.Position != x.before[i].Position {
					t.Fatalf("step %d: an agent that has not entered moves", step)
				}
			}
		}
		for i, want := range [][]uint32{{0, 1, 2}, {2, 0}, nil, {1}, {1}} {
			if i != 2 && !slices.Equal(visits[i], want) {
				t.Errorf("agent %d visited %v, want %v", i, visits[i], want)
			}
		}
		// 600 steps of 0.15 m are 90 m, each way is at least 13 m and at most 14.
		if n := len(visits[2]); n < 5 || n > 7 || x.after[2].Arrivals != uint32(n/2) {
			t.Errorf("the agent that loops made %d visits, %d rounds", n, x.after[2].Arrivals)
		}
		for k, layer := range visits[2] {
			if layer != uint32(k%2) {
				t.Errorf("the agent that loops visited %v", visits[2])
				break
			}
		}
		for i, want := range []Status{Left, Arrived, Walking, Walking, Left} {
			if x.after[i].Status != want {
				t.Errorf("agent %d ends with status %d, want %d", i, x.after[i].Status, want)
			}
		}
		if x.after[1].Velocity != [2]float32{} || x.after[3].Arrivals != 1 {
			t.Errorf("the one that stays: %+v, that loops in one place: %+v", x.after[1], x.after[3])
		}
	})
}

// Ways follow parents to the source, for each kind of agent: before the first step, after each,
// and after the maps, and then the ground, became others without a step. Each begins with what
// the reference would choose from there.
func TestWays(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, maze, 100)
		chosen := []int{0, 5, 75, 175, 190, 186}
		ways, err := x.crowd.Follow(chosen)
		if err != nil {
			t.Fatal(err)
		}
		defer ways.Delete()
		strips := func(r *Reference) (all [][][2]float32) {
			t.Helper()
			if err := ways.Update(); err != nil {
				t.Fatal(err)
			}
			if ways.Capacity != r.Stride+2 {
				t.Errorf("room for %d points, want %d", ways.Capacity, r.Stride+2)
			}
			points := make([][2]float32, ways.Points.Len())
			commands := make([]Command, len(chosen))
			ways.Points.Read(0, points)
			ways.Commands.Read(0, commands)
			for k, i := range chosen {
				want := r.path(x.after[i], x.traits[i])
				c := commands[k]
				got := points[c.First : c.First+c.Count]
				if c.Instances != 1 || c.First != uint32(k*ways.Capacity) || !slices.Equal(got, want) {
					t.Errorf("agent %d goes %v (%+v), want %v", i, got, c, want)
				}
				all = append(all, slices.Clone(got))
			}
			return all
		}
		strips(x.reference)
		for range 5 {
			x.step()
			strips(x.reference)
		}
		before := strips(x.reference)
		if len(before[5]) != 0 {
			t.Errorf("an agent that has not entered has a way of %d points", len(before[5]))
		}

		// Other goals, and another wall that lies on the first agent: generators are numbered anew.
		on := x.world.ground.Lattice.World(x.reference.onLattice(x.after[0].Position))
		wall := fmt.Sprintf(`"obstacles": [{"rect": [%v, %v, %v, %v]},`, on[0]-0.2, on[1]-0.2, on[0]+0.2, on[1]+0.2)
		moved := strings.NewReplacer(`[[29, 29], [24, 12], [30, 6]]`, `[[7, 29], [-9, 29]]`, `[[-9, 6]]`, `[[29, 6], [10, 6], [25, 28]]`, `"obstacles": [`, wall).Replace(maze)
		other := read(t, moved)
		r, grounds, sources := plainMap(t, other, 100)
		r.Stages = slices.Clone(x.crowd.itineraries)
		guide := r.upload(t, d, sources)
		guide.Terrains = make([]Terrain, len(grounds))
		for _, b := range []interface{ Delete() }{guide.Generators, guide.Parents, guide.Field} {
			t.Cleanup(b.Delete)
		}
		if err := errors.Join(x.crowd.SetGround(other.ground, other.grid), x.crowd.SetGuide(guide)); err != nil {
			t.Fatal(err)
		}
		for i := range r.Stages {
			r.Stages[i].Sources = uint32(sources)
		}
		after := strips(r)
		if slices.EqualFunc(before, after, slices.Equal) {
			t.Error("the ways are those of the maps before")
		}
		if len(after[0]) != 0 {
			t.Errorf("an agent inside an obstacle has a way: %v", after[0])
		}
	})
}

// path is where an agent goes, from where it stands: over what the reference chooses, and its
// parents.
func (r *Reference) path(a Agent, t Traits) [][2]float32 {
	switch {
	case a.Status != Walking:
		return nil
	case a.Layer == OwnPoint:
		return [][2]float32{a.Position, t.Own}
	}
	at := r.onLattice(a.Position)
	w, ok := r.way(footingOf(a, at), a, t, r.Stages[t.FirstStage+a.Stage], a.Target, false)
	if !ok || !barriers(r.Walls).free(at) {
		return nil
	}
	path := [][2]float32{a.Position}
	for index := w.target; ; {
		g := r.Generators[int(a.Layer)*r.Stride+int(index)]
		path = append(path, g.Position)
		if g.Parent == index {
			return path
		}
		index = g.Parent
	}
}

// The same scene gives the same bytes, each run.
func TestTwoRunsAgree(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		a, b := try(t, d, maze, 50), try(t, d, maze, 50)
		for step := range 200 {
			a.step()
			b.step()
			if !slices.Equal(a.after, b.after) {
				t.Fatalf("runs differ after step %d", step)
			}
		}
	})
}

// Other maps take effect with the next step; nothing is read back by steps.
func TestSetGuide(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, fmt.Sprintf(hall, `{"count": 100, "spawn": {"rect": [90, 2, 110, 60]}, "itinerary": ["east"]}`, "0.1"), 50)
		y := try(t, d, fmt.Sprintf(hall, `{"count": 1, "spawn": {"rect": [90, 2, 110, 60]}, "itinerary": ["east"]}`, "0.1"), 50)
		r := y.reference
		// The layers the other way round: east is now west.
		half := len(r.Generators) / 2
		r.Generators = append(slices.Clone(r.Generators[half:]), r.Generators[:half]...)
		slices.Reverse(r.Parents)
		slices.Reverse(r.States)
		readbacks := d.Readbacks()
		for range 20 {
			stepCrowd(x.crowd)
		}
		other := r.upload(t, d, x.guide.Sources)
		if err := x.crowd.SetGuide(other); err != nil {
			t.Fatal(err)
		}
		for range 200 {
			stepCrowd(x.crowd)
		}
		if n := d.Readbacks() - readbacks; n != 0 {
			t.Errorf("220 steps read back %d times", n)
		}
		before := slices.Clone(x.after)
		x.crowd.Snapshot(before)
		x.after = before
		for i, a := range x.after {
			if a.Position[0] > 110 {
				t.Errorf("agent %d is at %v after the goal moved west", i, a.Position)
			}
		}
	})
}

// Ten thousand, without thought.
func TestTenThousand(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, fmt.Sprintf(hall, `{"count": 10000, "spawn": {"rect": [100, 1, 199, 119]}, "itinerary": ["east"]}`, "0.4"), 100)
		for step := range 2500 {
			stepCrowd(x.crowd)
			if step%100 == 99 {
				x.crowd.Snapshot(x.after)
				x.checkMove(t, step)
			}
			if c := x.crowd.Counters(); c.Left == 10000 {
				t.Logf("the last has left after %d steps", c.Step)
				return
			} else if c.Lost > 0 {
				t.Fatalf("lost: %+v", c)
			}
		}
		t.Errorf("after 2500 steps %+v", x.crowd.Counters())
	})
}

func BenchmarkStep(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			gputest.Run(b, func(d *gpu.Device) {
				x := try(b, d, fmt.Sprintf(hall, fmt.Sprintf(`{"count": %d, "spawn": {"rect": [1, 1, 110, 119]}, "itinerary": ["east", "west"], "onArrival": "loop"}`, n), "0.1"), 200)
				d.MeasureStages(true)
				for range 300 {
					stepCrowd(x.crowd)
					d.Finish()
					d.FrameEnd()
				}
				for b.Loop() {
					stepCrowd(x.crowd)
					d.Finish()
					d.FrameEnd()
				}
				for _, timing := range d.Timings() {
					b.ReportMetric(timing.Mean.Seconds()*1000, timing.Name+"-ms")
				}
				b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "agents/s")
				x.crowd.Snapshot(x.after)
				for i, a := range x.after {
					if a.Status != Walking || a.Lost > 0 {
						b.Fatalf("agent %d: %+v", i, a)
					}
				}
			})
		})
	}
}

// TestEntryStep: agents enter at the first step that begins at or after the time.
func TestEntryStep(t *testing.T) {
	for _, c := range []struct {
		time, timestep float64
		want           uint32
	}{{0, 0.1, 0}, {0.3, 0.1, 3}, {0.31, 0.1, 4}, {2, 0.1, 20}, {1.0 / 3, 0.1, 4}, {1e12, 0.1, math.MaxUint32}} {
		if got := EntryStep(c.time, c.timestep); got != c.want {
			t.Errorf("EntryStep(%v, %v) = %d, want %d", c.time, c.timestep, got, c.want)
		}
	}
	w := read(t, `{"version": 1, "domain": [-10, 5, 30, 30], "goals": [{"points": [[29, 29]]}], "groups": [{"id": "g", "count": 5, "spawn": {"rect": [10, 6, 18, 12]}, "start": {"at": 2, "rate": 4}}]}`)
	placements, err := spawn.Agents(w.scene, w.ground, w.grid)
	if err != nil {
		t.Fatal(err)
	}
	traits, agents, _ := begin(w.scene, w.ground.Lattice, placements)
	var entries []uint32
	for i := range traits {
		entries = append(entries, traits[i].Entry)
		if agents[i].Status != Waiting {
			t.Errorf("agent %d begins with status %d", i, agents[i].Status)
		}
	}
	if want := []uint32{20, 23, 25, 28, 30}; !slices.Equal(entries, want) {
		t.Errorf("entries at steps %v, want %v", entries, want)
	}
}
