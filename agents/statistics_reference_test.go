package agents

import (
	"math"

	"github.com/wayfront/wayfront/engine/geom"
)

// Sums are a Tally in the making.
type Sums struct {
	Contacts, WallContacts, Travel, Arrived   uint64
	Penetration, WallPenetration, SpeedExcess float32
	First, Last                               uint32 // steps
	Stuck, Crowded                            int    // of the newest step
}

// Measure adds what the step that is numbered clock has led to, as agents are after it. It
// asks each pair and each wall. rests are kept up.
func (r *Reference) Measure(s *Sums, agents []Agent, traits []Traits, rests []Rest, clock uint32) {
	s.Stuck = 0
	for i, a := range agents {
		t := traits[i]
		if a.Arrivals > 0 && a.First == clock {
			if s.Arrived == 0 {
				s.First = clock
			}
			s.Arrived++
			s.Last = clock
			s.Travel += uint64(a.First - a.Entered)
		}
		if !There(a.Status) {
			continue
		}
		for j := range i {
			b := agents[j]
			sum := t.Radius + traits[j].Radius
			squared := squaredLength(minus(a.Position, b.Position))
			if !There(b.Status) || !(squared < float32(sum*sum)) {
				continue
			}
			if overlapsDeeply(squared, sum) {
				s.Contacts++
			}
			s.Penetration = max(s.Penetration, 1-float32(math.Sqrt(float64(squared/float32(sum*sum)))))
		}
		at := r.onLattice(a.Position)
		moved := engineMoves(a, t)
		if moved && r.touchesWall(a.Position, t.Radius) {
			s.WallContacts++
		}
		outside := length(minus(a.Position, r.inDomain(a.Position)))
		if moved {
			s.WallPenetration = max(s.WallPenetration, outside)
		}
		if ws := barriers(r.Walls); moved && len(ws) > 0 && !ws.free(at) {
			free, _ := ws.nearestFree(r.Lattice, at, func(geom.Point) bool { return true })
			s.WallPenetration = max(s.WallPenetration, float32(math.Hypot(float64(free.X-at.X), float64(free.Y-at.Y))*r.Lattice.Step))
		}
		if v := length(a.Velocity); moved && v > float32(t.MaxSpeed*(1+1.0/(1<<20))) {
			s.SpeedExcess = max(s.SpeedExcess, v-t.MaxSpeed)
		}
		rest := &rests[i]
		far := squaredLength(minus(a.Position, [2]float32{rest.X, rest.Y}))
		if a.Entered == clock || far > 0 && far >= float32(t.Radius*t.Radius) {
			*rest = Rest{a.Position[0], a.Position[1], clock}
		}
		if a.Status == Walking && a.Arrivals == 0 && clock-rest.Since >= EntryStep(stuckTime, float64(r.Timestep)) {
			s.Stuck++
		}
	}
}

// touchesWall reports whether a wall is nearer to an agent's lattice point than 99% of its
// radius.
func (r *Reference) touchesWall(position [2]float32, radius float32) bool {
	at := r.onLattice(position)
	limit := float64(0.99 * float64(radius))
	square, unit := float64(limit*limit), float64(r.Lattice.Step*r.Lattice.Step)
	squared := func(x, y float64) float64 { return float64(x*x) + float64(y*y) }
	for _, w := range r.Walls {
		a, b := w.ends()
		ahead, length2 := float64(dot(a, b, at)), squared(float64(b.X-a.X), float64(b.Y-a.Y))
		across := float64(cross(a, b, at))
		off, least := squared(float64(at.X-a.X), float64(at.Y-a.Y)), square
		switch {
		case ahead >= length2:
			off = squared(float64(at.X-b.X), float64(at.Y-b.Y))
		case ahead > 0:
			off, least = float64(across*across), float64(square*length2)
		}
		if float64(off*unit) < least {
			return true
		}
	}
	return false
}
