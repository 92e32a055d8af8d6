package agentstest

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/reference"
)

// Situations are random ones among others and walls, in which some overlap. All agents and their
// neighbors have ids of their own. All numbers are such as the device can have; see exactly.
func Situations(seed uint64, count int) []reference.Situation {
	r := rand.New(rand.NewPCG(seed, 17))
	all := make([]reference.Situation, count)
	for i := range all {
		all[i] = exactly(situation(r, i))
	}
	return all
}

// vector is a random one from a disc.
func vector(r *rand.Rand, most float64) mgl64.Vec2 {
	sine, cosine := math.Sincos(2 * math.Pi * r.Float64())
	length := most * math.Sqrt(r.Float64())
	return mgl64.Vec2{length * cosine, length * sine}
}

// situation is the index-th one. Some agents and some of their neighbors are held up, and have
// as much left to walk.
func situation(r *rand.Rand, index int) reference.Situation {
	first := uint32(16 * index)
	s := reference.Situation{
		ID: first + 5, Left: float64(r.IntN(3)), Velocity: vector(r, 1.5), Preferred: vector(r, 1.8), Radius: 0.1 + 0.3*r.Float64(), MaxSpeed: maxSpeed, Timestep: timestep,
		Params: reference.Params{
			MaxAcceleration: 2 + 20*r.Float64(), TimeHorizon: 0.5 + 4*r.Float64(), Samples: 60,
			Aggression: 1, LoadFactor: 0.25 + 0.5*r.Float64(), Variant: 1 + r.IntN(2),
		},
	}
	for i := range r.IntN(11) {
		n := reference.Neighbor{ID: first + uint32(i), Position: vector(r, 4), Velocity: vector(r, 1.5), Wish: vector(r, 1.8), Left: float64(r.IntN(3)), Radius: 0.1 + 0.3*r.Float64(), Shares: r.IntN(4) > 0}
		if i >= 5 {
			n.ID++ // 5 is the agent's own
		}
		if apart := n.Position.Len() > n.Radius+s.Radius; apart || r.IntN(3) == 0 {
			s.Neighbors = append(s.Neighbors, n)
		}
	}
	if r.IntN(3) == 0 { // all stand close, or nearly stand, and hold each other up
		s.Velocity = s.Velocity.Mul(0.1)
		for i := range s.Neighbors {
			n := &s.Neighbors[i]
			n.Velocity = n.Velocity.Mul(0.1)
			if n.Position.Len() > s.Radius+n.Radius {
				n.Position = n.Position.Normalize().Mul(s.Radius + n.Radius + 0.25*n.Position.Len())
			}
		}
	}
	for i := range r.IntN(4) {
		w := reference.Wall{A: vector(r, 3), B: vector(r, 3)}
		if r.IntN(4) == 0 {
			w.Velocity = vector(r, 2)
			if i > 0 && r.IntN(2) == 0 {
				w.Velocity = s.Walls[i-1].Velocity
			}
		}
		s.Walls = append(s.Walls, w)
	}
	return s
}

// degenerate adds what is hard to a situation: others on the same spot or touching, no radii,
// walls through the agent or without length, velocities far too high or none.
func degenerate(r *rand.Rand, s *reference.Situation) {
	switch r.IntN(4) {
	case 0:
		s.Velocity = s.Velocity.Mul(20)
	case 1:
		s.Velocity = mgl64.Vec2{}
	case 2:
		s.Preferred = mgl64.Vec2{}
	}
	if r.IntN(2) == 0 {
		s.Radius = 0
	}
	for i := range s.Neighbors {
		n := &s.Neighbors[i]
		switch r.IntN(6) {
		case 0:
			n.Position = mgl64.Vec2{}
		case 1:
			n.Position = mgl64.Vec2{s.Radius + n.Radius, 0}
		case 2:
			n.Radius = 0
		case 3:
			n.Velocity = s.Velocity
		case 4:
			n.Position = n.Position.Mul(1e-6)
		}
	}
	for i := range s.Walls {
		w := &s.Walls[i]
		switch r.IntN(4) {
		case 0:
			w.B = w.A.Mul(-1) // through the agent
		case 1:
			w.A = mgl64.Vec2{}
		case 2:
			w.B = w.A.Mul(2) // on a line with it
		}
	}
}

// WallGrain is what coordinates of walls are rounded to. Units: m.
const WallGrain = 1.0 / (1 << 12)

// exactly rounds a situation to what the device can have: all numbers to float32, walls to
// WallGrain; and sorts its lists, the nearest first.
func exactly(s reference.Situation) reference.Situation {
	single := func(x *float64) { *x = float64(float32(*x)) }
	vector := func(v *mgl64.Vec2) { single(&v[0]); single(&v[1]) }
	grain := func(v *mgl64.Vec2) {
		for k := range v {
			v[k] = math.Round(v[k]/WallGrain) * WallGrain
		}
	}
	vector(&s.Velocity)
	vector(&s.Preferred)
	m := &s.Params
	for _, x := range []*float64{&s.Radius, &s.MaxSpeed, &s.Timestep, &m.MaxAcceleration, &m.TimeHorizon, &m.Aggression, &m.LoadFactor} {
		single(x)
	}
	s.Neighbors = slices.Clone(s.Neighbors)
	for i := range s.Neighbors {
		n := &s.Neighbors[i]
		vector(&n.Position)
		vector(&n.Velocity)
		vector(&n.Wish)
		single(&n.Radius)
	}
	slices.SortFunc(s.Neighbors, func(a, b reference.Neighbor) int {
		return cmp.Or(cmp.Compare(a.Position.LenSqr(), b.Position.LenSqr()), cmp.Compare(a.ID, b.ID))
	})
	s.Walls = slices.Clone(s.Walls)
	for i := range s.Walls {
		grain(&s.Walls[i].A)
		grain(&s.Walls[i].B)
		vector(&s.Walls[i].Velocity)
		s.Walls[i].Grain = WallGrain
	}
	slices.SortStableFunc(s.Walls, func(a, b reference.Wall) int { return cmp.Compare(toWall(a), toWall(b)) })
	return s
}
