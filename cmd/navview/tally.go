package main

import (
	"math"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/geom"
)

// tally counts contacts over steps.
type tally struct {
	ground          *geom.Ground
	grid            *geom.WallGrid
	contacts        uint64
	penetration     float64
	wallContacts    uint64
	wallPenetration float64
	speedExcess     float64
}

func newTally(g *geom.Ground) tally { return tally{ground: g, grid: geom.NewWallGrid(g)} }

// add counts the contacts after a step.
func (t *tally) add(state []agents.Agent, traits []agents.Traits) {
	widest := 0.0
	for i := range traits {
		widest = max(widest, float64(traits[i].Radius))
	}
	type cell [2]int
	cells := map[cell][]int{}
	for i, a := range state {
		if a.Status != agents.Walking && a.Status != agents.Arrived {
			continue
		}
		x, y, r := float64(a.Position[0]), float64(a.Position[1]), float64(traits[i].Radius)
		speed := math.Hypot(float64(a.Velocity[0]), float64(a.Velocity[1]))
		t.speedExcess = max(t.speedExcess, speed-float64(traits[i].MaxSpeed))
		t.walls(x, y, r)
		home := cell{int(x / (2 * widest)), int(y / (2 * widest))}
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				for _, j := range cells[cell{home[0] + dx, home[1] + dy}] {
					b := state[j]
					sum := r + float64(traits[j].Radius)
					overlap := 1 - math.Hypot(x-float64(b.Position[0]), y-float64(b.Position[1]))/sum
					t.penetration = max(t.penetration, overlap)
					if overlap > 0.01 {
						t.contacts++
					}
				}
			}
		}
		cells[home] = append(cells[home], i)
	}
}

// walls counts the contacts of a disc with walls.
func (t *tally) walls(x, y, r float64) {
	l := t.ground.Lattice
	low := func(v, n float64) int32 { return int32(min(max(v/l.Step, 0), n)) }
	sx, sy := float64(l.Size.X), float64(l.Size.Y)
	nearest := math.Inf(1)
	for row := low(y-r, sy) >> t.grid.Shift; row <= low(y+r, sy)>>t.grid.Shift; row++ {
		for column := low(x-r, sx) >> t.grid.Shift; column <= low(x+r, sx)>>t.grid.Shift; column++ {
			at := row*t.grid.Columns + column
			for _, w := range t.grid.Items[t.grid.Start[at]:t.grid.Start[at+1]] {
				a, b := l.Local(t.ground.Vertices[t.ground.Walls[w].A]), l.Local(t.ground.Vertices[t.ground.Walls[w].B])
				nearest = min(nearest, fromSegment(x, y, a, b))
			}
		}
	}
	if nearest < 0.99*r {
		t.wallContacts++
	}
	p := geom.Point{X: int32(math.Round(x / l.Step)), Y: int32(math.Round(y / l.Step))}
	if !t.ground.Free(p) {
		t.wallPenetration = max(t.wallPenetration, nearest)
	}
}

func fromSegment(x, y float64, a, b [2]float32) float64 {
	ux, uy := float64(b[0])-float64(a[0]), float64(b[1])-float64(a[1])
	vx, vy := x-float64(a[0]), y-float64(a[1])
	s := min(max((vx*ux+vy*uy)/(ux*ux+uy*uy), 0), 1)
	return math.Hypot(vx-s*ux, vy-s*uy)
}
