package builtin

import (
	"math/rand/v2"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// Of pairs, in meters.
const (
	pairLength = 20.0
	pairWall   = 0.25
	pairRadius = 0.25
)

// PairWidths are the widths of the corridors of pairs, in turn, m.
var PairWidths = []float64{1.75, 2, 2.5, 3, 4}

// stepper returns the profile of agents with local maps and every default besides.
func stepper(radius float64) scenes.Profile {
	p := scenes.DefaultProfile()
	p.ID, p.Steering, p.Radius = "walker", scenes.SteeringBVP, scenes.Exactly(radius)
	return p
}

// block returns an obstacle.
func block(x0, y0, x1, y1 float64) scenes.Obstacle {
	return scenes.Obstacle{Rect: &scenes.Rect{x0, y0, x1, y1}}
}

// pairs is corridors side by side, with two agents of one profile in each that walk to its other
// end, head-on. They begin near its ends, anywhere across it; in the first corridor of each width
// in its middle. The first half of all agents begin in the west, in order of corridors.
func pairs(count int) *scenes.Scene {
	random := rand.New(rand.NewPCG(15, 1))
	var dividers []scenes.Obstacle
	var goals, starts [2][]mgl64.Vec2 // ends of segments, and places, in the west and in the east
	y := pairWall
	for i := range (count + 1) / 2 {
		width := PairWidths[i%len(PairWidths)]
		for side, end := range []struct{ x, inward float64 }{{pairWall, 1}, {pairLength - pairWall, -1}} {
			from, off := 0.5+2*random.Float64(), (width/2-pairRadius-0.01)*(2*random.Float64()-1)
			if i < len(PairWidths) {
				from, off = 1, 0
			}
			starts[side] = append(starts[side], place(end.x+end.inward*from, y+width/2+off, 1e4))
			x := end.x + 0.1*end.inward
			goals[side] = append(goals[side], place(x, y+pairRadius, 1e4), place(x, y+width-pairRadius, 1e4))
		}
		y = rounded(y+width+pairWall, 1e4)
		dividers = append(dividers, block(0, y-pairWall, pairLength, y))
	}
	s := scenes.New(scenes.Rect{0, 0, pairLength, y})
	s.Obstacles = append([]scenes.Obstacle{
		block(0, 0, pairLength, pairWall), block(0, 0, pairWall, y), block(pairLength-pairWall, 0, pairLength, y),
	}, dividers...)
	ids := [2]string{"west", "east"}
	s.Goals, s.Groups = nil, nil // one of each by default
	for side, id := range ids {
		g := scenes.Goal{ID: id, ArrivalRadius: 0.5}
		for k := 0; k < len(goals[side]); k += 2 {
			g.Segments = append(g.Segments, scenes.Segment{goals[side][k], goals[side][k+1]})
		}
		s.Goals = append(s.Goals, g)
		s.Groups = append(s.Groups, scenes.Group{
			ID: id, Profile: "walker", Count: (count + 1 - side) / 2, Spawn: scenes.Spawn{Points: starts[side]}, Itinerary: []string{ids[1-side]},
		})
	}
	p := stepper(pairRadius)
	p.Avoidance, p.PreferredSpeed = scenes.AvoidanceNone, scenes.Exactly(1.34)
	s.Profiles = []scenes.Profile{p}
	s.Map.Size = 1000
	return s
}

// counterflow is two halves of a crowd that get through a passage, 2 m wide and 10 m long, against
// each other.
func counterflow(count int) *scenes.Scene {
	s := scenes.New(scenes.Rect{0, 0, 30, 10})
	s.Obstacles = []scenes.Obstacle{block(10, 0, 20, 4), block(10, 6, 20, 10)}
	half := func(id, to string, count int, over scenes.Rect) scenes.Group {
		return scenes.Group{ID: id, Profile: "walker", Count: count, Spawn: scenes.Spawn{Rect: &over}, Itinerary: []string{to}}
	}
	s.Goals = []scenes.Goal{line("east", mgl64.Vec2{29, 1}, mgl64.Vec2{29, 9}), line("west", mgl64.Vec2{1, 1}, mgl64.Vec2{1, 9})}
	s.Groups = []scenes.Group{
		half("eastward", "east", (count+1)/2, scenes.Rect{0.3, 0.3, 9, 9.7}),
		half("westward", "west", count/2, scenes.Rect{21, 0.3, 29.7, 9.7}),
	}
	for i := range s.Goals {
		s.Goals[i].Clearance, s.Goals[i].ArrivalRadius = 0.2, 0.5
	}
	s.Profiles = []scenes.Profile{stepper(0.2)}
	s.Map.Size = 400
	return s
}
