package builtin

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// The city of City-10K to -250K: blocks between streets of unlike widths, and a square in the
// middle. Unit: m.
const (
	cityWidth, cityDepth = 1600.0, 1200.0
	cityRim              = 16.0 // width of the street around everything
	citySquare           = 70.0 // radius of the square
	cityBuildings        = 1500
)

// streetWidths are how wide a street is that divides a quarter of at least such an area. Units: m2,
// m.
var streetWidths = []struct{ area, width float64 }{{300e3, 26}, {60e3, 18}, {12e3, 11}, {0, 7}}

// quarter is a convex part of the city, counter-clockwise. Its side k runs from corner k to the
// next, in the middle of a street.
type quarter struct {
	corners []mgl64.Vec2
	streets []float64 // half the width of the street along each side
	area    float64
}

func newQuarter(corners []mgl64.Vec2, streets []float64) quarter {
	q := quarter{corners: corners, streets: streets}
	for k := range corners {
		q.area += cross(q.corner(k).Sub(corners[0]), q.corner(k+1).Sub(corners[0])) / 2
	}
	return q
}

// corner returns corner k, counted round.
func (q quarter) corner(k int) mgl64.Vec2 { return q.corners[k%len(q.corners)] }

// middle is the mean of the corners.
func (q quarter) middle() mgl64.Vec2 {
	var sum mgl64.Vec2
	for _, c := range q.corners {
		sum = sum.Add(c)
	}
	return sum.Mul(1 / float64(len(q.corners)))
}

// cut is the part of a quarter to the left of a line, whose street is so wide to either side.
func (q quarter) cut(from, direction mgl64.Vec2, half float64) quarter {
	var corners []mgl64.Vec2
	var streets []float64
	left := func(v mgl64.Vec2) float64 { return cross(direction, v.Sub(from)) }
	for k, a := range q.corners {
		b := q.corner(k + 1)
		x, y := left(a), left(b)
		if x > 0 {
			corners, streets = append(corners, a), append(streets, q.streets[k])
		}
		if x > 0 != (y > 0) {
			corners = append(corners, along(a, b, x/(x-y)))
			if x > 0 {
				streets = append(streets, half) // from here along the line
			} else {
				streets = append(streets, q.streets[k])
			}
		}
	}
	return newQuarter(corners, streets)
}

// divide parts a quarter across its longest side, by a street that is nearly square to it. The
// counter makes the choice.
func (q quarter) divide(counter uint64) (a, b quarter) {
	longest, length2 := 0, 0.0
	for k, v := range q.corners {
		side := q.corner(k + 1).Sub(v)
		if l := dot(side, side); l > length2 {
			longest, length2 = k, l
		}
	}
	from, to := q.corners[longest], q.corner(longest+1)
	side := to.Sub(from)
	share, lean := 0.36+float64(0.28*fraction(2*counter)), float64(0.3*fraction(2*counter+1))-0.15
	start := along(from, to, share)
	direction := mgl64.Vec2{-side[1] + float64(lean*side[0]), side[0] + float64(lean*side[1])}
	half := 0.0
	for _, s := range streetWidths {
		if q.area >= s.area {
			half = s.width / 2
			break
		}
	}
	return q.cut(start, direction, half), q.cut(start, direction.Mul(-1), half)
}

// building is what stands in a quarter: all of it but half of its streets. Its corners are rounded
// to centimeters.
func (q quarter) building() []mgl64.Vec2 {
	b := newQuarter(q.corners, make([]float64, len(q.corners)))
	for k, from := range q.corners {
		side := q.corner(k + 1).Sub(from)
		length := math.Sqrt(dot(side, side))
		inwards := mgl64.Vec2{-side[1] / length, side[0] / length}
		offset := mgl64.Vec2{float64(q.streets[k] * inwards[0]), float64(q.streets[k] * inwards[1])}
		b = b.cut(from.Add(offset), side, 0)
	}
	var outline []mgl64.Vec2
	for _, c := range b.corners {
		c = place(c[0], c[1], centimeter)
		if !slices.Contains(outline, c) {
			outline = append(outline, c)
		}
	}
	return outline
}

// quarters divides the city, the largest quarter first, until there are so many outside of the
// square.
func quarters(count int) []quarter {
	const x, y = cityWidth, cityDepth
	rim := cityRim // the border is a wall: all of the street lies inside
	all := []quarter{newQuarter([]mgl64.Vec2{{0, 0}, {x, 0}, {x, y}, {0, y}}, []float64{rim, rim, rim, rim})}
	middle := mgl64.Vec2{x / 2, y / 2}
	built := func(q quarter) int { // 1 outside of the square
		if d := q.middle().Sub(middle); dot(d, d) < citySquare*citySquare {
			return 0
		}
		return 1
	}
	outside := 0 // the middle of all is in the square
	for counter := uint64(0); outside < count; counter++ {
		largest := 0
		for i, q := range all {
			if q.area > all[largest].area {
				largest = i
			}
		}
		q := all[largest]
		a, b := q.divide(counter)
		all[largest] = a
		all = append(all, b)
		outside += built(a) + built(b) - built(q)
	}
	return slices.DeleteFunc(all, func(q quarter) bool { return built(q) == 0 })
}

// city is City-10K, -100K and -250K of Guy et al. (2009), for any count: agents walk from side to
// side of a city and back, each at a speed of its own.
func city(count int) *scenes.Scene {
	s := blank("city-"+sizeText(count), fmt.Sprintf("%s people walk from side to side of a city", thousands(count)), scenes.Rect{0, 0, cityWidth, cityDepth})
	const church = 1
	middle := mgl64.Vec2{cityWidth / 2, cityDepth / 2}
	cathedral := []mgl64.Vec2{{-24, -7}, {2, -7}, {2, -15}, {14, -15}, {14, -7}, {22, -7}, {26, -3}, {26, 3}, {22, 7}, {14, 7}, {14, 15}, {2, 15}, {2, 7}, {-24, 7}}
	for i := range cathedral {
		cathedral[i] = cathedral[i].Add(middle)
	}
	s.Obstacles = append(s.Obstacles, scenes.Obstacle{ID: "cathedral", Outline: cathedral})
	for _, q := range quarters(cityBuildings - church) {
		s.Obstacles = append(s.Obstacles, scenes.Obstacle{Outline: q.building()})
	}
	p := walker(scenes.AvoidanceClearPath)
	s.Profiles = []scenes.Profile{p}
	const in = 4.0 // of the lines that agents turn back at, from the border
	sw, se, ne, nw := mgl64.Vec2{in, in}, mgl64.Vec2{cityWidth - in, in}, mgl64.Vec2{cityWidth - in, cityDepth - in}, mgl64.Vec2{in, cityDepth - in}
	s.Goals = []scenes.Goal{line("west", sw, nw, 2, p.Radius), line("east", se, ne, 2, p.Radius), line("south", sw, se, 2, p.Radius), line("north", nw, ne, 2, p.Radius)}
	for i, g := range [][3]string{{"eastward", "east", "west"}, {"westward", "west", "east"}, {"northward", "north", "south"}, {"southward", "south", "north"}} {
		s.Groups = append(s.Groups, spread(g[0], p.ID, (count+i)/4, s.Domain, scenes.ArrivalLoop, g[1:]...))
	}
	return s
}
