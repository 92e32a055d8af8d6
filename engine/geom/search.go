package geom

// Quest is what a Search looks for.
type Quest interface {
	// Corner is called once for every corner seen, as Visible does.
	Corner(corner int)
	// Enter is called whenever light gets into a triangle, for the part that it lights.
	Enter(triangle int32, view *Glimpse)
	// Bound returns a number that nothing falls below which is to be found in a triangle and beyond it by the light that
	// gets in by its edge e, of which V[e] is the left end.
	Bound(triangle, e int32) float64
	// Enough is a number: what is not below it need not be looked for. It may sink.
	Enough() float64
}

// Glimpse is what is seen of a triangle from a point in another, or all of it. It is valid during a call of Enter.
type Glimpse struct {
	at, left, right Point
	all             bool
}

// Holds reports whether p, a point of the triangle, is seen.
func (v *Glimpse) Holds(p Point) bool {
	return v.all || Orient(v.at, v.left, p) != Left && Orient(v.at, v.right, p) != Right
}

// Reaches reports whether the viewer sees its foot on a beam's leg, of which the triangle seen is above the part from..to, by
// Along (see Footing), and is on the side that the light goes to. A foot that lies just off that part by rounding counts: a
// point of the leg as near to it is seen then. That is SeesFrom, and where the foot is an end of the leg, what the end sees
// by rays that are not the beam's.
func (v *Glimpse) Reaches(b Beam, from, to float64) bool {
	along := b.Along(v.at)
	if !(float64(along) >= from && float64(along) <= to) || !b.Faces(v.at) {
		return false
	}
	if v.all {
		return true
	}
	behind := b.Behind(v.at)
	return b.Above(v.at) > 0 && Orient(v.at, v.left, behind) != Left && Orient(v.at, v.right, behind) != Right
}

// Search looks round from a sector, first where the quest's bounds are least. Where Bound is not below Enough it
// does not look. The corners that it finds are among those of Visible; where no bound stops it, all of them.
func (v *Viewer) Search(s Sector, q Quest) {
	v.ask(q.Corner)
	defer func() { v.visit = nil }()
	view := &v.glimpse
	*view = Glimpse{at: s.At, all: true}
	g := v.ground
	v.entrances = g.Entrances(s, v.entrances[:0])
	for _, in := range v.entrances {
		triangle := &g.Triangles[in.Triangle]
		for i, vertex := range triangle.V {
			if g.Vertices[vertex] != s.At {
				v.see(in.Triangle, int32(i))
			}
		}
		q.Enter(in.Triangle, view)
		for e := range int32(3) {
			if in.Exits[e] {
				v.pass(in.Triangle, e, g.Vertices[triangle.V[(e+1)%3]], g.Vertices[triangle.V[e]])
			}
		}
	}
	r := rays{at: s.At}
	v.nearest = v.nearest[:0]
	view.all = false
	v.rank(q, 0)
	for len(v.nearest) > 0 {
		next := v.nearest.pop()
		if next.bound >= q.Enough() {
			break
		}
		view.left, view.right = next.left, next.right
		q.Enter(next.triangle, view)
		v.carry(&r, next.window)
		v.rank(q, next.bound)
	}
}

// rank moves the windows that were just pushed to where the nearest come first. Nothing in them is nearer than least.
func (v *Viewer) rank(q Quest, least float64) {
	for _, w := range v.windows {
		bound := max(least, q.Bound(w.triangle, w.edge))
		if bound < q.Enough() {
			v.nearest.push(ranked{w, bound})
		}
	}
	v.windows = v.windows[:0]
}

// ranked is a window with its bound.
type ranked struct {
	window
	bound float64
}

// nearestFirst is a heap of windows, that of the least bound first. (Package container/heap would allocate for each of
// them.)
type nearestFirst []ranked

func (h *nearestFirst) push(w ranked) {
	*h = append(*h, w)
	q := *h
	i := len(q) - 1
	for i > 0 && w.bound < q[(i-1)/2].bound {
		q[i] = q[(i-1)/2]
		i = (i - 1) / 2
	}
	q[i] = w
}

func (h *nearestFirst) pop() ranked {
	q := *h
	top, w := q[0], q[len(q)-1]
	q = q[:len(q)-1]
	*h = q
	for i := 0; len(q) > 0; {
		child := 2*i + 1
		if child+1 < len(q) && q[child+1].bound < q[child].bound {
			child++
		}
		if child >= len(q) || w.bound <= q[child].bound {
			q[i] = w
			break
		}
		q[i] = q[child]
		i = child
	}
	return top
}
