package builtin

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// families are scenes of one kind in any size, to measure how cost grows: maps without agents, and
// crowds. NAME-N has N obstacles, sources or agents, where 1k is 1000 too. The greatest N, most, is
// a matter of room: with more squares lanes are narrower than agents, and more agents do not fit
// where they start. List has the sizes of the papers only.
var families = []struct {
	name string
	most int
	make func(count int) *scenes.Scene
}{
	{"squares", 10000, squares},
	{"octagons", 10000, octagons},
	{"points", 10000, points},
	{"disc", 1_000_000, disc},
	{"circle", 10000, circle},
	{"back-and-forth", 150, backAndForth},
	{"evac", 20000, evac},
	{"city", 500000, city},
	{"evacuation", 20000, evacuation},
}

// ofFamily returns the scene NAME-N of a family.
func ofFamily(name string) (*scenes.Scene, bool) {
	for _, f := range families {
		if text, ok := strings.CutPrefix(name, f.name+"-"); ok {
			if n, ok := size(text); ok && n <= f.most {
				return f.make(n), true
			}
		}
	}
	return nil, false
}

// size reads a count above 0 as names have it: 500, or 2k for 2000.
func size(text string) (int, bool) {
	digits, thousands := strings.CutSuffix(text, "k")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > scenes.MaxAgents || strconv.Itoa(n) != digits {
		return 0, false
	}
	if thousands {
		n *= 1000
	}
	return n, true
}

// plot returns a ground of 100 m by 100 m, cut into square cells with room for so many obstacles,
// and the number of cells in a row and their side.
func plot(name, description string, count int) (s *scenes.Scene, perRow int, pitch float64) {
	const side = 100.0
	for perRow*perRow < count {
		perRow++
	}
	pitch = side / float64(perRow)
	s = blank(name, description, scenes.Rect{0, 0, side, side})
	s.Goals = []scenes.Goal{spot("source", mgl64.Vec2{pitch, pitch}, 1)}
	return s, perRow, pitch
}

// squares is a plot with rows of squares as in the Profiling maps: half as wide as their cells, in
// the middle of them. One product a coordinate gives rows and columns the same ones on every
// machine.
func squares(count int) *scenes.Scene {
	s, perRow, pitch := plot(fmt.Sprintf("squares-%d", count), "Rows of squares: large visible areas from everywhere", count)
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
	s, _, _ := plot(fmt.Sprintf("points-%d", count), "An empty room with many places to go to, of which the nearest counts", 1)
	s.Goals[0].Points = nil
	for i := range count {
		draw := func(which int) float64 { return s.Domain[2] * fraction(uint64(i)<<8|uint64(which)) }
		s.Goals[0].Points = append(s.Goals[0].Points, place(draw(0), draw(1), hundredth))
	}
	return s
}

// octagons is a plot with regular octagons of unlike sizes, turned and moved within their cells at
// random: no two corners line up, and few are far in sight.
func octagons(count int) *scenes.Scene {
	s, perRow, pitch := plot(fmt.Sprintf("octagons-%d", count), "Octagons of unlike sizes, moved and turned at random", count)
	for i := range count {
		// Below: at most 0.33 + 0.15 of the cell from its middle, so that none reaches another
		// cell.
		draw := func(which int) float64 { return fraction(uint64(i)<<8 | uint64(which)) }
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
