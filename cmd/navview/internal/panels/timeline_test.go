//go:build !headless

package panels

import (
	"testing"

	"github.com/wayfront/wayfront/scenes"
)

// TestShift: times move by tenths, and never past a neighbor, so that every drag leaves a timetable
// that the document may have.
func TestShift(t *testing.T) {
	door := func() *scenes.Obstacle {
		return &scenes.Obstacle{Open: []scenes.Interval{{2, 4}, {6, 8}, {10, 12}}}
	}
	for _, c := range []struct {
		name string
		ends [2]bool
		by   float64
		want scenes.Interval
	}{
		{"whole", [2]bool{true, true}, 0.52, scenes.Interval{6.5, 8.5}},
		{"whole, past the next", [2]bool{true, true}, 9, scenes.Interval{7.9, 9.9}},
		{"whole, past the one before", [2]bool{true, true}, -9, scenes.Interval{4.1, 6.1}},
		{"begin", [2]bool{true, false}, -1, scenes.Interval{5, 8}},
		{"begin, past the end", [2]bool{true, false}, 7, scenes.Interval{7.9, 8}},
		{"end", [2]bool{false, true}, 1.26, scenes.Interval{6, 9.3}},
		{"end, past the next", [2]bool{false, true}, 7, scenes.Interval{6, 9.9}},
	} {
		o := door()
		shift(o, drag{interval: 1, key: -1, ends: c.ends}, c.by)
		if got := o.Open[1]; got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if o.Open[0] != (scenes.Interval{2, 4}) || o.Open[2] != (scenes.Interval{10, 12}) {
			t.Errorf("%s: neighbors moved: %v", c.name, o.Open)
		}
	}
	o := &scenes.Obstacle{Motion: &scenes.Motion{Keyframes: []scenes.Keyframe{{Time: 1}, {Time: 3}, {Time: 4}}}}
	shift(o, drag{interval: -1, key: 1}, 5)
	if got := o.Motion.Keyframes[1].Time; got != 3.9 {
		t.Errorf("keyframe at %v, want 3.9", got)
	}
}
