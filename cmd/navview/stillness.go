package main

import (
	"math"

	"github.com/wayfront/wayfront/agents"
)

// stillFor is how long somebody has to have been at one place to count as stuck. Unit: s.
const stillFor = 10

// stillness remembers where everybody was in the last 10 s, at every second.
type stillness struct {
	every  int            // steps from one look to the next
	places [][][2]float32 // of the looks, the oldest first; one more than seconds
}

func newStillness(timestep float64) stillness {
	return stillness{every: max(1, int(math.Round(1/timestep)))}
}

// due reports whether a step is one to look at.
func (s *stillness) due(step int) bool { return step%s.every == 0 }

// add takes a look.
func (s *stillness) add(state []agents.Agent) {
	var now [][2]float32
	if len(s.places) > stillFor {
		now, s.places = s.places[0], s.places[1:]
	} else {
		now = make([][2]float32, len(state))
	}
	for i := range state {
		now[i] = state[i].Position
	}
	s.places = append(s.places, now)
}

// stuck reports whether an agent has not arrived, and has not been as far as its radius from where it is at any look of the
// last 10 s. Nobody is before 10 s have passed, or since then has entered.
func (s *stillness) stuck(i int, a agents.Agent, t agents.Traits) bool {
	if a.Status != agents.Walking || a.Arrivals > 0 || len(s.places) <= stillFor {
		return false
	}
	for _, places := range s.places {
		dx, dy := float64(a.Position[0]-places[i][0]), float64(a.Position[1]-places[i][1])
		if math.Hypot(dx, dy) >= float64(t.Radius) {
			return false
		}
	}
	return true
}
