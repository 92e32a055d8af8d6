package agents

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/agentstest"
	"github.com/wayfront/wayfront/agents/reference"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// velocityRounding is what float32 may do to the half planes of the suite's situations, m/s: in
// them velocities, and half meters over a step of an eighth of a second, are below 16 m/s, and up
// to 32 roundings by 2^-24 of that make a line and tell on which side of it a velocity is.
const velocityRounding = 32 * 16.0 / (1 << 24)

// onDevice runs a test with a method's stage for short lists, whose half planes and regions are
// kept, and for long ones, where they are made anew each time.
func onDevice(t *testing.T, name scenes.Avoidance, f func(t *testing.T, st *stage)) {
	m := methodOf(t, name)
	gputest.Run(t, func(d *gpu.Device) {
		for _, room := range []int{10, 100} {
			of := kernelVariant{method: m}
			h := &gpu.ResourceSet{Device: d}
			st := &stage{device: d, variant: of, kernel: newKernel(h, of, room)}
			if h.Err != nil {
				t.Fatal(h.Err)
			}
			f(t, st)
			h.Delete()
		}
	})
}

// The device's velocity is one that ORCA may choose, but for rounding: on the good side of all
// lines, if there is such a velocity, and as near to the desired one as all those are that keep
// off the lines by what rounding can do; else as little wrong as the reference's choice.
func TestORCAAgreesWithReference(t *testing.T) {
	onDevice(t, scenes.AvoidanceORCA, func(t *testing.T, st *stage) {
		situations := agentstest.Situations(6, 3000)
		same, jammed := 0, 0
		for i, got := range st.decide(t)(situations) {
			s := situations[i]
			want := reference.ORCA(s)
			if got.Sub(want).Len() < velocityRounding {
				same++
			}
			if !mayBeORCA(s, got) {
				walls, step, neighbors := s.Wrong(got)
				t.Errorf("situation %d, %+v:\n%v, wrong by %v, %v and %v; want %v", i, s, got, walls, step, neighbors, want)
			}
			if _, _, neighbors := s.Wrong(want); neighbors > 1e-3 {
				jammed++
			}
		}
		// Where two lines cross at a sharp angle rounding moves the point by more than itself.
		if same < 2900 || jammed < 100 {
			t.Errorf("%d of 3000 velocities are the reference's; %d have no way out", same, jammed)
		}
	})
}

// mayBeORCA says whether rounding may make ORCA choose a velocity: whether it is as little wrong,
// and where it is not wrong at all as near, as one that keeps off lines by what rounding can do,
// or lies over them by that.
func mayBeORCA(s reference.Situation, got mgl64.Vec2) bool {
	walls, step, neighbors := s.Wrong(got)
	for _, margin := range []float64{0, velocityRounding, -velocityRounding} {
		tight := s
		tight.Margin = margin
		want := reference.ORCA(tight)
		wantWalls, wantStep, wantNeighbors := s.Wrong(want)
		over := func(got, want float64) bool { return got > max(want, 0)+2*velocityRounding }
		switch {
		case wantWalls > 2*velocityRounding: // walls leave nothing: all are alike
			if !over(max(walls, neighbors), max(wantWalls, wantNeighbors)) {
				return true
			}
		case over(walls, 0) || over(neighbors, wantNeighbors):
		case wantNeighbors > 2*velocityRounding: // there is no way out
			if wantStep > 2*velocityRounding || !over(step, 0) {
				return true
			}
		case got.Sub(s.Desired()).Len() <= want.Sub(s.Desired()).Len()+2*velocityRounding:
			return true
		}
	}
	return false
}

// An agent that is jammed on all sides still comes no nearer to others within the step than to
// touch.
func TestJammedDoNotTouch(t *testing.T) {
	var ring []reference.Situation
	for i := range 64 {
		s := reference.Situation{
			ID: uint32(i), Preferred: mgl64.Vec2{1, 0.3}, Radius: 0.25, MaxSpeed: 2, Timestep: 0.125,
			Params: reference.Params{MaxAcceleration: 16, TimeHorizon: 4, Samples: 1, LoadFactor: 0.5, Variant: 1 + i%2},
		}
		// Six that close in, at distances that leave 2 to 130 mm.
		for k := range 6 {
			sine, cosine := math.Sincos(float64(k)*math.Pi/3 + float64(i))
			s.Neighbors = append(s.Neighbors, reference.Neighbor{
				ID: uint32(100 + k), Position: mgl64.Vec2{cosine, sine}.Mul(0.5 + 0.002*float64(i+1)), Velocity: mgl64.Vec2{-cosine, -sine}.Mul(1.2),
				Radius: 0.25, Shares: true,
			})
		}
		ring = append(ring, s)
	}
	for _, name := range []scenes.Avoidance{scenes.AvoidanceORCA, scenes.AvoidanceClearPath} {
		onDevice(t, name, func(t *testing.T, st *stage) {
			for i, got := range st.decide(t)(ring) {
				_, step, _ := ring[i].Wrong(got)
				_, least, _ := ring[i].Wrong(references[methods[st.variant.method].name](ring[i], 0))
				if step > max(0, least)+2*velocityRounding {
					t.Errorf("%s, situation %d: %v comes nearer by %v m/s than to touch, the reference by %v", name, i, got, step, least)
				}
			}
		})
	}
}
