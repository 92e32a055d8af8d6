package scenes

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
)

// family is scenes of one kind in any size, for measuring how cost grows. They are
// found by name as built-in scenes are, NAME-N with N obstacles, sources or people, where 1k is
// 1000 too. List leaves them out, but for the sizes of the papers.
type family struct {
	name   string
	source string
	most   int // the greatest N
	make   func(count int) *Scene
}

// families are those whose maps are measured, with nobody in them, and those whose
// crowds are. What bounds N is room: rows of more squares have lanes
// narrower than people, and more people than these do not fit where they start.
var families = []family{
	{"squares", tableOne + ", continued", 10000, squares},
	{"octagons", own, 10000, octagons},
	{"points", own, 10000, points},
	{"disc", own, 1_000_000, disc},
	{"circle", clearPath("Circle-1K") + ", any count", 10000, circle},
	{"back-and-forth", clearPath("Back&Forth") + ", any count", 150, backAndForth},
	{"evac", clearPath("Evac-500") + ", any count", 20000, evac},
	{"city", clearPath("City-10K") + ", any count", 500000, city},
	{"evacuation", bleiweiss("Evacuation") + ", any count", 20000, evacuationOf},
}

// ofFamily returns the scene NAME-N of a family, whatever the case of NAME.
func ofFamily(name string) (builtin, bool) {
	for _, f := range families {
		text, ok := strings.CutPrefix(strings.ToLower(name), f.name+"-")
		n, sized := size(text)
		if ok && sized && n <= f.most {
			return builtin{name: f.name + "-" + text, source: f.source, make: func() *Scene { return f.make(n) }}, true
		}
	}
	return builtin{}, false
}

// size reads a count above 0 as names have it: 500, or 2k for 2000.
func size(text string) (int, bool) {
	digits, thousands := strings.CutSuffix(text, "k")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > MaxAgents || strconv.Itoa(n) != digits {
		return 0, false
	}
	if thousands {
		n *= 1000
	}
	return n, true
}

// plot is a square of ground of 100 m by 100 m, cut into square cells with room
// for an obstacle each, and how large a cell is.
func plot(name, description string, count int) (s *Scene, perRow int, pitch float64) {
	const side = 100.0
	for perRow*perRow < count {
		perRow++
	}
	pitch = side / float64(perRow)
	s = blank(name, description, Rect{0, 0, side, side})
	s.Goals = []Goal{{ID: "source", Points: []mgl64.Vec2{{pitch, pitch}}, ArrivalRadius: 1}}
	return s, perRow, pitch
}

// squares is a plot with rows of squares as in the Profiling maps; where count is
// no square number the last rows are not full.
func squares(count int) *Scene {
	s, perRow, pitch := plot(fmt.Sprintf("squares-%d", count), "Rows of squares: large visible areas from everywhere", count)
	for i := range count {
		s.Obstacles = append(s.Obstacles, Obstacle{Rect: square(i%perRow, i/perRow, pitch)})
	}
	return s
}

// points is an empty plot with that many sources at random, all of which see one
// another: what each could reach overlaps with what all others could.
func points(count int) *Scene {
	s, _, _ := plot(fmt.Sprintf("points-%d", count), "An empty room with many places to go to, of which the nearest counts", 1)
	s.Goals[0].Points = nil
	for i := range count {
		draw := func(which int) float64 { return decimal(s.Domain[2] * fraction(uint64(i)<<8|uint64(which))) }
		s.Goals[0].Points = append(s.Goals[0].Points, mgl64.Vec2{draw(0), draw(1)})
	}
	return s
}

// square is the obstacle of a cell: half as wide as the cell, in its middle. One
// product a coordinate, so that every row and column has exactly the same ones,
// on every machine.
func square(column, row int, pitch float64) *Rect {
	low := func(i int) float64 { return (float64(i) + 0.25) * pitch }
	high := func(i int) float64 { return (float64(i) + 0.75) * pitch }
	return &Rect{low(column), low(row), high(column), high(row)}
}

// octagons is a plot with regular octagons of unlike sizes, turned and moved
// within their cells at random: no two corners line up, and few are far in sight.
// The same count gives the same scene everywhere.
func octagons(count int) *Scene {
	s, perRow, pitch := plot(fmt.Sprintf("octagons-%d", count), "Octagons of unlike sizes, moved and turned at random", count)
	for i := range count {
		// Below: at most 0.33 + 0.15 of the cell from its middle, so that none reaches another cell.
		draw := func(which int) float64 { return fraction(uint64(i)<<8 | uint64(which)) }
		middle := mgl64.Vec2{
			decimal((float64(i%perRow) + 0.35 + 0.3*draw(0)) * pitch),
			decimal((float64(i/perRow) + 0.35 + 0.3*draw(1)) * pitch),
		}
		radius := decimal((0.15 + 0.18*draw(2)) * pitch)
		const sides, steps = 8, 1024 // steps of turning within an eighth of a turn
		turn := int(draw(3) * steps)
		var outline []mgl64.Vec2
		for k := range sides {
			v := onCircle(middle, radius, turn+k*steps, sides*steps)
			outline = append(outline, mgl64.Vec2{decimal(v[0]), decimal(v[1])})
		}
		s.Obstacles = append(s.Obstacles, Obstacle{Outline: outline})
	}
	return s
}

// decimal rounds to a hundredth of a millimetre, which takes away what a machine
// may have rounded otherwise.
func decimal(x float64) float64 { return math.Round(x*1e5) / 1e5 }

// fraction is a random number in [0, 1) that depends on its counter alone: the
// output function of SplitMix64 (Steele, Lea and Flood 2014).
func fraction(counter uint64) float64 {
	z := (counter + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) / (1 << 53)
}
