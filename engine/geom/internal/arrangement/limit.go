package arrangement

import (
	"sync/atomic"

	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// MaxMeetings limits how often the edges of obstacles meet: the crossings of two edges, the
// vertices that touch an edge, and the edges that rounding bends through a point, added up. Each
// crossing is a vertex of the ground and counts three times with the two edges bent through it.
// Ground with that many takes about a gigabyte and ten seconds.
const MaxMeetings = 1 << 22

// MaxVertices limits the vertices of all obstacles as Build gets them: grown ones have several for
// each given one. The largest scene file has as many.
const MaxVertices = 1 << 20

// maxComparisons limits the pairs of edges, and of an edge and a vertex, that are compared, so that
// obstacles whose edges are near one another everywhere, and meet nowhere, end in an error after
// about ten seconds. Outlines of a million vertices take a fiftieth of it.
const maxComparisons = 1 << 32

// effort counts work, from any goroutine. Whether it is over a limit is independent of the order of
// the work.
type effort struct {
	most                  int64 // meetings
	meetings, comparisons atomic.Int64
}

func (e *effort) over() bool {
	return e.meetings.Load() > e.most || e.comparisons.Load() > maxComparisons
}

// compare adds n comparisons and reports whether that is within the limits.
func (e *effort) compare(n int64) bool {
	e.comparisons.Add(n)
	return !e.over()
}

// err returns a *polygon.LimitError if a limit is passed.
func (e *effort) err(vertices int) error {
	if n := e.meetings.Load(); n > e.most {
		return &polygon.LimitError{What: "places where edges cross or touch", Needed: n, Limit: e.most, Vertices: vertices}
	}
	if n := e.comparisons.Load(); n > maxComparisons {
		return &polygon.LimitError{What: "pairs of an edge and what is near it", Needed: n, Limit: maxComparisons, Vertices: vertices}
	}
	return nil
}

// CheckCount returns a *polygon.LimitError if there are more than MaxVertices.
func CheckCount(vertices int) error {
	if vertices <= MaxVertices {
		return nil
	}
	return &polygon.LimitError{What: "vertices", Needed: int64(vertices), Limit: MaxVertices, Vertices: vertices}
}
