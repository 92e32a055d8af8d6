package svg

import (
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// TestPaths: the commands of SVG's path data, by where they lead.
func TestPaths(t *testing.T) {
	for text, want := range map[string][]mgl64.Vec2{
		"M1 2 3 4 5-6":             {{1, 2}, {3, 4}, {5, -6}},
		"m1 2 3 4l.5.5":            {{1, 2}, {4, 6}, {4.5, 6.5}},
		"M1 2H5V7h-1v-2":           {{1, 2}, {5, 2}, {5, 7}, {4, 7}, {4, 5}},
		"M1e1,2E-1L-3.5e+0+4":      {{10, 0.2}, {-3.5, 4}},
		"M0 0C0 1 1 1 1 0S2-1 2 0": {{0, 0}, {0.5, 0.75}, {1, 0}, {1.5, -0.75}, {2, 0}},
		"M0 0q1 2 2 0t2 0":         {{0, 0}, {1, 1}, {2, 0}, {3, -1}, {4, 0}},
		"M0 0a1 1 0 0 1 2 0":       {{0, 0}, {1, -1}, {2, 0}},
		"M0 0a1 1 0 012 0":         {{0, 0}, {1, -1}, {2, 0}},
		"M0 0A1 1 0 0 0 2 0":       {{0, 0}, {1, 1}, {2, 0}},
		"M0 0a.5.5 0 1 1 2 0":      {{0, 0}, {1, -1}, {2, 0}}, // too short a radius grows
		"M0 0a2 1 90 0 1 2 0":      {{0, 0}, {1, -2}, {2, 0}},
		"M1 0A1 1 0 1 1 0 1":       {{1, 0}, {1 + math.Sqrt(0.5), 1 + math.Sqrt(0.5)}, {0, 1}},
		"M1 0A1 1 0 0 0 0 1":       {{1, 0}, {1 - math.Sqrt(0.5), 1 - math.Sqrt(0.5)}, {0, 1}},
		"M0 0a0 1 0 0 1 2 0":       {{0, 0}, {2, 0}},
	} {
		lines, err := readPath(text)
		if err != nil || len(lines) != 1 || lines[0].Closed {
			t.Errorf("%s: %v, %v", text, lines, err)
			continue
		}
		// Every point wanted lies on one read, in order.
		next := 0
		for _, p := range lines[0].Points {
			if next < len(want) && p.Sub(want[next]).Len() < 1e-9 { // rounding in float64 near 1
				next++
			}
		}
		if next < len(want) || len(want) != len(lines[0].Points) && !strings.ContainsAny(text, "CqaA") {
			t.Errorf("%s: %v, want %v", text, lines[0].Points, want)
		}
	}
	lines, err := readPath("M1 1H2V2z l1 1M5 5h1z")
	if err != nil || len(lines) != 3 || !lines[0].Closed || lines[1].Closed || lines[1].Points[0] != (mgl64.Vec2{1, 1}) || !lines[2].Closed {
		t.Errorf("%v, %v", lines, err)
	}
	for _, text := range []string{"L1 1", "1 1", "M1", "M1 x", "M1 1z 2 2", "M1 1B2", "M0 0a1 1 0 2 1 2 0", "M1 1e", "M--1 1", "M. 1"} {
		if lines, err := readPath(text); err == nil {
			t.Errorf("%s: %v", text, lines)
		}
	}
}

func TestTransforms(t *testing.T) {
	for text, want := range map[string]mgl64.Vec2{
		"":                                 {3, 4},
		"translate(1)":                     {4, 4},
		"translate(1 -2)":                  {4, 2},
		"scale(2)":                         {6, 8},
		"scale(2,-1)":                      {6, -4},
		"rotate(90)":                       {-4, 3},
		"rotate(90, 3, 3)":                 {2, 3},
		"skewX(45)":                        {7, 4},
		"skewY(45)":                        {3, 7},
		"matrix(1 2 3 4 5 6)":              {20, 28},
		"translate(10,0) , rotate( 90 )\n": {6, 3},
	} {
		if m, err := transform(text); err != nil || m.Of(mgl64.Vec2{3, 4}) != want {
			t.Errorf("%s: %v, %v, want %v", text, m.Of(mgl64.Vec2{3, 4}), err, want)
		}
	}
	for _, text := range []string{"turn(3)", "rotate(1 2)", "scale()", "translate(1", "translate 3", "rotate(x)"} {
		if _, err := transform(text); err == nil {
			t.Errorf("%s was taken", text)
		}
	}
}
