package scenes

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
)

// The scenes of Fischer et al., GPU Accelerated Path-planning for Multi-agents in Virtual Environments (2009).

// fischer is the source of one of them.
func fischer(number string) string { return "Fischer et al. 2009, figure " + number }

// fischerTwo is figure 2: Dapper's figure 1 with a stronger bias. (The paper's eps is -1, as equation 1 pulls against v.)
func fischerTwo() *Scene {
	return bends("fischer-2", "A person by a harmonic potential, one pulled to the east, and one by a pull that swings", 12, biased(1)...)
}

// fischerOne is the crowd of figure 1: two hundred people in streets that cross, each with a bias of his own.
func fischerOne() *Scene {
	const (
		wide  = 5.0  // a street
		block = 10.0 // a side
		side  = 3*block + 2*wide
		each  = 25
	)
	s := blank("fischer-1", "Two hundred people of four kinds walk through streets that cross", Rect{0, 0, side, side})
	s.Profiles = nil
	for _, kind := range []struct {
		name     string
		pull     mgl64.Vec2
		strength float64
		inertia  float64
	}{{"straight", mgl64.Vec2{1, 0}, 0, 0.5}, {"eastern", mgl64.Vec2{1, 0}, 0.3, 0.5}, {"northern", mgl64.Vec2{0, 1}, 0.3, 0.5}, {"steady", mgl64.Vec2{1, 0}, 0, 0.75}} {
		p := byPotential(kind.name, func(b *BVP) {
			b.Bias.Direction, b.Bias.Strength, b.Inertia, b.Guide = kind.pull, kind.strength, kind.inertia, GuideSPM
		})
		p.PreferredSpeed.Std = 0.2
		s.Profiles = append(s.Profiles, p)
	}
	for i := range 9 {
		x, y := (block+wide)*float64(i%3), (block+wide)*float64(i/3)
		s.Obstacles = append(s.Obstacles, Obstacle{Rect: &Rect{x, y, x + block, y + block}})
	}
	for street := range 2 {
		middle := block + wide/2 + (block+wide)*float64(street)
		for i, to := range []string{"east", "west", "north", "south"} {
			// Along the street from the beginning, and across it.
			along := func(far, off float64) mgl64.Vec2 {
				if i%2 == 1 {
					far = side - far
				}
				if i < 2 {
					return mgl64.Vec2{far, middle + off}
				}
				return mgl64.Vec2{middle + off, far}
			}
			id := fmt.Sprintf("%s-%d", to, street+1)
			s.Goals = append(s.Goals, Goal{ID: id, Segments: []Segment{{along(side-0.5, -wide/2+0.3), along(side-0.5, wide/2-0.3)}}, ArrivalRadius: 0.5})
			var places []mgl64.Vec2
			for k := range each {
				places = append(places, along(0.5+1.6*float64(k/4), 1.1*float64(k%4)-1.65))
			}
			s.Groups = append(s.Groups, Group{
				ID: id, Profile: s.Profiles[i].ID, Count: each, Spawn: Spawn{Points: places}, Itinerary: []string{id}, OnArrival: ArrivalLeave,
			})
		}
	}
	return s
}
