package measure

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// film is one agent's places, one a second.
func film(places ...mgl64.Vec2) []Frame {
	var frames []Frame
	for k, p := range places {
		frames = append(frames, Frame{Time: float64(k), Walkers: []Walker{{ID: 7, At: p}}})
	}
	return frames
}

// crossings are those of a door in frames.
func crossings(d Door, frames []Frame) []Crossing {
	c := Counter{Door: d}
	for _, f := range frames {
		c.Add(f)
	}
	return c.Crossings
}

func TestDoor(t *testing.T) {
	door := Door{mgl64.Vec2{0, -1}, mgl64.Vec2{0, 1}} // left of it is x < 0
	for name, c := range map[string]struct {
		frames []Frame
		want   []Crossing
	}{
		"through":          {film(mgl64.Vec2{3, 0}, mgl64.Vec2{1, 0}, mgl64.Vec2{-3, 0.4}), []Crossing{{7, 1.25, true}}},
		"and back":         {film(mgl64.Vec2{1, 0}, mgl64.Vec2{-1, 0}, mgl64.Vec2{1, 0}), []Crossing{{7, 0.5, true}, {7, 1.5, false}}},
		"beside it":        {film(mgl64.Vec2{1, 2}, mgl64.Vec2{-1, 2}), nil},
		"by its end":       {film(mgl64.Vec2{1, 1}, mgl64.Vec2{-1, 1}), []Crossing{{7, 0.5, true}}},
		"stops on it":      {film(mgl64.Vec2{1, 0}, mgl64.Vec2{0, 0}, mgl64.Vec2{0, 0.5}, mgl64.Vec2{-1, 0.5}), []Crossing{{7, 2, true}}},
		"turns back on it": {film(mgl64.Vec2{1, 0}, mgl64.Vec2{0, 0}, mgl64.Vec2{1, 0}), nil},
		"stands":           {film(mgl64.Vec2{1, 0}, mgl64.Vec2{1, 0}), nil},
		"was away between": {[]Frame{film(mgl64.Vec2{1, 0})[0], {Time: 1}, {Time: 2, Walkers: []Walker{{ID: 7, At: mgl64.Vec2{-1, 0}}}}}, nil},
		"is another":       {[]Frame{film(mgl64.Vec2{1, 0})[0], {Time: 1, Walkers: []Walker{{ID: 8, At: mgl64.Vec2{-1, 0}}}}}, nil},
	} {
		got := crossings(door, c.frames)
		if len(got) != len(c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
			continue
		}
		for i := range got {
			near(t, name, got[i].Time, c.want[i].Time)
			if got[i].ID != c.want[i].ID || got[i].Left != c.want[i].Left {
				t.Errorf("%s: %+v, want %+v", name, got, c.want)
			}
		}
	}
}

// TestFlow: people walk through a door at equal distances, one every 0.8 s.
func TestFlow(t *testing.T) {
	var frames []Frame
	for step := range 300 {
		f := Frame{Time: 0.1 * float64(step)}
		for id := range 20 {
			f.Walkers = append(f.Walkers, Walker{ID: id, At: mgl64.Vec2{1.25*f.Time - float64(id) - 0.03, 0}})
		}
		frames = append(frames, f)
	}
	crossings := crossings(Door{mgl64.Vec2{0, -1}, mgl64.Vec2{0, 1}}, frames)
	if len(crossings) != 20 {
		t.Fatalf("%d crossings", len(crossings))
	}
	for i, c := range crossings {
		near(t, "time", c.Time, (float64(i)+0.03)/1.25)
		if c.Left || c.ID != i {
			t.Errorf("%+v", c)
		}
	}
	if flow, ok := Flow(crossings); !ok || math.Abs(flow-1.25) > 1e-12 {
		t.Errorf("%v people a second", flow)
	}
	for _, few := range [][]Crossing{nil, crossings[:1], {crossings[3], crossings[3]}} {
		if flow, ok := Flow(few); ok {
			t.Errorf("%v people a second from %d crossings", flow, len(few))
		}
	}
}
