package agents

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/shaders"
)

// mislead has all texels of the maps name a generator, or NoParent: agents that do not see it
// search.
func (x *trial) mislead(index uint32) {
	for layer, parents := range x.reference.Parents {
		for i := range parents {
			parents[i] = index
		}
		x.guide.Parents.Write(layer, parents)
	}
}

// Searches find what the reference finds, however many generators a dispatch asks about: for
// agents that no texel helps, along maps of points and of beams, on other ground, and straight,
// whose goals follow one another so closely that a step takes two searches. Ways of chosen agents
// are the same.
func TestSearchSlices(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		var many string
		for i := range 70 { // more sources than are asked about without a search
			many += fmt.Sprintf("[%v, 19],", 1+float64(i)/4)
		}
		text := `{"version": 1, "domain": [0, 0, 40, 20],
			"obstacles": [{"rect": [10, 4, 12, 16]}, {"circle": {"center": [20, 10], "radius": 4, "sides": 24}}, {"rect": [28, 0, 29, 12]}],
			"profiles": [{"id": "spm"}, {"id": "direct", "steering": "direct"}],
			"goals": [{"id": "a", "points": [` + many + `[39, 19]], "arrivalRadius": 30}, {"id": "b", "points": [[38, 2]], "arrivalRadius": 30},
				{"id": "c", "segments": [[[1, 1], [9, 1]]], "clearance": %v}],
			"groups": [{"count": 30, "spawn": {"rect": [1, 1, 39, 19]}, "itinerary": ["a", "b", "c"], "profile": "spm"},
				{"id": "loop", "count": 10, "spawn": {"rect": [1, 1, 39, 19]}, "itinerary": ["c", "b"], "profile": "spm", "onArrival": "loop"},
				{"id": "straight", "count": 20, "spawn": {"rect": [1, 1, 39, 19]}, "itinerary": ["a", "b"], "profile": "direct"}]}`
		for _, clearance := range []float64{0, 0.3} {
			x := try(t, d, fmt.Sprintf(text, clearance), 20)
			chosen := []int{0, 5, 11, 31, 36, 40, 55}
			ways, err := x.crowd.Follow(chosen)
			if err != nil {
				t.Fatal(err)
			}
			defer ways.Delete()
			usual, seen := x.crowd.slice, map[uint32]bool{}
			for step := range 12 {
				// None, one that some see, one that few see: those have bends near it.
				x.mislead([]uint32{NoTarget, 3, uint32(x.reference.Stride - 1)}[step%3])
				x.crowd.slice = []int{1, 7, 64, 65, usual}[step%5]
				ways.slice = x.crowd.slice
				if err := ways.Update(); err != nil {
					t.Fatal(err)
				}
				points, commands := make([][2]float32, ways.Points.Len()), make([]Command, len(chosen))
				ways.Points.Read(0, points)
				ways.Commands.Read(0, commands)
				for k, i := range chosen {
					want := x.reference.path(x.after[i], x.traits[i])
					if got := points[commands[k].First:][:commands[k].Count]; !slices.Equal(got, want) {
						t.Errorf("step %d: agent %d goes %v, want %v", step, i, got, want)
					}
				}
				x.step()
				x.checkSteer(t, step)
				for i := range x.guidance {
					seen[x.guidance[i].Target] = true
				}
			}
			if len(seen) < 8 {
				t.Errorf("agents walk to %d generators; the scene tests little", len(seen))
			}
		}
	})
}

// Along a wall that bends by a hair many times, searches take the nearest of the bends, whichever
// invocation and slice asks about them.
func TestSearchBends(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		var wall, places string
		for i := range 36 {
			x := 2 + float64(i)
			wall += fmt.Sprintf("[%v, %v],", x, 10-0.00005*float64(i*i))
			places += fmt.Sprintf("[%v, %v],", x+0.3, 10.002-0.00005*float64(i*i))
		}
		x := try(t, d, fmt.Sprintf(`{"version": 1, "domain": [0, 0, 40, 20],
			"obstacles": [{"polygon": [[0, 10], %s [39, 0], [0, 0]]}],
			"goals": [{"id": "out", "points": [[0.5, 10.0001]], "arrivalRadius": 0.1}],
			"groups": [{"spawn": {"points": [%s [39.5, 9]]}}]}`, wall, places), 40)
		usual, bends := x.crowd.slice, 0
		for step := range 10 {
			x.mislead(0)
			x.crowd.slice = []int{usual, 1, 5, 17}[step%4]
			x.step()
			x.checkSteer(t, step)
			for i, a := range x.before {
				generators := x.reference.Generators
				all := make([]uint32, len(generators))
				for k := range all {
					all[k] = uint32(k)
				}
				s := footingOf(a, x.reference.onLattice(a.Position))
				w, _ := x.reference.nearest(s, x.reference.Walls, generators, all)
				if w.target != x.guidance[i].Target {
					bends++
				}
			}
		}
		if bends < 20 {
			t.Errorf("%d times a bend was taken that is not the best; the scene tests little", bends)
		}
	})
}

// checkSteer holds the newest step's targets and stages against the reference.
func (x *trial) checkSteer(t *testing.T, step int) {
	t.Helper()
	for i, a := range x.before {
		got, want := x.guidance[i], x.reference.Guide(a, x.traits[i], x.crowd.clock-1)
		if got.Target != want.Target || got.Layer != want.Layer || got.Stage != want.Stage || got.Status != want.Status || got.Arrivals != want.Arrivals || got.Distance != want.Distance {
			t.Errorf("slices of %d, step %d, agent %d: %+v, want %+v", x.crowd.slice, step, i, got, want)
		}
	}
}

// Of more generators than Mesa's software renderer has turns for in a shader's loops the last one
// is found, along the map and straight, and a way over all of them is drawn to its end.
func TestManyGenerators(t *testing.T) {
	const many = 70_000
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, `{"version": 1, "domain": [0, 0, 40, 20], "obstacles": [{"rect": [10, 4, 12, 16]}],
			"profiles": [{"id": "spm"}, {"id": "direct", "steering": "direct"}],
			"goals": [{"id": "out", "points": [[39, 1]]}],
			"groups": [{"spawn": {"points": [[1, 1]]}, "profile": "spm"}, {"id": "straight", "spawn": {"points": [[1, 2]]}, "profile": "direct"}]}`, 20)
		r := x.reference
		source := r.Generators[0]
		r.Stride, r.Generators = many, make([]shaders.Generator, many)
		for i := range r.Generators {
			g := source
			g.Parent, g.Distance = uint32(max(0, i-1)), float32(math.Inf(1))
			r.Generators[i] = g
		}
		last := &r.Generators[many-1]
		last.Distance = 1
		guide := r.upload(t, d, many)
		for _, b := range []interface{ Delete() }{guide.Generators, guide.Parents, guide.Field} {
			t.Cleanup(b.Delete)
		}
		for i := range r.Stages {
			r.Stages[i].Sources = many
		}
		x.guide = guide
		if err := x.crowd.SetGuide(guide); err != nil {
			t.Fatal(err)
		}
		x.mislead(NoTarget)
		ways, err := x.crowd.Follow([]int{0, 1})
		if err != nil {
			t.Fatal(err)
		}
		defer ways.Delete()
		commands := make([]Command, 2)
		if err := ways.Update(); err != nil {
			t.Fatal(err)
		}
		ways.Commands.Read(0, commands)
		for i, c := range commands {
			if c.Count != many+1 {
				t.Errorf("the way of agent %d has %d points, want %d", i, c.Count, many+1)
			}
		}
		x.step()
		x.checkSteer(t, 0)
		for i, g := range x.guidance {
			if g.Target != many-1 {
				t.Errorf("agent %d walks to %d, want %d", i, g.Target, many-1)
			}
		}
	})
}
