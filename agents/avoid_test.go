package agents

import (
	"math"
	"testing"
	"testing/fstest"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/agentstest"
	"github.com/wayfront/wayfront/agents/reference"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// echo is a method with a velocity that depends on every input of methods.
const echo = `#version 450 core
#include "agents/avoid.glsl"
vec2 avoid(Self self) {
    vec2 sum = self.preferred + 11.0 * self.wish + 2.0 * self.velocity + vec2(self.radius + self.left, self.maxSpeed) + self.timestep * vec2(self.step, self.id);
    AvoidanceParams m = self.params;
    sum += vec2(m.timeHorizon + m.maxAcceleration, m.own0 + m.own1 + m.own2);
    for (uint i = 0u; i < neighborCount(); i++) {
        Neighbor n = neighborAt(i);
        Claim claim = claimOf(n);
        sum += float(i + 1u) * (n.position + 3.0 * n.velocity + 7.0 * claim.wish + vec2(claim.left)) + vec2(n.radius, n.id) * (n.shares ? 1.0 : 2.0);
    }
    for (uint i = 0u; i < wallCount(); i++) {
        Wall w = wallAt(i);
        sum += float(i + 1u) * (w.a - 3.0 * w.b + 5.0 * w.velocity);
    }
    return sum + 1000.0 * randomPair(self, 7u);
}
`

// echoOf is what echo computes.
func echoOf(s reference.Situation, seed uint64) mgl64.Vec2 {
	sum := s.Preferred.Add(reference.Wish(s).Mul(11)).Add(s.Velocity.Mul(2)).Add(mgl64.Vec2{s.Radius + s.Left, s.MaxSpeed}).Add(mgl64.Vec2{float64(s.Step), float64(s.ID)}.Mul(s.Timestep))
	m := s.Params
	sum = sum.Add(mgl64.Vec2{m.TimeHorizon + m.MaxAcceleration, m.Aggression + m.LoadFactor + float64(m.Samples)})
	for i, n := range s.Neighbors {
		weight := 2.0
		if n.Shares {
			weight = 1
		}
		sum = sum.Add(n.Position.Add(n.Velocity.Mul(3)).Add(n.Wish.Mul(7)).Add(mgl64.Vec2{n.Left, n.Left}).Mul(float64(i + 1))).Add(mgl64.Vec2{n.Radius, float64(n.ID)}.Mul(weight))
	}
	for i, w := range s.Walls {
		sum = sum.Add(w.A.Sub(w.B.Mul(3)).Add(w.Velocity.Mul(5)).Mul(float64(i + 1)))
	}
	u := randomPair(seed, s.ID, s.Step, 7)
	return sum.Add(mgl64.Vec2{u[0], u[1]}.Mul(1000))
}

// A method is given all that its situation says, in the order that it says it.
func TestFrame(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		spec := specOfStage[avoidInput]("echo", nil)
		spec.Files = fstest.MapFS{"agents/echo.comp.glsl": &fstest.MapFile{Data: []byte(echo)}}
		p, err := gpu.NewPass(d, spec)
		if err != nil {
			t.Fatal(err)
		}
		const seed = 5 + 9<<32
		decide := (&stage{device: d, variant: kernelVariant{method: rvoMethod}, kernel: kernel{avoid: p}, seed: seed}).decide(t)
		situations := agentstest.Situations(1, 300)
		for i := range situations {
			situations[i].Step = uint32(i / 100)
		}
		for i, got := range decide(situations) {
			// Sums of fewer than 100 numbers, which stay below 2^17, each rounded to 2^-24 of it.
			if want := echoOf(situations[i], seed); got.Sub(want).Len() > math.Ldexp(100, 17-24) {
				t.Errorf("situation %d: %v, want %v", i, got, want)
			}
		}
	})
}
