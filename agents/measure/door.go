package measure

import "github.com/go-gl/mathgl/mgl64"

// Door is a line that agents pass, from A to B.
type Door struct{ A, B mgl64.Vec2 }

// Crossing is an agent that passed a door.
type Crossing struct {
	ID   int
	Time float64 // s, between two frames: as if it had walked straight and evenly
	Left bool    // to the left of A to B, as seen along it
}

// Counter counts the crossings of a door frame by frame, in order of frames, then of walkers. An
// agent has to be in both of two frames. One that ends on the line is still on the side that it
// came from, so that no agent passes twice, or unnoticed, by stopping there.
type Counter struct {
	Door
	Crossings []Crossing
	time      float64 // of the frame before
	walkers   map[int]side
	spare     map[int]side // that of the frame before, to be filled anew
}

// side is where an agent was in the frame before.
type side struct {
	at   mgl64.Vec2
	left bool // it was last to the left
}

// Add takes the next frame.
func (c *Counter) Add(f Frame) {
	now := c.spare
	if now == nil {
		now = make(map[int]side, len(f.Walkers))
	}
	clear(now)
	for _, w := range f.Walkers {
		offset := c.offset(w.At)
		was, known := c.walkers[w.ID]
		left := offset > 0 || offset == 0 && was.left
		now[w.ID] = side{w.At, left}
		if !known || was.left == left {
			continue
		}
		start := c.offset(was.at)
		share := start / (start - offset) // the offsets differ: one is not 0, and the other is not on its side
		at := was.at.Add(w.At.Sub(was.at).Mul(share))
		if along := c.B.Sub(c.A); at.Sub(c.A).Dot(along) >= 0 && at.Sub(c.B).Dot(along) <= 0 {
			c.Crossings = append(c.Crossings, Crossing{w.ID, c.time + share*(f.Time-c.time), left})
		}
	}
	c.walkers, c.spare, c.time = now, c.walkers, f.Time
}

// offset is greater than 0 to the left of the door.
func (d Door) offset(p mgl64.Vec2) float64 { return cross(d.B.Sub(d.A), p.Sub(d.A)) }

// Flow is how many people a second cross between the first and the last crossing; false
// for fewer than two, or all at once. Crossings in one direction only are meant, such as
// through an exit. Unit: 1/s.
func Flow(crossings []Crossing) (float64, bool) {
	if len(crossings) < 2 {
		return 0, false
	}
	first, last := crossings[0].Time, crossings[0].Time
	for _, c := range crossings {
		first, last = min(first, c.Time), max(last, c.Time)
	}
	if first == last {
		return 0, false
	}
	return float64(len(crossings)-1) / (last - first), true
}
