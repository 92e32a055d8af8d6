package spawn

import (
	"math"

	"github.com/wayfront/wayfront/scenes"
)

// Routes returns, for each agent of a group of a scene, which of scenes.Group.Itineraries it has.
// Of the first n agents, for every n, route i has n times its part of the shares, rounded up or
// down, so that groups which grow or enter one after the other are split as well as whole ones. The
// seed and the group decide which agents these are, as far as that leaves a choice.
//
// A route of the part w has to begin its agent j, from 0 on, at a place in the group from
// floor(j / w) to ceil((j+1) / w) - 1. Taking the earliest end among those that may begin meets all
// ends, as the parts add up to one (Tijdeman 1980, The chairman assignment problem).
func Routes(scene *scenes.Scene, group int) []int {
	g := &scene.Groups[group]
	all := make([]int, g.Count)
	if len(g.Routes) < 2 {
		return all
	}
	sum, given := 0.0, make([]float64, len(g.Routes))
	for _, r := range g.Routes {
		sum += r.Share
	}
	for k := range all {
		best, may, least := -1, false, 0.0
		for i, r := range g.Routes {
			// Where rounding has all routes begin later, the first end counts all the same.
			begun := math.Floor(given[i]*sum/r.Share) <= float64(k)
			u, _ := random(scene.Simulation.Seed, streamRoute, uint32(group), uint32(k), uint32(i))
			end := math.Ceil((given[i]+1)*sum/r.Share) + u
			if best < 0 || begun && !may || begun == may && end < least {
				best, may, least = i, begun, end
			}
		}
		all[k] = best
		given[best]++
	}
	return all
}
