package scenes

import (
	"fmt"
	"math"
)

// The office floor of both papers' evacuations, 140 m by 90 m: rooms along two
// corridors, four more between these, and two narrow exits, one at either end. Its
// walls have the 212 segments of Bleiweiss's Table 3. Unit: m.
const (
	officeWidth  = 140.0
	officeDepth  = 90.0
	officeWall   = 0.4 // thickness; walls lie half to either side of their line
	officeDoor   = 2.4
	officeExit   = 5.0
	officeRow    = 26.0 // depth of the rooms along the outer walls, and of those between
	officeAisle  = 6.0  // width of the corridors
	officeLobby  = 12.0 // depth of the lobbies at both ends
	officeMargin = 8.0  // of the ground around
)

// room is a room of the office.
type room struct {
	name string
	Rect
}

// office returns the walls of the office floor and its rooms.
func office() (walls []Obstacle, rooms []room) {
	const half = officeWall / 2
	along := func(y float64, x0, x1 float64) {
		walls = append(walls, Obstacle{Rect: &Rect{x0 - half, y - half, x1 + half, y + half}})
	}
	across := func(x float64, y0, y1 float64) {
		walls = append(walls, Obstacle{Rect: &Rect{x - half, y0 - half, x + half, y1 + half}})
	}
	// withDoors is a wall along x with a door in the middle of each room.
	withDoors := func(y float64, ends []float64) {
		from := ends[0]
		for i := range len(ends) - 1 {
			middle := (ends[i] + ends[i+1]) / 2
			along(y, from, middle-officeDoor/2)
			from = middle + officeDoor/2
		}
		along(y, from, ends[len(ends)-1])
	}
	named := func(side string, ends []float64, y0, y1 float64) {
		for i := range len(ends) - 1 {
			rooms = append(rooms, room{fmt.Sprintf("%s-%d", side, i+1), Rect{ends[i] + half, y0 + half, ends[i+1] - half, y1 - half}})
		}
	}

	along(0, 0, officeWidth)
	along(officeDepth, 0, officeWidth)
	for _, x := range []float64{0, officeWidth} {
		across(x, 0, (officeDepth-officeExit)/2)
		across(x, (officeDepth+officeExit)/2, officeDepth)
	}
	south := []float64{0, 16, 34, 54, 70, 88, 108, 124, officeWidth}
	north := []float64{0, 20, 36, 56, 74, 90, 106, 122, officeWidth}
	inner := []float64{officeLobby, 40, 72, 98, officeWidth - officeLobby}
	const (
		southWall = officeRow
		northWall = officeDepth - officeRow
	)
	withDoors(southWall, south)
	withDoors(northWall, north)
	for i := range len(south) - 2 {
		across(south[i+1], 0, southWall)
		across(north[i+1], northWall, officeDepth)
	}
	withDoors(southWall+officeAisle, inner)
	withDoors(northWall-officeAisle, inner)
	for _, x := range inner {
		across(x, southWall+officeAisle, northWall-officeAisle)
	}
	named("south", south, 0, southWall)
	named("north", north, northWall, officeDepth)
	named("inner", inner, southWall+officeAisle, northWall-officeAisle)
	return walls, rooms
}

// evacuation is a floor full of people, spread over the rooms by their area, who
// leave by the nearer of the two exits.
func evacuation(name string, count int, walks Profile) *Scene {
	const m = officeMargin
	s := blank(name, fmt.Sprintf("%s people leave an office floor by two narrow exits", thousands(count)),
		Rect{-m, -m + 3, officeWidth + m, officeDepth + m - 3})
	var rooms []room
	s.Obstacles, rooms = office()
	exits := Goal{ID: "exits", ArrivalRadius: 0.5, Clearance: walks.Radius}
	for _, x := range []float64{-m / 2, officeWidth + m/2} {
		exits.Segments = append(exits.Segments, Segment{{x, officeDepth/2 - officeExit}, {x, officeDepth/2 + officeExit}})
	}
	s.Goals = []Goal{exits}
	s.Profiles = []Profile{walks}
	area := func(r Rect) float64 { return float64((r[2] - r[0]) * (r[3] - r[1])) }
	var total, before float64
	for _, r := range rooms {
		total += area(r.Rect)
	}
	placed := 0
	for _, r := range rooms {
		before += area(r.Rect)
		upTo := int(math.Round(float64(count) * before / total))
		r := r
		s.Groups = append(s.Groups, Group{
			ID: r.name, Profile: walks.ID, Count: upTo - placed, Spawn: Spawn{Rect: &r.Rect},
			Itinerary: []string{exits.ID}, OnArrival: ArrivalLeave,
		})
		placed = upTo
	}
	return s
}

// evac is Evac-500, -1K and -5K of Guy et al., for any count.
func evac(count int) *Scene {
	return evacuation("evac-"+sizeText(count), count, walker(AvoidanceClearPath))
}
