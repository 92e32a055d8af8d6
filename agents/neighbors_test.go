package agents

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// around is who and what the device lists for each agent, by slot.
type around struct {
	neighbors [][]uint32
	walls     [][]Wall
	crowded   uint32
	hemmed    uint32
}

// list has the device list what is around agents as they are, all walking, in the first manner or by
// their profile.
func (x *trial) list(t testing.TB, agents []Agent, manners ...Manner) around {
	t.Helper()
	c := x.crowd
	before := c.avoidance.manners
	x.prepareLists(t, agents, manners)
	defer func() { c.avoidance.manners = before }()
	c.counters.Write(0, make([]uint32, counterCount))
	c.device.Barrier(gpu.BarrierAll)
	c.bind()
	c.avoidance.settings.Bind(bindManners)
	c.avoidance.cells.sort(c.device, c.count)
	c.listNeighbors()
	c.device.Barrier(gpu.BarrierAll)

	l := &c.avoidance.lists
	bodies := make([]Body, c.count)
	neighbors := make([]uint32, l.neighbors.Len())
	walls := make([]uint32, l.nearWalls.Len())
	records := make([][4]int32, c.walls.buffer.Len())
	counters := make([]uint32, counterCount)
	c.avoidance.cells.bodies.Read(0, bodies)
	l.neighbors.Read(0, neighbors)
	l.nearWalls.Read(0, walls)
	c.walls.buffer.Read(0, records)
	c.counters.Read(0, counters)
	all := around{make([][]uint32, c.count), make([][]Wall, c.count), counters[counterCrowded], counters[counterHemmed]}
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
func (x *trial) prepareLists(t testing.TB, agents []Agent, manners []Manner) {
	c := x.crowd
	c.agents[0].Write(0, agents)
	guidance := make([]Guidance, len(agents))
	for i := range guidance {
		guidance[i].Status = agents[i].Status
	}
	c.guidance.Write(0, guidance)
	c.avoidance.manners = manners
	h := &hoard{device: c.device}
	c.avoidance.sorting(h, c.lattice, c.count)
	c.avoidance.lists.prepare(h, c.count, roomFor(manners, c.count))
	if h.err != nil {
		t.Fatal(h.err)
	}
	c.avoidance.settings.Write(0, manners)
	t.Cleanup(h.delete)
}

// checkLists holds what the device lists against the plain form.
func (x *trial) checkLists(t testing.TB, agents []Agent, manners ...Manner) around {
	t.Helper()
	got := x.list(t, agents, manners...)
	there := make([]bool, len(agents))
	for i, a := range agents {
		there[i] = a.Status == Walking || a.Status == Arrived
	}
	hemmed := uint32(0)
	for i, a := range agents {
		m := manners[x.traits[i].Profile]
		var neighbors []uint32
		var walls []Wall
		if a.Status == Walking && m.Method != NoMethod {
			neighbors = x.reference.Neighbors(agents, there, i, m)
			walls = x.reference.NearWalls(a, x.traits[i], m)
			if len(walls) > nearWallRoom {
				hemmed++
				walls = walls[:nearWallRoom]
			}
		}
		if !slices.Equal(got.neighbors[i], neighbors) {
			t.Fatalf("agent %d at %v: neighbours %v, want %v", i, a.Position, got.neighbors[i], neighbors)
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

// manner is one that sees so far, and so many.
func manner(distance float32, most uint32) Manner {
	return Manner{Method: 1, NeighborDistance: distance, MaxNeighbors: most, TimeHorizon: 4, MaxAcceleration: 5}
}

// Who and what is near, as the plain form says, on people who have walked about among
// walls of all kinds: some stand on walls, in corners and where obstacles touch.
func TestAround(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, maze, 100)
		for step := range 120 {
			x.step()
			if step%30 != 0 {
				continue
			}
			for _, m := range []Manner{manner(5, 10), manner(2, 3), manner(100, 16), manner(30, 1), manner(5, 0), manner(8, 40)} {
				few := m
				few.MaxNeighbors /= 2
				none := m
				none.Method = NoMethod
				x.checkLists(t, x.after, m, few, none)
			}
		}
	})
}

func BenchmarkNeighbors(b *testing.B) {
	gputest.Run(b, func(d *gpu.Device) {
		const n, spacing = 10000, 5.0
		radius := spacing * math.Sqrt(n/math.Pi)
		size := 2 * (radius + 20)
		x := try(b, d, fmt.Sprintf(`{"version": 1, "domain": [0, 0, %v, %v], "goals": [{"id": "g", "points": [[1, 1]]}],
			"profiles": [{"id": "p", "radius": 1.5}],
			"groups": [{"count": %d, "profile": "p", "spawn": {"circle": {"center": [%v, %v], "radius": %v}}}]}`, size, size, n, size/2, size/2, radius), 16)
		c := x.crowd
		x.prepareLists(b, x.after, []Manner{manner(15, 10)})
		least := map[string]float64{}
		for b.Loop() {
			c.bind()
			c.avoidance.settings.Bind(bindManners)
			c.device.Pass("cells", func() { c.avoidance.cells.sort(d, c.count) })
			c.listNeighbors()
			d.Finish()
			d.FrameEnd()
			for _, timing := range d.Timings() {
				if ms := float64(timing.Last) / 1e6; least[timing.Name] == 0 || ms < least[timing.Name] {
					least[timing.Name] = ms
				}
			}
		}
		for name, ms := range least {
			b.ReportMetric(ms, name+"-ms")
		}
	})
}
