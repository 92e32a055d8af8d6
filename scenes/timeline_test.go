package scenes

import (
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// TestDoorsOpenWithTheirTick goes through ticks of lengths that no float64 holds exactly.
func TestDoorsOpenWithTheirTick(t *testing.T) {
	for _, step := range []float64{0.1, 0.05, 0.07, 1.0 / 3, 0.3} {
		for _, ticks := range [][2]int{{0, 1}, {3, 7}, {150, 300}, {1001, 4999}} {
			// The times as other sums and products may give them: a rounding off.
			from, to := float64(ticks[0])*step, float64(ticks[1])*step
			for _, toward := range []float64{0, 1, 1e9} {
				door := Obstacle{Open: []Interval{{from, to}}}
				if toward != 1 && from > 0 {
					door.Open[0] = Interval{math.Nextafter(from, toward), math.Nextafter(to, toward)}
				}
				for tick := range ticks[1] + 3 {
					open := tick >= ticks[0] && tick < ticks[1]
					if door.PresentAt(float64(tick)*step) == open {
						t.Fatalf("ticks of %v s: at tick %d the door that opens from tick %d to %d is there: %v", step, tick, ticks[0], ticks[1], open)
					}
				}
			}
		}
	}
	if !(Obstacle{}).PresentAt(1e9) {
		t.Error("an obstacle that never opens is gone")
	}
	twice := Obstacle{Open: []Interval{{1, 3}, {2, 5}, {8, 9}}}
	for at, want := range map[float64]bool{0.5: true, 1: false, 3: false, 4.5: false, 5: true, 8.5: false, 9: true} {
		if got := twice.PresentAt(at); got != want {
			t.Errorf("at %v s it is there: %v", at, got)
		}
		if got := (Obstacle{Closed: twice.Open}).PresentAt(at); got == want {
			t.Errorf("closed at the same times, at %v s it is there: %v", at, got)
		}
	}
}

func TestGroundAt(t *testing.T) {
	s := mustRead(t, `{"version": 1, "domain": [0, 0, 40, 25], "goals": [{"points": [[39, 1]]}], "obstacles": [
		{"id": "door", "rect": [20, 0, 21, 25], "open": [[0, 5], [10, 20]]},
		{"id": "cart", "rect": [2, 2, 4, 4], "motion": {"path": [[0, 0], [-10, 0]], "speed": 1, "loop": "once"}}]}`)
	free := func(at, x, y float64) bool {
		g, err := s.GroundAt(at)
		if err != nil {
			t.Fatal(err)
		}
		return g.Free(g.Lattice.Snap(mgl64.Vec2{x, y}))
	}
	for _, c := range []struct {
		at, x, y float64
		free     bool
	}{
		{0, 20.5, 12, true},
		{5, 20.5, 12, false},
		{10, 20.5, 12, true},
		{0, 3, 3, false},
		{2.5, 3, 3, true},
		{2.5, 1, 3, false},
		{3, 0.5, 3, false}, // half of the cart has left the domain
		{10, 0.5, 3, true}, // and now all of it
	} {
		if got := free(c.at, c.x, c.y); got != c.free {
			t.Errorf("at %v s (%v, %v) is free: %v", c.at, c.x, c.y, got)
		}
	}
	g, err := s.Ground()
	if err != nil {
		t.Fatal(err)
	}
	if !g.Free(g.Lattice.Snap(mgl64.Vec2{20.5, 12})) {
		t.Error("the ground at the start has the door, which is open then")
	}
}

func TestSourcesBuriedAtTheStartAreNoted(t *testing.T) {
	s, problems := Read("f", []byte(`{"version": 1, "domain": [0, 0, 40, 25], "goals": [{"points": [[20.5, 12], [1, 1]]}],
		"obstacles": [{"rect": [20, 0, 21, 25], "open": [[5, 10]]}]}`))
	if s == nil || len(problems) != 1 || !problems[0].Note || problems[0].Path != "$.goals[0].points[0]" ||
		!strings.Contains(problems[0].Message, "blocked at the start") {
		t.Errorf("%v", problems)
	}
}
