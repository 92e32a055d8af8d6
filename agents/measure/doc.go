// Package measure measures what a crowd does as a whole: lanes, an arch before a door or a swirl,
// how speed falls with density, and how many pass a door. It takes frames of places and velocities,
// of a simulation or of a film, and knows nothing of how agents are moved.
//
// Measures of order have a value for perfect order and one for none, so that runs, methods and
// papers can be compared:
//
//   - Lanes     1: all beside an agent walk its direction; 0: as if directions were dealt at random
//   - ArchAt    shape 1: a half disc before the door; 0: a queue
//   - Swirl     1 or -1: all turn the same way round the middle; 0: none
//   - Squares   density and speed, place by place; beside Weidmann's curve
//   - Voronoi   density and speed by the ground that is nearest to each agent
//   - Door      crossings and the flow, agents a second
//   - Track     how far an agent walks, turns, turns back and stands
//
// A Study says which of them to take where, and a Meter takes them frame by frame: per group, exit,
// gate and area.
//
// Units: m, s, m/s, agents/m2.
package measure

import "github.com/go-gl/mathgl/mgl64"

// Frame is a crowd at a time.
type Frame struct {
	Time    float64 // s
	Walkers []Walker
}

// Walker is an agent that is there.
type Walker struct {
	ID       int // the same in all frames
	At       mgl64.Vec2
	Velocity mgl64.Vec2
	Group    int // its index
}

// cross is the component of a x b out of the plane.
func cross(a, b mgl64.Vec2) float64 { return a[0]*b[1] - a[1]*b[0] }
