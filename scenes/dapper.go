package scenes

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
)

// The scenes of Dapper et al., Generating Steering Behaviors for Virtual Humanoids using BVP Control (2007). Where a
// figure has panels, the scene has rooms, the first panel on the left or at the bottom.

// dapper is the source of one of them.
func dapper(number string) string { return "Dapper et al. 2007, figure " + number }

// byPotential is a profile that walks by a local map, as the papers do: guided by global harmonic maps, and evading by the
// potential alone.
func byPotential(id string, change func(*BVP)) Profile {
	p := walker(AvoidanceNone)
	p.ID, p.Steering = id, SteeringBVP
	p.PreferredSpeed = Speed{Mean: 1.3}
	p.BVP.Guide = GuideHarmonic
	change(&p.BVP)
	return p
}

// alone has one person of a profile walk between two points.
func alone(s *Scene, p Profile, from, to mgl64.Vec2) {
	s.Profiles = append(s.Profiles, p)
	s.Goals = append(s.Goals, Goal{ID: p.ID, Points: []mgl64.Vec2{to}, ArrivalRadius: 0.5})
	s.Groups = append(s.Groups, Group{
		ID: p.ID, Profile: p.ID, Count: 1, Spawn: Spawn{Points: []mgl64.Vec2{from}},
		Itinerary: []string{p.ID}, OnArrival: ArrivalStay,
	})
}

// bends is a corridor with a bend for each of some profiles: eastwards, then northwards as far as the goal, 4 m wide.
func bends(name, description string, goal float64, profiles ...Profile) *Scene {
	const side, apart = 14.0, 15.0
	s := blank(name, description, Rect{0, 0, apart*float64(len(profiles)) - (apart - side), side})
	s.Profiles = nil
	for i, p := range profiles {
		x := apart * float64(i)
		s.Obstacles = append(s.Obstacles, Obstacle{Rect: &Rect{x, 4, x + 10, side}})
		if i > 0 {
			s.Obstacles = append(s.Obstacles, Obstacle{Rect: &Rect{x - (apart - side), 0, x, side}})
		}
		alone(s, p, mgl64.Vec2{x + 2, 2}, mgl64.Vec2{x + 12, goal})
	}
	return s
}

// biased are the profiles of Dapper's figure 1 and Fischer's figure 2: none, a bias of a strength to the east, and one that swings with
// v = (1, sin(0.6 t)).
func biased(strength float64) []Profile {
	return []Profile{
		byPotential("a", func(*BVP) {}),
		byPotential("b", func(b *BVP) { b.Bias = Bias{Direction: mgl64.Vec2{1, 0}, Strength: strength} }),
		byPotential("c", func(b *BVP) {
			// 0.6 radians a second.
			b.Bias = Bias{Direction: mgl64.Vec2{1, 0}, Strength: strength, Wave: Wave{Amplitude: 1, Frequency: 0.0955}}
		}),
	}
}

// dapperOne is figure 1.
func dapperOne() *Scene {
	return bends("dapper-1", "A person by a harmonic potential, one pulled to the east, and one by a pull that swings", 12, biased(0.8)...)
}

// dapperFive is figure 5: the greater the inertia the smoother the path, until the goal is missed.
func dapperFive() *Scene {
	var profiles []Profile
	for _, eta := range []float64{0, 0.25, 0.5, 0.75, 0.95, 0.99} {
		profiles = append(profiles, byPotential(fmt.Sprintf("eta-%g", eta), func(b *BVP) {
			b.Bias = Bias{Direction: mgl64.Vec2{0.7, -0.7}, Strength: 0.7}
			b.Inertia, b.SpeedControl = eta, false
		}))
	}
	s := bends("dapper-5", "Six people of growing inertia: the last one misses the goal", 8, profiles...)
	s.Simulation.Duration = 40
	return s
}

// corridors is two corridors of a width, one above the other.
func corridors(name, description string, length, width float64) *Scene {
	s := blank(name, description, Rect{0, 0, length, 2*width + 1})
	s.Obstacles = []Obstacle{{ID: "between", Rect: &Rect{0, width, length, width + 1}}}
	s.Profiles = nil
	return s
}

// dapperSix is figure 6: people stand in the way of somebody whose map is half as wide as the corridor, and as wide as it.
func dapperSix() *Scene {
	const width = 8.0
	s := corridors("dapper-6", "People stand in a corridor: a view of half its width leads through them, a full one around them", 24, width)
	for i, cells := range []int{17, 33} {
		y := (width + 1) * float64(i)
		name := []string{"small", "large"}[i]
		// All round: who forgets those whom he turns from turns back to them.
		p := byPotential(name, func(b *BVP) { b.Cells, b.ViewAngle = cells, 360 })
		alone(s, p, mgl64.Vec2{2, y + width/2 + 0.1}, mgl64.Vec2{22, y + width/2})
		var places []mgl64.Vec2
		for k := range 9 {
			column, row := k/3, k%3
			places = append(places, mgl64.Vec2{
				millimetres(10 + 1.2*float64(column) + 0.1*float64((3*column+5*row)%7)/7),
				millimetres(y + width/2 + 0.4 + 1.2*float64(row-1) + 0.2*float64((5*column+4*row)%9)/9),
			})
		}
		stand := "before-" + name
		s.Goals = append(s.Goals, Goal{ID: stand, Points: places, ArrivalRadius: 0.5})
		s.Groups = append(s.Groups, Group{
			ID: stand, Profile: name, Count: len(places), Spawn: Spawn{Points: places}, Itinerary: []string{stand}, OnArrival: ArrivalStay,
		})
	}
	return s
}

// dapperSeven is figure 7: two agents meet at constant speed, and with speed control. What is seen takes
// every cell that it touches. The cells of blue's map fit seven times between the walls, so that walls
// and an agent ahead leave a cell or two: blue turns widely, at constant speed in a circle, and there
// speed control has it stand until the way is free. The fine map of red, which sees all round, has
// six cells on each side of an agent that stands, and red walks past. Two with maps alike would both
// stop, or neither.
func dapperSeven() *Scene {
	const cell, width = 0.3, 2.1
	s := corridors("dapper-7", "Two people meet in a narrow corridor, at constant speed, and with speed control: one waits", 20, width)
	for i, control := range []bool{false, true} {
		y := millimetres((width+1)*float64(i) + width/2)
		name := []string{"constant", "controlled"}[i]
		person := func(color string, cells int, cellSize, view float64) Profile {
			return byPotential(name+"-"+color, func(b *BVP) {
				b.Guide, b.SpeedControl, b.Inertia = GuideSPM, control, 0.3
				b.Cells, b.CellSize, b.ViewAngle = cells, cellSize, view
			})
		}
		alone(s, person("red", 31, cell/3, 360), mgl64.Vec2{2, millimetres(y - 0.15)}, mgl64.Vec2{18, y})
		alone(s, person("blue", 25, cell, 120), mgl64.Vec2{18, y}, mgl64.Vec2{2, y})
	}
	return s
}

// dapperEight is figure 8: so many people who know nothing of a place search it for an object, and tell each other what they see.
func dapperEight(name string, searchers int) func() *Scene {
	return func() *Scene {
		s := blank(name, fmt.Sprintf("Explorers search an unknown building for an object: %d in all", searchers), Rect{0, 0, 24, 16})
		for _, r := range []Rect{{6, 0, 6.4, 10}, {12, 6, 12.4, 16}, {18, 0, 18.4, 6}, {16, 9.6, 24, 10}, {2, 12.6, 4, 13}} {
			s.Obstacles = append(s.Obstacles, Obstacle{Rect: &r})
		}
		s.Goals = []Goal{{ID: "object", Points: []mgl64.Vec2{{22.5, 14}}, ArrivalRadius: 0.5}}
		s.Profiles = []Profile{byPotential("searcher", func(b *BVP) {})}
		// A group each, so that they differ in colour.
		for i, from := range []mgl64.Vec2{{2, 2}, {4, 4}}[:searchers] {
			s.Groups = append(s.Groups, Group{
				ID: fmt.Sprintf("searcher-%d", i+1), Profile: "searcher", Count: 1, Itinerary: []string{"object"}, OnArrival: ArrivalStay,
				Spawn: Spawn{Points: []mgl64.Vec2{from}}, Explores: &Explores{Team: "searchers"},
			})
		}
		return s
	}
}
