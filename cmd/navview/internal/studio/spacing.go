package studio

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// SpaceTo returns the place near its own that a box of a list of the document is drawn to: where the
// gap to the next record in a row along an axis is that of two others of the row, or where the gaps to
// both sides are equal. A row is the records of the list that the box would meet on its way along the
// axis. Axes are those that it holds for.
func (s *Studio) SpaceTo(p Pointer, box scenes.Rect, l List, skip ...Ref) (at Snap, axes [2]bool) {
	at.At = box.Min()
	if !s.Snaps || p.Control {
		return at, axes
	}
	var boxes []scenes.Rect
	s.eachFigure(skip, l, func(f Figure) { boxes = append(boxes, f.Box()) })
	reach := s.snapReach()
	for axis := range axes {
		low, gap, lines, ok := equalGap(box, boxes, axis, reach)
		if !ok {
			continue
		}
		axes[axis], at.At[axis] = true, low
		at.Why, at.Guide = fmt.Sprintf("equal spacing %.2f m", gap), append(at.Guide, lines...)
	}
	return at, axes
}

// span is what a box takes of an axis.
type span struct{ low, high float64 }

// equalGap returns where a box begins on an axis when its gaps are equal to others, at most reach
// away, with the gap and lines across all gaps of that length in the row.
func equalGap(box scenes.Rect, others []scenes.Rect, axis int, reach float64) (low, gap float64, lines [][2]mgl64.Vec2, ok bool) {
	across := 1 - axis
	size := box.Max()[axis] - box.Min()[axis]
	is := span{box.Min()[axis], box.Max()[axis]}
	var row []span
	for _, b := range others {
		if b.Min()[across] < box.Max()[across] && b.Max()[across] > box.Min()[across] {
			row = append(row, span{b.Min()[axis], b.Max()[axis]})
		}
	}
	slices.SortFunc(row, func(a, b span) int { return cmp.Compare(a.low, b.low) })
	nearest := reach
	try := func(at, of float64) {
		if d := math.Abs(at - is.low); d < nearest {
			nearest, low, gap, ok = d, at, of, true
		}
	}
	next := slices.IndexFunc(row, func(a span) bool { return a.low+a.high >= is.low+is.high })
	if next < 0 {
		next = len(row)
	}
	for i := 1; i < len(row); i++ {
		of := row[i].low - row[i-1].high
		if of <= 0 {
			continue
		}
		if next > 0 {
			try(row[next-1].high+of, of)
		}
		if next < len(row) {
			try(row[next].low-of-size, of)
		}
	}
	if next > 0 && next < len(row) {
		if of := (row[next].low - row[next-1].high - size) / 2; of > 0 {
			try(row[next-1].high+of, of)
		}
	}
	if !ok {
		return 0, 0, nil, false
	}
	row = slices.Insert(row, next, span{low, low + size})
	middle := (box.Min()[across] + box.Max()[across]) / 2
	for i := 1; i < len(row); i++ {
		if of := row[i].low - row[i-1].high; math.Abs(of-gap) < 1e-6 { // a thousandth of what places are rounded to
			var l [2]mgl64.Vec2
			l[0][axis], l[1][axis], l[0][across], l[1][across] = row[i-1].high, row[i].low, middle, middle
			lines = append(lines, l)
		}
	}
	return low, gap, lines, true
}
