package agents

import (
	"math"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/shaders"
)

// mover is an agent that moves.
type mover struct {
	footing
	position [2]float32
	guide    *shaders.Generator // the generator to be kept in sight, if any
	past     barriers           // the walls past which it is to be
	cut      bool               // a wall was met
	sees     bool               // is known to see the guide
}

// Integrate is one agent's state after the step that is numbered clock.
func (r *Reference) Integrate(a Agent, t Traits, g Guidance, clock uint32) Agent {
	if a.Arrivals == 0 && g.Arrivals > 0 {
		a.First = clock
	}
	if a.Status == Waiting && g.Status != Waiting {
		a.Entered = clock
	}
	velocity := g.Velocity
	if r.Params != nil && r.Params[t.Profile].Method != NoMethod {
		velocity = r.limited(velocity, a.Velocity, t.MaxSpeed, r.Params[t.Profile].MaxAcceleration)
	}
	a.Sees = 0
	a.Target, a.Layer, a.Stage, a.Status, a.Arrivals = g.Target, g.Layer, g.Stage, g.Status, g.Arrivals
	a.Pushed = [2]float32{}
	if a.Status == Placed {
		return a
	}
	a.Velocity = [2]float32{}
	if a.Status != Walking {
		return a
	}
	if g.Layer != OwnPoint && g.Target == NoTarget {
		a.Lost++
	} else {
		a.Lost = 0
	}
	if t.Control == ControlHost {
		a.Velocity = velocity
		return a
	}
	m := mover{footing: footingOf(a, r.onLattice(a.Position)), position: a.Position}
	if t.Steering == SPM && g.Layer != OwnPoint && g.Target < uint32(r.Stride) {
		m.guide = &r.Generators[int(g.Layer)*r.Stride+int(g.Target)]
		m.past = r.sight(g.Layer)
	}
	displacement := [2]float32{velocity[0] * r.Timestep, velocity[1] * r.Timestep}
	rest := displacement
	for range 2 {
		if rest == ([2]float32{}) {
			break
		}
		rest = r.advance(&m, rest)
	}
	a.Velocity = velocity
	if m.cut {
		moved := minus(m.position, a.Position)
		scale := float32(1)
		if longest, travelled := length(displacement), length(moved); travelled > longest {
			scale = longest / travelled
		}
		a.Velocity = [2]float32{moved[0] / r.Timestep * scale, moved[1] / r.Timestep * scale}
	}
	a.Position = m.position
	if m.sees {
		a.Sees = 1
	}
	a.FromX, a.FromY, a.Perturbation = m.from.X, m.from.Y, m.perturbation
	return a
}

// shortened is a vector of a length of at most most, or a little less.
func shortened(v [2]float32, most float32) [2]float32 {
	length2 := float32(v[0]*v[0]) + float32(v[1]*v[1])
	if !(length2 > float32(most*most)) {
		return v
	}
	scale := float32(float32(most/float32(math.Sqrt(float64(length2)))) * (1 - 1.0/(1<<20)))
	return [2]float32{v[0] * scale, v[1] * scale}
}

// limited is the wished velocity, as far as acceleration and then speed allow; none
// where it is not a number.
func (r *Reference) limited(wished, velocity [2]float32, maxSpeed, maxAcceleration float32) [2]float32 {
	change := shortened(minus(wished, velocity), float32(maxAcceleration*r.Timestep))
	reached := [2]float32{velocity[0] + change[0], velocity[1] + change[1]}
	if sum := float64(reached[0]) + float64(reached[1]); math.IsNaN(sum) {
		return [2]float32{}
	}
	return shortened(reached, maxSpeed)
}

func (m *mover) rest(p geom.Point, position [2]float32, perturbation int32) {
	m.footing = footing{at: p, from: m.at, perturbation: perturbation}
	m.position = position
}

// leanAt is how the mover leans once it has gone to p, 0 if it cannot.
func (r *Reference) leanAt(m *mover, p geom.Point, keepSight bool) int32 {
	ways := barriers(r.Walls).reaches(m.footing, p)
	for _, rule := range [...]rules{leftRule, rightRule} {
		perturbation := -int32(turnOf(rule))
		if ways&rule == 0 {
			continue
		}
		if !keepSight || m.guide == nil || lights(m.past, *m.guide, footing{p, m.at, perturbation}) != 0 {
			return perturbation
		}
	}
	return 0
}

// advance moves by a displacement and returns what is left of it to slide along
// the wall that was met.
func (r *Reference) advance(m *mover, displacement [2]float32) [2]float32 {
	position := r.inDomain([2]float32{m.position[0] + displacement[0], m.position[1] + displacement[1]})
	p := r.onLattice(position)
	if p == m.at {
		m.position = position
		return [2]float32{}
	}
	end := [2]float64{float64(p.X), float64(p.Y)}
	if m.guide != nil {
		// Rounding may have put p behind a wall that the way runs along, or out of sight.
		if perturbation := r.leanAt(m, p, true); perturbation != 0 {
			m.rest(p, position, perturbation)
			m.sees = true
			return [2]float32{}
		}
		if r.settleNear(m, end, p, true) || r.hop(m, p) {
			return [2]float32{}
		}
	}
	if perturbation := r.leanAt(m, p, false); perturbation != 0 {
		m.rest(p, position, perturbation)
		m.sees = false
		return [2]float32{}
	}
	if r.settleNear(m, end, p, false) {
		return [2]float32{}
	}
	m.cut = true
	share, wall := -1.0, Wall{}
	for _, rule := range [...]rules{leftRule, rightRule} {
		if !barriers(r.Walls).sameSector(m.footing, p, int32(turnOf(rule))) {
			continue
		}
		if s, w := r.shareUntilWall(m.at, p, turnOf(rule)); s > share {
			share, wall = s, w
		}
	}
	if share < 0 {
		share = 0
		var ok bool
		if wall, ok = r.touchingWall(m.at, p); !ok {
			return [2]float32{}
		}
	} else {
		end = [2]float64{
			float64(m.at.X) + float64(share*float64(p.X-m.at.X)),
			float64(m.at.Y) + float64(share*float64(p.Y-m.at.Y)),
		}
		if m.guide == nil || !r.settleNear(m, end, p, true) {
			r.settleNear(m, end, p, false)
		}
	}
	along := [2]float32{float32(wall.BX - wall.AX), float32(wall.BY - wall.AY)}
	l := length(along)
	along = [2]float32{along[0] / l, along[1] / l}
	rest := float32(1 - share)
	d := float32(displacement[0]*rest*along[0]) + float32(displacement[1]*rest*along[1])
	return [2]float32{along[0] * d, along[1] * d}
}

// shareUntilWall is how much of the way to p the first wall allows under a rule.
func (r *Reference) shareUntilWall(q, p geom.Point, turn geom.Side) (float64, Wall) {
	first, wall := 1.0, Wall{}
	for _, w := range r.Walls {
		a, b := w.ends()
		if !blocks(q, p, a, b, turn) {
			continue
		}
		before, after := float64(cross(a, b, q)), float64(cross(a, b, p))
		if share := before / (before - after); share < first {
			first, wall = share, w
		}
	}
	return first, wall
}

// touchingWall is, of the walls that touch q, the one that leads furthest in the
// direction of p, from q on.
func (r *Reference) touchingWall(q, p geom.Point) (wall Wall, ok bool) {
	best := float32(0)
	for _, w := range r.Walls {
		a, b := w.ends()
		if !onSegment(a, b, q) {
			continue
		}
		for _, end := range [...]geom.Point{a, b} {
			if end == q {
				continue
			}
			d := [2]float32{float32(end.X - q.X), float32(end.Y - q.Y)}
			l := length(d)
			along := float32(float32(p.X-q.X)*(d[0]/l)) + float32(float32(p.Y-q.Y)*(d[1]/l))
			if along > best {
				best, wall, ok = along, Wall{q.X, q.Y, end.X, end.Y}, true
			}
		}
	}
	return wall, ok
}

// settleNear goes to the lattice point nearest to end, of the nine around it,
// that the mover reaches and that lies ahead.
func (r *Reference) settleNear(m *mover, end [2]float64, ahead geom.Point, keepSight bool) bool {
	middle := geom.Point{X: int32(math.Floor(end[0] + 0.5)), Y: int32(math.Floor(end[1] + 0.5))}
	nearest, best, perturbation := 16.0, m.at, int32(0)
	for k := range int32(9) {
		p := geom.Point{X: middle.X + k%3 - 1, Y: middle.Y + k/3 - 1}
		dx, dy := float64(p.X)-end[0], float64(p.Y)-end[1]
		d := float64(dx*dx) + float64(dy*dy)
		if d >= nearest || !r.Lattice.Holds(p) || dot(m.at, p, ahead) <= 0 {
			continue
		}
		if l := r.leanAt(m, p, keepSight); l != 0 {
			nearest, best, perturbation = d, p, l
		}
	}
	if perturbation == 0 {
		return false
	}
	m.rest(best, r.Lattice.Local(best), perturbation)
	m.sees = keepSight && m.guide != nil
	return true
}

// hop goes further on, on the way to the guide, to the first lattice point that
// sees it, or else to the guide's own place: a crack may have no lattice point in
// it for long. An agent that is off that way does not hop.
func (r *Reference) hop(m *mover, ahead geom.Point) bool {
	goal := geom.Point{X: m.guide.X, Y: m.guide.Y}
	if m.guide.Kind == uint32(geom.SectorLightField) {
		foot := footOn(beamOf(*m.guide).A, beamOf(*m.guide).B, m.at)
		goal = geom.Point{X: int32(math.Floor(foot[0] + 0.5)), Y: int32(math.Floor(foot[1] + 0.5))}
	}
	dx, dy := float64(goal.X-m.at.X), float64(goal.Y-m.at.Y)
	distance := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	if math.Abs(float64(cross(m.at, goal, ahead))) > 2*distance {
		return false
	}
	to := func(p geom.Point, keepSight bool) bool {
		if !r.Lattice.Holds(p) || dot(m.at, p, ahead) <= 0 {
			return false
		}
		perturbation := r.leanAt(m, p, keepSight)
		if perturbation != 0 {
			m.rest(p, r.Lattice.Local(p), perturbation)
			m.sees = keepSight
		}
		return perturbation != 0
	}
	for step := 1.0; step <= hop && step < distance; step++ {
		scale := step / distance
		if to(geom.Point{
			X: int32(math.Floor(float64(m.at.X) + float64(dx*scale) + 0.5)),
			Y: int32(math.Floor(float64(m.at.Y) + float64(dy*scale) + 0.5)),
		}, true) {
			return true
		}
	}
	return distance <= hop && to(goal, false)
}
