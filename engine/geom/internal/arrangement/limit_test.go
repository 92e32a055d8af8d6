package arrangement

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// TestMeetings counts what can be counted by hand.
func TestMeetings(t *testing.T) {
	l := geomtest.Unit(t, lattice.Steps, lattice.Steps)
	for _, c := range []struct {
		name      string
		obstacles []polygon.Polygon
		want      int64
	}{
		{"nothing", nil, 0},
		{"apart", geomtest.Bars(50, lattice.Steps, true), 0},
		{"the same", append(geomtest.Bars(50, lattice.Steps, true), geomtest.Bars(50, lattice.Steps, true)...), 0},
		// Each crossing, and two edges that are bent through it.
		{"crossing", append(geomtest.Bars(20, lattice.Steps, true), geomtest.Bars(30, lattice.Steps, false)...), 3 * 4 * 20 * 30},
		// Two vertices each, which part the Edge that they touch: nothing is left to cross.
		{"touching", []polygon.Polygon{geomtest.Rect(100, 100, 200, 200), geomtest.Rect(200, 120, 300, 180)}, 2},
	} {
		e := effort{most: MaxMeetings}
		arrange(l, joined(l, c.obstacles, &e), &e)
		if got := e.meetings.Load(); got != c.want {
			t.Errorf("%s: %d meetings, want %d", c.name, got, c.want)
		}
	}
}

// unlimited counts for a test that is about something else.
func unlimited() *effort { return &effort{most: MaxMeetings} }

// TestNearAndApart is about obstacles that are near one another everywhere and meet nowhere: all
// comparisons find nothing, so the number of comparisons has to stay about linear.
func TestNearAndApart(t *testing.T) {
	l := geomtest.Unit(t, lattice.Steps, lattice.Steps)
	const n = 2000
	turned := func(obstacles []polygon.Polygon) []polygon.Polygon {
		for _, o := range obstacles {
			for i, v := range o.Outer {
				x, y := v[0]-lattice.Steps/2, v[1]-lattice.Steps/2
				o.Outer[i] = mgl64.Vec2{lattice.Steps/2 + 0.6*x - 0.4*y, lattice.Steps/2 + 0.4*x + 0.6*y}
			}
		}
		return obstacles
	}
	var rings []polygon.Polygon
	for i := range n {
		d := 200 * float64(i+1)
		rings = append(rings, polygon.Polygon{Outer: geomtest.Rect(d, d, lattice.Steps-d, lattice.Steps-d).Outer, Holes: []polygon.Ring{geomtest.Rect(d+100, d+100, lattice.Steps-d-100, lattice.Steps-d-100).Outer}})
	}
	var same []polygon.Polygon
	for range n {
		same = append(same, geomtest.Rect(5, 5, 1e6, 1e6))
	}
	for name, obstacles := range map[string][]polygon.Polygon{
		"upright": geomtest.Bars(n, lattice.Steps, true), "flat": geomtest.Bars(n, lattice.Steps, false), "turned": turned(geomtest.Bars(n, lattice.Steps, true)), "nested": rings, "the same": same,
	} {
		e := effort{most: MaxMeetings}
		arrange(l, joined(l, obstacles, &e), &e)
		edges := int64(polygon.Vertices(obstacles))
		t.Logf("%s: %d comparisons of each of %d edges", name, e.comparisons.Load()/edges, edges)
		if got := e.comparisons.Load() / edges; got > 500 || e.meetings.Load() != 0 {
			t.Errorf("%s: %d comparisons of each of %d edges, %d meetings", name, got, edges, e.meetings.Load())
		}
	}
}
