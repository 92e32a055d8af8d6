package builtin

import (
	"fmt"
	"math"
	"slices"
	"sync"

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

// ring returns a group that starts on a circle around 0, 0 and walks to the opposite points.
func ring(id string, count int, radius float64) scenes.Group {
	return scenes.Group{
		ID: id, Profile: "walker", Count: count, Spawn: scenes.Spawn{Ring: &scenes.Disc{Radius: radius}},
		Goal: scenes.AntipodeGoal, OnArrival: scenes.ArrivalStay,
	}
}

// around returns a scene on a square around 0, 0 with a goal in its middle.
func around(half float64) *scenes.Scene {
	s := scenes.New(scenes.Rect{-half, -half, half, half})
	s.Goals = []scenes.Goal{spot("middle", mgl64.Vec2{}, 0.5)}
	return s
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
	s := around(radius + math.Ceil(2+radius/10))
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
	s := around(radius + 2*spacing)
	s.Simulation.Timestep = 0.25
	p := walker(scenes.AvoidanceORCA)
	p.Radius, p.PreferredSpeed = scenes.Exactly(1.5), scenes.Exactly(1)
	p.TimeHorizon, p.NeighborDistance = 10, 15
	s.Profiles, s.Groups = []scenes.Profile{p}, groups
	s.Map.Size = 100 // no agent follows it
	return s
}

// backAndForth is Back&Forth of Guy et al. (2009), figures 8 and 9: agents walk to and fro between
// the ends of a strip of 40 m by 16 m, one half of them against the other. Of 80 no two touch in
// two minutes of ClearPath, in either variant: without a contact pass the greatest overlap is 0.3%
// of the radii.
func backAndForth(count int) *scenes.Scene {
	s := scenes.New(scenes.Rect{0, 0, 40, 16})
	s.Goals = []scenes.Goal{line("west", mgl64.Vec2{3, 3}, mgl64.Vec2{3, 13}), line("east", mgl64.Vec2{37, 3}, mgl64.Vec2{37, 13})}
	s.Profiles = []scenes.Profile{stroller(s)}
	half := func(id string, count int, over scenes.Rect, itinerary ...string) scenes.Group {
		return scenes.Group{
			ID: id, Profile: "walker", Count: count, Spawn: scenes.Spawn{Rect: &over}, Itinerary: itinerary, OnArrival: scenes.ArrivalLoop,
		}
	}
	s.Groups = []scenes.Group{
		half("eastward", (count+1)/2, scenes.Rect{2, 2, 15, 14}, "east", "west"),
		half("westward", count/2, scenes.Rect{25, 2, 38, 14}, "west", "east"),
	}
	return s
}

// floor and town return copies of the scenes of two documents, which are read once. A copy has
// groups of its own and shares the rest.
var floor, town = copies("evac-500"), copies("city-10k")

func copies(name string) func() *scenes.Scene {
	read := sync.OnceValue(func() *scenes.Scene { s, _ := drawn(name); return s })
	return func() *scenes.Scene {
		s := *read()
		s.Groups = slices.Clone(s.Groups)
		return &s
	}
}

// evac is Evac-500, -1K and -5K of Guy et al. (2009), for any count: the office floor of evac-500
// with agents spread over the rooms by their area. The floor is that of both papers' evacuations:
// rooms along two corridors, and two narrow exits, one at either end. Its walls have the 212
// segments of Table 3 of Bleiweiss (2009).
func evac(count int) *scenes.Scene {
	s := floor()
	area := func(r *scenes.Rect) float64 { return float64((r[2] - r[0]) * (r[3] - r[1])) }
	var total, before float64
	for _, g := range s.Groups {
		total += area(g.Spawn.Rect)
	}
	placed := 0
	for i := range s.Groups {
		before += area(s.Groups[i].Spawn.Rect)
		upTo := int(math.Round(float64(count) * before / total))
		s.Groups[i].Count = upTo - placed
		placed = upTo
	}
	return s
}

// evacuation is Evacuation of Bleiweiss (2009), for any count. Agents avoid by sampled velocities,
// as Table 4 says.
func evacuation(count int) *scenes.Scene {
	s := evac(count)
	p := walker(scenes.AvoidanceRVO)
	p.NeighborDistance, p.RVO.Samples = 15, 250
	s.Profiles = []scenes.Profile{p}
	return s
}

// city is City-10K, -100K and -250K of Guy et al. (2009), for any count: agents walk from side to
// side of a city and back, each at a speed of its own.
func city(count int) *scenes.Scene {
	s := town()
	for i := range s.Groups {
		s.Groups[i].Count = (count + i) / len(s.Groups)
	}
	return s
}
