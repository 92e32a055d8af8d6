package spm

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/spm/exact"
	"github.com/wayfront/wayfront/spm/exact/exacttest"
)

// segmentScenes are segments as sources in all awkward positions.
var segmentScenes = []struct {
	name      string
	domain    [4]float64
	obstacles []geom.Ring
	goal      Goal
}{
	{name: "open", domain: [4]float64{0, 0, 20, 10}, goal: segments([4]float64{5, 5, 15, 5})},
	{name: "slanted", domain: [4]float64{0, 0, 20, 10}, goal: segments([4]float64{3.1, 1.7, 14.3, 8.9})},
	{name: "no length", domain: [4]float64{0, 0, 20, 10}, obstacles: []geom.Ring{box(9, 2, 11, 8)}, goal: segments([4]float64{5, 5, 5, 5})},
	{
		name: "all round the border", domain: [4]float64{-900, -500, 1100, 500}, obstacles: []geom.Ring{box(-300, -200, 300, 200), box(500, -500, 700, 100)},
		goal: segments([4]float64{-900, -500, 1100, -500}, [4]float64{1100, -500, 1100, 500}, [4]float64{-900, 500, 1100, 500}),
	},
	{
		name: "across obstacles", domain: [4]float64{0, 0, 20, 10}, obstacles: []geom.Ring{box(4, 3, 6, 7), box(10, 4.9, 12, 9), {{14, 2}, {16, 5}, {14, 8}}},
		goal: segments([4]float64{1, 5, 19, 5.3}),
	},
	{
		name: "along walls", domain: [4]float64{0, 0, 20, 10}, obstacles: []geom.Ring{box(5, 4, 10, 6), box(10, 4, 15, 6), box(8, 7, 12, 9)},
		goal: segments([4]float64{3, 6, 13, 6}, [4]float64{12, 8, 12, 9}),
	},
	{
		name: "along a slanted wall", domain: [4]float64{0, 0, 20, 10}, obstacles: []geom.Ring{{{2, 1.3}, {17.7, 6.1}, {12, 1}}},
		goal: segments([4]float64{2, 1.3, 17.7, 6.1}),
	},
	{
		name: "along a thin wall and across one", domain: [4]float64{0, 0, 20, 10},
		obstacles: []geom.Ring{{{4, 2}, {4, 8}, {4.000004, 8}}, {{10, 1}, {12.3, 9}, {12.300004, 9}}, {{16, 2}, {16, 8}, {16.000004, 8}}},
		goal:      segments([4]float64{4, 3, 4, 6}, [4]float64{8, 2, 15, 7.7}),
	},
	{
		name: "touching corners", domain: [4]float64{0, 0, 20, 10}, obstacles: []geom.Ring{box(4, 4, 6, 6), box(8, 6, 10, 8), box(11, 2, 13, 6), box(13, 6, 15, 8)},
		goal: segments([4]float64{2, 6, 14, 6}, [4]float64{12, 5, 16, 9}),
	},
	{
		name: "through narrow gaps", domain: [4]float64{0, 0, 20, 10}, obstacles: []geom.Ring{box(5, 0, 6, 4.99), box(5, 5, 6, 10), box(12, 0, 14, 6.001), box(12, 6.002, 14, 10)},
		goal: segments([4]float64{3, 4.995, 9, 4.995}),
	},
	{
		name: "behind narrow gaps", domain: [4]float64{0, 0, 20, 10}, obstacles: []geom.Ring{box(5, 0, 6, 4.99), box(5, 5, 6, 10), box(12, 0, 14, 6.001), box(12, 6.002, 14, 10)},
		goal: segments([4]float64{9, 1, 9, 9}),
	},
	{
		name: "crossing, with points", domain: [4]float64{0, 0, 20, 10}, obstacles: []geom.Ring{box(2, 2, 4, 4), box(13, 5, 18, 6)},
		goal: Goal{Points: []mgl64.Vec2{{19, 9}, {10, 5}}, Segments: [][2]mgl64.Vec2{{{6, 1}, {12, 9}}, {{5, 8}, {13, 2}}}},
	},
	{
		// Light of the segment gets under the slivers only by their tips, which stand on it.
		name: "slivers with their tips on it", domain: [4]float64{0, 0, 20, 10},
		obstacles: []geom.Ring{{{6, 5}, {11, 2}, {12, 2}}, {{13, 5}, {9, 8}, {8, 8}}, {{16, 5}, {19, 4}, {19, 4.5}}},
		goal:      segments([4]float64{2, 5, 18, 5}),
	},
	{
		name: "slivers with their tips on a slanted one", domain: [4]float64{0, 0, 16, 16},
		obstacles: []geom.Ring{{{4, 4}, {11, 5}, {11, 5.5}}, {{8, 8}, {3, 7.5}, {3, 7}}, {{12, 12}, {13, 14}, {13.5, 14}}},
		goal:      segments([4]float64{2, 2, 14, 14}),
	},
	{
		// Light along the wall from its tip, which is no corner: the segment's ends there carry it.
		name: "a tip on the border", domain: [4]float64{0, 0, 20, 10}, obstacles: []geom.Ring{{{19, 5}, {20, 6}, {19, 6}}, box(15, 4, 19, 6)},
		goal: segments([4]float64{20, 5.5, 20, 7}),
	},
	{
		name: "buried ends", domain: [4]float64{4e6, 5e6, 4e6 + 20, 5e6 + 10}, obstacles: []geom.Ring{
			{{4e6 + 4, 5e6 + 3}, {4e6 + 6, 5e6 + 3}, {4e6 + 6, 5e6 + 7}, {4e6 + 4, 5e6 + 7}},
			{{4e6 + 14, 5e6 + 3}, {4e6 + 16, 5e6 + 3}, {4e6 + 16, 5e6 + 7}, {4e6 + 14, 5e6 + 7}},
		}, goal: segments([4]float64{4e6 + 5, 5e6 + 5, 4e6 + 15, 5e6 + 6}),
	},
	{
		name: "in a walled yard", domain: [4]float64{0, 0, 20, 10}, obstacles: []geom.Ring{box(5, 2, 15, 3), box(5, 7, 15, 8), box(5, 2, 6, 8), box(14, 2, 15, 8)},
		goal: segments([4]float64{7, 4, 13, 6}),
	},
}

func segments(ends ...[4]float64) Goal {
	var goal Goal
	for _, e := range ends {
		goal.Segments = append(goal.Segments, [2]mgl64.Vec2{{e[0], e[1]}, {e[2], e[3]}})
	}
	return goal
}

// TestSegmentsAgainstPoints compares distances from segments with distances from the point asked
// about: the least of those over the points of the segments. These change along a segment by no
// more than the length walked, so that intervals can be left out until the least is known to a
// quarter of the tolerance (the algorithm of Piyavskii and Shubert, 1972).
func TestSegmentsAgainstPoints(t *testing.T) {
	check := func(t *testing.T, g *geom.Ground, goal Goal, samples int) {
		v, err := exact.Solve(g, goal)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(5, 6))
		for range samples {
			p := somewhereOn(g, r)
			got := v.Query(p)
			if got.State == Obstacle {
				continue
			}
			from, err := exact.Solve(g, Goal{Points: []mgl64.Vec2{p}})
			if err != nil {
				t.Fatal(err)
			}
			want := math.Inf(1)
			for _, q := range goal.Points {
				want = min(want, from.Query(q).Distance)
			}
			for _, s := range goal.Segments {
				for k := range 33 {
					// NaN in obstacles.
					if d := from.Query(s[0].Add(s[1].Sub(s[0]).Mul(float64(k) / 32))).Distance; d < got.Distance-v.Tolerance(d) {
						t.Fatalf("at %v the distance is %v, and only %v from a point of segment %v", p, got.Distance, d, s)
					}
				}
				for _, l := range g.SourceSegments(s[0], s[1]) {
					want = nearestOfLeg(from, g.Lattice.World(l.A), g.Lattice.World(l.B), want, v.Tolerance(got.Distance)/4)
				}
			}
			if (got.State == Reached) != !math.IsInf(want, 1) || got.State == Reached && math.Abs(got.Distance-want) > v.Tolerance(want) {
				t.Fatalf("at %v the distance is %v, and the least over points of the segments %v", p, got.Distance, want)
			}
			if got.State == Reached {
				checkWay(t, g, v, goal, p, got.Distance)
			}
		}
	}
	for _, c := range segmentScenes {
		t.Run(c.name, func(t *testing.T) { check(t, ground(t, c.domain, c.obstacles...), c.goal, 40) })
	}
	for seed := range uint64(30) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			g, goal := randomSegments(t, seed)
			check(t, g, goal, 12)
		})
	}
}

// TestSegmentMaps compares maps that lead to segments with the reference.
func TestSegmentMaps(t *testing.T) {
	check := func(name string, g *geom.Ground, goal Goal) {
		t.Run(name, func(t *testing.T) {
			gputest.Run(t, func(d *gpu.Device) { checkMap(t, d, Wavefront, g, goal, testSize, 100) })
		})
	}
	for _, c := range segmentScenes {
		check(c.name, ground(t, c.domain, c.obstacles...), c.goal)
	}
	for seed := range uint64(40) {
		g, goal := randomSegments(t, seed)
		check(fmt.Sprint(seed), g, goal)
	}
}

// nearestOfLeg is the least distance of the points between a and b, known to eps, or best where
// that is less.
func nearestOfLeg(from *View, a, b mgl64.Vec2, best, eps float64) float64 {
	type interval struct {
		a, b   mgl64.Vec2
		fa, fb float64
	}
	f := func(p mgl64.Vec2) float64 {
		if d := from.Query(p).Distance; !math.IsNaN(d) {
			return d
		}
		return math.Inf(1)
	}
	open := []interval{{a, b, f(a), f(b)}}
	for len(open) > 0 {
		x := open[len(open)-1]
		open = open[:len(open)-1]
		best = min(best, x.fa, x.fb)
		if (x.fa+x.fb-x.b.Sub(x.a).Len())/2 >= best-eps || math.IsInf(x.fa, 1) {
			continue
		}
		m := x.a.Add(x.b).Mul(0.5)
		fm := f(m)
		open = append(open, interval{x.a, m, x.fa, fm}, interval{m, x.b, fm, x.fb})
	}
	return best
}

// checkWay checks a path that may lead to a segment: its length, that it crosses no obstacle, and
// that it ends on a source, the one that NearestSource names.
func checkWay(t *testing.T, g *geom.Ground, v *View, goal Goal, p mgl64.Vec2, distance float64) {
	t.Helper()
	path := v.Path(p)
	length := 0.0
	for i := 1; i < len(path); i++ {
		length += path[i].Sub(path[i-1]).Len()
		// A foot is no lattice point: some point that it may be rounded to is in sight.
		seen := false
		step := g.Lattice.Step
		for k := range 9 {
			seen = seen || exacttest.InSight(g, path[i-1], path[i].Add(mgl64.Vec2{float64(k%3-1) * step, float64(k/3-1) * step}))
		}
		if !seen {
			t.Errorf("the path from %v crosses an obstacle between %v and %v", p, path[i-1], path[i])
		}
	}
	if math.Abs(length-distance) > v.Tolerance(distance) {
		t.Errorf("the path from %v is %v long, want %v: %v", p, length, distance, path)
	}
	of, end := v.NearestSource(p), path[len(path)-1]
	var source mgl64.Vec2
	if of < len(goal.Points) {
		source = goal.Points[of]
	} else {
		s := goal.Segments[of-len(goal.Points)]
		d := s[1].Sub(s[0])
		source = s[0]
		if d.Len() > 0 {
			source = s[0].Add(d.Mul(min(max(end.Sub(s[0]).Dot(d)/d.Dot(d), 0), 1)))
		}
	}
	// Source segments keep to the segment within SnapSlack and rounding along either axis, and ends
	// may have been
	// moved as much before.
	if end.Sub(source).Len() > 2*(geom.SnapSlack+1)*math.Sqrt2*g.Lattice.Step {
		t.Errorf("the path from %v ends at %v, and source %d is at %v", p, end, of, source)
	}
}

// TestSegmentsRefused names segments that cannot be sources.
func TestSegmentsRefused(t *testing.T) {
	g := ground(t, [4]float64{0, 0, 10, 10}, box(4, 4, 6, 6))
	for _, c := range []struct {
		segment [2]mgl64.Vec2
		point   mgl64.Vec2
	}{
		{[2]mgl64.Vec2{{4.5, 5}, {5.5, 5}}, mgl64.Vec2{4.5, 5}},
		{[2]mgl64.Vec2{{5, 5}, {5, 5}}, mgl64.Vec2{5, 5}},
		{[2]mgl64.Vec2{{1, 1}, {11, 5}}, mgl64.Vec2{11, 5}},
		{[2]mgl64.Vec2{{-1, 1}, {1, 5}}, mgl64.Vec2{-1, 1}},
		{[2]mgl64.Vec2{{1, 1}, {1, math.Inf(1)}}, mgl64.Vec2{1, math.Inf(1)}},
	} {
		_, err := exact.Solve(g, Goal{Points: []mgl64.Vec2{{1, 1}}, Segments: [][2]mgl64.Vec2{{{1, 1}, {2, 2}}, c.segment}})
		var refused *SourceError
		if !errors.As(err, &refused) || refused.Index != 2 || refused.Point != c.point {
			t.Errorf("segment %v gave %v, want a *SourceError for source 2 at %v", c.segment, err, c.point)
		}
	}
}

// TestSegmentKnown compares answers with elementary geometry.
func TestSegmentKnown(t *testing.T) {
	g := ground(t, [4]float64{0, 0, 20, 10}, box(9, 4, 11, 6))
	v, err := exact.Solve(g, segments([4]float64{2, 1, 18, 1}))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		p, parent mgl64.Vec2
		distance  float64
	}{
		{mgl64.Vec2{5, 9}, mgl64.Vec2{5, 1}, 8},
		{mgl64.Vec2{9.5, 2}, mgl64.Vec2{9.5, 1}, 1},
		{mgl64.Vec2{1, 2}, mgl64.Vec2{2, 1}, math.Sqrt2},
		{mgl64.Vec2{9, 9}, mgl64.Vec2{9, 1}, 8},
		{mgl64.Vec2{10, 6}, mgl64.Vec2{9, 6}, 6}, // over the corner, whose foot point is (9, 1)
		{mgl64.Vec2{7, 1}, mgl64.Vec2{7, 1}, 0},
	} {
		a := v.Query(c.p)
		if math.Abs(a.Distance-c.distance) > v.Tolerance(c.distance) {
			t.Errorf("distance at %v is %v, want %v", c.p, a.Distance, c.distance)
		}
		if d := v.Query(c.parent).Distance + c.p.Sub(c.parent).Len(); math.Abs(d-c.distance) > v.Tolerance(c.distance) {
			t.Errorf("over %v the distance is %v, want %v", c.parent, d, c.distance)
		}
	}
	path := v.Path(mgl64.Vec2{9.25, 8})
	want := []mgl64.Vec2{{9.25, 8}, {9, 6}, {9, 1}}
	if len(path) != len(want) {
		t.Fatalf("the path is %v, want %v", path, want)
	}
	for i, p := range path {
		if p.Sub(want[i]).Len() > v.Tolerance(0) {
			t.Errorf("the path is %v, want %v", path, want)
		}
	}
}
