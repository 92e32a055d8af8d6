package builtin

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// word is what the agents of writing write: 245 dots.
var word = []string{
	"X.....X....XXX....X.....X..XXXXXXX..XXXXXX....XXXXX...X.....X..XXXXXXX",
	"X.....X...X...X...X.....X..X........X.....X..X.....X..XX....X.....X...",
	"X.....X..X.....X...X...X...X........X.....X..X.....X..X.X...X.....X...",
	"X.....X..X.....X....X.X....X........X.....X..X.....X..X.X...X.....X...",
	"X..X..X..XXXXXXX.....X.....XXXXXX...XXXXXX...X.....X..X..X..X.....X...",
	"X..X..X..X.....X.....X.....X........X..X.....X.....X..X...X.X.....X...",
	"X.X.X.X..X.....X.....X.....X........X...X....X.....X..X...X.X.....X...",
	"X.X.X.X..X.....X.....X.....X........X....X...X.....X..X....XX.....X...",
	".X...X...X.....X.....X.....X........X.....X...XXXXX...X.....X.....X...",
	"......................................................................",
	"...................................................................X..",
	"....................................................................X.",
	"XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
	"....................................................................X.",
	"...................................................................X..",
}

// writing is Stadium of Bleiweiss (2009): agents come in by four gates and write a word on the
// field, each on the way to a dot of its own.
func writing() *scenes.Scene {
	const (
		width, depth = 116.0, 80.0
		wall         = 11.0 // from the border
		thick        = 1.0
		gate         = 6.0
		dx, dy       = 1.2, 1.5 // from dot to dot
	)
	s := blank("stadium", "People come in by four gates and write a word on the field", scenes.Rect{0, 0, width, depth})
	s.Simulation.Timestep = 0.125
	s.Map.Size = 64 // there are as many maps as dots
	s.Profiles = []scenes.Profile{sampler(3, 500)}
	middle := mgl64.Vec2{width / 2, depth / 2}
	for _, c := range []mgl64.Vec2{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		// A corner of the wall, from gate to gate: along one side, and back.
		at := func(x, y float64) mgl64.Vec2 {
			return mgl64.Vec2{middle[0] + float64(c[0]*x), middle[1] + float64(c[1]*y)}
		}
		const x, y = width/2 - wall, depth/2 - wall
		s.Obstacles = append(s.Obstacles, scenes.Obstacle{Outline: []mgl64.Vec2{
			at(gate/2, y), at(x, y), at(x, gate/2), at(x-thick, gate/2), at(x-thick, y-thick), at(gate/2, y-thick),
		}})
	}

	gates := []struct {
		name         string
		outwards, at mgl64.Vec2
		dots         []mgl64.Vec2
	}{
		{name: "west", outwards: mgl64.Vec2{-1, 0}, at: mgl64.Vec2{wall, depth / 2}},
		{name: "east", outwards: mgl64.Vec2{1, 0}, at: mgl64.Vec2{width - wall, depth / 2}},
		{name: "south", outwards: mgl64.Vec2{0, -1}, at: mgl64.Vec2{width / 2, wall}},
		{name: "north", outwards: mgl64.Vec2{0, 1}, at: mgl64.Vec2{width / 2, depth - wall}},
	}
	for row, line := range word {
		for column, c := range line {
			if c != 'X' {
				continue
			}
			x, y := float64(column)-float64(len(line)-1)/2, float64(len(word)-1)/2-float64(row)
			g := &gates[3]
			switch {
			case column < len(line)/4:
				g = &gates[0]
			case column >= len(line)-len(line)/4:
				g = &gates[1]
			case y < 0:
				g = &gates[2]
			}
			g.dots = append(g.dots, place(middle[0]+x*dx, middle[1]+y*dy, millimeter))
		}
	}
	for _, g := range gates {
		// The agent that walks farthest on the field starts next to the gate.
		far := func(v mgl64.Vec2) float64 { d := v.Sub(g.at); return dot(d, d) }
		slices.SortStableFunc(g.dots, func(a, b mgl64.Vec2) int { return cmp.Compare(far(b), far(a)) })
		const perRow, step = 9, 1.0
		across := mgl64.Vec2{-g.outwards[1], g.outwards[0]}
		for i, at := range g.dots {
			start := g.at.Add(g.outwards.Mul(1 + step*float64(i/perRow))).Add(across.Mul(step * (float64(i%perRow) - (perRow-1)/2.0)))
			id := fmt.Sprintf("%s-%d", g.name, i+1)
			s.Goals = append(s.Goals, spot(id, at, s.Profiles[0].Radius))
			s.Groups = append(s.Groups, placed(id, "walker", []mgl64.Vec2{start}, scenes.ArrivalStay, id))
		}
	}
	return s
}
