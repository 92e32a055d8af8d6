package geom

import (
	"fmt"
	"sync/atomic"
)

// MaxMeetings is how often the edges of obstacles may meet: the crossings of two edges, the
// vertices that touch an edge, and the edges that rounding bends through a point, added up. Each
// crossing is a vertex of the ground and counts three times with the two edges that are bent through
// it. Ground with that many takes about a gigabyte and ten seconds.
const MaxMeetings = 1 << 22

// MaxVertices is how many vertices obstacles may have, all together, as Build gets them: grown ones have several for each that
// was given. The largest scene file has as many.
const MaxVertices = 1 << 20

// maxComparisons is how many pairs of edges, and of an edge and a vertex, are looked at for that,
// so that obstacles whose edges are near one another everywhere, and meet nowhere, end in a message
// after about ten seconds. Outlines of a million vertices take a fiftieth of it.
const maxComparisons = 1 << 32

// maxPairs is how many pairs of edges Polygon.Check looks at, likewise: one such takes longer there.
const maxPairs = 1 << 28

// LimitError says that obstacles are too intricate to make ground of.
type LimitError struct {
	// What there is too much of, in words.
	What string
	// Needed is how much there is at least: counting stops when it is above Limit.
	Needed, Limit int64
	// Vertices is the number of vertices of all obstacles together.
	Vertices int
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("geom: the obstacles are too intricate, with %d vertices in all: %s number %d or more, and ground is made of %d at most; unite obstacles that cross, leave some out, or give them fewer vertices",
		e.Vertices, e.What, e.Needed, e.Limit)
}

// effort counts what ground costs while it is made, from any goroutine. It is over a limit or not,
// whatever the order of the work.
type effort struct {
	most                  int64 // meetings: MaxMeetings, and less in tests
	meetings, comparisons atomic.Int64
}

func (e *effort) over() bool {
	return e.meetings.Load() > e.most || e.comparisons.Load() > maxComparisons
}

// err returns a *LimitError if a limit is passed.
func (e *effort) err(vertices int) error {
	if n := e.meetings.Load(); n > e.most {
		return tooManyMeetings(n, e.most, vertices)
	}
	if n := e.comparisons.Load(); n > maxComparisons {
		return &LimitError{What: "pairs of an edge and what is near it", Needed: n, Limit: maxComparisons, Vertices: vertices}
	}
	return nil
}

func tooManyMeetings(n, most int64, vertices int) *LimitError {
	return &LimitError{What: "places where edges cross or touch", Needed: n, Limit: most, Vertices: vertices}
}

// tooManyVertices returns a *LimitError if there are too many.
func tooManyVertices(vertices int) error {
	if vertices <= MaxVertices {
		return nil
	}
	return &LimitError{What: "vertices", Needed: int64(vertices), Limit: MaxVertices, Vertices: vertices}
}

// verticesOf returns the number of vertices of all rings.
func verticesOf(obstacles []Polygon) int {
	count := 0
	for _, o := range obstacles {
		count += len(o.Outer)
		for _, h := range o.Holes {
			count += len(h)
		}
	}
	return count
}
