package measure

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Lanes returns the order of two streams against each other along a line through the origin: 1 if
// in every strip along it all agents walk in the same direction, 0 on average if directions were
// dealt to the same agents at random, and less than 0 if strips are mixed evenly on purpose. Strips
// lie side by side from the line on. An agent that moves square to the line counts for no
// direction. It is 0 where all walk in one direction, or each has a strip of its own. Unit of
// width: m. Limit: > 0.
//
// Source: Nowak and Schadschneider, Quantitative analysis of pedestrian counterflow in a
// cellular automaton model (2012), equations 4 and 5: the square of the difference over
// the sum of both directions' numbers, averaged over people, less what chance alone has,
// over the rest. What chance has is not simulated here but computed: the variance of
// drawing n of N without putting back.
func Lanes(f Frame, along mgl64.Vec2, width float64) float64 {
	along = along.Normalize()
	strips := map[int][2]int{}
	var all [2]int
	for _, w := range f.Walkers {
		speed := w.Velocity.Dot(along)
		if speed == 0 {
			continue
		}
		direction := 0
		if speed < 0 {
			direction = 1
		}
		k := int(math.Floor(cross(along, w.At) / width))
		strip := strips[k]
		strip[direction]++
		strips[k] = strip
		all[direction]++
	}
	if all[0] == 0 || all[1] == 0 {
		return 0
	}
	total := float64(all[0] + all[1])
	mean := float64(all[0]-all[1]) / total
	order, chance, together := 0.0, 0.0, false
	for _, k := range sortedKeys(strips) {
		strip := strips[k]
		n, difference := float64(strip[0]+strip[1]), float64(strip[0]-strip[1])
		together = together || n > 1
		order += difference * difference / n
		chance += n*mean*mean + (1-mean*mean)*(total-n)/(total-1)
	}
	if !together {
		return 0 // no two share a strip: chance has the same order
	}
	order, chance = order/total, chance/total
	return (order - chance) / (1 - chance)
}
