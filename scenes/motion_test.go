package scenes

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

func TestMotionAt(t *testing.T) {
	path := []mgl64.Vec2{{1, 0}, {4, 0}, {4, 0}, {4, 4}} // 7 m, 3.5 s
	for _, c := range []struct {
		loop Loop
		at   float64
		want mgl64.Vec2
	}{
		{LoopOnce, 0, mgl64.Vec2{1, 0}},
		{LoopOnce, 1, mgl64.Vec2{3, 0}},
		{LoopOnce, 1.5, mgl64.Vec2{4, 0}},
		{LoopOnce, 2.5, mgl64.Vec2{4, 2}},
		{LoopOnce, 3.5, mgl64.Vec2{4, 4}},
		{LoopOnce, 1e6, mgl64.Vec2{4, 4}},
		{LoopCycle, 2.5, mgl64.Vec2{4, 2}},
		{LoopCycle, 3.5, mgl64.Vec2{1, 0}},
		{LoopCycle, 35, mgl64.Vec2{1, 0}},
		{LoopCycle, 36, mgl64.Vec2{3, 0}},
		{LoopPingpong, 3.5, mgl64.Vec2{4, 4}},
		{LoopPingpong, 4.5, mgl64.Vec2{4, 2}},
		{LoopPingpong, 7, mgl64.Vec2{1, 0}},
		{LoopPingpong, 71, mgl64.Vec2{3, 0}},
	} {
		o := Obstacle{Rect: &Rect{0, 0, 1, 1}, Motion: &Motion{Path: path, Speed: 2, Loop: c.loop}}
		// All numbers are small multiples of a half: nothing is rounded but in quotients.
		if got := o.At(c.at); got.Turn != 0 || got.Offset.Sub(c.want).Len() > 1e-14 {
			t.Errorf("%s at %v s: %v, want %v", c.loop, c.at, got, c.want)
		}
		if got := o.PolygonAt(c.at).Outer[2]; got.Sub(c.want.Add(mgl64.Vec2{1, 1})).Len() > 1e-14 {
			t.Errorf("%s at %v s: a vertex is at %v", c.loop, c.at, got)
		}
	}
}

// TestCyclesEndWithTheirTick checks that a path of 1 m at 0.1 m a tick ends with every tenth tick,
// not a rounding later.
func TestCyclesEndWithTheirTick(t *testing.T) {
	o := Obstacle{Motion: &Motion{Path: []mgl64.Vec2{{0, 0}, {0.3, 0}, {1, 0}}, Speed: 1, Loop: LoopCycle}}
	for tick := range 10000 {
		got := o.At(float64(tick) * 0.1).Offset[0]
		if want := float64(tick%10) / 10; math.Abs(got-want) > 1e-9 {
			t.Fatalf("at tick %d it is at %v, want %v", tick, got, want)
		}
	}
}

// TestTransform: a turn about the origin by a quarter, then a shift.
func TestTransform(t *testing.T) {
	quarter := Transform{Turn: math.Pi / 2, Offset: mgl64.Vec2{10, 20}}
	p := geom.Polygon{Outer: geom.Ring{{1, 0}, {3, 0}, {3, 2}}, Holes: []geom.Ring{{{2, 0.5}, {2.5, 0.5}, {2.5, 1}}}}
	got := quarter.Polygon(p)
	want := geom.Polygon{Outer: geom.Ring{{10, 21}, {10, 23}, {8, 23}}, Holes: []geom.Ring{{{9.5, 22}, {9.5, 22.5}, {9, 22.5}}}}
	for i, ring := range got.Rings() {
		for k, v := range ring {
			// A sine is rounded to 2^-40.
			if v.Sub(want.Rings()[i][k]).Len() > 1e-11 {
				t.Errorf("vertex %d of ring %d is at %v, want %v", k, i, v, want.Rings()[i][k])
			}
		}
	}
	if p.Outer[0] != (mgl64.Vec2{1, 0}) {
		t.Error("the polygon was changed")
	}
	if at := (Transform{}).Point(mgl64.Vec2{0.1, -7}); at != (mgl64.Vec2{0.1, -7}) {
		t.Errorf("the zero transform moves a point to %v", at)
	}
}

// TestVelocities: points move with their obstacle, but not while it rests or leaps.
func TestVelocities(t *testing.T) {
	cycle := Obstacle{Motion: &Motion{Path: []mgl64.Vec2{{0, 0}, {4, 0}}, Speed: 2, Loop: LoopCycle}}
	if v := cycle.Velocities(0.5, 0.25); v == nil || v(mgl64.Vec2{7, 8}).Sub(mgl64.Vec2{2, 0}).Len() > 1e-14 {
		t.Error("on its path it has to have its speed")
	}
	if cycle.Velocities(1.9, 0.25) != nil {
		t.Error("it has a velocity while it leaps back to the beginning of its path")
	}
	once := Obstacle{Motion: &Motion{Path: cycle.Motion.Path, Speed: 2, Loop: LoopOnce}}
	if v := once.Velocities(1.75, 0.5); v == nil || v(mgl64.Vec2{}).Sub(mgl64.Vec2{1, 0}).Len() > 1e-14 {
		t.Error("in the step in which it stops it has to have the mean of its velocities")
	}
	if once.Velocities(3, 0.5) != nil {
		t.Error("it has a velocity at the end of its path")
	}
}

// TestVelocitiesOfTurns: what turns about a center has velocities across the direction from there,
// as far as a step is short.
func TestVelocitiesOfTurns(t *testing.T) {
	const speed, step = 0.5, 1e-4 // rad/s, s
	center, still := mgl64.Vec2{3, -2}, mgl64.Vec2{10, 7}
	about := func(angle float64) Transform { // center comes to still
		sin, cos := math.Sincos(angle)
		turned := mgl64.Vec2{center[0]*cos - center[1]*sin, center[0]*sin + center[1]*cos}
		return Transform{Turn: angle, Offset: still.Sub(turned)}
	}
	velocity := about(2).velocities(about(2+speed*step), step)
	for _, d := range []mgl64.Vec2{{}, {4, 0}, {-1, 3}} {
		want := mgl64.Vec2{-d[1], d[0]}.Mul(speed)
		// Of second order in the step, and 2^-40 of sines over the step.
		if got := velocity(still.Add(d)); got.Sub(want).Len() > 1e-4 {
			t.Errorf("%v off the center: %v, want %v", d, got, want)
		}
	}
}
