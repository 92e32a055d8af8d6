package builtin

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// The bowl of Stadium-25K: a field with straight sides and round ends, 34 rows of benches around it
// and a wall with 20 gates, all cut into 40 sectors by aisles. Distances are from the field's
// middle line. Unit: m.
const (
	bowlStraight = 5    // sectors of a straight side
	bowlRound    = 15   // sectors of a round end
	bowlWidth    = 12.0 // of a sector of a straight side
	bowlRows     = 34
	bowlFirst    = 37.0 // distance of the first row
	bowlPitch    = 0.9  // from row to row
	bowlBench    = 0.25 // how deep a bench is
	bowlAisle    = 1.6  // width of an aisle
	bowlWall     = bowlFirst + bowlRows*bowlPitch + 7
	bowlThick    = 0.6  // of the wall
	bowlGate     = 5.0  // width of a gate
	bowlSeat     = 0.48 // from seat to seat
	bowlRadius   = 0.2  // of an agent
)

// sector is a part of the bowl. Its rows run straight, at right angles to its direction outwards.
type sector struct {
	origin   mgl64.Vec2 // on the field's middle line
	outwards mgl64.Vec2 // of length 1
	half     float64    // of its width at the middle line
	cos, sin float64    // of half the angle that it opens by
}

// ends is how far a row at a distance reaches from the sector's middle, if a gap of a width is left
// between it and the next sector's.
func (s sector) ends(distance, gap float64) float64 {
	return s.half + float64(s.sin*distance) - gap/2/s.cos
}

// at is the place at a distance, so far to the left of the sector's middle. Rounded to millimeters.
func (s sector) at(distance, left float64) mgl64.Vec2 {
	out := s.cos * distance
	return place(
		s.origin[0]+float64(s.outwards[0]*out)-float64(s.outwards[1]*left),
		s.origin[1]+float64(s.outwards[1]*out)+float64(s.outwards[0]*left), millimeter)
}

// piece is a bar along a row, with gaps of such widths beside its right and its left end.
func (s sector) piece(distance, depth, right, left float64) scenes.Obstacle {
	near, far := distance, distance+depth
	return scenes.Obstacle{Outline: []mgl64.Vec2{
		s.at(near, -s.ends(near, right)), s.at(far, -s.ends(far, right)), s.at(far, s.ends(far, left)), s.at(near, s.ends(near, left)),
	}}
}

// sectors are those of the bowl, counter-clockwise.
func sectors() []sector {
	const turn = 4 * bowlRound // half sectors of a whole turn
	axis := scenes.OnCircle(mgl64.Vec2{}, 1, 1, turn)
	var all []sector
	for end := range 2 {
		side := 1 - 2*float64(end) // the right end comes first, and the far side
		for k := range bowlRound {
			all = append(all, sector{
				origin:   mgl64.Vec2{side * bowlStraight * bowlWidth / 2, 0},
				outwards: scenes.OnCircle(mgl64.Vec2{}, 1, turn*end/2+2*k+1-bowlRound, turn),
				cos:      axis[0], sin: axis[1],
			})
		}
		for k := range bowlStraight {
			all = append(all, sector{
				origin:   mgl64.Vec2{side * ((bowlStraight-1)/2.0 - float64(k)) * bowlWidth, 0},
				outwards: mgl64.Vec2{0, side},
				half:     bowlWidth / 2, cos: 1,
			})
		}
	}
	return all
}

// bowl is Stadium-25K of Guy et al. (2009), for any count: agents leave their seats and walk by the
// aisles to the gates.
func bowl(count int) *scenes.Scene {
	const width, depth = bowlStraight*bowlWidth/2 + bowlWall + 7, bowlWall + 7
	s := scenes.New(scenes.Rect{-width, -depth, width, depth})
	p := walker(scenes.AvoidanceClearPath)
	p.Radius = scenes.Exactly(bowlRadius)
	s.Profiles = []scenes.Profile{p}
	exits := scenes.Goal{ID: "gates", ArrivalRadius: bowlGate / 2, Clearance: bowlRadius}

	all := sectors()
	seats := make([][]mgl64.Vec2, len(all))
	total := 0
	for i, sector := range all {
		for row := range bowlRows {
			at := bowlFirst + float64(row)*bowlPitch
			s.Obstacles = append(s.Obstacles, sector.piece(at, bowlBench, bowlAisle, bowlAisle))
			at += (bowlPitch + bowlBench) / 2 // between this bench and the next
			n := int(2 * (sector.ends(at, bowlAisle) - bowlRadius) / bowlSeat)
			for k := range n {
				seats[i] = append(seats[i], sector.at(at, (float64(k)-float64(n-1)/2)*bowlSeat))
			}
		}
		total += len(seats[i])
		// A gate at every second aisle; elsewhere pieces of the wall overlap a little.
		const shut = -0.1
		gaps := [2]float64{bowlGate, shut}
		s.Obstacles = append(s.Obstacles, sector.piece(bowlWall, bowlThick, gaps[(i+1)%2], gaps[i%2]))
		if i%2 == 0 {
			out := bowlWall + bowlThick + 1.5
			exits.Points = append(exits.Points, sector.at(out, sector.ends(out, 0)))
		}
	}
	s.Goals = []scenes.Goal{exits}

	// The seats that stay empty are spread evenly.
	seat := 0
	for i := range all {
		var taken []mgl64.Vec2
		for _, place := range seats[i] {
			if (seat+1)*count/total > seat*count/total {
				taken = append(taken, place)
			}
			seat++
		}
		if len(taken) > 0 {
			s.Groups = append(s.Groups, scenes.Group{
				ID: fmt.Sprintf("sector-%d", i+1), Profile: p.ID, Count: len(taken), Spawn: scenes.Spawn{Points: taken},
				Itinerary: []string{exits.ID}, OnArrival: scenes.ArrivalLeave,
			})
		}
	}
	return s
}
