package scenes

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// The scenes of Bleiweiss, Multi Agent Navigation on the GPU (2009), with the
// agents and segments of its Table 3 and the time step, proximity and velocity
// samples of its Table 4.

// bleiweiss is the source of one of them, under the paper's name for it.
func bleiweiss(name string) string { return "Bleiweiss 2009, Tables 3 and 4, " + name }

// sampler is a profile that avoids others by sampled velocities, as the paper's
// Table 4 says: others within a distance count, and so many velocities are tried.
func sampler(distance float64, samples int) Profile {
	p := walker(AvoidanceRVO)
	p.NeighborDistance, p.MaxNeighbors, p.RVO.Samples = distance, 10, samples
	return p
}

// diagonals is Simple: four people cross a square by its diagonals, and go around
// what stands in the middle.
func diagonals() *Scene {
	s := blank("simple", "Four people cross a square by its diagonals, around what stands in the middle", Rect{0, 0, 40, 40})
	s.Simulation.Timestep = 0.25
	s.Obstacles = []Obstacle{{ID: "block", Rect: &Rect{14, 14, 26, 26}}}
	s.Profiles = []Profile{sampler(15, 250)}
	corners := []struct {
		name string
		at   mgl64.Vec2
	}{{"south-west", mgl64.Vec2{4, 4}}, {"south-east", mgl64.Vec2{36, 4}}, {"north-east", mgl64.Vec2{36, 36}}, {"north-west", mgl64.Vec2{4, 36}}}
	for i, c := range corners {
		opposite := corners[(i+2)%4]
		s.Goals = append(s.Goals, Goal{ID: c.name, Points: []mgl64.Vec2{c.at}, ArrivalRadius: 0.5, Clearance: 0.25})
		s.Groups = append(s.Groups, Group{
			ID: "from-" + c.name, Profile: "walker", Count: 1, Spawn: Spawn{Points: []mgl64.Vec2{c.at}},
			Itinerary: []string{opposite.name}, OnArrival: ArrivalStay,
		})
	}
	return s
}

// car is Car: twelve people cross a road while a car drives along it, which runs over none of them,
// under any method.
func car() *Scene {
	s := blank("car", "Twelve people cross a road while a car drives along it", Rect{0, 0, 40, 24})
	s.Simulation.Timestep = 0.125
	s.Obstacles = []Obstacle{{
		ID: "car",
		Outline: []mgl64.Vec2{
			{1.3, 11}, {4.8, 11}, {5.3, 11.15}, {5.5, 11.6}, {5.5, 12.4}, {5.3, 12.85}, {4.8, 13}, {1.3, 13}, {1, 12.7}, {1, 11.3},
		},
		Motion: &Motion{Path: []mgl64.Vec2{{0, 0}, {33, 0}}, Speed: 2.5, Loop: LoopOnce},
	}}
	s.Profiles = []Profile{sampler(100, 500)}
	s.Map.Size = 250
	for _, side := range []struct {
		from, to string
		y0, y1   float64
	}{{"south", "north", 2, 22}, {"north", "south", 22, 2}} {
		var places []mgl64.Vec2
		for i := range 6 {
			places = append(places, mgl64.Vec2{12 + 3.2*float64(i), side.y0})
		}
		s.Goals = append(s.Goals, Goal{ID: side.to, Segments: []Segment{{{4, side.y1}, {36, side.y1}}}, ArrivalRadius: 0.5})
		s.Groups = append(s.Groups, Group{
			ID: "from-" + side.from, Profile: "walker", Count: len(places), Spawn: Spawn{Points: places},
			Itinerary: []string{side.to}, OnArrival: ArrivalLeave,
		})
	}
	return s
}

// robots is Robots: twenty-four robots, six from each side, cross a field of
// polygons with 130 sides in all.
func robots() *Scene {
	const (
		rows  = 5
		pitch = 7.0
		rim   = 6.0
		side  = rows*pitch + 2*rim
	)
	s := blank("robots", "Twenty-four robots cross a field of polygons, six from each side", Rect{0, 0, side, side})
	for i := range rows * rows {
		draw := func(which int) float64 { return fraction(uint64(i)<<8 | uint64(which)) }
		row, column := i/rows, i%rows
		// Every row and every column has one of each.
		sides := []int{3, 4, 5, 6, 8}[(column+2*row)%rows]
		middle := mgl64.Vec2{
			rim + (float64(column)+0.42+float64(0.16*draw(0)))*pitch,
			rim + (float64(row)+0.42+float64(0.16*draw(1)))*pitch,
		}
		radius, turn := 1.7+float64(0.6*draw(2)), int(1024*draw(3))
		var outline []mgl64.Vec2
		for k := range sides {
			v := onCircle(middle, radius, turn+k*1024, sides*1024)
			outline = append(outline, mgl64.Vec2{millimetres(v[0]), millimetres(v[1])})
		}
		s.Obstacles = append(s.Obstacles, Obstacle{Outline: outline})
	}
	robot := sampler(3, 400)
	robot.ID, robot.Radius = "robot", 0.3
	s.Profiles = []Profile{robot}
	for _, edge := range []struct {
		from, to string
		along    int // the axis that the edge runs along
		at, goal float64
	}{{"west", "east", 1, 2, side - 2}, {"east", "west", 1, side - 2, 2}, {"south", "north", 0, 2, side - 2}, {"north", "south", 0, side - 2, 2}} {
		place := func(along, across float64) mgl64.Vec2 {
			if edge.along == 0 {
				return mgl64.Vec2{along, across}
			}
			return mgl64.Vec2{across, along}
		}
		var places []mgl64.Vec2
		for i := range 6 {
			places = append(places, place(rim+pitch*float64(i), edge.at))
		}
		s.Goals = append(s.Goals, Goal{ID: edge.to, Segments: []Segment{{place(rim, edge.goal), place(side-rim, edge.goal)}}, ArrivalRadius: 0.5, Clearance: robot.Radius})
		s.Groups = append(s.Groups, Group{
			ID: "from-" + edge.from, Profile: robot.ID, Count: len(places), Spawn: Spawn{Points: places},
			Itinerary: []string{edge.to}, OnArrival: ArrivalLeave,
		})
	}
	return s
}

// smallCircle is Circle: thirty-two people change places across a circle.
func smallCircle() *Scene {
	s := blank("circle", "Thirty-two people on a circle walk to their opposite points", Rect{-15, -15, 15, 15})
	s.Simulation.Timestep = 0.125
	s.Goals = []Goal{{ID: "middle", Points: []mgl64.Vec2{{0, 0}}, ArrivalRadius: 0.5}}
	s.Profiles = []Profile{sampler(2, 500)}
	s.Groups = []Group{{
		ID: "ring", Profile: "walker", Count: 32, Spawn: Spawn{Ring: &Disc{Radius: 12}}, Goal: AntipodeGoal, OnArrival: ArrivalStay,
	}}
	return s
}

// narrow is Narrow: four groups of twenty-five pass through one corridor, two
// from either side.
func narrow() *Scene {
	const (
		width, depth = 50.0, 24.0
		gap          = 4.0 // width of the corridor
	)
	s := blank("narrow", "Four groups of 25 people pass through one corridor, two from either side", Rect{0, 0, width, depth})
	s.Simulation.Timestep = 0.125
	// One of the two blocks, from the border up to the corridor.
	block := []mgl64.Vec2{{15, 0}, {35, 0}, {35, 4}, {31, 9}, {29, depth/2 - gap/2}, {21, depth/2 - gap/2}, {19, 9}, {15, 4}}
	mirrored := make([]mgl64.Vec2, len(block))
	for i, v := range block {
		mirrored[len(block)-1-i] = mgl64.Vec2{v[0], depth - v[1]}
	}
	s.Obstacles = []Obstacle{{ID: "south", Outline: block}, {ID: "north", Outline: mirrored}}
	s.Profiles = []Profile{sampler(2, 500)}
	const first, last = 2.6, 7.4 // of five places in a row
	corner := func(west, south bool) Rect {
		r := Rect{first, first, last, last}
		if !west {
			r[0], r[2] = width-last, width-first
		}
		if !south {
			r[1], r[3] = depth-last, depth-first
		}
		return r
	}
	for _, from := range []struct {
		name, to    string
		west, south bool
	}{{"south-west", "north-east", true, true}, {"south-east", "north-west", false, true}, {"north-east", "south-west", false, false}, {"north-west", "south-east", true, false}} {
		place := corner(from.west, from.south)
		s.Goals = append(s.Goals, Goal{
			ID: from.name, Points: []mgl64.Vec2{{(place[0] + place[2]) / 2, (place[1] + place[3]) / 2}}, ArrivalRadius: 2, Clearance: 0.25,
		})
		s.Groups = append(s.Groups, Group{
			ID: "from-" + from.name, Profile: "walker", Count: 25, Spawn: Spawn{Grid: &Grid{Rect: place, Spacing: 1.2}},
			Itinerary: []string{from.to}, OnArrival: ArrivalLeave,
		})
	}
	return s
}

// crosswalk is Crosswalk: four groups of a hundred, two from either side, meet on
// a walkway between two walls.
func crosswalk() *Scene {
	const (
		width, depth = 154.0, 22.0
		length       = 60.0 // of the walkway
		wall         = 5.0  // on either side of it
		from, to     = 5.0, 45.0
		space        = 0.2 // between the groups of a side, halved
	)
	s := blank("crosswalk", "Four groups of 100 people meet on a walkway, two from either side, and form lanes", Rect{0, 0, width, depth})
	s.Simulation.Timestep = 0.0625
	const x0, x1 = (width - length) / 2, (width + length) / 2
	s.Obstacles = []Obstacle{{ID: "south", Rect: &Rect{x0, 0, x1, wall}}, {ID: "north", Rect: &Rect{x0, depth - wall, x1, depth}}}
	p := sampler(10, 1000)
	p.PreferredSpeed.Std = 0.13 // people who walk together
	s.Profiles = []Profile{p}
	const y0, y1 = wall - 2, depth - wall + 2 // of the sides' lines, somewhat wider than the walkway
	s.Goals = []Goal{
		{ID: "west", Segments: []Segment{{{3, y0}, {3, y1}}}, ArrivalRadius: 0.5, Clearance: p.Radius},
		{ID: "east", Segments: []Segment{{{width - 3, y0}, {width - 3, y1}}}, ArrivalRadius: 0.5, Clearance: p.Radius},
	}
	for _, g := range []struct {
		name, to string
		place    Rect
	}{
		{"west-south", "east", Rect{from, y0, to, depth/2 - space}},
		{"west-north", "east", Rect{from, depth/2 + space, to, y1}},
		{"east-south", "west", Rect{width - to, y0, width - from, depth/2 - space}},
		{"east-north", "west", Rect{width - to, depth/2 + space, width - from, y1}},
	} {
		place := g.place
		s.Groups = append(s.Groups, Group{
			ID: g.name, Profile: p.ID, Count: 100, Spawn: Spawn{Rect: &place}, Itinerary: []string{g.to}, OnArrival: ArrivalLeave,
		})
	}
	return s
}

// evacuationOf is Evacuation with any count.
func evacuationOf(count int) *Scene {
	return evacuation("evacuation-"+sizeText(count), count, sampler(15, 250))
}

// word is what the people of writing write: 245 dots. The arrow stands below the
// letters.
var word = []string{
	"X.....X....XXX....X.....X..XXXXXXX..XXXXXX....XXXXX...X.....X..XXXXXXX",
	"X.....X...X...X...X.....X..X........X.....X..X.....X..XX....X.....X...",
	"X.....X..X.....X...X...X...X........X.....X..X.....X..X.X...X.....X...",
	"X.....X..X.....X....X.X....X........X.....X..X.....X..X.X...X.....X...",
	"X..X..X..XXXXXXX.....X.....XXXXXX...XXXXXX...X.....X..X..X..X.....X...",
	"X..X..X..X.....X.....X.....X........X..X.....X.....X..X...X.X.....X...",
	"X.X.X.X..X.....X.....X.....X........X...X....X.....X..X...X.X.....X...",
	"X.X.X.X..X.....X.....X.....X........X....X...X.....X..X....XX.....X...",
	".X...X...X.....X.....X.....X........X.....X...XXXXX...X.....X.....X...",
	"......................................................................",
	"...................................................................X..",
	"....................................................................X.",
	"XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
	"....................................................................X.",
	"...................................................................X..",
}

// writing is Stadium: people come in by four gates and write a word on the field,
// each on the way to a dot of his own.
func writing() *Scene {
	const (
		width, depth = 116.0, 80.0
		wall         = 11.0 // from the border
		thick        = 1.0
		gate         = 6.0
		dx, dy       = 1.2, 1.5 // from dot to dot
	)
	s := blank("stadium", "People come in by four gates and write a word on the field", Rect{0, 0, width, depth})
	s.Simulation.Timestep = 0.125
	s.Map.Size = 64 // there are as many maps as dots
	p := sampler(3, 500)
	s.Profiles = []Profile{p}
	middle := mgl64.Vec2{width / 2, depth / 2}
	for _, c := range []mgl64.Vec2{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		// A corner of the wall, from gate to gate: along one side, and back.
		at := func(x, y float64) mgl64.Vec2 {
			return mgl64.Vec2{middle[0] + float64(c[0]*x), middle[1] + float64(c[1]*y)}
		}
		const x, y = width/2 - wall, depth/2 - wall
		s.Obstacles = append(s.Obstacles, Obstacle{Outline: []mgl64.Vec2{
			at(gate/2, y), at(x, y), at(x, gate/2), at(x-thick, gate/2), at(x-thick, y-thick), at(gate/2, y-thick),
		}})
	}

	// Whoever walks farthest on the field stands in front of the gate.
	gates := []struct {
		name     string
		outwards mgl64.Vec2
		at       mgl64.Vec2
		dots     []mgl64.Vec2
	}{
		{name: "west", outwards: mgl64.Vec2{-1, 0}, at: mgl64.Vec2{wall, depth / 2}},
		{name: "east", outwards: mgl64.Vec2{1, 0}, at: mgl64.Vec2{width - wall, depth / 2}},
		{name: "south", outwards: mgl64.Vec2{0, -1}, at: mgl64.Vec2{width / 2, wall}},
		{name: "north", outwards: mgl64.Vec2{0, 1}, at: mgl64.Vec2{width / 2, depth - wall}},
	}
	for row, line := range word {
		for column, c := range line {
			if c != 'X' {
				continue
			}
			x, y := float64(column)-float64(len(line)-1)/2, float64(len(word)-1)/2-float64(row)
			g := &gates[3]
			switch {
			case column < len(line)/4:
				g = &gates[0]
			case column >= len(line)-len(line)/4:
				g = &gates[1]
			case y < 0:
				g = &gates[2]
			}
			g.dots = append(g.dots, mgl64.Vec2{millimetres(middle[0] + x*dx), millimetres(middle[1] + y*dy)})
		}
	}
	for _, g := range gates {
		far := func(v mgl64.Vec2) float64 { d := v.Sub(g.at); return dot(d, d) }
		slices.SortStableFunc(g.dots, func(a, b mgl64.Vec2) int { return cmp.Compare(far(b), far(a)) })
		const perRow, step = 9, 1.0
		for i, at := range g.dots {
			across := mgl64.Vec2{-g.outwards[1], g.outwards[0]}
			place := g.at.Add(g.outwards.Mul(1 + step*float64(i/perRow))).Add(across.Mul(step * (float64(i%perRow) - (perRow-1)/2.0)))
			id := fmt.Sprintf("%s-%d", g.name, i+1)
			s.Goals = append(s.Goals, Goal{ID: id, Points: []mgl64.Vec2{at}, ArrivalRadius: p.Radius})
			s.Groups = append(s.Groups, Group{
				ID: id, Profile: p.ID, Count: 1, Spawn: Spawn{Points: []mgl64.Vec2{place}}, Itinerary: []string{id}, OnArrival: ArrivalStay,
			})
		}
	}
	return s
}
