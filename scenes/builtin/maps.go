package builtin

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// plot returns a ground of 100 m by 100 m, cut into square cells with room for so many obstacles,
// and the number of cells in a row and their side.
func plot(count int) (s *scenes.Scene, perRow int, pitch float64) {
	const side = 100.0
	for perRow*perRow < count {
		perRow++
	}
	pitch = side / float64(perRow)
	s = scenes.New(scenes.Rect{0, 0, side, side})
	s.Goals = []scenes.Goal{spot("source", mgl64.Vec2{pitch, pitch}, 1)}
	return s, perRow, pitch
}

// squares is a plot with rows of squares as in the Profiling maps: half as wide as their cells, in
// the middle of them. One product a coordinate gives rows and columns the same ones on every
// machine.
func squares(count int) *scenes.Scene {
	s, perRow, pitch := plot(count)
	at := func(i int, share float64) float64 { return (float64(i) + share) * pitch }
	for i := range count {
		x, y := i%perRow, i/perRow
		s.Obstacles = append(s.Obstacles, scenes.Obstacle{Rect: &scenes.Rect{at(x, 0.25), at(y, 0.25), at(x, 0.75), at(y, 0.75)}})
	}
	return s
}

// points is an empty plot with that many sources at random, all of which see one another: what each
// could reach overlaps with what all others could.
func points(count int) *scenes.Scene {
	s, _, side := plot(1)
	s.Goals[0].Points = nil
	for i := range count {
		draw := drawer(i)
		s.Goals[0].Points = append(s.Goals[0].Points, place(side*draw(0), side*draw(1), hundredth))
	}
	return s
}

// octagons is a plot with regular octagons of unlike sizes, turned and moved within their cells at
// random: no two corners line up, and few are far in sight.
func octagons(count int) *scenes.Scene {
	s, perRow, pitch := plot(count)
	for i := range count {
		// Below: at most 0.33 + 0.15 of the cell from its middle, so that none reaches another
		// cell.
		draw := drawer(i)
		middle := place((float64(i%perRow)+0.35+0.3*draw(0))*pitch, (float64(i/perRow)+0.35+0.3*draw(1))*pitch, hundredth)
		radius := rounded((0.15+0.18*draw(2))*pitch, hundredth)
		const sides, steps = 8, 1024 // steps of turning within an eighth of a turn
		turn := int(draw(3) * steps)
		var outline []mgl64.Vec2
		for k := range sides {
			v := scenes.OnCircle(middle, radius, turn+k*steps, sides*steps)
			outline = append(outline, place(v[0], v[1], hundredth))
		}
		s.Obstacles = append(s.Obstacles, scenes.Obstacle{Outline: outline})
	}
	return s
}

// drawer returns the random numbers in [0, 1) of item i: the output function of SplitMix64 (Steele,
// Lea and Flood 2014) of a counter.
func drawer(i int) func(which int) float64 {
	return func(which int) float64 {
		z := (uint64(i)<<8 | uint64(which)) + 1
		z *= 0x9e3779b97f4a7c15
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return float64((z^z>>31)>>11) / (1 << 53)
	}
}
