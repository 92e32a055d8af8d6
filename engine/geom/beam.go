package geom

// Beam is the light that a leg sends to its left side, seen from A to B: all of
// it at right angles to the leg. The other side has the beam of the leg turned round.
//
// With d = B - A light goes along n = (-d.Y, d.X). Which side of a ray a point is on is the
// sign of a scalar product of lattice vectors, at most 2^41 in a domain. For points with 2^20 steps to the domain's
// sides it is exact too.
type Beam struct{ A, B Point }

// Beams returns the beams of a leg: none for a point, and one at most where only one side is free.
func (l Leg) Beams() []Beam {
	var all []Beam
	if l.A != l.B && l.Left {
		all = append(all, Beam{l.A, l.B})
	}
	if l.A != l.B && l.Right {
		all = append(all, Beam{l.B, l.A})
	}
	return all
}

// Along is the place of p's foot on the line of the leg: (p - A) d, 0 at A and Length2 at B. Units: square lattice steps.
func (b Beam) Along(p Point) int64 { return dot(b.A, b.B, b.A, p) }

// Length2 is the squared length of the leg. Units: square lattice steps.
func (b Beam) Length2() int64 { return distance2(b.A, b.B) }

// Above is how far p is above the leg, times the leg's length: negative on the side that has no light. Units: square lattice
// steps.
func (b Beam) Above(p Point) int64 { return cross(b.A, b.B, p) }

// Faces reports whether p is in the strip that the beam would light without walls, borders and leg included.
func (b Beam) Faces(p Point) bool {
	along := b.Along(p)
	return along >= 0 && along <= b.Length2() && b.Above(p) >= 0
}

// Behind is a point that p's light comes from: p - n, out of the domain perhaps by as much as its longer side.
func (b Beam) Behind(p Point) Point {
	return Point{p.X + (b.B.Y - b.A.Y), p.Y - (b.B.X - b.A.X)}
}

// side returns on which side of the ray through the point l, looking with the light, p lies.
func (b Beam) side(l, p Point) Side { return -sideOf(dot(b.A, b.B, l, p)) }

// The rule of sight for beams is that for points (file rule), with rays that are shifted instead of turned:
// to the left by less than any lattice can tell, against d, or to the right. A
// wall casts its shadow if it is on the light's side of the leg.

// blocks reports whether the wall ab hides p, which the beam faces, from it, the ray to p being shifted to the given side.
func (b Beam) blocks(u, v, p Point, shift Side) bool {
	switch b.side(u, v) {
	case Collinear:
		return false // along the light: it has no width
	case Right:
		u, v = v, u
	}
	// Now u is the right end and v the left end, and what is behind the wall is on its right.
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
		// It comes by an end of the leg, which no wall crosses. All of the leg is on one side of it.
		return Orient(u, v, b.A) == Left || Orient(u, v, b.B) == Left
	}
	return ofU == Left || ofV == Left
}

// clearFrom reports whether the ray from the beam to p, shifted to the given side, is one of the beam's and meets no wall
// before p, which is above the leg.
func (g *Ground) clearFrom(b Beam, p Point, shift Side) bool {
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

// LitFrom is Lit for a beam: the rule of sight for rays shifted to the left, over all walls. The points of the leg are lit.
func (g *Ground) LitFrom(b Beam, p Point) bool {
	return b.Faces(p) && b.Above(p) == 0 || g.clearFrom(b, p, Left)
}

// LitClosedFrom is LitClosed for a beam.
func (g *Ground) LitClosedFrom(b Beam, p Point) bool {
	return b.Faces(p) && b.Above(p) == 0 || g.clearFrom(b, p, Left) || g.clearFrom(b, p, Right)
}

// SeesFrom is Sees for a beam: the light arrives within the sector. On the leg that is light which has no way to go: s is
// seen if it holds the ground beside the leg, before or after s.At.
func (g *Ground) SeesFrom(b Beam, s Sector) bool {
	if !b.Faces(s.At) {
		return false
	}
	if b.Above(s.At) == 0 {
		return s.At != b.A && s.admits(b.A, Right) || s.At != b.B && s.admits(b.B, Left)
	}
	back := b.Behind(s.At)
	return s.admits(back, Right) && g.clearFrom(b, s.At, Left) || s.admits(back, Left) && g.clearFrom(b, s.At, Right)
}

// SectorsTowards are the free sectors at a point that hold the ray to another, turned to one side or the other.
func (g *Ground) SectorsTowards(at, to Point) []Sector {
	var all []Sector
	for _, s := range g.Sectors(at) {
		if s.admits(to, Left) || s.admits(to, Right) {
			all = append(all, s)
		}
	}
	return all
}

// Footing is a part of a beam's leg with the triangle above it, in which light from there starts.
type Footing struct {
	Triangle int32
	// Left and Right bound what is lit straight of the triangle: what is above the leg and between the rays through them.
	Left, Right Point
	// From and To are the part of the leg, by Along, that has this triangle above it. They are rounded outwards, by less than
	// a millionth of a step.
	From, To float64
	// Sees says which vertices of the triangle are lit.
	Sees [3]bool
	// Exits are the parts of the edges that light leaves by. Walls are among them.
	Exits [3]Exit
}

// Exit is the part of an edge that light leaves by: what is between the rays through Left and Right. Both are one point where
// none does.
type Exit struct{ Left, Right Point }

// Open reports whether any light leaves.
func (e Exit) Open() bool { return e.Left != e.Right }

// Footings appends the footings of a beam and returns the extended slice. The leg must be one as Legs gives them.
//
// Triangles above the leg follow one another, parted by edges that cross it, up to the next vertex on it.
// Light goes over such an edge above the leg too, where that leans: to the left, and then what is lit of the next triangle
// begins farther left, where the light of the one before begins or the edge ends; or to the right, the mirror image. On its
// other side the triangle itself ends there, before the edge's lower end. So bounds are vertices, and never the crossings
// themselves, which are not on the lattice.
func (g *Ground) Footings(b Beam, in []Footing) []Footing {
	steps := g.walk(b.A, b.B)
	length2 := float64(b.Length2())
	from := b.A
	for i := 0; i < len(steps); {
		// The steps up to the next vertex, or to the end.
		n := i
		for steps[n].out >= 0 {
			n++
		}
		first, stop := len(in), steps[n].stop
		at := float64(b.Along(from))
		for ; i <= n; i++ {
			s := &steps[i]
			if !g.freeTriangle(s.left) {
				at = float64(b.Along(s.stop))
				continue
			}
			f := Footing{Triangle: s.left, Left: from, Right: stop, From: at}
			if s.out < 0 {
				at = float64(b.Along(stop))
				f.To = at
			} else {
				// Two numbers that are exact, a quotient and a product: off by less than 2^-51 of the whole, 2^41 or less.
				ofA, ofB := float64(cross(s.a, s.b, b.A)), float64(cross(s.a, s.b, b.B))
				at = ofA / (ofA - ofB) * length2
				f.To = at + length2/(1<<51)
				at -= length2 / (1 << 51)
			}
			in = append(in, f)
		}
		chain := in[first:]
		edges := steps[i-len(chain) : i] // of an edge that a walk leaves by, the start is on the right, below
		for k := 1; k < len(chain); k++ {
			if low, high := edges[k-1].a, edges[k-1].b; dot(b.A, b.B, low, high) < 0 {
				chain[k].Left = b.later(chain[k-1].Left, high)
			} else {
				chain[k].Left = b.later(from, low)
			}
		}
		for k := len(chain) - 2; k >= 0; k-- {
			if low, high := edges[k].a, edges[k].b; dot(b.A, b.B, low, high) > 0 {
				chain[k].Right = b.earlier(chain[k+1].Right, high)
			} else {
				chain[k].Right = b.earlier(stop, low)
			}
		}
		for k := range chain {
			crossed := [2]int32{edges[k].out, -1}
			if k > 0 {
				crossed[1] = g.edgeTo(chain[k].Triangle, chain[k-1].Triangle)
			}
			g.light(b, &chain[k], crossed)
		}
		from = stop
	}
	return in
}

// light finds what a beam lights and where it leaves a triangle, with the edges that the leg crosses.
func (g *Ground) light(b Beam, f *Footing, crossed [2]int32) {
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

// later returns the one whose ray is farther right, along d; l of equals. earlier the one farther left.
func (b Beam) later(l, m Point) Point {
	if dot(b.A, b.B, l, m) > 0 {
		return m
	}
	return l
}

func (b Beam) earlier(l, m Point) Point {
	if dot(b.A, b.B, l, m) < 0 {
		return m
	}
	return l
}
