package scenes

import (
	"math"
	"math/rand/v2"
	"slices"
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

// TestKeyframes: a door that slides and waits, one that turns about its hinge and back, one that
// goes round, and a ferry, against where a drawing has a vertex of theirs.
func TestKeyframes(t *testing.T) {
	slides := Motion{Keyframes: []Keyframe{{Time: 2}, {4, mgl64.Vec2{1, 0}, 0}, {7, mgl64.Vec2{1, 0}, 0}, {9, mgl64.Vec2{}, 0}}, Loop: LoopCycle}
	opens := Motion{Keyframes: []Keyframe{{}, {Time: 1}, {3, mgl64.Vec2{}, 90}, {4, mgl64.Vec2{}, 90}}, Pivot: &mgl64.Vec2{10, 20}, Loop: LoopPingpong}
	revolves := Motion{Keyframes: []Keyframe{{}, {12, mgl64.Vec2{}, -360}}, Loop: LoopCycle}
	ferry := Motion{Keyframes: []Keyframe{{}, {2, mgl64.Vec2{4, 0}, 0}, {3, mgl64.Vec2{4, 0}, 180}, {5, mgl64.Vec2{0, 0}, 180}}, Loop: LoopOnce}
	for _, c := range []struct {
		motion Motion
		at     float64
		want   mgl64.Vec2 // of the vertex at [14, 20] of the rectangle
	}{
		{slides, 0, mgl64.Vec2{14, 20}},
		{slides, 2, mgl64.Vec2{14, 20}},
		{slides, 3, mgl64.Vec2{14.5, 20}},
		{slides, 4, mgl64.Vec2{15, 20}},
		{slides, 7, mgl64.Vec2{15, 20}},
		{slides, 8.5, mgl64.Vec2{14.25, 20}},
		{slides, 10, mgl64.Vec2{14, 20}},
		{slides, 9*7 + 3, mgl64.Vec2{14.5, 20}},
		{opens, 1, mgl64.Vec2{14, 20}},
		{opens, 2, mgl64.Vec2{10 + 2*math.Sqrt2, 20 + 2*math.Sqrt2}},
		{opens, 3.5, mgl64.Vec2{10, 24}},
		{opens, 4.5, mgl64.Vec2{10, 24}},
		{opens, 8, mgl64.Vec2{14, 20}},
		{revolves, 3, mgl64.Vec2{10.5, 19.5}}, // about [12, 21.5]
		{revolves, 6, mgl64.Vec2{10, 23}},
		{revolves, 12, mgl64.Vec2{14, 20}},
		{revolves, 27, mgl64.Vec2{10.5, 19.5}},
		{ferry, 1, mgl64.Vec2{16, 20}},
		{ferry, 3, mgl64.Vec2{14, 23}},
		{ferry, 5, mgl64.Vec2{10, 23}},
		{ferry, 1e9, mgl64.Vec2{10, 23}},
	} {
		o := Obstacle{Rect: &Rect{10, 20, 14, 23}, Motion: &c.motion}
		if got := o.PolygonAt(c.at).Outer[1]; got.Sub(c.want).Len() > 1e-10 {
			t.Errorf("%s at %v s: the vertex is at %v, want %v", c.motion.Loop, c.at, got, c.want)
		}
	}
}

// TestMotionsAreSmooth: whatever moves between keyframes has, at any time, the velocities that its
// points have until a step later, but where it leaps; and while it waits it has none.
func TestMotionsAreSmooth(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 2))
	moved, waits, leaps := 0, 0, 0
	for range 2000 {
		m := Motion{Loop: []Loop{LoopOnce, LoopCycle, LoopPingpong}[r.IntN(3)]}
		if r.IntN(2) > 0 {
			m.Pivot = &mgl64.Vec2{100 * r.Float64(), 100 * r.Float64()}
		}
		time := float64(r.IntN(2))
		for range 2 + r.IntN(4) {
			f := Keyframe{Time: time, Offset: mgl64.Vec2{r.Float64() * 9, r.Float64() * 9}, Angle: float64(90 * r.IntN(9))}
			m.Keyframes = append(m.Keyframes, f)
			if time += 0.5 + r.Float64(); r.IntN(2) > 0 {
				f.Time = time
				m.Keyframes, time = append(m.Keyframes, f), time+0.5+r.Float64()
			}
		}
		o := Obstacle{Rect: &Rect{1, 2, 4, 3}, Motion: &m}
		const step = 0.1
		start := r.Float64() * 20
		velocities := o.Velocities(start, step)
		from, to := o.PolygonAt(start).Outer, o.PolygonAt(start+step).Outer
		last := m.Keyframes[len(m.Keyframes)-1]
		switch leapt := m.Loop == LoopCycle && math.Floor(start/last.Time) != math.Floor((start+step)/last.Time); {
		case leapt:
			leaps++
			if velocities != nil && last.Angle != m.Keyframes[0].Angle {
				t.Fatalf("%+v has a velocity at %v s, when it leaps", m, start)
			}
		case velocities == nil:
			waits++
			if !slices.Equal(from, to) {
				t.Fatalf("%+v has no velocity at %v s", m, start)
			}
		default:
			moved++
			for k, p := range from {
				// Sines are rounded to 2^-40, times 100 m, over a step.
				if want := to[k].Sub(p).Mul(1 / step); velocities(p).Sub(want).Len() > 1e-8 {
					t.Fatalf("%+v at %v s: vertex %d has the velocity %v, want %v", m, start, k, velocities(p), want)
				}
				if got := o.Displacements(start+step, step)(to[k]); to[k].Sub(p).Sub(got).Len() > 1e-9 {
					t.Fatalf("%+v at %v s: vertex %d has moved by %v, want %v", m, start+step, k, got, to[k].Sub(p))
				}
			}
		}
	}
	if moved < 500 || waits < 100 || leaps < 10 {
		t.Errorf("%d move, %d wait and %d leap: that is no test", moved, waits, leaps)
	}
}

// TestKeyframesComeWithTheirTick: a door that waits from 3 to 5 s of every 7 s does so with the
// ticks that mean these times, however many have run.
func TestKeyframesComeWithTheirTick(t *testing.T) {
	o := Obstacle{Rect: &Rect{0, 0, 1, 1}, Motion: &Motion{Keyframes: []Keyframe{{}, {3, mgl64.Vec2{1, 0}, 90}, {5, mgl64.Vec2{1, 0}, 90}, {Time: 7}}, Loop: LoopCycle}}
	for tick := range 100000 {
		time := float64(tick) * 0.1
		if waits, want := o.Velocities(time, 0.1) == nil, tick%70 >= 30 && tick%70 < 50; waits != want {
			t.Fatalf("at tick %d it waits: %v", tick, waits)
		}
	}
}

// TestMovedPivot: an obstacle that is put elsewhere moves there as it did here.
func TestMovedPivot(t *testing.T) {
	here := Obstacle{Rect: &Rect{1, 2, 4, 3}, Motion: &Motion{Keyframes: []Keyframe{{}, {Time: 1, Angle: 77}}, Pivot: &mgl64.Vec2{1, 2}}}
	by := mgl64.Vec2{5, -6}
	there := here.Moved(by)
	for k, v := range there.PolygonAt(0.7).Outer {
		if v.Sub(by).Sub(here.PolygonAt(0.7).Outer[k]).Len() > 1e-10 {
			t.Errorf("vertex %d is at %v", k, v)
		}
	}
	if *here.Motion.Pivot != (mgl64.Vec2{1, 2}) {
		t.Error("the pivot of the obstacle itself has moved")
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
