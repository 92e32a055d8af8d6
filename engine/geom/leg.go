package geom

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// Leg is a piece of a segment that sources stand along: it lies in closed free
// space, no wall crosses it, none begins or ends on it but at A and B, and beside
// it the ground is free all along or not at all, on either side. Where A and B are one point, that is all there is.
type Leg struct {
	A, B Point
	// Left and Right say on which sides the ground is free, seen from A to B. Not
	// both are false, but for a point.
	Left, Right bool
}

// Legs cuts the segment between two world points into legs, in order from a to b. What
// obstacles cover is left out; a segment that lies in obstacles wholly has no legs.
//
// An end stands where Standing says, if it does. Snapping bends walls, so a segment along a wall
// may have got into it: where it runs through an obstacle beside free points, it is
// bent to one of them. All legs so keep within SnapSlack and half a step, along
// either axis, of the segment as given and rounded, and what the segment has in free
// space is within twice that of a leg. Points outside the domain are none's business: it panics.
func (g *Ground) Legs(a, b mgl64.Vec2) []Leg {
	if !g.Lattice.Contains(a) || !g.Lattice.Contains(b) {
		panic("geom: Legs of a segment that leaves the domain; check its ends first")
	}
	stand := func(p mgl64.Vec2) Point {
		if at, ok := g.Standing(p); ok {
			return at
		}
		return g.Lattice.Snap(p)
	}
	c := cutter{ground: g, a: stand(a), b: stand(b)}
	c.cut(c.a, c.b)
	return c.tidy()
}

// cutter cuts one segment.
type cutter struct {
	ground *Ground
	a, b   Point
	legs   []Leg
}

// cut adds the legs of pq, one of the chords that the segment was bent to.
//
// Whatever it does about something in the way, the chords that are left are
// shorter, and their squared lengths are integers: it ends.
func (c *cutter) cut(p, q Point) {
	g := c.ground
	if p == q {
		c.point(p)
		return
	}
	steps := g.walk(p, q)
	first, last, blocked := g.obstruction(steps)
	if !blocked {
		c.add(p, steps)
		return
	}
	s, t := start(p, steps, first), start(p, steps, last)
	shorter := func(m Point) bool {
		return distance2(p, m) < distance2(p, q) && distance2(m, q) < distance2(p, q)
	}
	middle := c.onSegment((s.x+t.x)/2, (s.y+t.y)/2)
	if m, ok := g.NearestFree(middle, SnapSlack); ok && m != p && m != q && shorter(m) {
		c.cut(p, m)
		c.cut(m, q)
		return
	}
	if m, ok := c.beside(steps[first:last], p, q); ok {
		c.cut(p, m)
		c.cut(m, q)
		return
	}
	if first == 0 {
		c.point(p)
	} else {
		c.cut(p, c.end(s, p, q))
	}
	if last == len(steps) {
		c.point(q)
	} else {
		c.cut(c.end(t, q, p), q)
	}
}

// beside returns the first free vertex, as seen from p, that some steps in covered ground pass within SnapSlack of, and that
// makes both parts of the chord pq shorter. What has got into a wall that the segment runs along may go on in an obstacle
// that overlaps it: its middle then tells nothing, but where the two meet the wall has a vertex.
func (c *cutter) beside(steps []step, p, q Point) (best Point, ok bool) {
	g := c.ground
	least := int64(0)
	for _, s := range steps {
		for _, t := range [2]int32{s.left, s.right} {
			if t < 0 {
				continue
			}
			for _, v := range g.Triangles[t].V {
				m := g.Vertices[v]
				if m == p || m == q || distance2(p, m) >= distance2(p, q) || distance2(m, q) >= distance2(p, q) {
					continue
				}
				foot := c.onSegment(float64(m.X), float64(m.Y))
				if abs(int64(foot.X)-int64(m.X)) > SnapSlack || abs(int64(foot.Y)-int64(m.Y)) > SnapSlack || !g.Free(m) {
					continue
				}
				if along := dot(p, q, p, m); !ok || along < least {
					best, least, ok = m, along, true
				}
			}
		}
	}
	return best, ok
}

// onSegment returns the lattice point nearest to the point of the segment that
// is nearest to (x, y).
func (c *cutter) onSegment(x, y float64) Point {
	dx, dy := float64(c.b.X)-float64(c.a.X), float64(c.b.Y)-float64(c.a.Y)
	along := float64((x-float64(c.a.X))*dx) + float64((y-float64(c.a.Y))*dy)
	s := min(max(along/(float64(dx*dx)+float64(dy*dy)), 0), 1)
	return Point{
		int32(math.Floor(float64(c.a.X) + float64(s*dx) + 0.5)),
		int32(math.Floor(float64(c.a.Y) + float64(s*dy) + 0.5)),
	}
}

// end returns where the part of a chord from p towards q ends that meets something in the way there: the nearest
// free point on p's side of the edge, or p.
func (c *cutter) end(there border, p, q Point) Point {
	at := c.onSegment(there.x, there.y)
	side := Orient(there.a, there.b, p)
	best, least := p, int64(-1)
	for x := at.X - SnapSlack; x <= at.X+SnapSlack; x++ {
		for y := at.Y - SnapSlack; y <= at.Y+SnapSlack; y++ {
			m := Point{x, y}
			d := distance2(at, m)
			if least >= 0 && d >= least || distance2(p, m) >= distance2(p, q) {
				continue
			}
			if beyond := Orient(there.a, there.b, m); (beyond == Collinear || beyond == side) && c.ground.Free(m) {
				best, least = m, d
			}
		}
	}
	return best
}

// point adds p, if it is free.
func (c *cutter) point(p Point) {
	if c.ground.Free(p) {
		c.legs = append(c.legs, Leg{A: p, B: p})
	}
}

// add adds the legs of a chord from p that nothing is in the way of: it is cut at
// the vertices where the ground on one of its sides begins or ends to be free, and where a wall beside it begins, whose
// tip would part its light.
func (c *cutter) add(p Point, steps []step) {
	g := c.ground
	at := p
	for i := range steps {
		s := &steps[i]
		left, right := g.freeTriangle(s.left), g.freeTriangle(s.right)
		cut := s.out < 0 && i < len(steps)-1 && g.wallBeside(p, s.stop)
		if i == len(steps)-1 || g.freeTriangle(steps[i+1].left) != left || g.freeTriangle(steps[i+1].right) != right {
			// What is free changes at vertices only: the step ends in one.
			cut = true
		}
		if cut {
			c.legs = append(c.legs, Leg{at, s.stop, left, right})
			at = s.stop
		}
	}
}

// wallBeside reports whether a wall that is not on the line from p has its end in the vertex v.
func (g *Ground) wallBeside(p, v Point) bool {
	t := g.mesh
	off := func(end int32) bool { return Orient(p, v, g.Vertices[end]) != Collinear }
	for h := range t.around(g.vertexAt(v, g.find(v))) {
		in := prev(h)
		if g.wall(h) && off(t.end(h)) || g.wall(in) && off(t.start[in]) {
			return true
		}
	}
	return false
}

// tidy drops the points that a leg begins or ends with, and repeated ones.
func (c *cutter) tidy() []Leg {
	legs := c.legs[:0:0]
	for i, l := range c.legs {
		if l.A == l.B && slices.ContainsFunc(c.legs, func(o Leg) bool { return o.A != o.B && (o.A == l.A || o.B == l.A) }) {
			continue
		}
		if !slices.Contains(c.legs[:i], l) {
			legs = append(legs, l)
		}
	}
	return legs
}

func (g *Ground) freeTriangle(t int32) bool { return t >= 0 && g.Triangles[t].Free }

// step is a piece of a walk along a segment: through the inside of a triangle,
// or along an edge.
type step struct {
	// left and right are the triangles beside it; -1 outside the domain. They are one within a triangle.
	left, right int32
	// out is the edge of that triangle which it leaves by; -1 where the step ends at stop: at a vertex, or where
	// the walk ends.
	out  int32
	stop Point
	border
}

// border is the place where a step ends, in lattice steps as float64 are rounded, with the ends of the edge there, which are
// both the vertex if it is one.
type border struct {
	x, y float64
	a, b Point
}

func borderAt(p Point) border { return border{float64(p.X), float64(p.Y), p, p} }

// start returns where step i of a walk from p begins, and where the last one ends.
func start(p Point, steps []step, i int) border {
	if i == 0 {
		return borderAt(p)
	}
	return steps[i-1].border
}

// obstruction returns what of a walk is in the way first: the steps from first until before last, which are in
// covered ground, or, if these are the same, the wall that step first begins at.
func (g *Ground) obstruction(steps []step) (first, last int, blocked bool) {
	free := func(i int) bool { return g.freeTriangle(steps[i].left) || g.freeTriangle(steps[i].right) }
	for i := range steps {
		if i > 0 && free(i-1) && free(i) && steps[i-1].out >= 0 && g.Triangles[steps[i-1].left].Wall[steps[i-1].out] {
			return i, i, true
		}
		if !free(i) {
			for last = i; last < len(steps) && !free(last); last++ {
			}
			return i, last, true
		}
	}
	return 0, 0, false
}

// walk returns the steps from p to q, two points of the domain that differ.
func (g *Ground) walk(p, q Point) []step {
	var steps []step
	for at := p; at != q; at = steps[len(steps)-1].stop {
		steps = g.walkOn(steps, at, q)
	}
	return steps
}

// walkOn adds the steps from p towards q until they come to a vertex or to q.
func (g *Ground) walkOn(steps []step, p, q Point) []step {
	t := g.mesh
	h := g.find(p)
	along := func(left, right int32, end int32) []step {
		stop := g.Vertices[end]
		if dot(p, q, q, stop) > 0 {
			stop = q
		}
		return append(steps, step{left: left, right: right, out: -1, stop: stop, border: borderAt(stop)})
	}
	triangleOf := func(h int32) int32 {
		if h < 0 {
			return -1
		}
		return h / 3
	}
	in := h / 3
	if v := g.vertexAt(p, h); v >= 0 {
		in = -1
		for k := range t.around(v) {
			x, y := t.end(k), t.start[prev(k)]
			ofX, ofY := Orient(p, g.Vertices[x], q), Orient(p, g.Vertices[y], q)
			if ofX == Collinear && dot(p, q, p, g.Vertices[x]) > 0 {
				return along(k/3, triangleOf(t.twin[k]), x)
			}
			if ofY == Collinear && dot(p, q, p, g.Vertices[y]) > 0 {
				return along(triangleOf(t.twin[prev(k)]), k/3, y)
			}
			if ofX == Left && ofY == Right {
				in = k / 3
				break
			}
		}
	} else if on := t.edgeAt(p, h); on >= 0 {
		a, b := t.start[on], t.end(on)
		switch Orient(g.Vertices[a], g.Vertices[b], q) {
		case Collinear:
			if dot(p, q, g.Vertices[a], g.Vertices[b]) > 0 {
				return along(on/3, triangleOf(t.twin[on]), b)
			}
			return along(triangleOf(t.twin[on]), on/3, a)
		case Left:
			in = on / 3
		case Right:
			in = t.twin[on] / 3
		}
	}
	for {
		v := g.vertices(in)
		if Orient(v[0], v[1], q) != Right && Orient(v[1], v[2], q) != Right && Orient(v[2], v[0], q) != Right {
			return append(steps, step{left: in, right: in, out: -1, stop: q, border: borderAt(q)})
		}
		out := int32(-1)
		var side [3]Side
		for i := range int32(3) {
			side[i] = Orient(p, q, v[i])
			if side[i] == Collinear && dot(p, q, p, v[i]) > 0 {
				return append(steps, step{left: in, right: in, out: -1, stop: v[i], border: borderAt(v[i])})
			}
		}
		for i := range int32(3) {
			if side[i] == Right && side[(i+1)%3] == Left {
				out = i
			}
		}
		a, b := v[out], v[(out+1)%3]
		// The line from p to q is on the line a b at this part of the way. The numbers are exact; the quotient is rounded.
		ofP, ofQ := float64(cross(a, b, p)), float64(cross(a, b, q))
		part := ofP / (ofP - ofQ)
		x := float64(p.X) + float64(part*float64(q.X-p.X))
		y := float64(p.Y) + float64(part*float64(q.Y-p.Y))
		steps = append(steps, step{left: in, right: in, out: out, border: border{x, y, a, b}})
		in = g.Triangles[in].N[out]
	}
}
