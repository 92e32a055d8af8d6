package measure

import "github.com/go-gl/mathgl/mgl64"

// Door is a line that people pass, from A to B.
type Door struct{ A, B mgl64.Vec2 }

// Crossing is somebody who passed a door.
type Crossing struct {
	ID   int
	Time float64 // s, between two frames: as if he had walked straight and evenly
	Left bool    // to the left of A to B, as seen along it
}

// Crossings are those that happened between the frames, in order of frames, then of the
// first one's walkers. Who is not in both frames passed nothing. Who ends on the line is
// still on the side that he came from, so that nobody passes it twice, or without being
// noticed, by stopping there.
func (d Door) Crossings(frames []Frame) []Crossing {
	var all []Crossing
	side := map[int]bool{} // whether somebody was last to the left
	for k := range frames {
		before := map[int]Walker{}
		if k > 0 {
			for _, w := range frames[k-1].Walkers {
				before[w.ID] = w
			}
		}
		there := map[int]bool{}
		for _, w := range frames[k].Walkers {
			there[w.ID] = true
			offset := d.offset(w.At)
			was, known := side[w.ID]
			left := offset > 0 || offset == 0 && was
			side[w.ID] = left
			from, ok := before[w.ID]
			if !known || !ok || was == left {
				continue
			}
			start := d.offset(from.At)
			share := start / (start - offset) // the offsets differ: one is not 0, and the other is not on its side
			at := from.At.Add(w.At.Sub(from.At).Mul(share))
			if along := d.B.Sub(d.A); at.Sub(d.A).Dot(along) >= 0 && at.Sub(d.B).Dot(along) <= 0 {
				time := frames[k-1].Time + share*(frames[k].Time-frames[k-1].Time)
				all = append(all, Crossing{w.ID, time, left})
			}
		}
		for id := range side {
			if !there[id] {
				delete(side, id)
			}
		}
	}
	return all
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
