package geom

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
	"github.com/wayfront/wayfront/engine/geom/internal/triangulation"
)

// SourceSegment is a source segment: a piece of a segment that lies in closed free space, crossed
// by no wall, with no wall beginning or ending on it but at A and B, and with free ground beside it
// all along or not at all, on either side. A and B may be one point.
type SourceSegment struct {
	A, B Point
	// Left and Right say on which sides the ground is free, seen from A to B: at least one, but for
	// a point.
	Left, Right bool
}

// LightFields returns the parallel light fields of a source segment: none for a point, one for each
// free side.
func (l SourceSegment) LightFields() []LightField {
	var all []LightField
	if l.A != l.B && l.Left {
		all = append(all, LightField{l.A, l.B})
	}
	if l.A != l.B && l.Right {
		all = append(all, LightField{l.B, l.A})
	}
	return all
}

// SourceSegments cuts the segment between two world points into source segments, in order from a to
// b. What obstacles cover is left out. It panics if the segment leaves the domain.
//
// An end is placed by Standing, if that succeeds. Snapping bends walls, so a segment along a wall
// may run into it: where it runs through an obstacle beside free points, it is bent to one of them.
// So all source segments keep within SnapSlack and half a step, along either axis, of the segment
// as given and rounded, and what the segment has in free space is within twice that of one.
func (g *Ground) SourceSegments(a, b mgl64.Vec2) []SourceSegment {
	if !g.Lattice.Contains(a) || !g.Lattice.Contains(b) {
		panic("geom: SourceSegments of a segment that leaves the domain; check its ends first")
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
	legs   []SourceSegment
}

// cut adds the source segments of pq, one of the chords that the segment was bent to. The chords
// left after an obstruction are shorter, and their squared lengths are integers: it ends.
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
	m, ok := g.NearestFree(c.onSegment((s.x+t.x)/2, (s.y+t.y)/2), SnapSlack)
	if !ok || !divides(m, p, q) {
		m, ok = c.beside(steps[first:last], p, q)
	}
	if ok {
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

// divides reports whether a chord pq bent to m has two parts that are shorter.
func divides(m, p, q Point) bool {
	return m != p && m != q && lattice.Distance2(p, m) < lattice.Distance2(p, q) && lattice.Distance2(m, q) < lattice.Distance2(p, q)
}

// beside returns the first free vertex, as seen from p, that some steps in covered ground pass
// within SnapSlack of and that divides the chord pq. A segment along a wall may continue in an
// obstacle that overlaps the wall: its middle is then deep in it, but where the two meet the wall
// has a vertex.
func (c *cutter) beside(steps []step, p, q Point) (best Point, ok bool) {
	g := c.ground
	least := int64(0)
	for _, s := range steps {
		for _, t := range [2]int32{s.left, s.right} {
			if t < 0 {
				continue
			}
			for _, m := range g.vertices(t) {
				if !divides(m, p, q) {
					continue
				}
				foot := c.onSegment(float64(m.X), float64(m.Y))
				if lattice.Abs(int64(foot.X)-int64(m.X)) > SnapSlack || lattice.Abs(int64(foot.Y)-int64(m.Y)) > SnapSlack || !g.Free(m) {
					continue
				}
				if along := lattice.Dot(p, q, p, m); !ok || along < least {
					best, least, ok = m, along, true
				}
			}
		}
	}
	return best, ok
}

// onSegment returns the lattice point nearest to the point of the segment nearest to (x, y).
func (c *cutter) onSegment(x, y float64) Point { return rounded(project(c.a, c.b, x, y)) }

// end returns where the part of a chord from p towards q ends at an obstruction: the nearest free
// point on p's side of the edge there, or p.
func (c *cutter) end(there border, p, q Point) Point {
	side := Orient(there.a, there.b, p)
	m, ok := c.ground.nearestFree(c.onSegment(there.x, there.y), SnapSlack, func(m Point) bool {
		beyond := Orient(there.a, there.b, m)
		return lattice.Distance2(p, m) < lattice.Distance2(p, q) && (beyond == Collinear || beyond == side)
	})
	if !ok {
		return p
	}
	return m
}

// point adds p, if it is free.
func (c *cutter) point(p Point) {
	if c.ground.Free(p) {
		c.legs = append(c.legs, SourceSegment{A: p, B: p})
	}
}

// add adds the source segments of a chord from p without obstruction: it is cut at the vertices
// where the ground on one of its sides begins or ends to be free, and where a wall beside it
// begins, whose tip would divide its light.
func (c *cutter) add(p Point, steps []step) {
	g := c.ground
	at := p
	for i := range steps {
		s := &steps[i]
		left, right := g.freeTriangle(s.left), g.freeTriangle(s.right)
		// What is free changes at vertices only: the step ends in one.
		if i == len(steps)-1 || s.out < 0 && g.wallBeside(p, s.stop) ||
			g.freeTriangle(steps[i+1].left) != left || g.freeTriangle(steps[i+1].right) != right {
			c.legs = append(c.legs, SourceSegment{at, s.stop, left, right})
			at = s.stop
		}
	}
}

// wallBeside reports whether a wall that is not on the line from p ends in the vertex v.
func (g *Ground) wallBeside(p, v Point) bool {
	t := g.mesh
	off := func(end int32) bool { return Orient(p, v, t.Points[end]) != Collinear }
	var some someFaces
	for _, h := range g.facesAt(v, some[:0]) {
		for _, k := range [2]int32{h, triangulation.Prev(h)} {
			if g.wall(k) && (off(t.Start[k]) || off(t.End(k))) {
				return true
			}
		}
	}
	return false
}

// tidy drops the points that a source segment begins or ends with, and repeated ones.
func (c *cutter) tidy() []SourceSegment {
	legs := c.legs[:0:0]
	for i, l := range c.legs {
		if l.A == l.B && slices.ContainsFunc(c.legs, func(o SourceSegment) bool { return o.A != o.B && (o.A == l.A || o.B == l.A) }) {
			continue
		}
		if !slices.Contains(c.legs[:i], l) {
			legs = append(legs, l)
		}
	}
	return legs
}

// step is a piece of a walk along a segment: through the inside of a triangle, or along an edge.
type step struct {
	// left and right are the triangles beside it, the same within a triangle; -1 outside the
	// domain.
	left, right int32
	// out is the edge of that triangle that it leaves by; -1 where the step ends at stop: at a
	// vertex, or where the walk ends.
	out  int32
	stop Point
	border
}

// border is the place where a step ends, in lattice steps, rounded to float64, with the ends of the
// edge there; both are the same point if the step ends in one.
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

// obstruction returns the first obstruction of a walk: the steps from first until before last,
// which are in covered ground, or, if these are the same, the wall that step first begins at.
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
		left, right := g.departures(at, q)
		if left == right {
			steps = g.through(steps, left, at, q)
			continue
		}
		for _, v := range g.vertices(max(left, right)) { // along an edge, to its end
			if Orient(at, q, v) == Collinear && lattice.Dot(at, q, at, v) > 0 {
				steps = append(steps, g.stepTo(left, right, v, at, q))
			}
		}
	}
	return steps
}

// stepTo returns the step from p between two triangles that ends at stop, or at q if that is
// nearer.
func (g *Ground) stepTo(left, right int32, stop, p, q Point) step {
	if lattice.Dot(p, q, q, stop) > 0 {
		stop = q
	}
	return step{left: left, right: right, out: -1, stop: stop, border: borderAt(stop)}
}

// through adds the steps from p towards q, beginning in triangle in, until they come to a vertex or
// to q.
func (g *Ground) through(steps []step, in int32, p, q Point) []step {
	for {
		v := g.vertices(in)
		if Orient(v[0], v[1], q) != Right && Orient(v[1], v[2], q) != Right && Orient(v[2], v[0], q) != Right {
			return append(steps, g.stepTo(in, in, q, p, q))
		}
		var side [3]Side
		for i := range v {
			side[i] = Orient(p, q, v[i])
			if side[i] == Collinear && lattice.Dot(p, q, p, v[i]) > 0 {
				return append(steps, g.stepTo(in, in, v[i], p, q))
			}
		}
		out := int32(0)
		for side[out] != Right || side[(out+1)%3] != Left {
			out++
		}
		a, b := v[out], v[(out+1)%3]
		// The line from p to q meets the line a b at this part of the way. The numbers are exact;
		// the quotient is rounded.
		ofP, ofQ := float64(lattice.Cross(a, b, p)), float64(lattice.Cross(a, b, q))
		part := ofP / (ofP - ofQ)
		x := float64(p.X) + float64(part*float64(q.X-p.X))
		y := float64(p.Y) + float64(part*float64(q.Y-p.Y))
		steps = append(steps, step{left: in, right: in, out: out, border: border{x, y, a, b}})
		in = g.Triangles[in].N[out]
	}
}
