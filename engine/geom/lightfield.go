package geom

import "github.com/wayfront/wayfront/engine/geom/internal/lattice"

// LightField is the parallel light field that a source segment sends to its left side, seen from A
// to B: all rays are orthogonal to the segment. The other side has the field of the segment
// reversed.
//
// With d = B - A light goes along n = (-d.Y, d.X). Which side of a ray a point is on is the sign of
// a scalar product of lattice vectors, at most 2^41 in a domain. For points with 2^20 steps to the
// domain's sides it is exact too.
type LightField struct{ A, B Point }

// Along returns the place of p's foot point on the line of the segment: (p - A) d, 0 at A and
// Length2 at B. Units: square lattice steps.
func (b LightField) Along(p Point) int64 { return lattice.Dot(b.A, b.B, b.A, p) }

// Length2 returns the squared length of the segment. Units: square lattice steps.
func (b LightField) Length2() int64 { return lattice.Distance2(b.A, b.B) }

// Above returns the height of p above the segment, times the segment's length: negative on the side
// without light. Units: square lattice steps.
func (b LightField) Above(p Point) int64 { return lattice.Cross(b.A, b.B, p) }

// Faces reports whether p is in the strip that the field would light without walls, borders and
// segment included.
func (b LightField) Faces(p Point) bool {
	along := b.Along(p)
	return along >= 0 && along <= b.Length2() && b.Above(p) >= 0
}

// Behind returns a point that p's light comes from: p - n, out of the domain by up to its longer
// side.
func (b LightField) Behind(p Point) Point {
	return Point{X: p.X + (b.B.Y - b.A.Y), Y: p.Y - (b.B.X - b.A.X)}
}

// side returns on which side of the ray through the point l, looking with the light, p lies.
func (b LightField) side(l, p Point) Side { return -lattice.SideOf(lattice.Dot(b.A, b.B, l, p)) }

// later returns the one whose ray is farther right, along d; l of equals.
func (b LightField) later(l, m Point) Point {
	if lattice.Dot(b.A, b.B, l, m) > 0 {
		return m
	}
	return l
}

// earlier returns the one whose ray is farther left; l of equals.
func (b LightField) earlier(l, m Point) Point {
	if lattice.Dot(b.A, b.B, l, m) < 0 {
		return m
	}
	return l
}

// blocks reports whether the wall uv hides p, which the field faces, from the segment, the ray to p
// being shifted to the given side.
//
// The rule of sight is that for points (see blocks), with rays that are shifted instead of turned:
// to the left, against d, by less than any distance on the lattice, or to the right. A wall casts
// its shadow if it is on the light's side of the segment.
func (b LightField) blocks(u, v, p Point, shift Side) bool {
	switch b.side(u, v) {
	case Collinear:
		return false // along the light: it has no width
	case Right:
		u, v = v, u
	}
	// Now u is the right end and v the left end, and the shadow is on the wall's right.
	fromU, fromV := b.side(u, p), b.side(v, p)
	covered := fromU != Right && fromV == Right
	if shift == Right {
		covered = fromU == Left && fromV != Left
	}
	if !covered || Orient(u, v, p) != Right {
		return false
	}
	ofU, ofV := Orient(b.A, b.B, u), Orient(b.A, b.B, v)
	if ofU == -ofV && ofU != Collinear {
		// It passes an end of the segment, which no wall crosses. All of the segment is on one
		// side.
		return Orient(u, v, b.A) == Left || Orient(u, v, b.B) == Left
	}
	return ofU == Left || ofV == Left
}

// clearFrom reports whether the ray from the segment to p, shifted to the given side, is one of the
// field's and meets no wall before p, which is above the segment.
func (g *Ground) clearFrom(b LightField, p Point, shift Side) bool {
	if along := b.Along(p); !b.Faces(p) || shift == Left && along == 0 || shift == Right && along == b.Length2() {
		return false
	}
	for _, w := range g.Walls {
		if b.blocks(g.Vertices[w.A], g.Vertices[w.B], p, shift) {
			return false
		}
	}
	return true
}

// LitClosedFrom is LitClosed for a parallel light field. The points of its segment are lit.
func (g *Ground) LitClosedFrom(b LightField, p Point) bool {
	return b.Faces(p) && b.Above(p) == 0 || g.clearFrom(b, p, Left) || g.clearFrom(b, p, Right)
}

// SeesFrom is Sees for a parallel light field: the light arrives within the sector. On the segment
// that light has length zero: s is seen if it holds the ground beside the segment, before or after
// s.At.
func (g *Ground) SeesFrom(b LightField, s Sector) bool {
	if !b.Faces(s.At) {
		return false
	}
	if b.Above(s.At) == 0 {
		return s.At != b.A && s.admits(b.A, Right) || s.At != b.B && s.admits(b.B, Left)
	}
	back := b.Behind(s.At)
	return s.admits(back, Right) && g.clearFrom(b, s.At, Left) || s.admits(back, Left) && g.clearFrom(b, s.At, Right)
}

// FootInterval is a part of a source segment with the triangle above it, in which its light starts.
type FootInterval struct {
	Triangle int32
	// Left and Right bound what is lit directly in the triangle: what is above the segment and
	// between the rays through them.
	Left, Right Point
	// From and To are the part of the segment, by Along, that has this triangle above it. They are
	// rounded outwards, by less than a millionth of a step.
	From, To float64
	// Sees says which vertices of the triangle are lit.
	Sees [3]bool
	// Exits are the parts of the edges that light leaves by. Walls are among them.
	Exits [3]Exit
}

// Exit is the part of an edge that light leaves by, between the rays through Left and Right. Both
// are one point where no light leaves.
type Exit struct{ Left, Right Point }

// Open reports whether any light leaves.
func (e Exit) Open() bool { return e.Left != e.Right }

// FootIntervals appends the parts of a source segment, as SourceSegments gives it, with the
// triangles above them, and returns the extended slice.
func (g *Ground) FootIntervals(b LightField, in []FootInterval) []FootInterval {
	steps := g.walk(b.A, b.B)
	for from := b.A; len(steps) > 0; {
		// The steps up to the next vertex, or to the end.
		n := 1
		for steps[n-1].out >= 0 {
			n++
		}
		in = g.footingsUpTo(b, from, steps[:n], in)
		from, steps = steps[n-1].stop, steps[n:]
	}
	return in
}

// footingsUpTo appends the parts of a segment between two of its vertices, of which from is the
// first, or its ends.
//
// Triangles above it follow one another, separated by edges that cross it. Light goes over such an
// edge above the segment too, where that leans: to the left, and then what is lit of the next
// triangle begins farther left, where the light of the one before begins or the edge ends; or to
// the right, the mirror image. On its other side the triangle itself ends there, before the edge's
// lower end. So bounds are vertices, and never the crossings themselves, which are not on the
// lattice.
func (g *Ground) footingsUpTo(b LightField, from Point, steps []step, in []FootInterval) []FootInterval {
	length2 := float64(b.Length2())
	first, stop := len(in), steps[len(steps)-1].stop
	at := float64(b.Along(from))
	for i := range steps {
		s := &steps[i]
		if !g.freeTriangle(s.left) {
			at = float64(b.Along(s.stop))
			continue
		}
		f := FootInterval{Triangle: s.left, Left: from, Right: stop, From: at, To: float64(b.Along(stop))}
		if s.out >= 0 {
			// Two exact numbers, a quotient and a product: off by less than 2^-51 of the whole,
			// which is at most 2^41.
			ofA, ofB := float64(lattice.Cross(s.a, s.b, b.A)), float64(lattice.Cross(s.a, s.b, b.B))
			at = ofA / (ofA - ofB) * length2
			f.To = at + length2/(1<<51)
			at -= length2 / (1 << 51)
		}
		in = append(in, f)
	}
	chain := in[first:]
	edges := steps[len(steps)-len(chain):] // of an edge that a walk leaves by, the start is on the right, below
	for k := 1; k < len(chain); k++ {
		if low, high := edges[k-1].a, edges[k-1].b; lattice.Dot(b.A, b.B, low, high) < 0 {
			chain[k].Left = b.later(chain[k-1].Left, high)
		} else {
			chain[k].Left = b.later(from, low)
		}
	}
	for k := len(chain) - 2; k >= 0; k-- {
		if low, high := edges[k].a, edges[k].b; lattice.Dot(b.A, b.B, low, high) > 0 {
			chain[k].Right = b.earlier(chain[k+1].Right, high)
		} else {
			chain[k].Right = b.earlier(stop, low)
		}
	}
	for k := range chain {
		crossed := [2]int32{edges[k].out, -1}
		if k > 0 {
			crossed[1] = g.mesh.Twin[3*chain[k-1].Triangle+edges[k-1].out] % 3
		}
		g.light(b, &chain[k], crossed)
	}
	return in
}

// light finds what of its triangle a part of a segment lights and where the light leaves it, given
// the edges that the segment crosses.
func (g *Ground) light(b LightField, f *FootInterval, crossed [2]int32) {
	v := g.vertices(f.Triangle)
	for e := range int32(3) {
		right, left := v[e], v[(e+1)%3]
		f.Sees[e] = b.Above(right) >= 0 && b.side(f.Left, right) != Left && b.side(f.Right, right) != Right
		if e == crossed[0] || e == crossed[1] || b.side(right, left) != Left {
			continue
		}
		exit := Exit{b.later(f.Left, left), b.earlier(f.Right, right)}
		if b.side(exit.Right, exit.Left) == Left {
			f.Exits[e] = exit
		}
	}
}
