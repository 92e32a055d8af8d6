package agents

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// maze has what is hard: round, slanted, touching and overlapping obstacles, a
// wall thinner than the lattice, sources on a wall, in the open and on a corner.
const maze = `{"version": 1, "domain": [-10, 5, 30, 30],
	"obstacles": [
		{"rect": [8, 5, 8.3, 20]}, {"circle": {"center": [0, 15], "radius": 2}},
		{"polygon": [[20, 10], [24, 12], [19, 16]]},
		{"rect": [12, 12, 14, 14]}, {"rect": [14, 14, 16, 16]}, {"rect": [15, 15, 17, 17]},
		{"polygon": [[-8, 22], [4, 24.00000001], [4, 24]]},
		{"polygon": [[10, 24], [18, 27], [18, 27.00000001]]},
		{"polygon": [[26, 20], [27, 30], [26, 30]]}],
	"goals": [
		{"id": "east", "points": [[29, 29], [24, 12], [30, 6]], "arrivalRadius": 0.3},
		{"id": "west", "points": [[-9, 6]]},
		{"id": "island", "points": [[13, 14], [0, 28]], "arrivalRadius": 0.1}],
	"profiles": [{"id": "adult"}, {"id": "straight", "steering": "direct"}, {"id": "child", "radius": 0.15, "preferredSpeed": {"mean": 0.8, "std": 0.3}}],
	"groups": [
		{"id": "a", "count": 70, "spawn": {"rect": [-9.5, 5.5, 29.5, 29.5]}, "itinerary": ["east", "west", "island"]},
		{"id": "b", "count": 50, "profile": "straight", "spawn": {"rect": [-9.5, 5.5, 29.5, 29.5]}, "itinerary": ["west", "east"], "onArrival": "stay"},
		{"id": "c", "count": 50, "profile": "child", "spawn": {"circle": {"center": [4, 10], "radius": 3}}, "itinerary": ["island", "east"], "onArrival": "loop", "start": {"rate": 20}},
		{"id": "d", "count": 12, "profile": "straight", "spawn": {"ring": {"center": [0, 15], "radius": 4}}, "goal": "antipode"},
		{"id": "e", "count": 5, "spawn": {"rect": [24.5, 6, 29, 9]}, "itinerary": ["west"], "onArrival": "loop", "start": {"at": 3}},
		{"id": "f", "spawn": {"points": [[8.3, 20], [14, 14], [12.5, 12], [-10, 30]]}, "itinerary": ["west"]}],
	"simulation": {"timestep": 0.2}}`

// mazeOf is the maze with goals of segments: in the open, through obstacles, along
// walls, slanted ones and such without thickness too; and with clearances.
func mazeOf(segments, clearances bool) string {
	text := maze
	add := func(id, fields string) {
		text = strings.Replace(text, fmt.Sprintf(`{"id": %q, "points"`, id), fmt.Sprintf(`{"id": %q, %s, "points"`, id, fields), 1)
	}
	if segments {
		add("east", `"segments": [[[28, 8], [28, 12]], [[4, 25], [24, 28.3]]]`)
		add("west", `"segments": [[[-8, 22], [4, 24]], [[-10, 8], [2, 5]], [[20, 10], [19, 16]]]`)
		add("island", `"segments": [[[13, 20], [22, 7]]]`)
	}
	if clearances {
		add("east", `"clearance": 0.4`)
		add("west", `"clearance": 0.9`)
	}
	return text
}

// Each step on the device against the reference, from the same state.
func TestStepAgreesWithReference(t *testing.T) {
	for _, segments := range []bool{false, true} {
		for _, clearances := range []bool{false, true} {
			t.Run(fmt.Sprintf("segments %v, clearances %v", segments, clearances), func(t *testing.T) {
				checkSteps(t, mazeOf(segments, clearances))
			})
		}
	}
}

func checkSteps(t *testing.T, text string) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, text, 100)
		r := x.reference
		// A place agrees but for rounding, 2^-22 of the domain, which may flip a rounding to the
		// lattice by a step; the neighbor chosen then may be another by two, along each axis.
		place := 3 * math.Sqrt2 * r.Lattice.Step
		x.letHostMove()
		for step := range uint32(500) {
			x.step()
			for i, a := range x.before {
				g := r.Guide(a, x.traits[i], step)
				got := x.guidance[i]
				// Square root and division may be off by 2.5 units in the last place
				// each, of 2^-24: together less than 2^-20.
				speed := float64(x.traits[i].PreferredSpeed)
				if d := float64(length(minus(g.Preferred, got.Preferred))); d > speed/(1<<20) {
					t.Fatalf("step %d, agent %d %+v: preferred velocity %v, want %v", step, i, a, got.Preferred, g.Preferred)
				}
				if d := math.Abs(float64(g.Distance - got.Distance)); d > float64(g.Distance)/(1<<20) {
					t.Fatalf("step %d, agent %d: distance %v, want %v", step, i, got.Distance, g.Distance)
				}
				g.Preferred, g.Velocity, g.Distance = got.Preferred, got.Velocity, got.Distance
				if g != got {
					t.Fatalf("step %d, agent %d %+v:\n got %+v\nwant %+v", step, i, a, got, g)
				}
				want := r.Integrate(a, x.traits[i], got, step)
				after := x.after[i]
				if d := float64(length(minus(want.Position, after.Position))); d > place {
					t.Fatalf("step %d, agent %d %+v, %v:\n got %+v\nwant %+v", step, i, a, got, after, want)
				}
				if d := float64(length(minus(want.Velocity, after.Velocity))); d > place/float64(r.Timestep) {
					t.Fatalf("step %d, agent %d: velocity %v, want %v", step, i, after.Velocity, want.Velocity)
				}
				want.Position, want.Velocity = after.Position, after.Velocity
				want.FromX, want.FromY, want.Perturbation = after.FromX, after.FromY, after.Perturbation
				if want != after {
					t.Fatalf("step %d, agent %d:\n got %+v\nwant %+v", step, i, after, want)
				}
			}
		}
	})
}

func finite(v [2]float32) bool {
	sum := float64(v[0]) + float64(v[1])
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// checkMove holds what no step may break.
func (x *trial) checkMove(t *testing.T, step int) {
	t.Helper()
	for i, a := range x.after {
		if !finite(a.Position) || !finite(a.Velocity) {
			t.Fatalf("step %d, agent %d is at %v with %v", step, i, a.Position, a.Velocity)
		}
		if at := x.reference.onLattice(a.Position); !x.ground.Free(at) {
			t.Fatalf("step %d, agent %d is inside an obstacle at %v", step, i, at)
		}
		// A direction has the length 1 but for the rounding of a square root, two
		// divisions and a product.
		if v := float64(length(a.Velocity)); v > float64(x.traits[i].PreferredSpeed)*(1+1.0/(1<<20)) {
			t.Fatalf("step %d, agent %d walks at %v m/s, prefers %v", step, i, v, x.traits[i].PreferredSpeed)
		}
	}
}

// Every agent arrives, on ways as long as the map says.
func TestAllArrive(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		for _, size := range []int{40, 100, 200} {
			x := try(t, d, fmt.Sprintf(`{"version": 1, "domain": [-10, 5, 30, 30],
				"obstacles": [%s],
				"goals": [{"id": "out", "points": [[29, 29], [12.9, 5.1]]}],
				"groups": [{"count": 300, "spawn": {"rect": [-9.9, 5.1, 29.9, 29.9]}, "onArrival": "stay"}]}`, clutter), size)
			n := x.crowd.Count()
			start := make([]float64, n)
			for i, a := range x.after {
				start[i] = x.reference.distance(x.ground, 0, x.reference.onLattice(a.Position))
			}
			walked := make([]float64, n)
			for step := 0; x.walking() > 0; step++ {
				if step == 1000 {
					for i, a := range x.after {
						if a.Status == Walking {
							t.Errorf("size %d: agent %d has not arrived: %+v", size, i, a)
						}
					}
					t.Fatal("too slow")
				}
				x.step()
				x.checkMove(t, step)
				for i, a := range x.after {
					walked[i] += float64(length(minus(a.Position, x.before[i].Position)))
					if a.Lost > 0 {
						t.Fatalf("size %d, step %d: agent %d is lost: %+v", size, step, i, a)
					}
				}
			}
			// A region narrower than a texel may have no texel there; an agent in it then walks by another
			// parent. On a map this coarse some do: no more than a texel further.
			detour := 0.0
			if size == 40 {
				detour = x.reference.Cell
			}
			for i, a := range x.after {
				// An arrival is noticed where a step ends, up to one step inside the radius. Each step is
				// rounded to the lattice, at worst to a neighbor, by 1.5 steps along each axis, out and back.
				reach := float64(x.traits[i].PreferredSpeed) * 0.1
				rounding := float64(a.First) * 2 * 1.5 * math.Sqrt2 * x.reference.Lattice.Step
				least, most := max(0, start[i]-0.5), max(0, start[i]-0.5+reach)
				if walked[i] < least-rounding || walked[i] > most+rounding+detour {
					t.Errorf("size %d: agent %d walked %v m, want %v to %v", size, i, walked[i], least, most)
				}
			}
		}
	})
}

// clutter is many obstacles of many shapes.
var clutter = func() string {
	s := ""
	random := func(i, k int) (u, v float64) {
		w := spawn.Philox([4]uint32{1, uint32(k), uint32(i)}, [2]uint32{3})
		return float64((uint64(w[0])<<32|uint64(w[1]))>>11) / (1 << 53), float64((uint64(w[2])<<32|uint64(w[3]))>>11) / (1 << 53)
	}
	for i := range 60 {
		u, v := random(i, 0)
		a, b := random(i, 1)
		x, y := -9+float64(i%10)*3.8+u*1.5, 6.5+float64(i/10)*4+v*1.5
		switch i % 3 {
		case 0:
			s += fmt.Sprintf(`{"circle": {"center": [%v, %v], "radius": %v, "sides": %d}},`, x, y, 0.3+a*1.2, 5+int(b*40))
		case 1:
			s += fmt.Sprintf(`{"rect": [%v, %v, %v, %v]},`, x, y, x+0.1+a*2, y+0.1+b*1.5)
		case 2:
			s += fmt.Sprintf(`{"polygon": [[%v, %v], [%v, %v], [%v, %v]]},`, x, y, x+a*2+0.2, y-b, x+0.5, y+2)
		}
	}
	return s[:len(s)-1]
}()

// Agents that push against walls without thickness and against points where
// obstacles touch stay on their side.
func TestNothingLeaks(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		// A room of slivers thinner than the lattice that meet in points, and one of
		// blocks that touch in their corners; all agents want out, straight.
		x := try(t, d, `{"version": 1, "domain": [0, 0, 40, 20],
			"obstacles": [
				{"polygon": [[2, 2], [18, 3], [18, 3.00000001]]}, {"polygon": [[18, 3], [17, 18], [17.00000001, 18]]},
				{"polygon": [[17, 18], [3, 17], [3, 17.00000001]]}, {"polygon": [[3, 17], [2, 2], [2.00000001, 2]]},
				{"rect": [22, 2, 26, 6]}, {"rect": [26, 0, 34, 2]}, {"rect": [34, 2, 38, 6]}, {"rect": [38, 6, 40, 14]},
				{"rect": [34, 14, 38, 18]}, {"rect": [26, 18, 34, 20]}, {"rect": [22, 14, 26, 18]}, {"rect": [20, 6, 22, 14]}],
			"goals": [{"id": "corners", "points": [[0.1, 0.1], [39.9, 0.1], [39.9, 19.9], [0.1, 19.9], [20, 1], [20, 19]], "arrivalRadius": 0.05},
				{"id": "pinches", "points": [[26, 2], [34, 2], [38, 6], [38, 14], [34, 18], [26, 18], [22, 14], [22, 6], [17.9, 3.1], [2.1, 2.1]], "arrivalRadius": 1e-9}],
			"profiles": [{"id": "p", "radius": 0.05, "steering": "direct"}],
			"groups": [{"count": 200, "spawn": {"rect": [4, 5, 15, 15]}, "itinerary": ["corners"]},
				{"count": 200, "spawn": {"rect": [23, 7, 37, 13]}, "itinerary": ["pinches", "corners"]}]}`, 50)
		left := []geom.Point{}
		for _, p := range [][2]float64{{2, 2}, {18, 3}, {17, 18}, {3, 17}} {
			left = append(left, x.ground.Lattice.Snap(p))
		}
		for step := range 400 {
			x.step()
			x.checkMove(t, step)
			for i, a := range x.after {
				at := x.reference.onLattice(a.Position)
				inside := at.X >= x.ground.Lattice.Snap([2]float64{22, 0}).X && at.X <= x.ground.Lattice.Snap([2]float64{38, 0}).X &&
					at.Y >= x.ground.Lattice.Snap([2]float64{0, 2}).Y && at.Y <= x.ground.Lattice.Snap([2]float64{0, 18}).Y
				if x.traits[i].Group == 0 {
					inside = true
					for k, p := range left {
						inside = inside && geom.Orient(p, left[(k+1)%4], at) != geom.Right
					}
				}
				if !inside || a.Status != Walking {
					t.Fatalf("step %d: agent %d of group %d got out, or arrived, at %v: %+v before %+v", step, i, x.traits[i].Group, at, a, x.before[i])
				}
			}
		}
	})
}

// crosses reports whether the open segments qp and ab cross in a point inside both.
func crosses(q, p, a, b geom.Point) bool {
	return geom.Orient(q, p, a)*geom.Orient(q, p, b) < 0 && geom.Orient(a, b, q)*geom.Orient(a, b, p) < 0
}

// Obstacles of a few lattice steps, agents that go a step or two at a time:
// everything that rounding can do happens here.
func TestOnLatticeScale(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		for seed := range uint32(6) {
			obstacles := ""
			for i := range uint32(40) {
				w := spawn.Philox([4]uint32{seed, i, 1}, [2]uint32{})
				v := spawn.Philox([4]uint32{seed, i, 2}, [2]uint32{})
				x, y := 1000+w[0]%60, 1000+w[1]%60
				obstacles += fmt.Sprintf(`{"polygon": [[%d, %d], [%d, %d], [%d, %d.5]]},`, x, y, x+2+w[2]%9, y+w[3]%2, x+v[0]%5, y+2+v[1]%9)
			}
			// The domain is 2^20 m wide: a step of the lattice is a meter.
			x := try(t, d, fmt.Sprintf(`{"version": 1, "domain": [0, 0, 1048576, 1048576], "obstacles": [%s],
				"goals": [{"id": "far", "points": [[950, 950], [1100, 1090]], "arrivalRadius": 3}],
				"profiles": [{"id": "p", "radius": 0.1}, {"id": "q", "radius": 0.1, "steering": "direct"}],
				"groups": [{"count": 150, "spawn": {"rect": [998, 998, 1065, 1065]}},
					{"count": 50, "profile": "q", "spawn": {"rect": [998, 998, 1065, 1065]}}], "simulation": {"timestep": %v}}`,
				obstacles[:len(obstacles)-1], []float64{0.2, 1, 4}[seed%3]), 16)
			reachable := make([]bool, len(x.after))
			for i, a := range x.after {
				reachable[i] = !math.IsInf(x.reference.distance(x.ground, 0, x.reference.onLattice(a.Position)), 1)
			}
			for step := range 2000 {
				x.step()
				for i, a := range x.after {
					q, p := x.reference.onLattice(x.before[i].Position), x.reference.onLattice(a.Position)
					if !finite(a.Position) || !x.ground.Free(p) {
						t.Fatalf("seed %d, step %d: agent %d at %v is in an obstacle", seed, step, i, p)
					}
					if q == p || a.Velocity != x.guidance[i].Preferred {
						continue // stands, or was cut and slid, which is no straight line
					}
					for _, w := range x.reference.Walls {
						if a, b := w.ends(); crosses(q, p, a, b) {
							t.Fatalf("seed %d, step %d: agent %d passes the wall %v from %v to %v", seed, step, i, w, q, p)
						}
					}
				}
				if x.walking() == 0 {
					break
				}
			}
			for i, a := range x.after {
				if x.traits[i].Steering != SPM {
					continue
				}
				if reachable[i] != (a.Status == Left) {
					t.Errorf("seed %d: agent %d, reachable %v: %+v", seed, i, reachable[i], a)
				}
			}
		}
	})
}
