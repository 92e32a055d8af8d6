package scenes

import "fmt"

// profiling returns the maker of a Profiling map of the paper's Table 1: n rows
// of n squares on a ground of 100 m by 100 m, squares and the lanes between them
// equally wide, half a lane along the border. The source stands where the first
// lanes cross, the people in the far quarter.
func profiling(number, n int) func() *Scene {
	return func() *Scene {
		s := squares(n * n)
		s.Name = fmt.Sprintf("profiling%d", number)
		s.Description = fmt.Sprintf("%d rows of %d squares: large visible areas from everywhere", n, n)
		walker := DefaultProfile()
		walker.ID, walker.Avoidance = "walker", AvoidanceNone
		s.Profiles = []Profile{walker}
		s.Groups = []Group{{
			ID: "walkers", Profile: walker.ID, Count: 200, Spawn: Spawn{Rect: &Rect{60, 60, 99, 99}},
			Itinerary: []string{"source"}, OnArrival: ArrivalLeave,
		}}
		return s
	}
}
