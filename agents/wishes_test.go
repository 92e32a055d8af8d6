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

// wishful is a method whose velocity is what the agent wishes for.
const wishful = `#version 450 core
#include "agents/avoid.glsl"

vec2 avoid(Self self) {
    return self.wish;
}
`

// Methods get the wish that the reference computes, and walls change that of many agents.
func TestWishes(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		h := &gpu.ResourceSet{Device: d}
		spec := specOfStage[avoidInput]("wishful", nil)
		spec.Files = fstest.MapFS{"agents/wishful.comp.glsl": &fstest.MapFile{Data: []byte(wishful)}}
		wishes, p := gpu.Compile(h, wishesPass()), gpu.Compile(h, spec)
		if h.Err != nil {
			t.Fatal(h.Err)
		}
		situations := agentstest.Situations(8, 2000)
		changed := 0
		for i, got := range (&stage{device: d, variant: kernelVariant{method: 1}, wishes: wishes, kernel: kernel{avoid: p}}).decide(t)(situations) {
			want := reference.Wish(situations[i])
			if want != situations[i].Preferred {
				changed++
			}
			// Of at most three walls, each up to 3 m away, which is 13 m/s in the 0.22 s that
			// stopping takes at least, a sum of fewer than 30 roundings to 2^-24.
			if off := got.Sub(want).Len(); !(off <= math.Ldexp(3*13*30, -24)) {
				t.Errorf("situation %d, %+v: %v, want %v", i, situations[i], got, want)
			}
		}
		if changed < 200 {
			t.Errorf("walls change the wishes of %d agents of 2000", changed)
		}
	})
}

// Two agents that prefer to walk into the walls beside a gap wish to come nearer to each other.
func TestWishAlongJambs(t *testing.T) {
	for _, side := range []float64{-1, 1} {
		s := reference.Situation{
			Preferred: mgl64.Vec2{1.3, 0}, Radius: 0.25, MaxSpeed: 2, Timestep: 0.1, Params: reference.Params{MaxAcceleration: 5, TimeHorizon: 4},
			Walls: []reference.Wall{{A: mgl64.Vec2{0.2, 0.15 * side}, B: mgl64.Vec2{0.2, 5 * side}}},
		}
		if side < 0 {
			s.Walls[0].A, s.Walls[0].B = s.Walls[0].B, s.Walls[0].A
		}
		// The wall is 0.25 m away in the direction (4, 3)/5: only what is square to that is left.
		want := mgl64.Vec2{1.3 * 0.36, -1.3 * 0.48 * side}
		if got := reference.Wish(s); got.Sub(want).Len() > 1e-12 {
			t.Errorf("beside a wall on side %v: %v, want %v", side, got, want)
		}
	}
}
