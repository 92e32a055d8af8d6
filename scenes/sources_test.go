package scenes

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// sourcesOf reads a scene of one goal and returns what its map leads to, with both grounds.
func sourcesOf(t *testing.T, obstacles, goal string) (sources Sources, open, clear *geom.Ground) {
	t.Helper()
	s := mustRead(t, fmt.Sprintf(`{"version": 1, "domain": [0, 0, 40, 25], "obstacles": [%s], "goals": [{%s}]}`, obstacles, goal))
	open, err := s.GroundAt(0)
	if err != nil {
		t.Fatal(err)
	}
	if clear, err = s.GroundFor(0, s.Goals[0].Passage()); err != nil {
		t.Fatal(err)
	}
	return s.Goals[0].SourcesOn(open, clear), open, clear
}

// grain is what rounding to the lattice of a domain of 40 m may do to a length: walls are within a
// step along either axis of where they should be, and what stands for a point is a few steps from
// it.
const grain = 16 * 40.0 / geom.Steps

func TestSourcesWithoutClearanceStayAsTheyAre(t *testing.T) {
	s, _, _ := sourcesOf(t, `{"rect": [10, 10, 20, 20]}`, `"points": [[1, 1], [10, 15]], "segments": [[[1, 2], [3, 2]], [[5, 15], [15, 15]]]`)
	if len(s.Points) != 2 || s.Points[1] != (mgl64.Vec2{10, 15}) || len(s.Segments) != 2 || s.Segments[1] != [2]mgl64.Vec2{{5, 15}, {15, 15}} ||
		len(s.Blocked) != 0 || !slices.Equal(s.Of, []int{0, 1, 2, 3}) {
		t.Errorf("%+v", s)
	}
}

func TestPointsNearWallsAreMoved(t *testing.T) {
	for _, c := range []struct {
		obstacles string
		at, want  mgl64.Vec2
	}{
		{``, mgl64.Vec2{39.9, 12}, mgl64.Vec2{39.5, 12}},
		{``, mgl64.Vec2{40, 12}, mgl64.Vec2{39.5, 12}},
		{``, mgl64.Vec2{0, 0}, mgl64.Vec2{0.5, 0.5}},
		{`{"rect": [20, 0, 20.2, 25]}`, mgl64.Vec2{20, 12}, mgl64.Vec2{19.5, 12}},
		// Nearer to the far side of the wall, which is not in sight, than to the mouth of its niche.
		{`{"polygon": [[19, 10], [20, 10], [20, 10.8], [19.2, 10.8], [19.2, 11.2], [20, 11.2], [20, 12], [19, 12]]}`, mgl64.Vec2{19.61, 11}, mgl64.Vec2{20.3, 11}},
	} {
		s, open, clear := sourcesOf(t, c.obstacles, fmt.Sprintf(`"points": [[%v, %v]], "clearance": 0.5`, c.at[0], c.at[1]))
		if len(s.Points) != 1 || len(s.Blocked) != 0 {
			t.Errorf("%v: %+v", c.at, s)
			continue
		}
		p := s.Points[0]
		if at, ok := clear.Standing(p); !ok || !open.InSight(open.Lattice.Snap(p), open.Lattice.Snap(c.at)) {
			t.Errorf("%v is moved to %v: stands at %v, %v", c.at, p, at, ok)
		}
		// Corners of the grown ground are up to 2% of the clearance too far out.
		if p.Sub(c.want).Len() > grain+0.02*0.5 && c.want != (mgl64.Vec2{20.3, 11}) {
			t.Errorf("%v is moved to %v, want %v", c.at, p, c.want)
		}
	}
}

func TestSegmentsNearWalls(t *testing.T) {
	for name, c := range map[string]struct {
		obstacles, segment string
		length             float64 // of all parts
	}{
		"free":               {``, `[[5, 5], [5, 9]]`, 4},
		"along the border":   {``, `[[40, 5], [40, 9]]`, 4},
		"the whole border":   {``, `[[40, 0], [40, 25]]`, 24},
		"along a wall":       {`{"rect": [20, 0, 20.2, 25]}`, `[[20, 5], [20, 9]]`, 4},
		"near a wall":        {`{"rect": [20, 0, 20.2, 25]}`, `[[19.8, 5], [19.8, 9]]`, 4},
		"inside a wall":      {`{"rect": [20, 0, 22, 25], "open": [[0, 1]]}`, `[[21, 5], [21, 9]]`, 4}, // a door that is open now
		"up to a wall":       {`{"rect": [20, 0, 22, 25]}`, `[[15, 10], [20, 10]]`, 4.5 + 0},
		"across a doorway":   {`{"rect": [20, 0, 20.2, 10]}, {"rect": [20, 12, 20.2, 25]}`, `[[20.1, 10], [20.1, 12]]`, 1},
		"partly in a wall":   {`{"rect": [20, 0, 22, 25]}`, `[[15, 10], [21, 10]]`, 4.5},
		"along both of them": {`{"rect": [20, 10, 22, 12]}`, `[[20, 9], [20, 13]]`, 0.5 + 0.5},
	} {
		s, open, clear := sourcesOf(t, c.obstacles, fmt.Sprintf(`"segments": [%s], "clearance": 0.5`, c.segment))
		if len(s.Blocked) != 0 {
			t.Errorf("%s: blocked", name)
			continue
		}
		// What is free of the parts: each part stands for itself as far as the map cuts it.
		sum := 0.0
		for _, part := range s.Segments {
			for _, r := range cut(clear.Lattice, part, clear.SourceSegments(part[0], part[1])) {
				if r.free {
					sum += r.to.Sub(r.from).Len()
				}
			}
		}
		if sum < c.length-8*grain || name == "free" && sum != c.length {
			t.Errorf("%s: the parts have %v m, want %v: %v", name, sum, c.length, s.Segments)
		}
		// A disc of the clearance on any free point of a part touches the segment, and nothing is
		// between.
		var whole Segment
		if _, err := fmt.Sscanf(c.segment, "[[%f, %f], [%f, %f]]", &whole[0][0], &whole[0][1], &whole[1][0], &whole[1][1]); err != nil {
			t.Fatal(err)
		}
		for _, part := range s.Segments {
			for k := range 101 {
				p := part[0].Add(part[1].Sub(part[0]).Mul(float64(k) / 100))
				if _, free := clear.Standing(p); !free {
					continue
				}
				along := whole[1].Sub(whole[0])
				foot := whole[0].Add(along.Mul(max(0, min(1, p.Sub(whole[0]).Dot(along)/along.Dot(along)))))
				a, _ := open.Standing(p)
				b, ok := open.Standing(foot)
				if d := p.Sub(foot).Len(); d > 0.5+grain || !ok || !open.InSight(a, b) {
					t.Fatalf("%s: (%v, %v) of %v is %v m from the segment", name, p[0], p[1], part, d)
				}
			}
		}
	}
}

func TestCut(t *testing.T) {
	s := mustRead(t, `{"version": 1, "domain": [0, 0, 40, 25], "goals": [{"points": [[1, 1]]}],
		"obstacles": [{"rect": [10, 10, 12, 12]}, {"rect": [12, 10, 14, 12]}, {"polygon": [[20, 11], [22, 12], [20, 13]]}, {"rect": [30, 0, 31, 11]}]}`)
	g, err := s.Ground()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		segment Segment
		cuts    []float64 // where it changes between free and buried
		buried  bool      // how it begins
	}{
		"free":                {Segment{{1, 1}, {9, 9}}, nil, false},
		"through two squares": {Segment{{0, 11.5}, {40, 11.5}}, []float64{10, 14, 20, 21}, false},
		"through a tip":       {Segment{{21, 0}, {21, 25}}, []float64{11.5, 12.5}, false},
		"from a tip":          {Segment{{22, 12}, {30, 12}}, nil, false},
		"along walls":         {Segment{{5, 10}, {25, 10}}, nil, false},
		"out of a square":     {Segment{{11, 11}, {11, 20}}, []float64{1}, true},
		"inside":              {Segment{{11, 11}, {13, 11}}, nil, true},
		"a step":              {Segment{{5, 5}, {5 + 50.0/geom.Steps, 5}}, nil, false},
		"along a border":      {Segment{{40, 0}, {40, 25}}, nil, false},
	} {
		var got []float64
		all := cut(g.Lattice, c.segment, g.SourceSegments(c.segment[0], c.segment[1]))
		for i, r := range all {
			if r.free != (i%2 == 0 != c.buried) {
				t.Errorf("%s: %+v", name, all)
			}
			if i > 0 {
				got = append(got, r.from.Sub(c.segment[0]).Len())
				if r.from != all[i-1].to {
					t.Errorf("%s: %+v", name, all)
				}
			}
		}
		if all[0].from != c.segment[0] || all[len(all)-1].to != c.segment[1] || len(got) != len(c.cuts) {
			t.Errorf("%s: %+v", name, all)
			continue
		}
		for i := range got {
			if math.Abs(got[i]-c.cuts[i]) > grain {
				t.Errorf("%s: cuts at %v, want %v", name, got, c.cuts)
			}
		}
	}
}
