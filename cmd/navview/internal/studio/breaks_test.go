package studio

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/scenes"
)

// runs plays until a pause, or for so many seconds; it reports whether it paused.
func (s *Studio) runs(t *testing.T, seconds float64) bool {
	t.Helper()
	s.Playing = true
	for end := s.World().Time() + seconds; s.Playing && s.World().Time() < end || s.Time.Seeking(); {
		if err := s.Advance(s.now.Add(time.Second / 30)); err != nil {
			t.Fatal(err)
		}
	}
	return !s.Playing
}

// TestBreaks: each condition pauses the run at the time at which it comes to hold, at its place, and
// the run goes on from there.
func TestBreaks(t *testing.T) {
	gates := func(to *scenes.Scene) {
		door(to)
		to.Areas = append(to.Areas, scenes.Area{ID: "exit", Rect: scenes.Rect{17, 3, 20, 7}})
	}
	for _, c := range []struct {
		name string
		set  func(b *Breaks)
		why  string
		good func(s *Studio, f measure.Frame) bool // the condition holds
	}{
		{"enters", func(b *Breaks) { b.Enters, b.Area = true, "exit" }, "comes into area exit", func(s *Studio, f measure.Frame) bool {
			n := 0
			for _, w := range f.Walkers {
				if (scenes.Rect{17, 3, 20, 7}).Contains(w.At) {
					n++
				}
			}
			return n == 1
		}},
		{"density", func(b *Breaks) { b.Density, b.DensityAbove = true, 0.2 }, "in area before, above 0.2", func(s *Studio, f measure.Frame) bool {
			return measure.Classic(f, measure.Rect{Low: mgl64.Vec2{5, 5}, High: mgl64.Vec2{8, 10}}.Box()).Density > 0.2
		}},
		{"flow", func(b *Breaks) { b.Flow, b.FlowBelow = true, 0.5 }, "through gate door, below 0.5", func(s *Studio, f measure.Frame) bool {
			flow, ok := s.Measure.flow(0, "door", f.Time)
			return ok && flow < 0.5
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			with(t, room, func(s *Studio) {
				if err := s.Change("measure", gates); err != nil {
					t.Fatal(err)
				}
				c.set(&s.Breaks)
				if !s.runs(t, 40) || s.Break == nil || !strings.Contains(s.Break.Why, c.why) || !strings.Contains(s.Notice(), c.why) {
					t.Fatalf("no break: %+v", s.Break)
				}
				at := s.Break.Time
				if s.World().Time() != at || s.Measure.frame.Time != at || !c.good(s, s.Measure.frame) {
					t.Errorf("paused at %v s, frame of %v s, break at %v s", s.World().Time(), s.Measure.frame.Time, at)
				}
				if _, o := s.Picture(); len(o.Labels) == 0 || o.Labels[len(o.Labels)-1].Words != s.Break.Why {
					t.Error("the place has no label")
				}
				s.runs(t, 0.5)
				if s.World().Time() <= at {
					t.Error("the run does not go on")
				}
				s.Playing = false
				s.seekTo(t, 0)
				if !s.runs(t, 40) || s.Break.Time != at {
					t.Errorf("again it breaks at %v s, not at %v", s.Break.Time, at)
				}
			})
		})
	}
}

// TestBreakStuck: an agent that is enclosed pauses the run.
func TestBreakStuck(t *testing.T) {
	with(t, strings.Replace(room, `[8, 0, 9, 6]`, `[8, 0, 9, 9.7]`, 1), func(s *Studio) {
		s.Breaks.Stuck = true
		if !s.runs(t, 40) || s.Break == nil || len(s.Break.At) != 1 {
			t.Fatalf("no break: %+v", s.Break)
		}
		if s.World().Time() != s.Break.Time || s.Break.Time < 10 {
			t.Errorf("paused at %v s, break at %v s", s.World().Time(), s.Break.Time)
		}
	})
}

// TestDeepest: the overlap is that of all pairs.
func TestDeepest(t *testing.T) {
	var f measure.Frame
	traits := make([]agents.Traits, 200)
	for i := range traits {
		traits[i].Radius = 0.2 + 0.1*float32(math.Sin(float64(7*i)))
		f.Walkers = append(f.Walkers, measure.Walker{ID: i, At: mgl64.Vec2{15 * math.Sin(float64(i*i)), 15 * math.Cos(float64(3*i+i*i*i))}})
	}
	depth := 0.0
	for i, a := range f.Walkers {
		for j, b := range f.Walkers[:i] {
			reach := float64(traits[i].Radius) + float64(traits[j].Radius)
			depth = max(depth, 1-a.At.Sub(b.At).Len()/reach)
		}
	}
	var c contacts
	if _, got := c.deepest(f, traits); math.Abs(got-depth) > 1e-12 || depth < 0.02 {
		t.Errorf("depth %v, want %v", got, depth)
	}
	if _, got := c.deepest(measure.Frame{Walkers: f.Walkers[:1]}, traits); got != 0 {
		t.Errorf("one agent overlaps by %v", got)
	}
}
