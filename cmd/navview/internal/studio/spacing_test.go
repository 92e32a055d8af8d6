package studio

import (
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// pillars is a room with pillars in two rows: gaps of 1.23 m in the lower one, and a wall above.
const pillars = `{
  "version": 1, "domain": [0, 0, 20, 10],
  "obstacles": [
    {"rect": [3.11, 1, 4.11, 2]},
    {"rect": [5.34, 1, 6.34, 2]},
    {"rect": [12.3, 1, 13.3, 2]},
    {"rect": [3.5, 7, 8.2, 8]},
  ],
  "goals": [{"id": "exit", "points": [[19, 5]]}],
}
`

// TestEqualSpacing: what is dragged, or copied, near the place that continues a row stands there, with
// the reason; and in the middle between two. Other rows and Control have no say.
func TestEqualSpacing(t *testing.T) {
	control := func(p Pointer) Pointer { p.Control = true; return p }
	alt := func(p Pointer) Pointer { p.Alt = true; return p }
	for _, c := range []struct {
		name     string
		drag, to func(s *Studio) Pointer
		obstacle int
		want     scenes.Rect
		gaps     int
	}{
		{"continues the row", at(12.8, 1.5), at(8.15, 1.5), 2, scenes.Rect{7.57, 1, 8.57, 2}, 2},
		{"before the row", at(12.8, 1.5), at(1.5, 1.5), 2, scenes.Rect{0.88, 1, 1.88, 2}, 2},
		{"in the middle of two", at(5.84, 1.5), at(8.25, 1.5), 1, scenes.Rect{7.705, 1, 8.705, 2}, 2},
		{"a copy", func(s *Studio) Pointer { return alt(s.at(5.84, 1.5)) }, func(s *Studio) Pointer { return alt(s.at(8.15, 1.5)) }, 4, scenes.Rect{7.57, 1, 8.57, 2}, 2},
		{"not in another row", at(12.8, 1.5), at(8.05, 3.55), 2, scenes.Rect{7.5, 3, 8.5, 4}, 0},
		{"control", at(12.8, 1.5), func(s *Studio) Pointer { return control(s.at(8.15, 1.5)) }, 2, scenes.Rect{7.65, 1, 8.65, 2}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			with(t, pillars, func(s *Studio) {
				from, to := c.drag(s), c.to(s)
				ok(t, s.Tool.Hover(s, from))
				ok(t, s.Tool.Press(s, from))
				halfway := to
				halfway.At = from.At.Add(to.At).Mul(0.5)
				ok(t, s.Tool.Drag(s, halfway))
				ok(t, s.Tool.Drag(s, to))
				if got := *s.Scene().Obstacles[c.obstacle].Rect; got.Min().Sub(c.want.Min()).Len() > 1e-9 || got.Max().Sub(c.want.Max()).Len() > 1e-9 {
					t.Errorf("it stands at %v, want %v", got, c.want)
				}
				snap := s.Tool.(*Select).snap
				if len(snap.Guide) != c.gaps || (c.gaps > 0) != strings.HasPrefix(snap.Why, "equal spacing") {
					t.Errorf("it says %q, with gaps %v", snap.Why, snap.Guide)
				}
				for _, l := range snap.Guide {
					first := snap.Guide[0]
					if got, want := l[1].Sub(l[0]), first[1].Sub(first[0]); got.Sub(want).Len() > 1e-6 || got == (mgl64.Vec2{}) {
						t.Errorf("a gap is %v, another %v", got, want)
					}
				}
				ok(t, s.Tool.Release(s, to))
			})
		})
	}
}

// at is a pointer at a place of any studio.
func at(x, y float64) func(*Studio) Pointer { return func(s *Studio) Pointer { return s.at(x, y) } }

// TestCopiesFollowThePointer: a copy that is dragged does not stick to where it just was.
func TestCopiesFollowThePointer(t *testing.T) {
	with(t, pillars, func(s *Studio) {
		s.Grid = 1e-3
		to := func(x float64) Pointer {
			p := s.at(x, 4.44)
			p.Alt = true
			return p
		}
		p := to(12.8)
		p.At[1] = 1.5
		ok(t, s.Tool.Hover(s, p))
		ok(t, s.Tool.Press(s, p))
		for _, x := range []float64{15, 15.01, 15.03, 15.06} {
			ok(t, s.Tool.Drag(s, to(x)))
			if got := s.Scene().Obstacles[4].Rect[0]; got < x-0.502 || got > x-0.498 {
				t.Errorf("at %v it is at %v", x, got)
			}
		}
		ok(t, s.Tool.Release(s, to(15.06)))
	})
}
