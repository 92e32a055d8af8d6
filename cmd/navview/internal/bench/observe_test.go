package bench

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// TestOfficeDoors: they are the office floor's: gaps between walls, with the rooms on the left.
func TestOfficeDoors(t *testing.T) {
	s, err := builtin.Load("evac-500")
	if err != nil {
		t.Fatal(err)
	}
	ground, err := s.Ground()
	if err != nil {
		t.Fatal(err)
	}
	free := func(p mgl64.Vec2) bool { return ground.Free(ground.Lattice.Snap(p)) }
	for _, d := range newJamObserver().doors {
		along := d.B.Sub(d.A)
		beyond := along.Normalize().Mul(0.25) // walls are 0.4 m thick, and end 0.2 m into the gap
		left := mgl64.Vec2{-along[1], along[0]}.Mul(2)
		middle := d.A.Add(d.B).Mul(0.5)
		if !free(middle) || free(d.A.Sub(beyond)) || free(d.B.Add(beyond)) {
			t.Errorf("%+v is no door", d)
		}
		if inside := middle.Add(left); inside[0] < 0 || inside[0] > 140 {
			t.Errorf("%v is not inside", inside)
		}
	}
}

// TestObservers: crowds whose order is known.
func TestObservers(t *testing.T) {
	watch := func(o observer, frames ...measure.Frame) report.Observations {
		for _, f := range frames {
			o.see(f)
		}
		var b report.Observations
		o.report(&b)
		return b
	}
	s, err := builtin.Load("crosswalk")
	if err != nil {
		t.Fatal(err)
	}
	lanes := newLaneObserver(s)
	var two, outside measure.Frame
	for i := range 60 {
		y, v := 7.0, 1.0
		if i%2 == 0 {
			y, v = 15, -1
		}
		two.Walkers = append(two.Walkers, measure.Walker{ID: i, At: mgl64.Vec2{s.Domain[2]/2 + 0.1*float64(i-30), y}, Velocity: mgl64.Vec2{v, 0}})
		outside.Walkers = append(outside.Walkers, measure.Walker{ID: i, At: mgl64.Vec2{3, 7 + 0.1*float64(i)}, Velocity: mgl64.Vec2{v, 0}})
	}
	two.Time = 3
	if b := watch(lanes, two, outside, measure.Frame{}); math.Abs(b.Measures["lanes"]-1) > 1e-12 || len(b.Curves["lanes"]) != 1 || b.Curves["lanes"][0][0] != 3 || b.Still.Time != 3 || len(b.Still.People) != 60 {
		t.Errorf("%+v", b)
	}

	var ring measure.Frame
	for i := range 40 {
		sin, cos := math.Sincos(float64(i))
		ring.Walkers = append(ring.Walkers, measure.Walker{ID: i, At: mgl64.Vec2{2 * cos, 2 * sin}, Velocity: mgl64.Vec2{sin, -cos}})
	}
	if b := watch(&swirlObserver{within: 3.5}, ring, measure.Frame{}, ring); math.Abs(b.Measures["swirl"]+1) > 1e-12 || b.Measures["most_in_the_middle"] != 40 || len(b.Curves["swirl"]) != 2 || len(b.Still.People) != 40 {
		t.Errorf("%+v", b)
	}

	// A half disc before the western door, and one person a second through the eastern one.
	var frames []measure.Frame
	for second := range 5 {
		f := measure.Frame{Time: float64(second)}
		for i := range 10 {
			for j := range 19 {
				if x, y := 0.25+0.5*float64(i), 0.5*float64(j-9); math.Hypot(x, y) < 5 {
					f.Walkers = append(f.Walkers, measure.Walker{ID: len(f.Walkers), At: mgl64.Vec2{x, 45 + y}})
				}
			}
		}
		for i := range 5 {
			f.Walkers = append(f.Walkers, measure.Walker{ID: 1000 + i, At: mgl64.Vec2{139.5 + float64(second) - float64(i), 45}, Velocity: mgl64.Vec2{1, 0}})
		}
		frames = append(frames, f)
	}
	b := watch(newJamObserver(), frames...)
	// A grid of 0.5 m stands for the half disc to within its step: a tenth of the radius.
	if math.Abs(b.Measures["arch_radius"]/5-1) > 0.1 || math.Abs(b.Measures["arch_shape"]-1) > 0.1 || math.Abs(b.Measures["flow"]-1.0/5) > 1e-12 || b.Still.Time != 0 || b.Still.View[0] != jamView.Low[0] {
		t.Errorf("%+v", b)
	}

	dense := &densityObserver{}
	for range densitySamples {
		f := measure.Frame{}
		for i := range 8 { // on 4 m2
			f.Walkers = append(f.Walkers, measure.Walker{ID: i, At: mgl64.Vec2{10.1 + 0.2*float64(i), 20.5}, Velocity: mgl64.Vec2{0, measure.Weidmann(report.FreeSpeed, 2)}})
		}
		dense.see(f)
	}
	if b := watch(dense); len(b.Curves["speed against density"]) != 1 || b.Curves["speed against density"][0][0] != 2 || b.Measures["weidmann_deviation"] > 1e-12 {
		t.Errorf("%+v", b)
	}
}
