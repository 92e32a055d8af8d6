package geom

import (
	"errors"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/geomtest"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// few is a limit of meetings that 50 bars each way pass, with 12 for each two.
const few = 12*50*50 - 1

func TestBuildRefusesTooManyCrossings(t *testing.T) {
	l := geomtest.Unit(t, Steps, Steps)
	var fan []Polygon // of thin triangles from a side to the other, each of which touches and crosses most others
	for i := range 300 {
		x := float64(i) * Steps / 300
		fan = append(fan, geomtest.Polygon(x, 0, Steps-x, Steps, Steps-x+100, Steps))
	}
	var slivers []Polygon // along one line of the lattice: each touches the ends of all that are shorter
	for i := range 300 {
		slivers = append(slivers, geomtest.Polygon(float64(i)*1000, 500000, Steps-float64(i)*1000, 500000, Steps/2, 500000.4))
	}
	for name, obstacles := range map[string][]Polygon{
		"bars":    append(geomtest.Bars(50, Steps, true), geomtest.Bars(50, Steps, false)...),
		"fan":     fan,
		"slivers": slivers,
	} {
		g, err := build(l, obstacles, few)
		var limit *LimitError
		if g != nil || !errors.As(err, &limit) || limit.Needed <= limit.Limit || limit.Limit != few || limit.Vertices != polygon.Vertices(obstacles) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestBuilderRefusesTooManyCrossings(t *testing.T) {
	p := NewBuilder(geomtest.Unit(t, Steps, Steps))
	p.most = few
	if err := p.Set(1, geomtest.Bars(51, Steps, true)...); err != nil {
		t.Fatal(err)
	}
	before := planned(t, p)
	for _, share := range []float64{wholesale, 0} { // changed, and built whole
		p.share = share
		var limit *LimitError
		if err := p.Set(2, geomtest.Bars(50, Steps, false)...); err != nil {
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
	if err := p.Set(1, geomtest.Bars(9, Steps, true)...); err != nil {
		t.Fatal(err)
	}
	want, err := Build(p.lattice, geomtest.Bars(9, Steps, true))
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
	l := geomtest.Unit(t, Steps, Steps)
	p := NewBuilder(l)
	before := planned(t, p)
	if err := p.Set(1, all...); err != nil {
		t.Fatal(err)
	}
	_, built := Build(l, all)
	_, plan := p.Ground()
	for _, err := range []error{built, plan} {
		if limit := (*LimitError)(nil); !errors.As(err, &limit) || limit.Limit != MaxVertices || limit.Needed != int64(polygon.Vertices(all)) {
			t.Errorf("got %v", err)
		}
	}
	if p.Remove(1); planned(t, p) != before {
		t.Error("the builder has changed")
	}
}
