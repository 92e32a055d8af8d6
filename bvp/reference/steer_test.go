package reference

import (
	"math"
	"testing"

	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/scenes"
)

// slope is a map that rises evenly in a direction.
func slope(cells int, angle float64) Potential[float32] {
	p := NewPotential[float32](cells)
	up := polar(0.4/float64(cells), angle)
	for k := range p.Q {
		p.Q[k] = float32(0.5 + up[0]*float64(k%cells-cells/2) + up[1]*float64(k/cells-cells/2))
	}
	return p
}

// with are settings of an inertia for steps of a tenth of a second.
func with(cells int, eta float64, speedControl bool) local.Settings {
	p := defaults(cells)
	p.Inertia, p.SpeedControl = eta, speedControl
	return local.SettingsAt(p, 0, 0.1)
}

// heading gives a walker one, in degrees.
func heading(degrees float64) *local.Walker {
	w := newWalker(5, 5)
	w.Heading, w.Speed = float32(degrees*math.Pi/180), 2
	return w
}

// TestGradient finds the direction of an even slope, at a cell's middle and at the corner of four.
func TestGradient(t *testing.T) {
	for _, cells := range []int{5, 6, 20, 21} {
		for degrees := 0.0; degrees < 360; degrees += 7 {
			got, ok := ascent(slope(cells, degrees*math.Pi/180))
			if off := apart(got, degrees*math.Pi/180); !ok || off > 0.01 {
				t.Errorf("%d cells: a slope of %g degrees is off by %g", cells, degrees, off)
			}
		}
	}
}

// TestInertia turns along the shorter arc by 1 - eta of the way (equation 4).
func TestInertia(t *testing.T) {
	for _, test := range []struct{ from, wish, eta, want float64 }{
		{0, 80, 0, 80},
		{0, 80, 0.5, 40},
		{0, 80, 0.75, 20},
		{170, -170, 0.5, 180},
		{-170, 170, 0.75, -175},
		{-179, 178, 0, 178},
		{90, -80, 0.5, 5},
		{90, -100, 0.5, 175}, // the left is shorter
	} {
		w := heading(test.from)
		Steer(slope(21, test.wish*math.Pi/180), w, with(21, test.eta, false))
		if off := apart(float64(w.Heading), test.want*math.Pi/180); off > 0.01 {
			t.Errorf("from %g to %g with eta %g: heading %g, want %g", test.from, test.wish, test.eta, w.Heading*180/math.Pi, test.want)
		}
		if w.Heading < -pi || w.Heading > pi {
			t.Errorf("heading %g", w.Heading)
		}
	}
}

// TestInertiaOfVectors averages unit vectors (Dapper, equation 5): the same as angles with eta
// 0.5, as figure 4 draws it, less beyond a right angle with more, and nothing where both cancel.
func TestInertiaOfVectors(t *testing.T) {
	for _, test := range []struct{ from, wish, eta float64 }{
		{0, 80, 0}, {0, 80, 0.5}, {0, 90, 0.75}, {170, -170, 0.5}, {30, 175, 0.95}, {-179, 2, 0.25}, {90, -89, 0.9},
	} {
		w, s := heading(test.from), with(21, test.eta, false)
		s.Flags |= local.Vector
		Steer(slope(21, test.wish*math.Pi/180), w, s)
		old, way := polar(1, test.from*math.Pi/180), polar(1, test.wish*math.Pi/180)
		sum := old.Mul(test.eta).Add(way.Mul(1 - test.eta))
		if off := apart(float64(w.Heading), math.Atan2(sum[1], sum[0])); off > 0.02 {
			t.Errorf("from %g to %g with eta %g: heading %g, off by %g", test.from, test.wish, test.eta, w.Heading*180/math.Pi, off)
		}
	}
	if s := with(21, 0.5, false); turned(halfPi, &s) != halfPi/2 {
		t.Error("angles are averaged as vectors")
	}
	opposite := with(21, 0.75, false)
	opposite.Flags |= local.Vector
	if got := turned(pi, &opposite); math.Abs(float64(got)) > 1e-6 {
		t.Errorf("a walker with the goal behind it turns by %g", got)
	}
}

// TestInertiaTime: eta is what stays in the time that it counts by, in however many steps: a tenth
// of a second, a footstep, a second.
func TestInertiaTime(t *testing.T) {
	for _, seconds := range []float64{0.1, 0.5, 1} {
		p := defaults(21)
		p.Inertia, p.InertiaTime, p.SpeedControl = 0.6, seconds, false
		w := heading(0)
		for range 4 {
			Steer(slope(21, 1), w, local.SettingsAt(p, 0, seconds/4))
		}
		if off := apart(float64(w.Heading), 0.4); off > 0.01 {
			t.Errorf("after four quarters of %g s the heading is %g, want 0.4", seconds, w.Heading)
		}
	}
}

// TestSpeedControl is Psi of equation 5: the cosine of the turn, 0 from a right angle on, with the
// difference of angles taken on the circle. An agent that is stopped turns.
func TestSpeedControl(t *testing.T) {
	for _, test := range []struct{ from, wish float64 }{{0, 0}, {0, 60}, {0, 89}, {0, 91}, {0, 180}, {170, -160}, {-120, 170}} {
		for _, on := range []bool{false, true} {
			w := heading(test.from)
			v, _ := Steer(slope(21, test.wish*math.Pi/180), w, with(21, 0.5, on))
			off := apart(test.from*math.Pi/180, test.wish*math.Pi/180)
			want := 2.0
			if on {
				want = 2 * max(math.Cos(off*math.Pi/180), 0)
			}
			// The slope's floats are within 0.01 degrees of the wish.
			if got := math.Hypot(float64(v[0]), float64(v[1])); math.Abs(got-want) > 1e-3 {
				t.Errorf("from %g to %g, control %v: speed %g, want %g", test.from, test.wish, on, got, want)
			}
			if turned := apart(float64(w.Heading), test.from*math.Pi/180); math.Abs(turned-off/2) > 0.01 {
				t.Errorf("from %g to %g, control %v: turned by %g", test.from, test.wish, on, turned)
			}
		}
	}
}

// TestFlat: without a gradient the walker turns to the guide's point, or, standing on it, keeps
// heading and speed, and it is counted; among obstacles only it stands.
func TestFlat(t *testing.T) {
	for _, cells := range []int{5, 6, 21, 22} {
		w := heading(30)
		p := NewPotential[float32](cells)
		w.Guide = w.Position
		for range 3 {
			v, flat := Steer(p, w, with(cells, 0.5, true))
			if !flat || apart(float64(w.Heading), math.Pi/6) > 1e-3 || math.Abs(math.Hypot(float64(v[0]), float64(v[1]))-2) > 1e-5 {
				t.Errorf("%d cells: flat %v, heading %g, velocity %v", cells, flat, w.Heading, v)
			}
		}
		w.Guide = [2]float32{w.Position[0] + 3, w.Position[1]}
		if _, flat := Steer(p, w, with(cells, 0.5, true)); !flat || apart(float64(w.Heading), math.Pi/12) > 1e-3 {
			t.Errorf("%d cells: flat %v, heading %g, want half way to the guide's point", cells, flat, w.Heading)
		}
		if _, flat := Steer(slope(cells, 1), w, with(cells, 0.5, true)); flat {
			t.Errorf("%d cells: a slope counts as flat", cells)
		}
		boxed := Stamp(Potential[float32]{}, w, allRound(cells), nil, Disc{}, everywhere(w))
		if cells == 5 || cells == 6 {
			continue // the free ring is next to the agent
		}
		Relax(boxed, allRound(cells), scenes.MethodRedBlack, 30)
		if v, flat := Steer(boxed, w, allRound(cells)); v != [2]float32{} || !flat {
			t.Errorf("%d cells: among obstacles only the velocity is %v", cells, v)
		}
	}
}

// TestLooksRound: a walker that has stood for a second sees what is behind it too, until it has
// walked for as long.
func TestLooksRound(t *testing.T) {
	s := with(21, 0.5, true)
	behind := Disc{Center: [2]float32{4, 5}, Radius: 0.25}
	w := newWalker(5, 5)
	w.Heading = 0
	sees := func() bool {
		w.Cells = 0 // has no map yet
		p := Stamp(Potential[float32]{}, w, s, nil, Disc{}, []Disc{behind})
		return p.Fixed[cellOf(21, -1, 0)]
	}
	for step := range 35 {
		// A second and a half of standing, with everything the other way, then of walking.
		w.Heading = 0
		if want := step >= 10 && step < 15+6; sees() != want {
			t.Fatalf("step %d: what is behind is seen: %v", step, !want)
		}
		v, _ := Steer(slope(21, map[bool]float64{true: math.Pi, false: 0}[step < 15]), w, s)
		if stands := v == [2]float32{}; stands != (step < 15) {
			t.Fatalf("step %d: the velocity is %v", step, v)
		}
	}
}

// TestFaintGradient: potentials down to the smallest still lead somewhere.
func TestFaintGradient(t *testing.T) {
	for _, scale := range []float32{1e-10, 1e-20, 1e-29} {
		p := slope(21, 2)
		for k := range p.Q {
			p.Q[k] *= scale
		}
		w := heading(100)
		_, flat := Steer(p, w, with(21, 0, true))
		if off := apart(float64(w.Heading), 2); off > 0.01 || flat {
			t.Errorf("a slope of %g turns to %g, flat %v", scale, w.Heading, flat)
		}
	}
}

// TestLastSteps: to a goal in its own cells a walker goes straight, and not beyond it.
func TestLastSteps(t *testing.T) {
	for _, cells := range []int{20, 21} {
		w := newWalker(5, 5)
		w.Goal = [2]float32{5.06, 4.92} // a tenth of a meter away
		s := with(cells, 0, true)
		w.Heading, w.Speed = angle([2]float32{0.06, -0.08}), 2
		p := Stamp(Potential[float32]{}, w, s, nil, Disc{}, nil)
		Relax(p, s, scenes.MethodRedBlack, 30)
		v, _ := Steer(p, w, s)
		if math.Abs(float64(v[0])-0.6) > 1e-4 || math.Abs(float64(v[1])+0.8) > 1e-4 {
			t.Errorf("%d cells: the last step's velocity is %v, want 0.6, -0.8", cells, v)
		}
		w.Goal = w.Position
		p = Stamp(p, w, s, nil, Disc{}, nil)
		if v, _ := Steer(p, w, s); v != [2]float32{} {
			t.Errorf("%d cells: on its goal the walker goes on at %v", cells, v)
		}
	}
}

// TestCornerOfWalls: a walker where two walls meet, so that all cells beside it are taken, goes
// away from both.
func TestCornerOfWalls(t *testing.T) {
	for _, cells := range []int{6, 7, 20, 21} {
		s := allRound(cells)
		w := newWalker(5, 5)
		ends := [][2]float32{{40, 5}, {5, 40}, {-30, 5}, {5, -30}}
		for quarter, way := range [][2]float32{{9, 8}, {1, 8}, {1, 2}, {9, 2}} {
			w.Cells, w.Guide = 0, way
			// The quarter is free, on the left of both.
			walls := []Wall{{ends[(quarter+1)%4], {5, 5}}, {{5, 5}, ends[quarter]}}
			p := Stamp(Potential[float32]{}, w, s, walls, Disc{}, nil)
			Relax(p, s, scenes.MethodRedBlack, 60)
			x, y := Gradient(p)
			if got := math.Atan2(float64(y), float64(x)); apart(got, (0.25+0.5*float64(quarter))*math.Pi) > 45 {
				t.Errorf("%d cells, quarter %d: the gradient is %g, %g", cells, quarter, x, y)
			}
		}
	}
}
