package polygon

import (
	"fmt"
	"math"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"
)

// Fault says what is wrong with a polygon.
type Fault uint8

// The faults that Polygon.Check finds. Of several it reports the first of this list; the last
// three, faults between two rings, rank equally.
const (
	NotFinite        Fault = iota + 1 // a coordinate is NaN or infinite
	TooFewVertices                    // fewer than three distinct vertices
	ZeroArea                          // all vertices on one line
	SelfIntersection                  // two edges of a ring share a point that is not their common end
	HoleCrossing                      // a hole crosses the outer ring or runs along it
	HoleOutside                       // a hole lies outside the outer ring
	HolesOverlap                      // two holes share more than points
)

// OfRing reports whether the fault is that of a whole ring, not of a vertex or an edge of it.
func (f Fault) OfRing() bool { return f == TooFewVertices || f == ZeroArea }

// Error is the error of Polygon.Check. Ring 0 is the outer one, ring i+1 hole i. Vertices are
// numbered as given, and of equal neighbors the first counts; edge i of a ring starts at its vertex
// i.
type Error struct {
	Kind Fault
	// Ring and Index name the vertex or edge at fault: of a hole and another ring that of the hole,
	// of two holes that of the later one.
	Ring, Index int
	// OtherRing and Other name the other edge of a fault between two edges, and equal Ring and
	// Index in every other fault.
	OtherRing, Other int
	// Point is the place: exact where it is a vertex, rounded where two edges cross between their
	// ends. Units: m.
	Point mgl64.Vec2
}

// Error returns the fault, its place and what is allowed.
func (e *Error) Error() string {
	ring := ringName(e.Ring)
	p := Shown(e.Point[:]...)
	at := fmt.Sprintf("(%v, %v)", p[0], p[1])
	switch e.Kind {
	case NotFinite:
		return fmt.Sprintf("geom: vertex %d of %s is %s: coordinates must be finite numbers", e.Index, ring, at)
	case TooFewVertices:
		return fmt.Sprintf("geom: %s has fewer than three distinct vertices", ring)
	case ZeroArea:
		return fmt.Sprintf("geom: %s has no area: all its vertices lie on one line", ring)
	case SelfIntersection:
		return fmt.Sprintf("geom: %s intersects itself: its edges %d and %d meet at %s; a ring may neither cross, touch nor run back along itself",
			ring, e.Index, e.Other, at)
	case HoleCrossing:
		return fmt.Sprintf("geom: edge %d of %s meets edge %d of the outer ring at %s: a hole must lie inside the outer ring and may touch it only in points",
			e.Index, ring, e.Other, at)
	case HoleOutside:
		return fmt.Sprintf("geom: %s lies outside the outer ring at %s: holes are cut out of the polygon and must lie inside it", ring, at)
	}
	return fmt.Sprintf("geom: %s overlaps %s at %s: holes may touch each other only in points; give their union as one hole",
		ring, ringName(e.OtherRing), at)
}

func ringName(ring int) string {
	if ring == 0 {
		return "the outer ring"
	}
	return fmt.Sprintf("hole %d", ring-1)
}

// LimitError reports that obstacles are too intricate to make ground of.
type LimitError struct {
	// What there is too much of, in words.
	What string
	// Needed is a lower bound of the amount: counting stops above Limit.
	Needed, Limit int64
	// Vertices is the number of vertices of all obstacles.
	Vertices int
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("geom: the obstacles are too intricate, with %d vertices in all: %s number %d or more, and ground is made of %d at most; unite obstacles that cross, leave some out, or give them fewer vertices",
		e.Vertices, e.What, e.Needed, e.Limit)
}

// shownDigits is the number of digits that messages give of the larger coordinate. They resolve
// 2^-30 of a domain at the origin, a thousandth of a lattice step, which rounding to the lattice
// does not separate; and a millimeter where coordinates are thousands of kilometers.
const shownDigits = 10

// Shown formats coordinates for messages, rounded to the place of the tenth digit of the largest.
func Shown(coordinates ...float64) []string {
	largest := 0.0
	for _, x := range coordinates {
		if a := math.Abs(x); a <= math.MaxFloat64 { // false for NaN
			largest = max(largest, a)
		}
	}
	places := 0
	if largest > 0 {
		places = max(0, shownDigits-1-int(math.Floor(math.Log10(largest))))
	}
	shown := make([]string, len(coordinates))
	for i, x := range coordinates {
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', places, 64), 64) // its own output
		format := byte('f')
		if a := math.Abs(rounded); a < 1e-6 || a >= 1e15 {
			format = 'g'
		}
		if shown[i] = strconv.FormatFloat(rounded, format, -1, 64); rounded == 0 {
			shown[i] = "0" // not -0
		}
	}
	return shown
}
