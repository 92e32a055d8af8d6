package geom

import "iter"

// constrain makes edges of the arrangement edges of the triangulation, whose
// vertices are the arrangement's, and returns for each the half-edges along
// it: left[e] from its lower end to its upper, right[e] back; -1 outside the
// domain.
//
// An edge that is not there yet is put in as Anglada (1997) does: the triangles
// it crosses are taken out and the polygons on its two sides triangulated
// afresh, constrained Delaunay. Edges do not cross one another and no vertex
// lies on one, so each stays once it is in.
func (t *triangulation) constrain(a *arrangement) (left, right []int32) {
	first := make([]int32, len(a.vertices)+1) // edges by lower end
	for i := range a.edges {
		first[a.edges[i].a+1]++
	}
	for v := range a.vertices {
		first[v+1] += first[v]
	}
	left, right = make([]int32, len(a.edges)), make([]int32, len(a.edges))
	t.find(a, first, left, right)
	var c cavity
	missing := false
	for i := range a.edges {
		if left[i] < 0 && right[i] < 0 {
			c.open(t, a.edges[i].a, a.edges[i].b)
			missing = true
		}
	}
	if missing {
		t.find(a, first, left, right)
	}
	return left, right
}

// find looks every half-edge up among the edges.
func (t *triangulation) find(a *arrangement, first, left, right []int32) {
	for i := range left {
		left[i], right[i] = -1, -1
	}
	for h := range int32(len(t.start)) {
		u, v := t.start[h], t.end(h)
		g := t.twin[h]
		forward := u < v
		if !forward {
			if g >= 0 {
				continue // its twin looks up both
			}
			u, v = v, u
		}
		low, high := first[u], first[u+1]
		for low < high {
			if m := (low + high) / 2; a.edges[m].b < v {
				low = m + 1
			} else {
				high = m
			}
		}
		if low < first[u+1] && a.edges[low].b == v {
			if forward {
				left[low], right[low] = h, g
			} else {
				right[low] = h
			}
		}
	}
}

// cavity is the room that an edge needs, with scratch memory for it.
type cavity struct {
	*triangulation
	free        []int32 // first half-edges of the triangles taken out
	left, right []rim
	rim         []int32 // by half-edge: its place in the outline being closed, or -1
}

// rim is an edge of the cavity's outline: where it starts, the half-edge that
// bounded it inside before, its twin outside, and the new one inside.
type rim struct{ start, old, outside, inside int32 }

// open makes an edge from u to v.
func (c *cavity) open(t *triangulation, u, v int32) {
	c.triangulation = t
	if !c.collect(u, v) {
		return // an edge put in before brought it along
	}
	// Each outline, counter-clockwise, from the end of its base to the start.
	a := c.fill(c.left, v, u)
	b := c.fill(c.right, u, v)
	t.link(a, b)
	c.close(c.left)
	c.close(c.right)
}

// collect takes out the triangles that the segment from u to v crosses, if any.
func (c *cavity) collect(u, v int32) bool {
	p, q := c.points[u], c.points[v]
	c.free, c.left, c.right = c.free[:0], c.left[:0], c.right[:0]
	take := func(h int32) { c.free = append(c.free, h-h%3) }
	edge := func(h int32) rim { return rim{c.start[h], h, c.twin[h], -1} }
	h := c.towards(u, v)
	if h < 0 {
		return false
	}
	take(h)
	c.left = append(c.left, edge(next(h)))
	c.right = append(c.right, edge(prev(h)))
	for {
		h = c.twin[h] // crossed, from left to right
		take(h)
		apex := c.start[prev(h)]
		side := Collinear
		if apex != v {
			side = Orient(p, q, c.points[apex])
		}
		if side != Right {
			c.left = append(c.left, edge(prev(h)))
		}
		if side != Left {
			c.right = append(c.right, edge(next(h)))
		}
		switch side {
		case Collinear:
			// The left side was collected backwards.
			for i, j := 0, len(c.left)-1; i < j; i, j = i+1, j-1 {
				c.left[i], c.left[j] = c.left[j], c.left[i]
			}
			return true
		case Left:
			h = next(h)
		case Right:
			h = prev(h)
		}
	}
}

// towards returns the half-edge across from u through which the segment from u
// to v leaves the triangle at u, or -1 if it is an edge already.
func (t *triangulation) towards(u, v int32) int32 {
	p, q := t.points[u], t.points[v]
	for h := range t.around(u) {
		x, y := t.end(h), t.start[prev(h)]
		if x == v || y == v {
			return -1
		}
		if Orient(p, t.points[x], q) == Left && Orient(p, t.points[y], q) == Right {
			return next(h)
		}
	}
	panic("geom: a vertex lies on an edge; the arrangement is broken")
}

// around goes through the half-edges that leave v, each in a triangle of its
// own.
func (t *triangulation) around(v int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		first := t.out[v]
		h := first
		for h >= 0 && yield(h) {
			if h = t.turn(h); h == first {
				return
			}
		}
		if h >= 0 {
			return // enough
		}
		for h = t.turnBack(first); h >= 0 && yield(h); {
			h = t.turnBack(h)
		}
	}
}

// turn returns the next half-edge that leaves h's vertex, counter-clockwise, or
// -1 if the border comes first.
func (t *triangulation) turn(h int32) int32 { return t.twin[prev(h)] }

// turnBack is turn, clockwise.
func (t *triangulation) turnBack(h int32) int32 {
	if g := t.twin[h]; g >= 0 {
		return next(g)
	}
	return -1
}

// fill triangulates the polygon with the given outline, from the vertex from
// to the vertex to, and a base back to from. It returns the half-edge along
// the base.
//
// The apex over the base is the vertex that no other is inside the circle of.
// It sees the base: every vertex of the outline had an edge across the
// cavity's segment, in the order of the outline, so that what hides the apex
// would lie in the triangle, hence in the circle. The same holds in both parts
// beyond.
func (c *cavity) fill(outline []rim, from, to int32) int32 {
	apex := 1
	for i := 2; i < len(outline); i++ {
		if c.better(to, from, outline[apex].start, outline[i].start) {
			apex = i
		}
	}
	h := c.free[len(c.free)-1]
	c.free = c.free[:len(c.free)-1]
	v := outline[apex].start
	// h runs along the base, from to to from.
	c.start[h], c.start[h+1], c.start[h+2] = to, from, v
	c.out[to], c.out[from], c.out[v] = h, h+1, h+2
	if apex == 1 {
		outline[0].inside = h + 1
	} else {
		c.link(h+1, c.fill(outline[:apex], from, v))
	}
	if apex == len(outline)-1 {
		outline[apex].inside = h + 2
	} else {
		c.link(h+2, c.fill(outline[apex:], v, to))
	}
	return h
}

// better returns whether d is a better apex than e over the base from a to b:
// inside the circle of a, b and e. On the circle, the rule of triangulation
// decides between the diagonals of the quadrilateral.
func (c *cavity) better(a, b, e, d int32) bool {
	if d == e {
		return false
	}
	p := c.points
	if side := inCircle(p[a], p[b], p[e], p[d]); side != 0 {
		return side > 0
	}
	switch min(a, b, d, e) {
	case d:
		return true
	case e:
		return false
	case a: // the diagonal ends in a: the next vertex after b
		return Orient(p[a], p[d], p[e]) == Left
	default: // it ends in b: the vertex before a
		return Orient(p[a], p[e], p[d]) == Left
	}
}

// close links the outline to what is around it. Where both triangles of an edge
// were taken out but not the edge, it is twice in the outline.
func (c *cavity) close(outline []rim) {
	for len(c.rim) < len(c.twin) {
		c.rim = append(c.rim, -1)
	}
	for i := range outline {
		c.rim[outline[i].old] = int32(i)
	}
	for _, e := range outline {
		if e.outside >= 0 && c.rim[e.outside] >= 0 {
			e.outside = outline[c.rim[e.outside]].inside
		}
		c.link(e.inside, e.outside)
	}
	for _, e := range outline {
		c.rim[e.old] = -1
	}
}
