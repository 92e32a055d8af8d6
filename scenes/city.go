package scenes

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// The city of City-10K to -250K: blocks between streets of unlike widths, and a
// square in the middle. Unit: m.
const (
	cityWidth, cityDepth = 1600.0, 1200.0
	cityRim              = 16.0 // width of the street around everything
	citySquare           = 70.0 // radius of the square
	cityBuildings        = 1500
)

// streetWidths are how wide a street is that divides a quarter of at least such an
// area. Units: m2, m.
var streetWidths = []struct{ area, width float64 }{{300e3, 26}, {60e3, 18}, {12e3, 11}, {0, 7}}

// quarter is a convex part of the city, counter-clockwise. Its side k runs from
// corner k to the next, in the middle of a street.
type quarter struct {
	corners []mgl64.Vec2
	streets []float64 // half the width of the street along each side
	area    float64
}

func newQuarter(corners []mgl64.Vec2, streets []float64) quarter {
	q := quarter{corners: corners, streets: streets}
	for k := range corners {
		q.area += cross(corners[k].Sub(corners[0]), corners[(k+1)%len(corners)].Sub(corners[0])) / 2
	}
	return q
}

// middle is the mean of the corners.
func (q quarter) middle() mgl64.Vec2 {
	var sum mgl64.Vec2
	for _, c := range q.corners {
		sum = sum.Add(c)
	}
	return sum.Mul(1 / float64(len(q.corners)))
}

// cut is the part of a quarter to the left of a line, whose street is so wide to
// either side.
func (q quarter) cut(from, direction mgl64.Vec2, half float64) quarter {
	var corners []mgl64.Vec2
	var streets []float64
	left := func(v mgl64.Vec2) float64 { return cross(direction, v.Sub(from)) }
	for k, a := range q.corners {
		b := q.corners[(k+1)%len(q.corners)]
		x, y := left(a), left(b)
		if x > 0 {
			corners, streets = append(corners, a), append(streets, q.streets[k])
		}
		if x > 0 != (y > 0) {
			t := x / (x - y)
			corners = append(corners, mgl64.Vec2{a[0] + float64(t*(b[0]-a[0])), a[1] + float64(t*(b[1]-a[1]))})
			if x > 0 {
				streets = append(streets, half) // from here along the line
			} else {
				streets = append(streets, q.streets[k])
			}
		}
	}
	return newQuarter(corners, streets)
}

// divide parts a quarter across its longest side, by a street that is nearly
// square to it. The counter makes the choice.
func (q quarter) divide(counter uint64) (a, b quarter) {
	longest, length2 := 0, 0.0
	for k, v := range q.corners {
		side := q.corners[(k+1)%len(q.corners)].Sub(v)
		if l := dot(side, side); l > length2 {
			longest, length2 = k, l
		}
	}
	from, to := q.corners[longest], q.corners[(longest+1)%len(q.corners)]
	side := to.Sub(from)
	share, lean := 0.36+float64(0.28*fraction(2*counter)), float64(0.3*fraction(2*counter+1))-0.15
	start := mgl64.Vec2{from[0] + float64(share*side[0]), from[1] + float64(share*side[1])}
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

// building is what stands in a quarter: all of it but half of its streets. Its
// corners are rounded to centimetres.
func (q quarter) building() []mgl64.Vec2 {
	b := newQuarter(q.corners, make([]float64, len(q.corners)))
	for k, from := range q.corners {
		side := q.corners[(k+1)%len(q.corners)].Sub(from)
		length := math.Sqrt(dot(side, side))
		inwards := mgl64.Vec2{-side[1] / length, side[0] / length}
		offset := mgl64.Vec2{float64(q.streets[k] * inwards[0]), float64(q.streets[k] * inwards[1])}
		b = b.cut(from.Add(offset), side, 0)
	}
	var outline []mgl64.Vec2
	for _, c := range b.corners {
		c = mgl64.Vec2{math.Round(c[0]*100) / 100, math.Round(c[1]*100) / 100}
		if !slices.Contains(outline, c) {
			outline = append(outline, c)
		}
	}
	return outline
}

// quarters divides the city, the largest quarter first, until there are so many
// outside of the square.
func quarters(count int) []quarter {
	const x, y = cityWidth, cityDepth
	rim := cityRim // the border is a wall: all of the street lies inside
	all := []quarter{newQuarter([]mgl64.Vec2{{0, 0}, {x, 0}, {x, y}, {0, y}}, []float64{rim, rim, rim, rim})}
	middle := mgl64.Vec2{x / 2, y / 2}
	built := func(q quarter) bool {
		d := q.middle().Sub(middle)
		return dot(d, d) >= citySquare*citySquare
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
		for _, part := range []struct {
			q quarter
			n int
		}{{q, -1}, {a, 1}, {b, 1}} {
			if built(part.q) {
				outside += part.n
			}
		}
	}
	return slices.DeleteFunc(all, func(q quarter) bool { return !built(q) })
}

// city is City-10K, -100K and -250K of Guy et al., for any count: people walk from
// side to side of a city and back, each at a speed of their own.
func city(count int) *Scene {
	s := blank("city-"+sizeText(count), fmt.Sprintf("%s people walk from side to side of a city", thousands(count)), Rect{0, 0, cityWidth, cityDepth})
	const church = 1
	middle := mgl64.Vec2{cityWidth / 2, cityDepth / 2}
	cathedral := []mgl64.Vec2{{-24, -7}, {2, -7}, {2, -15}, {14, -15}, {14, -7}, {22, -7}, {26, -3}, {26, 3}, {22, 7}, {14, 7}, {14, 15}, {2, 15}, {2, 7}, {-24, 7}}
	for i := range cathedral {
		cathedral[i] = cathedral[i].Add(middle)
	}
	s.Obstacles = append(s.Obstacles, Obstacle{ID: "cathedral", Outline: cathedral})
	for _, q := range quarters(cityBuildings - church) {
		s.Obstacles = append(s.Obstacles, Obstacle{Outline: q.building()})
	}
	p := walker(AvoidanceClearPath)
	s.Profiles = []Profile{p}
	const in = 4.0 // of the lines that people turn back at, from the border
	s.Goals = []Goal{
		{ID: "west", Segments: []Segment{{{in, in}, {in, cityDepth - in}}}, ArrivalRadius: 2, Clearance: p.Radius},
		{ID: "east", Segments: []Segment{{{cityWidth - in, in}, {cityWidth - in, cityDepth - in}}}, ArrivalRadius: 2, Clearance: p.Radius},
		{ID: "south", Segments: []Segment{{{in, in}, {cityWidth - in, in}}}, ArrivalRadius: 2, Clearance: p.Radius},
		{ID: "north", Segments: []Segment{{{in, cityDepth - in}, {cityWidth - in, cityDepth - in}}}, ArrivalRadius: 2, Clearance: p.Radius},
	}
	for i, g := range []struct{ name, to, back string }{
		{"eastward", "east", "west"}, {"westward", "west", "east"}, {"northward", "north", "south"}, {"southward", "south", "north"},
	} {
		s.Groups = append(s.Groups, Group{
			ID: g.name, Profile: p.ID, Count: (count + i) / 4, Spawn: Spawn{Rect: &Rect{0, 0, cityWidth, cityDepth}},
			Itinerary: []string{g.to, g.back}, OnArrival: ArrivalLoop,
		})
	}
	return s
}
