package scenes

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// clearPath is the source of a scene of Guy et al., ClearPath: Highly Parallel
// Collision Avoidance for Multi-Agent Simulation (2009), section 5.1, under the
// paper's name for it.
func clearPath(name string) string { return "Guy et al. 2009, " + name }

// stroller is the walker of the scenes in the open. Steps of a fifth of a radius, and evading that begins
// four seconds ahead, are what keeps people from touching without any contact pass on the strip of
// Back&Forth: at steps of 0.1 s, or a horizon of 1 or 2 s, some do.
func stroller(s *Scene) Profile {
	s.Simulation.Timestep = 0.05
	p := walker(AvoidanceClearPath)
	p.TimeHorizon, p.MaxAcceleration = 4, 10
	return p
}

// circle is Circle-1K of the paper's figure 2 for any count: people at equal
// distances on a circle, each on the way to the opposite point. Neighbours start
// 0.8 m apart, whatever the count.
//
// All arrive under every method, and with the contact pass nobody overlaps anybody by more than 1% of their
// radii. Without it (contactRounds 0) all arrive, too; then the greatest overlaps of 250 people, and of 1,000, are
// 7% and 9% under ClearPath, 9% and 10% in its first variant, 12% and 12% under ORCA; under RVO, which samples,
// 69% and 93%, but of a fifth as many pairs or fewer.
func circle(count int) *Scene {
	const spacing = 0.8
	radius := math.Ceil(max(2, spacing*float64(count)/(2*math.Pi)))
	half := radius + math.Ceil(2+radius/10)
	s := blank("circle-"+sizeText(count),
		fmt.Sprintf("%s people on a circle walk to their opposite points and meet in the middle", thousands(count)),
		Rect{-half, -half, half, half})
	s.Goals = []Goal{{ID: "middle", Points: []mgl64.Vec2{{0, 0}}, ArrivalRadius: 0.5}}
	s.Profiles = []Profile{stroller(s)}
	s.Groups = []Group{{
		ID: "ring", Profile: "walker", Count: count, Spawn: Spawn{Ring: &Disc{Radius: radius}},
		Goal: AntipodeGoal, OnArrival: ArrivalStay,
	}}
	return s
}

// streams is 4-Streams: four columns of 500 people walk along the diagonals of a
// square and cross in the middle.
func streams() *Scene {
	const (
		half  = 100.0 // of the square's side
		first = 12.0  // of the columns' heads from the middle, along x and y
		step  = 1.0   // from one to the next along x and y, so sqrt(2) m away
		wide  = 10
		deep  = 50
	)
	s := blank("4-streams", "Four columns of 500 people walk along the diagonals of a square and cross", Rect{-half, -half, half, half})
	s.Profiles = []Profile{stroller(s)}
	for _, from := range []struct {
		name string
		x, y float64 // the direction of the corner
	}{{"south-west", -1, -1}, {"south-east", 1, -1}, {"north-east", 1, 1}, {"north-west", -1, 1}} {
		// Places of the column, and the line across its way in the corner beyond.
		var places []mgl64.Vec2
		at := func(along, across float64) mgl64.Vec2 {
			return mgl64.Vec2{from.x * (along + across), from.y * (along - across)}
		}
		for row := range deep {
			for i := range wide {
				places = append(places, at(first+float64(row)*step, (float64(i)-(wide-1)/2.0)*step))
			}
		}
		s.Groups = append(s.Groups, Group{
			ID: "from-" + from.name, Profile: "walker", Count: len(places), Spawn: Spawn{Points: places},
			Itinerary: []string{"beyond-" + from.name}, OnArrival: ArrivalLeave,
		})
		s.Goals = append(s.Goals, Goal{
			ID: "beyond-" + from.name, Segments: []Segment{{at(-half+15, -12), at(-half+15, 12)}}, ArrivalRadius: 1,
		})
	}
	return s
}

// backAndForth is Back&Forth of the paper's figures 8 and 9: people walk to and
// fro between the ends of a strip of 40 m by 16 m, one half of them against the
// other. Of 80 nobody touches anybody in two minutes of ClearPath, in either variant,
// without a contact pass too: the greatest overlap is 0.3% of the radii.
func backAndForth(count int) *Scene {
	s := blank("back-and-forth-"+sizeText(count),
		fmt.Sprintf("%s people walk to and fro along a strip, one half of them against the other", thousands(count)), Rect{0, 0, 40, 16})
	s.Goals = []Goal{
		{ID: "west", Segments: []Segment{{{3, 3}, {3, 13}}}, ArrivalRadius: 1},
		{ID: "east", Segments: []Segment{{{37, 3}, {37, 13}}}, ArrivalRadius: 1},
	}
	s.Profiles = []Profile{stroller(s)}
	s.Groups = []Group{
		{
			ID: "eastward", Profile: "walker", Count: (count + 1) / 2, Spawn: Spawn{Rect: &Rect{2, 2, 15, 14}},
			Itinerary: []string{"east", "west"}, OnArrival: ArrivalLoop,
		},
		{
			ID: "westward", Profile: "walker", Count: count / 2, Spawn: Spawn{Rect: &Rect{25, 2, 38, 14}},
			Itinerary: []string{"west", "east"}, OnArrival: ArrivalLoop,
		},
	}
	return s
}
