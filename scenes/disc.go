package scenes

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// disc is a crowd of any count at one density, for measuring how cost grows with people alone: rings 5 m apart with people
// 5 m apart on them, each on the way to the opposite point. Radius, distances and time step are those that the circle of the
// RVO2 library's examples has, so that times can be set beside that library's.
func disc(count int) *Scene {
	const spacing = 5.0
	var groups []Group
	radius := 0.0
	for left := count; left > 0; {
		k := len(groups) + 1
		radius = spacing * float64(k)
		// The chord between n people on ring k is 2 k spacing sin(pi / n), at least spacing for n up to 2 pi k.
		n := min(left, int(2*math.Pi*float64(k)))
		groups = append(groups, Group{
			ID: fmt.Sprintf("ring-%d", k), Profile: "walker", Count: n, Spawn: Spawn{Ring: &Disc{Radius: radius}},
			Goal: AntipodeGoal, OnArrival: ArrivalStay,
		})
		left -= n
	}
	half := radius + 2*spacing
	s := blank("disc-"+sizeText(count), fmt.Sprintf("%s people at 5 m from one another walk to their opposite points", thousands(count)), Rect{-half, -half, half, half})
	s.Simulation.Timestep = 0.25
	s.Goals = []Goal{{ID: "middle", Points: []mgl64.Vec2{{0, 0}}, ArrivalRadius: 0.5}}
	p := walker(AvoidanceORCA)
	p.Radius, p.PreferredSpeed = 1.5, Speed{Mean: 1}
	p.TimeHorizon, p.NeighborDistance, p.MaxNeighbors = 10, 15, 10
	s.Profiles = []Profile{p}
	s.Groups = groups
	s.Map.Size = 100 // nobody follows it
	return s
}
