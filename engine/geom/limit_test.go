package geom

import (
	"errors"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// bars returns n bars side by side over a square of side size, upright or not. Bars of both kinds cross in four places each.
func bars(n int, size float64, upright bool) []Polygon {
	all := make([]Polygon, n)
	for i := range all {
		a := size * (float64(i) + 1.25) / float64(n+2)
		b := a + size*0.5/float64(n+2)
		if upright {
			all[i] = rect(a, 1, b, size-1)
		} else {
			all[i] = rect(1, a, size-1, b)
		}
	}
	return all
}

// TestMeetings counts what can be counted by hand.
func TestMeetings(t *testing.T) {
	l := unit(t, Steps, Steps)
	for _, c := range []struct {
		name      string
		obstacles []Polygon
		want      int64
	}{
		{"nothing", nil, 0},
		{"apart", bars(50, Steps, true), 0},
		{"the same", append(bars(50, Steps, true), bars(50, Steps, true)...), 0},
		// Each crossing, and two edges that are bent through it.
		{"crossing", append(bars(20, Steps, true), bars(30, Steps, false)...), 3 * 4 * 20 * 30},
		// Two vertices each, which part the edge that they touch: nothing is left to cross.
		{"touching", []Polygon{rect(100, 100, 200, 200), rect(200, 120, 300, 180)}, 2},
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

// few is a limit of meetings that 50 bars each way pass, with 12 for each two.
const few = 12*50*50 - 1

func TestBuildRefusesTooManyCrossings(t *testing.T) {
	l := unit(t, Steps, Steps)
	var fan []Polygon // of thin triangles from a side to the other, each of which touches and crosses most others
	for i := range 300 {
		x := float64(i) * Steps / 300
		fan = append(fan, polygon(x, 0, Steps-x, Steps, Steps-x+100, Steps))
	}
	var slivers []Polygon // along one line of the lattice: each touches the ends of all that are shorter
	for i := range 300 {
		slivers = append(slivers, polygon(float64(i)*1000, 500000, Steps-float64(i)*1000, 500000, Steps/2, 500000.4))
	}
	for name, obstacles := range map[string][]Polygon{
		"bars":    append(bars(50, Steps, true), bars(50, Steps, false)...),
		"fan":     fan,
		"slivers": slivers,
	} {
		g, err := build(l, obstacles, few)
		var limit *LimitError
		if g != nil || !errors.As(err, &limit) || limit.Needed <= limit.Limit || limit.Limit != few || limit.Vertices != verticesOf(obstacles) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestNearAndApart is about obstacles that are near one another everywhere and meet nowhere: they are compared in vain, so the
// number of comparisons has to stay about linear.
func TestNearAndApart(t *testing.T) {
	l := unit(t, Steps, Steps)
	const n = 2000
	turned := func(obstacles []Polygon) []Polygon {
		for _, o := range obstacles {
			for i, v := range o.Outer {
				x, y := v[0]-Steps/2, v[1]-Steps/2
				o.Outer[i] = mgl64.Vec2{Steps/2 + 0.6*x - 0.4*y, Steps/2 + 0.4*x + 0.6*y}
			}
		}
		return obstacles
	}
	var rings []Polygon
	for i := range n {
		d := 200 * float64(i+1)
		rings = append(rings, Polygon{Outer: rect(d, d, Steps-d, Steps-d).Outer, Holes: []Ring{rect(d+100, d+100, Steps-d-100, Steps-d-100).Outer}})
	}
	var same []Polygon
	for range n {
		same = append(same, rect(5, 5, 1e6, 1e6))
	}
	for name, obstacles := range map[string][]Polygon{
		"upright": bars(n, Steps, true), "flat": bars(n, Steps, false), "turned": turned(bars(n, Steps, true)), "nested": rings, "the same": same,
	} {
		e := effort{most: MaxMeetings}
		arrange(l, joined(l, obstacles, &e), &e)
		edges := int64(verticesOf(obstacles))
		t.Logf("%s: %d comparisons of each of %d edges", name, e.comparisons.Load()/edges, edges)
		if got := e.comparisons.Load() / edges; got > 500 || e.meetings.Load() != 0 {
			t.Errorf("%s: %d comparisons of each of %d edges, %d meetings", name, got, edges, e.meetings.Load())
		}
	}
}

func TestCheckRefusesEdgesSideBySide(t *testing.T) {
	// Spikes from a small circle outwards: long edges in every direction.
	var spikes Ring
	const n = 1000
	for i := range n {
		s, c := math.Sincos(2 * math.Pi * float64(i) / n)
		r := 1.0
		if i%2 == 0 {
			r = 1e6
		}
		spikes = append(spikes, mgl64.Vec2{r * c, r * s})
	}
	o := newOutline([]Ring{spikes})
	var limit *LimitError
	if err := o.checkMeetings(10 * n); !errors.As(err, &limit) || limit.Needed != 10*n+1 || limit.Limit != 10*n || limit.Vertices != n {
		t.Errorf("got %v", err)
	}
	if err := o.checkMeetings(maxPairs); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestPlanRefusesTooManyCrossings(t *testing.T) {
	p := NewPlan(unit(t, Steps, Steps))
	p.most = few
	if err := p.Set(1, bars(51, Steps, true)...); err != nil {
		t.Fatal(err)
	}
	before := planned(t, p)
	for _, share := range []float64{wholesale, 0} { // changed, and built whole
		p.share = share
		var limit *LimitError
		if err := p.Set(2, bars(50, Steps, false)...); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if g, err := p.Ground(); g != nil || !errors.As(err, &limit) || limit.Limit != few || limit.Needed <= limit.Limit {
				t.Fatalf("got %v", err)
			}
		}
		p.Remove(2)
		if planned(t, p) != before {
			t.Fatal("after what was refused is taken back the ground is another one")
		}
	}
	if err := p.Set(1, bars(9, Steps, true)...); err != nil {
		t.Fatal(err)
	}
	want, err := Build(p.lattice, bars(9, Steps, true))
	if err != nil {
		t.Fatal(err)
	}
	equalGrounds(t, planned(t, p), want)
}

func TestTooManyVertices(t *testing.T) {
	circle := make(Ring, 1<<12)
	for i := range circle {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(len(circle)))
		circle[i] = mgl64.Vec2{5e5 + 1e5*c, 5e5 + 1e5*s}
	}
	all := make([]Polygon, MaxVertices/len(circle)+1)
	for i := range all {
		all[i].Outer = circle
	}
	l := unit(t, Steps, Steps)
	p := NewPlan(l)
	before := planned(t, p)
	if err := p.Set(1, all...); err != nil {
		t.Fatal(err)
	}
	_, built := Build(l, all)
	_, plan := p.Ground()
	for _, err := range []error{built, plan} {
		if limit := (*LimitError)(nil); !errors.As(err, &limit) || limit.Limit != MaxVertices || limit.Needed != int64(verticesOf(all)) {
			t.Errorf("got %v", err)
		}
	}
	if p.Remove(1); planned(t, p) != before {
		t.Error("the plan has changed")
	}
}
