package scenes

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
)

// profiling returns the maker of a Profiling map of the paper's Table 1: n rows
// of n squares on a ground of 100 m by 100 m, squares and the lanes between them
// equally wide, half a lane along the border. The source stands where the first
// lanes cross, the people in the far quarter.
func profiling(number, n int) func() *Scene {
	return func() *Scene {
		const side = 100.0
		pitch := side / float64(n)
		// One product a coordinate, so that every row and column has exactly the
		// same ones, on every machine.
		low := func(i int) float64 { return (float64(i) + 0.25) * pitch }
		high := func(i int) float64 { return (float64(i) + 0.75) * pitch }

		s := &Scene{
			Version: Version, Name: fmt.Sprintf("profiling%d", number),
			Description: fmt.Sprintf("%d rows of %d squares: large visible areas from everywhere", n, n),
			Domain:      Rect{0, 0, side, side},
		}
		for row := range n {
			for column := range n {
				s.Obstacles = append(s.Obstacles, Obstacle{Rect: &Rect{low(column), low(row), high(column), high(row)}})
			}
		}
		s.Goals = []Goal{{ID: "source", Points: []mgl64.Vec2{{pitch, pitch}}, ArrivalRadius: 1}}
		walker := DefaultProfile()
		walker.ID, walker.Avoidance = "walker", AvoidanceNone
		s.Profiles = []Profile{walker}
		s.Groups = []Group{{
			ID: "walkers", Profile: walker.ID, Count: 200, Spawn: Spawn{Rect: &Rect{60, 60, 99, 99}},
			Itinerary: []string{"source"}, OnArrival: ArrivalLeave,
		}}
		blank := records[sceneType].blank.Interface().(Scene)
		s.Simulation, s.Map = blank.Simulation, blank.Map
		return s
	}
}
