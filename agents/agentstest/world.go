package agentstest

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/reference"
)

// Decide gives each situation its new velocity, m/s.
type Decide func(situations []reference.Situation) []mgl64.Vec2

// walker is an agent of a world.
type walker struct {
	place    mgl64.Vec2
	velocity mgl64.Vec2
	goal     mgl64.Vec2
	radius   float64
}

// world is a few agents and walls, with the least of what moves them around a method: none is cut
// at a wall, and no contact is resolved.
type world struct {
	decide Decide
	params reference.Params
	agents []walker
	walls  []reference.Wall // in meters
	clock  uint32
}

const (
	timestep       = 0.125 // s
	maxSpeed       = 2     // m/s
	preferredSpeed = 1.25  // m/s
	sight          = 8     // m, how far others are seen
)

// usual are the parameters that the suite walks with.
func usual() reference.Params {
	return reference.Params{MaxAcceleration: 8, TimeHorizon: 3, Samples: 250, Aggression: 1, LoadFactor: 0.5, Variant: 2}
}

// wish is the velocity that an agent would choose alone, and what is left for it to walk.
func (p walker) wish() (preferred mgl64.Vec2, left float64) {
	way := p.goal.Sub(p.place)
	if left = way.Len(); left > 0 {
		preferred = way.Mul(min(preferredSpeed, left/timestep) / left)
	}
	return preferred, left
}

// alone is what an agent knows without neighbors.
func (w *world) alone(id int) reference.Situation {
	p := w.agents[id]
	preferred, left := p.wish()
	s := reference.Situation{
		ID: uint32(id), Step: w.clock, Velocity: p.velocity, Preferred: preferred,
		Left: left, Radius: p.radius, MaxSpeed: maxSpeed, Timestep: timestep, Params: w.params,
	}
	for _, wall := range w.walls {
		s.Walls = append(s.Walls, reference.Wall{A: wall.A.Sub(p.place), B: wall.B.Sub(p.place)})
	}
	slices.SortStableFunc(s.Walls, func(a, b reference.Wall) int { return cmp.Compare(toWall(a), toWall(b)) })
	return s
}

// situation is what an agent knows.
func (w *world) situation(id int) reference.Situation {
	p, s := w.agents[id], w.alone(id)
	for other, q := range w.agents {
		if off := q.place.Sub(p.place); other != id && off.Len() <= sight {
			n := reference.Neighbor{ID: uint32(other), Position: off, Velocity: q.velocity, Radius: q.radius, Shares: true}
			theirs := w.alone(other)
			n.Wish, n.Left = reference.Wish(theirs), theirs.Left
			s.Neighbors = append(s.Neighbors, n)
		}
	}
	slices.SortFunc(s.Neighbors, func(a, b reference.Neighbor) int {
		return cmp.Or(cmp.Compare(a.Position.LenSqr(), b.Position.LenSqr()), cmp.Compare(a.ID, b.ID))
	})
	return s
}

// step moves all agents at once.
func (w *world) step() {
	situations := make([]reference.Situation, len(w.agents))
	for i := range situations {
		situations[i] = w.situation(i)
	}
	for i, v := range w.decide(situations) {
		w.agents[i].velocity = v
		w.agents[i].place = w.agents[i].place.Add(v.Mul(timestep))
	}
	w.clock++
}

// overlap is the deepest overlap of two agents, as a share of their radii's sum; below 0 where
// none touch.
func (w *world) overlap() float64 {
	deepest := math.Inf(-1)
	for i, p := range w.agents {
		for _, q := range w.agents[:i] {
			sum := p.radius + q.radius
			deepest = max(deepest, (sum-p.place.Sub(q.place).Len())/sum)
		}
	}
	return deepest
}

// toWall is the distance of the agent from a wall given relative to it.
func toWall(w reference.Wall) float64 {
	d := w.B.Sub(w.A)
	t := 0.0
	if length := d.LenSqr(); length > 0 {
		t = min(max(-w.A.Dot(d)/length, 0), 1)
	}
	return w.A.Add(d.Mul(t)).Len()
}
