package builtin

import (
	"fmt"
	"math"

	"github.com/wayfront/wayfront/scenes"
)

// leave is the office floor of evac-500 with any count of agents, spread over the rooms by their
// area. The floor is that of both papers' evacuations: rooms along two corridors, and two narrow
// exits, one at either end. Its walls have the 212 segments of Table 3 of Bleiweiss (2009).
func leave(name string, count int, profile scenes.Profile) *scenes.Scene {
	s, _ := drawn("evac-500")
	s.Name, s.Description = name, fmt.Sprintf("%s people leave an office floor by two narrow exits", thousands(count))
	s.Profiles = []scenes.Profile{profile}
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

// evac is Evac-500, -1K and -5K of Guy et al. (2009), for any count.
func evac(count int) *scenes.Scene {
	return leave("evac-"+sizeText(count), count, walker(scenes.AvoidanceClearPath))
}

// evacuation is Evacuation of Bleiweiss (2009), for any count.
func evacuation(count int) *scenes.Scene {
	return leave("evacuation-"+sizeText(count), count, sampler(15, 250))
}
