package builtin

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// stroller returns the profile of the scenes in the open and sets their timestep. A fifth of a
// radius per step and a time horizon of 4 s keep the agents of Back&Forth from touching without a
// contact pass: with 0.1 s, or a horizon of 1 or 2 s, some touch.
func stroller(s *scenes.Scene) scenes.Profile {
	s.Simulation.Timestep = 0.05
	p := walker(scenes.AvoidanceClearPath)
	p.TimeHorizon, p.MaxAcceleration = 4, 10
	return p
}

// circle is Circle-1K of Guy et al. (2009), figure 2, for any count: agents at equal distances of
// 0.8 m or little more on a circle walk to their opposite points.
//
// All arrive under every method, and with the contact pass no two agents overlap by more than 1% of
// their radii. Without it (contactRounds 0) the greatest overlaps of 250 agents, and of 1,000, are
// 7% and 9% under ClearPath, 9% and 10% in its first variant, 12% and 12% under ORCA; under RVO,
// which samples, 69% and 93%, but of a fifth as many pairs or fewer.
func circle(count int) *scenes.Scene {
	const spacing = 0.8
	radius := math.Ceil(max(2, spacing*float64(count)/(2*math.Pi)))
	half := radius + math.Ceil(2+radius/10)
	s := blank("circle-"+sizeText(count),
		fmt.Sprintf("%s people on a circle walk to their opposite points and meet in the middle", thousands(count)),
		scenes.Rect{-half, -half, half, half})
	s.Goals = []scenes.Goal{spot("middle", mgl64.Vec2{}, 0.5)}
	s.Profiles = []scenes.Profile{stroller(s)}
	s.Groups = []scenes.Group{ring("ring", count, radius)}
	return s
}

// disc is a crowd of any count at one density, to measure how cost grows with agents alone: rings 5
// m apart with agents 5 m apart on them walk to their opposite points. Radius, distances and
// timestep are those of the circle among the RVO2 library's examples, so that times can be
// compared.
func disc(count int) *scenes.Scene {
	const spacing = 5.0
	var groups []scenes.Group
	radius := 0.0
	for left := count; left > 0; {
		k := len(groups) + 1
		radius = spacing * float64(k)
		// The chord between n agents on ring k is 2 k spacing sin(pi / n), at least spacing for n
		// up to 2 pi k.
		n := min(left, int(2*math.Pi*float64(k)))
		groups = append(groups, ring(fmt.Sprintf("ring-%d", k), n, radius))
		left -= n
	}
	half := radius + 2*spacing
	s := blank("disc-"+sizeText(count), fmt.Sprintf("%s people at 5 m from one another walk to their opposite points", thousands(count)),
		scenes.Rect{-half, -half, half, half})
	s.Simulation.Timestep = 0.25
	s.Goals = []scenes.Goal{spot("middle", mgl64.Vec2{}, 0.5)}
	p := walker(scenes.AvoidanceORCA)
	p.Radius, p.PreferredSpeed = 1.5, scenes.Speed{Mean: 1}
	p.TimeHorizon, p.NeighborDistance = 10, 15
	s.Profiles = []scenes.Profile{p}
	s.Groups = groups
	s.Map.Size = 100 // no agent follows it
	return s
}

// streams is 4-Streams of Guy et al. (2009): four columns of 500 agents walk along the diagonals of
// a square and cross in the middle.
func streams() *scenes.Scene {
	const (
		half  = 100.0 // of the square's side
		first = 12.0  // of the columns' heads from the middle, along x and y
		step  = 1.0   // from one to the next along x and y, so sqrt(2) m away
		wide  = 10
		deep  = 50
	)
	s := blank("4-streams", "Four columns of 500 people walk along the diagonals of a square and cross", scenes.Rect{-half, -half, half, half})
	s.Profiles = []scenes.Profile{stroller(s)}
	for _, from := range []struct {
		name string
		x, y float64 // the direction of the corner
	}{{"south-west", -1, -1}, {"south-east", 1, -1}, {"north-east", 1, 1}, {"north-west", -1, 1}} {
		at := func(along, across float64) mgl64.Vec2 {
			return mgl64.Vec2{from.x * (along + across), from.y * (along - across)}
		}
		var places []mgl64.Vec2
		for i := range deep * wide {
			places = append(places, at(first+float64(i/wide)*step, (float64(i%wide)-(wide-1)/2.0)*step))
		}
		s.Groups = append(s.Groups, placed("from-"+from.name, "walker", places, scenes.ArrivalLeave, "beyond-"+from.name))
		s.Goals = append(s.Goals, line("beyond-"+from.name, at(-half+15, -12), at(-half+15, 12), 1, 0))
	}
	return s
}

// backAndForth is Back&Forth of Guy et al. (2009), figures 8 and 9: agents walk to and fro between
// the ends of a strip of 40 m by 16 m, one half of them against the other. Of 80 no two touch in
// two minutes of ClearPath, in either variant: without a contact pass the greatest overlap is 0.3%
// of the radii.
func backAndForth(count int) *scenes.Scene {
	s := blank("back-and-forth-"+sizeText(count),
		fmt.Sprintf("%s people walk to and fro along a strip, one half of them against the other", thousands(count)), scenes.Rect{0, 0, 40, 16})
	s.Goals = []scenes.Goal{
		line("west", mgl64.Vec2{3, 3}, mgl64.Vec2{3, 13}, 1, 0),
		line("east", mgl64.Vec2{37, 3}, mgl64.Vec2{37, 13}, 1, 0),
	}
	s.Profiles = []scenes.Profile{stroller(s)}
	s.Groups = []scenes.Group{
		spread("eastward", "walker", (count+1)/2, scenes.Rect{2, 2, 15, 14}, scenes.ArrivalLoop, "east", "west"),
		spread("westward", "walker", count/2, scenes.Rect{25, 2, 38, 14}, scenes.ArrivalLoop, "west", "east"),
	}
	return s
}
