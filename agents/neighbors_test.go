package agents

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// around is the agents and walls that the device lists for each agent, by slot.
type around struct {
	neighbors [][]uint32
	walls     [][]Wall
	crowded   uint32
	hemmed    uint32
}

// list has the device list what is around agents as they are, all walking, by the first
// parameters or by their profile.
func (x *trial) list(t testing.TB, agents []Agent, params ...AvoidanceParams) around {
	t.Helper()
	c := x.crowd
	before := c.params
	x.prepareLists(t, agents, params)
	defer func() { c.params = before }()
	c.counters.Write(0, make([]uint32, counterWords))
	c.sortIntoCells()
	c.FindNeighbors()
	c.FindWalls()

	l := &c.lists
	bodies := make([]Body, c.count)
	neighbors := make([]uint32, l.neighbors.Len())
	walls := make([]uint32, l.nearWalls.Len())
	records := make([][4]int32, c.walls.buffer.Len())
	counters := make([]uint32, counterWords)
	c.cells.bodies.Read(0, bodies)
	l.neighbors.Read(0, neighbors)
	l.nearWalls.Read(0, walls)
	c.walls.buffer.Read(0, records)
	c.counters.Read(0, counters)
	device := (*deviceCounters)(unsafe.Pointer(&counters[0]))
	all := around{make([][]uint32, c.count), make([][]Wall, c.count), device.NeighborListOverflow[0], device.WallListOverflow[0]}
	for i, b := range bodies {
		for k := range neighbors[i] {
			all.neighbors[b.ID] = append(all.neighbors[b.ID], bodies[neighbors[int(k+1)*c.count+i]].ID)
		}
		for k := range walls[i] {
			w := records[walls[int(k+1)*c.count+i]]
			all.walls[b.ID] = append(all.walls[b.ID], Wall{w[0], w[1], w[2], w[3]})
		}
	}
	return all
}

// prepareLists puts agents in their places and makes what listing them needs.
func (x *trial) prepareLists(t testing.TB, agents []Agent, params []AvoidanceParams) {
	c := x.crowd
	c.agents[0].Write(0, agents)
	guidance := make([]Guidance, len(agents))
	for i := range guidance {
		guidance[i].Status = agents[i].Status
	}
	c.guidance.Write(0, guidance)
	c.params = params
	r := &gpu.ResourceSet{Device: c.device}
	c.prepareSorting(r)
	c.prepareLists(r)
	if err := c.held.Take(r); err != nil {
		t.Fatal(err)
	}
	c.paramBuffer.Write(0, params)
}

// checkLists holds what the device lists against the plain form.
func (x *trial) checkLists(t testing.TB, agents []Agent, params ...AvoidanceParams) around {
	t.Helper()
	got := x.list(t, agents, params...)
	there := make([]bool, len(agents))
	for i, a := range agents {
		there[i] = There(a.Status)
	}
	hemmed := uint32(0)
	for i, a := range agents {
		m := params[x.traits[i].Profile]
		var neighbors []uint32
		var walls []Wall
		if a.Status == Walking && m.Method != NoMethod {
			neighbors = x.reference.Neighbors(agents, there, i, m)
			walls = x.reference.NearWalls(a, x.traits[i], m)
			if len(walls) > wallCapacity {
				hemmed++
				walls = walls[:wallCapacity]
			}
		}
		if !slices.Equal(got.neighbors[i], neighbors) {
			t.Fatalf("agent %d at %v: neighbors %v, want %v", i, a.Position, got.neighbors[i], neighbors)
		}
		if !slices.Equal(got.walls[i], walls) {
			t.Fatalf("agent %d at %v: walls %v, want %v", i, a.Position, got.walls[i], walls)
		}
	}
	if got.hemmed != hemmed || got.crowded != 0 {
		t.Errorf("%d are counted as hemmed in and %d as crowded, want %d and none", got.hemmed, got.crowded, hemmed)
	}
	return got
}

// nearest are parameters for the nearest agents: so many, within a distance.
func nearest(distance float32, most uint32) AvoidanceParams {
	return AvoidanceParams{Method: 1, NeighborDistance: distance, MaxNeighbors: most, TimeHorizon: 4, MaxAcceleration: 5}
}

// Agents and walls near, as the plain form says, of agents that have walked about among
// walls of all kinds: some stand on walls, in corners and where obstacles touch.
func TestAround(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, maze, 100)
		for step := range 120 {
			x.step()
			if step%30 != 0 {
				continue
			}
			for _, m := range []AvoidanceParams{nearest(5, 10), nearest(2, 3), nearest(100, 16), nearest(30, 1), nearest(5, 0), nearest(8, 40)} {
				few := m
				few.MaxNeighbors /= 2
				none := m
				none.Method = NoMethod
				x.checkLists(t, x.after, m, few, none)
			}
		}
	})
}

// Neighbours in crowds of all densities.
func TestNeighbors(t *testing.T) {
	const size = 50
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			gputest.Run(t, func(d *gpu.Device) {
				for _, count := range []int{1, 2, 65, 700} {
					x := gathering(t, d, count, size)
					agents := x.spread(place, size)
					for i := range agents {
						agents[i].Status = []Status{Walking, Walking, Arrived, Left, Waiting, Walking, Placed}[i%7]
					}
					for _, m := range []AvoidanceParams{nearest(0.01, 10), nearest(3, 10), nearest(1000, 5), nearest(7, 65536)} {
						x.checkLists(t, agents, m)
					}
				}
			})
		})
	}
}

// More on one spot, and in one part of a cell, than a pass looks at.
func TestNeighborsInHeaps(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		const size, count = 50, 5000 // the first pass looks at 4,096
		x := gathering(t, d, count, size)
		spot := places["on one spot"](nil, size, 0)
		agents := x.spread(func(n *numbers, size float32, i int) [2]float32 {
			if i%1000 == 999 {
				return [2]float32{n.share() * size, n.share() * size}
			}
			return spot
		}, size)
		for _, window := range []int{windowSize, 700} {
			x.list(t, agents, nearest(60, 20)) // makes the lists
			x.crowd.lists.window = window
			got := x.list(t, agents, nearest(60, 20))
			if got.crowded > 0 {
				t.Errorf("%d have too many around them", got.crowded)
			}
			for i, a := range agents {
				// On the spot, and seen from afar, those with the lowest ids come first, which
				// others on the way may come before.
				var want []uint32
				if a.Position != spot {
					want = x.reference.Neighbors(agents, slices.Repeat([]bool{true}, count), i, nearest(60, 20))
				} else {
					for id := uint32(0); len(want) < 20; id++ {
						if int(id) != i && agents[id].Position == spot {
							want = append(want, id)
						}
					}
				}
				if !slices.Equal(got.neighbors[i], want) {
					t.Fatalf("windows of %d: agent %d at %v: %v, want %v", window, i, a.Position, got.neighbors[i], want)
				}
			}
		}
	})
}

// Lists name agents, not places in memory: where no two are equally near, other slots change
// nothing but names. Nor does the size of work groups.
func TestListsAreOrderFree(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, maze, 100)
		all := make([]AvoidanceParams, 3)
		for i := range all {
			all[i] = nearest(6, 12)
		}
		n := &numbers{seed: 5}
		for i := range x.after {
			for k := range 2 {
				x.after[i].Position[k] += n.share() / 1000 // none is as far from two
			}
		}
		want := x.list(t, x.after, all...)
		for _, size := range []int{32, 128} {
			groupSize = size
			y := try(t, d, maze, 100)
			got := y.list(t, x.after, all...)
			groupSize = 64
			for i := range x.after {
				if !slices.Equal(got.neighbors[i], want.neighbors[i]) || !slices.Equal(got.walls[i], want.walls[i]) {
					t.Fatalf("work groups of %d: agent %d: %v and %v, else %v and %v", size, i, got.neighbors[i], got.walls[i], want.neighbors[i], want.walls[i])
				}
			}
		}
		slots := make([]uint32, len(x.after)) // old to new
		for i := range slots {
			k := n.below(i + 1)
			slots[i] = slots[k]
			slots[k] = uint32(i)
		}
		agents, traits := make([]Agent, len(slots)), make([]Traits, len(slots))
		for i, slot := range slots {
			agents[slot], traits[slot] = x.after[i], x.traits[i]
		}
		x.crowd.traits.Write(0, traits)
		got := x.list(t, agents, all...)
		for i, slot := range slots {
			var renamed []uint32
			for _, other := range want.neighbors[i] {
				renamed = append(renamed, slots[other])
			}
			if !slices.Equal(got.neighbors[slot], renamed) || !slices.Equal(got.walls[slot], want.walls[i]) {
				t.Fatalf("agent %d as %d: %v and %v, before %v and %v", i, slot, got.neighbors[slot], got.walls[slot], renamed, want.walls[i])
			}
		}
	})
}

// Hundreds behind a thin wall hide no agent on this side of it.
func TestNeighborsBehindAWall(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, `{"version": 1, "domain": [0, 0, 20, 20], "obstacles": [{"rect": [10, 0, 10.01, 19]}], "goals": [{"id": "g", "points": [[1, 1]]}],
			"profiles": [{"id": "p", "radius": 0.01, "avoidance": "none"}],
			"groups": [{"count": 600, "spawn": {"rect": [7, 0, 10, 20]}}, {"count": 12, "spawn": {"rect": [10.1, 0, 20, 15]}}]}`, 16)
		got := x.checkLists(t, x.after, nearest(30, 8))
		for i := 600; i < len(x.after); i++ {
			if len(got.neighbors[i]) != 8 {
				t.Errorf("agent %d has %d neighbors, want 8", i, len(got.neighbors[i]))
			}
		}
	})
}

// On obstacles of a few lattice steps, where agents stand on walls, in corners and where
// obstacles touch.
func TestAroundOnLatticeScale(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		hidden := 0
		for seed := range uint32(8) {
			n := &numbers{seed: 40 + seed}
			unit := 1 + int(seed%3)
			terrain := randomTerrain(t, n, unit, 30)
			const count = 150
			x := gathering(t, d, count, 1<<20)
			if x.ground.Lattice != terrain.Ground.Lattice {
				t.Fatal("the lattices are not the same")
			}
			if err := x.crowd.SetGround(terrain.Ground, terrain.Grid); err != nil {
				t.Fatal(err)
			}
			x.reference.Walls = WallsOf(terrain.Ground)
			agents := slices.Clone(x.after)
			for i := range agents {
				at := n.place(terrain.Ground, unit)
				from := barriers(x.reference.Walls).leaningPoint(at)
				agents[i].Position = x.reference.Lattice.Local(at)
				agents[i].FromX, agents[i].FromY, agents[i].Perturbation = from.X, from.Y, int32(1-2*n.below(2))
				agents[i].Status = Walking
			}
			for i := range x.traits {
				x.traits[i].MaxSpeed = float32(unit) * 10
				x.traits[i].Radius = float32(n.below(3))
			}
			x.crowd.traits.Write(0, x.traits)
			for _, reach := range []float32{8, 30} {
				m := nearest(reach*float32(unit), 12)
				got := x.checkLists(t, agents, m)
				for i := range got.neighbors {
					for _, k := range got.neighbors[i] {
						if m.MaxNeighbors > uint32(len(got.neighbors[k])) && !slices.Contains(got.neighbors[k], uint32(i)) {
							t.Errorf("agent %d sees %d, which does not see it", i, k)
						}
					}
					hidden += 12 - len(got.neighbors[i])
				}
			}
		}
		if hidden < 1000 {
			t.Errorf("only %d places in lists are empty: none is hidden", hidden)
		}
	})
}

// BenchmarkNeighbors lists what is near in a step: 10,000 agents that fill a disc at 5 m
// spacing, with a neighbor distance of 15 m and 10 neighbors, and a hall of agents among pillars.
func BenchmarkNeighbors(b *testing.B) {
	const spacing, count = 5.0, 10000
	radius := spacing * math.Sqrt(count/math.Pi)
	side := 2 * (radius + 20)
	for _, c := range []struct {
		name, scene string
		params      AvoidanceParams
	}{
		{"disc", fmt.Sprintf(`{"version": 1, "domain": [0, 0, %v, %v], "goals": [{"id": "g", "points": [[1, 1]]}],
			"profiles": [{"id": "p", "radius": 1.5}],
			"groups": [{"count": %d, "spawn": {"circle": {"center": [%v, %v], "radius": %v}}}]}`, side, side, count, side/2, side/2, radius), nearest(15, 10)},
		{"hall", fmt.Sprintf(hall, `{"count": 10000, "spawn": {"rect": [1, 1, 199, 119]}}`, "0.1"), nearest(5, 10)},
	} {
		b.Run(c.name, func(b *testing.B) {
			gputest.Run(b, func(d *gpu.Device) {
				x := try(b, d, c.scene, 16)
				x.checkSome(b, x.after, c.params, 199)
				x.prepareLists(b, x.after, []AvoidanceParams{c.params})
				b.ResetTimer()
				x.timeLists(b)
			})
		})
	}
}

// checkSome holds the lists of every k-th agent against the plain form.
func (x *trial) checkSome(t testing.TB, agents []Agent, m AvoidanceParams, k int) {
	t.Helper()
	before := x.crowd.params
	got := x.list(t, agents, m)
	x.crowd.params = before
	there := slices.Repeat([]bool{true}, len(agents))
	for i := 0; i < len(agents); i += k {
		if want := x.reference.Neighbors(agents, there, i, m); !slices.Equal(got.neighbors[i], want) {
			t.Fatalf("agent %d: neighbors %v, want %v", i, got.neighbors[i], want)
		}
		walls := x.reference.NearWalls(agents[i], x.traits[i], m)
		if !slices.Equal(got.walls[i], walls[:min(len(walls), wallCapacity)]) {
			t.Fatalf("agent %d: walls %v, want %v", i, got.walls[i], walls)
		}
	}
}

// timeLists reports the least time that each pass took.
func (x *trial) timeLists(b *testing.B) {
	c := x.crowd
	c.device.MeasureStages(true)
	least := map[string]float64{}
	for b.Loop() {
		c.device.Stage("cells", c.sortIntoCells)
		c.FindNeighbors()
		c.FindWalls()
		c.device.Finish()
		c.device.FrameEnd()
		for _, timing := range c.device.Timings() {
			if ms := float64(timing.Last) / 1e6; least[timing.Name] == 0 || ms < least[timing.Name] {
				least[timing.Name] = ms
			}
		}
	}
	for name, ms := range least {
		b.ReportMetric(ms, name+"-ms")
	}
}
