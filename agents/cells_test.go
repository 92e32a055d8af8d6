package agents

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// places are ways of spreading agents over a square, by the number of each.
var places = map[string]func(n *numbers, size float32, i int) [2]float32{
	"evenly": func(n *numbers, size float32, _ int) [2]float32 {
		return [2]float32{n.share() * size, n.share() * size}
	},
	"in heaps": func(n *numbers, size float32, i int) [2]float32 {
		spread := size / 4
		for range i % 5 {
			spread /= 8
		}
		middle := size * float32(1+i%3) / 4
		return [2]float32{middle + (n.share()-0.5)*spread, middle + (n.share()-0.5)*spread}
	},
	"in rows": func(_ *numbers, size float32, i int) [2]float32 {
		return [2]float32{size / 64 * float32(i%40), size / 64 * float32(i/40%40)}
	},
	"on one spot": func(_ *numbers, size float32, _ int) [2]float32 { return [2]float32{size / 3, size / 7} },
	"on borders": func(n *numbers, size float32, i int) [2]float32 {
		p := [2]float32{n.share() * size, n.share() * size}
		p[i%2] = size * float32(i/2%2)
		return p
	},
	"outside": func(n *numbers, size float32, _ int) [2]float32 {
		return [2]float32{(n.share()*3 - 1) * size, (n.share()*3 - 1) * size}
	},
}

// share is a random number in [0, 1).
func (n *numbers) share() float32 { return float32(n.below(1<<24)) / (1 << 24) }

// gathering is a crowd in an empty square, with no walls but the border.
func gathering(t testing.TB, d *gpu.Device, count int, size float64) *trial {
	t.Helper()
	// Where they begin does not matter.
	return try(t, d, fmt.Sprintf(`{"version": 1, "domain": [0, 0, %v, %v], "goals": [{"id": "g", "points": [[1, 1]]}],
		"profiles": [{"id": "p", "radius": %v, "avoidance": "none"}],
		"groups": [{"count": %d, "profile": "p", "spawn": {"rect": [0, 0, %v, %v]}}]}`, size, size, size/1e4, count, size, size), 16)
}

// spread gives agents other places, where they walk.
func (x *trial) spread(place func(n *numbers, size float32, i int) [2]float32, size float32) []Agent {
	n := &numbers{seed: 3}
	agents := make([]Agent, len(x.after))
	for i, a := range x.after {
		a.Position = place(n, size, i)
		a.Status = Walking
		agents[i] = a
	}
	return agents
}

// Each agent that is there lies once in the part of its cell, and no other does.
func TestCells(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		const size = 50
		for _, count := range []int{1, 63, 64, 65, 1500} {
			x := gathering(t, d, count, size)
			for name, place := range places {
				agents := x.spread(place, size)
				there := 0
				for i := range agents {
					agents[i].Status = []Status{Walking, Walking, Arrived, Left, Waiting, Walking, Placed}[i%7]
					if There(agents[i].Status) {
						there++
					}
				}
				x.list(t, agents, nearest(3, 4))
				checkCells(t, fmt.Sprintf("%d %s", count, name), &x.crowd.cells, agents, there)
			}
		}
	})
}

func checkCells(t *testing.T, name string, s *cells, agents []Agent, there int) {
	t.Helper()
	cells := make([][2]uint32, s.cells.Len())
	starts := make([]uint32, s.starts.Len())
	bodies := make([]Body, s.bodies.Len())
	s.cells.Read(0, cells)
	s.starts.Read(0, starts)
	s.bodies.Read(0, bodies)
	column := func(x float32, columns int32) int32 {
		return min(max(int32(math.Floor(float64(float32(x*s.cellsPerMeter)))), 0), columns-1)
	}
	part := func(x float32, at int32, side uint32) uint32 {
		inside := float32((float32(x*s.cellsPerMeter) - float32(at)) * float32(side))
		return min(uint32(max(inside, 0)), side-1)
	}
	counts := make([]int, len(cells))
	for _, a := range agents {
		if There(a.Status) {
			counts[column(a.Position[1], s.size[1])*s.size[0]+column(a.Position[0], s.size[0])]++
		}
	}
	first := uint32(0)
	for i, cell := range cells {
		side := uint32(max(1, math.Sqrt(float64(counts[i]/partAgents))))
		if cell != [2]uint32{first, side} {
			t.Fatalf("%s: cell %d of %d agents is %v, want %v", name, i, counts[i], cell, [2]uint32{first, side})
		}
		first += side * side
	}
	if int(first) > s.parts || starts[s.parts] != uint32(there) || starts[0] != 0 {
		t.Fatalf("%s: %d parts of %d, the last begins with body %d, want %d", name, first, s.parts, starts[s.parts], there)
	}
	seen := make([]bool, len(agents))
	for i, b := range bodies {
		a := agents[b.ID]
		if seen[b.ID] || b.Position != a.Position || b.Velocity != a.Velocity {
			t.Fatalf("%s: body %d is %+v, of agent %+v, once already: %v", name, i, b, a, seen[b.ID])
		}
		seen[b.ID] = true
		if !There(a.Status) {
			if i < there || b.Profile != NoProfile {
				t.Fatalf("%s: body %d of %d, %+v, is not there", name, i, there, b)
			}
			continue
		}
		if want := map[Status]uint32{Walking: 0, Arrived: NoProfile, Placed: NoProfile}[a.Status]; b.Profile != want {
			t.Fatalf("%s: body %d has the profile %d, want %d", name, i, b.Profile, want)
		}
		x, y := column(a.Position[0], s.size[0]), column(a.Position[1], s.size[1])
		cell := cells[y*s.size[0]+x]
		p := cell[0] + part(a.Position[1], y, cell[1])*cell[1] + part(a.Position[0], x, cell[1])
		if uint32(i) < starts[p] || uint32(i) >= starts[p+1] {
			t.Fatalf("%s: body %d at %v lies not among bodies %d to %d of its part", name, i, b.Position, starts[p], starts[p+1])
		}
	}
}

// Cells are few, whatever the domain.
func TestCellGrid(t *testing.T) {
	for _, domain := range [][2]float64{{1, 1}, {1e6, 1}, {1, 1e6}, {3000, 2000}, {1e-3, 1e-3}} {
		l, err := geom.NewLattice(mgl64.Vec2{}, domain)
		if err != nil {
			t.Fatal(err)
		}
		for _, count := range []int{0, 1, 15, 16, 1000, 1e6, 1 << 24} {
			size, cellsPerMeter := cellGrid(l, count)
			most := 4 * (min(count/cellAgents, mostCells) + 2)
			if n := int(size[0]) * int(size[1]); n < 1 || n > most {
				t.Errorf("%d agents on %v: %v cells, more than %d", count, domain, size, most)
			}
			for k, length := range domain {
				if reach := float64(size[k]) / float64(cellsPerMeter); reach < length {
					t.Errorf("%d agents on %v: %d cells along axis %d reach to %v", count, domain, size[k], k, reach)
				}
			}
		}
	}
}
