package spawn

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/wayfront/wayfront/engine/geom"
)

// disc is an agent that has a place.
type disc struct {
	at     geom.Point
	radius float64 // lattice steps
	time   float64 // s
	speed  float64 // lattice steps a second
}

// discs finds discs of radii from more than half of the largest one on, by place, in squares of
// 2^shift lattice steps and, so that a search of any reach is short, in the quadtree above them.
// In a square they are by time, so that a source of agents is searched only as long as they take
// to leave it.
type discs struct {
	shift    int     // 2^shift is at least a diameter, or the whole lattice
	largest  float64 // radius, lattice steps
	slowest  float64 // lattice steps a second
	bySquare map[geom.Point][]disc
	occupied []map[geom.Point]bool // of each level above, the squares that have or had a disc
}

func newDiscs(shift int) *discs {
	c := &discs{shift: shift, slowest: math.Inf(1), bySquare: map[geom.Point][]disc{}}
	for range geom.Bits - shift {
		c.occupied = append(c.occupied, map[geom.Point]bool{})
	}
	return c
}

// shiftOf is the shift of the least squares that are as wide as a length in lattice steps, or as
// wide as the lattice.
func shiftOf(length float64) int {
	return bits.Len(uint(min(max(1, math.Ceil(length)), geom.Steps)) - 1)
}

// square is the lowest one around p.
func (c *discs) square(p geom.Point) geom.Point {
	return geom.Point{X: p.X >> c.shift, Y: p.Y >> c.shift}
}

func (c *discs) add(d disc) {
	c.largest, c.slowest = max(c.largest, d.radius), min(c.slowest, d.speed)
	at := c.square(d.at)
	c.bySquare[at] = slices.Insert(c.bySquare[at], after(c.bySquare[at], d.time), d)
	for _, occupied := range c.occupied {
		at.X, at.Y = at.X>>1, at.Y>>1
		if occupied[at] {
			break // and so do all above
		}
		occupied[at] = true
	}
}

// after is the index behind the discs that enter until a time.
func after(discs []disc, time float64) int {
	return sort.Search(len(discs), func(i int) bool { return discs[i].time > time })
}

// remove removes the disc that was added last of those that enter at a time in p's square.
func (c *discs) remove(p geom.Point, time float64) {
	at := c.square(p)
	last := after(c.bySquare[at], time) - 1
	c.bySquare[at] = slices.Delete(c.bySquare[at], last, last+1)
}

// search is for discs that enter after one time and before another, with their centers nearer to
// p than so many lattice steps, and that fulfill a condition.
type search struct {
	p           geom.Point
	near        float64
	from, until float64
	condition   func(disc) bool
}

// any reports whether there is a disc that is searched for.
func (c *discs) any(s search) bool {
	reach := int32(min(math.Ceil(s.near), geom.Steps))
	level := max(shiftOf(s.near)-c.shift, 0)
	shift := c.shift + level
	for y := max(s.p.Y-reach, 0) >> shift; y <= (s.p.Y+reach)>>shift; y++ {
		for x := max(s.p.X-reach, 0) >> shift; x <= (s.p.X+reach)>>shift; x++ {
			if c.anyIn(geom.Point{X: x, Y: y}, level, s) {
				return true
			}
		}
	}
	return false
}

// anyIn is any in a square of a level, 0 the lowest.
func (c *discs) anyIn(square geom.Point, level int, s search) bool {
	if level == 0 {
		discs := c.bySquare[square]
		for _, d := range discs[after(discs, s.from):] {
			if d.time >= s.until {
				break
			}
			if nearer(float64(s.p.X-d.at.X), float64(s.p.Y-d.at.Y), s.near) && s.condition(d) {
				return true
			}
		}
		return false
	}
	shift := c.shift + level
	dx, dy := gapTo(s.p.X, square.X, shift), gapTo(s.p.Y, square.Y, shift)
	if !c.occupied[level-1][square] || !nearer(dx, dy, s.near) {
		return false
	}
	for part := range int32(4) {
		if c.anyIn(geom.Point{X: square.X<<1 + part&1, Y: square.Y<<1 + part>>1}, level-1, s) {
			return true
		}
	}
	return false
}

// gapTo is how far a coordinate is from those of the n-th interval of 2^shift.
func gapTo(x, n int32, shift int) float64 {
	first := n << shift
	return float64(max(first-x, x-(first+1<<shift-1), 0))
}

// nearer compares lengths on the lattice. The left side is exact.
func nearer(dx, dy, near float64) bool {
	return float64(dx*dx)+float64(dy*dy) < float64(near*near)
}
