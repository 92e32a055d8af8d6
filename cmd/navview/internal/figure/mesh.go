package figure

import (
	"cmp"
	"maps"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/spm/exact"
)

// side is how long an edge of the mesh is at most. Isolines become chords of it. Unit: points.
const side = 4

// halvings is how often triangles with borders of regions are halved along all edges. Borders
// become chords of side/2^halvings = 1 point; a region that is narrower may be missed.
const halvings = 2

// cuts is how often the edge between two regions is halved in search of their border, which is
// found to 1/2^cuts = 1/16 point.
const cuts = 4

// mesh is the free ground of a map in small triangles, with exact answers at their vertices.
// Whether an edge is halved depends on the edge alone, so that neighbors always share whole edges.
type mesh struct {
	view      *exact.View
	low, high mgl64.Vec2 // what is shown
	longest   float64    // of the edges, m
	points    []mgl64.Vec2
	answers   []exact.Answer
	triangles [][3]int32
	index     map[mgl64.Vec2]int32
}

// newMesh makes the mesh of what lies in a window, at so many meters to a point.
func newMesh(v *exact.View, g *geom.Ground, low, high mgl64.Vec2, point float64) *mesh {
	m := &mesh{view: v, low: low, high: high, longest: side * point, index: map[mgl64.Vec2]int32{}}
	for _, t := range g.Triangles {
		if t.Free {
			m.split(g.Lattice.World(g.Vertices[t.V[0]]), g.Lattice.World(g.Vertices[t.V[1]]), g.Lattice.World(g.Vertices[t.V[2]]))
		}
	}
	m.ask()
	for range halvings {
		m.refine()
	}
	return m
}

// ask finds the answers at points that have come.
func (m *mesh) ask() { m.answers = append(m.answers, each(m.points[len(m.answers):], m.view.Query)...) }

// split adds a triangle, halved at its longest edge until that is short enough.
func (m *mesh) split(a, b, c mgl64.Vec2) {
	for k := range 2 {
		if max(a[k], b[k], c[k]) < m.low[k] || min(a[k], b[k], c[k]) > m.high[k] {
			return
		}
	}
	ab, bc, ca := a.Sub(b).Len(), b.Sub(c).Len(), c.Sub(a).Len()
	switch most := max(ab, bc, ca); {
	case most <= m.longest:
		m.triangles = append(m.triangles, [3]int32{m.add(a), m.add(b), m.add(c)})
	case most == ab:
		half := a.Add(b).Mul(0.5)
		m.split(a, half, c)
		m.split(half, b, c)
	default:
		m.split(b, c, a)
	}
}

// refine halves all edges of triangles with more than one region. Their neighbors are divided, too.
func (m *mesh) refine() {
	half := map[[2]int32]int32{}
	for _, t := range m.triangles {
		if n := m.answers[t[0]].Node; n == m.answers[t[1]].Node && n == m.answers[t[2]].Node {
			continue
		}
		for k := range 3 {
			e := edge(t[k], t[(k+1)%3])
			half[e] = m.add(m.points[e[0]].Add(m.points[e[1]]).Mul(0.5))
		}
	}
	var finer [][3]int32
	for _, t := range m.triangles {
		a, b, c := t[0], t[1], t[2]
		_, ofAB := half[edge(a, b)]
		_, ofBC := half[edge(b, c)]
		_, ofCA := half[edge(c, a)]
		for range 2 { // halved edges first
			if !ofAB || ofCA && !ofBC {
				a, b, c, ofAB, ofBC, ofCA = b, c, a, ofBC, ofCA, ofAB
			}
		}
		ab, bc, ca := half[edge(a, b)], half[edge(b, c)], half[edge(c, a)]
		switch {
		case ofCA:
			finer = append(finer, [3]int32{a, ab, ca}, [3]int32{ab, b, bc}, [3]int32{bc, c, ca}, [3]int32{ab, bc, ca})
		case ofBC:
			finer = append(finer, [3]int32{ab, b, bc}, [3]int32{a, ab, bc}, [3]int32{a, bc, c})
		case ofAB:
			finer = append(finer, [3]int32{a, ab, c}, [3]int32{ab, b, c})
		default:
			finer = append(finer, t)
		}
	}
	m.triangles = finer
	m.ask()
}

func (m *mesh) add(p mgl64.Vec2) int32 {
	i, ok := m.index[p]
	if !ok {
		i = int32(len(m.points))
		m.index[p] = i
		m.points = append(m.points, p)
	}
	return i
}

// each calls a function for all elements, on all cores.
func each[T, R any](all []T, f func(T) R) []R {
	results := make([]R, len(all))
	var group sync.WaitGroup
	share := len(all)/runtime.GOMAXPROCS(0) + 1
	for first := 0; first < len(all); first += share {
		group.Go(func() {
			for i := first; i < min(first+share, len(all)); i++ {
				results[i] = f(all[i])
			}
		})
	}
	group.Wait()
	return results
}

// cut returns the points where edges pass from one region to another, as vertices by the ends of
// their edge, the lower one first.
func (m *mesh) cut() map[[2]int32]int32 {
	cut := map[[2]int32]int32{}
	var edges [][2]int32
	for _, t := range m.triangles {
		for k := range 3 {
			e := edge(t[k], t[(k+1)%3])
			if _, ok := cut[e]; !ok && m.answers[e[0]].Node != m.answers[e[1]].Node {
				cut[e] = int32(len(m.points) + len(edges))
				edges = append(edges, e)
			}
		}
	}
	m.points = append(m.points, each(edges, func(e [2]int32) mgl64.Vec2 {
		a, b, node := m.points[e[0]], m.points[e[1]], m.answers[e[0]].Node
		for range cuts {
			if half := a.Add(b).Mul(0.5); m.view.Query(half).Node == node {
				a = half
			} else {
				b = half
			}
		}
		return a.Add(b).Mul(0.5)
	})...)
	return cut
}

func edge(a, b int32) [2]int32 { return [2]int32{min(a, b), max(a, b)} }

// piece is a convex part of a triangle, counter-clockwise, in the region of a node.
type piece struct {
	node    int
	corners []int32
}

// seam is a border with one region on its left and another on its right, the lower one left.
type seam struct {
	left, right int
	ends        [2]int32
}

// pieces divides all triangles by region.
func (m *mesh) pieces() (pieces []piece, seams []seam) {
	cut := m.cut()
	join := func(left, right int, a, b int32) {
		if left > right {
			left, right, a, b = right, left, b, a
		}
		seams = append(seams, seam{left, right, [2]int32{a, b}})
	}
	for _, t := range m.triangles {
		a, b, c := t[0], t[1], t[2]
		for range 2 { // the vertex that differs comes first
			if m.answers[b].Node != m.answers[c].Node {
				a, b, c = b, c, a
			}
		}
		na, nb, nc := m.answers[a].Node, m.answers[b].Node, m.answers[c].Node
		ab, ca := cut[edge(a, b)], cut[edge(c, a)]
		switch {
		case na == nb && nb == nc:
			pieces = append(pieces, piece{na, []int32{a, b, c}})
		case nb == nc:
			pieces = append(pieces, piece{na, []int32{a, ab, ca}}, piece{nb, []int32{ab, b, c, ca}})
			join(nb, na, ca, ab)
		default:
			bc := cut[edge(b, c)]
			middle := int32(len(m.points))
			m.points = append(m.points, m.points[a].Add(m.points[b]).Add(m.points[c]).Mul(1.0/3))
			pieces = append(pieces,
				piece{na, []int32{a, ab, middle, ca}}, piece{nb, []int32{b, bc, middle, ab}}, piece{nc, []int32{c, ca, middle, bc}})
			join(na, nb, ab, middle)
			join(nb, nc, bc, middle)
			join(nc, na, ca, middle)
		}
	}
	return pieces, seams
}

// isolines returns the lines of the distances step, 2 step and so on, with their numbers, ascending.
// Distances are interpolated along edges.
func (m *mesh) isolines(step float64) (numbers []int, lines map[int][][]mgl64.Vec2) {
	type crossing struct {
		edge  [2]int32
		level int
	}
	points := slices.Clone(m.points)
	known := map[crossing]int32{}
	at := func(a, b int32, level int) int32 {
		c := crossing{edge(a, b), level}
		i, ok := known[c]
		if !ok {
			from, to := m.answers[c.edge[0]].Distance, m.answers[c.edge[1]].Distance
			p, q := m.points[c.edge[0]], m.points[c.edge[1]]
			i = int32(len(points))
			points = append(points, p.Add(q.Sub(p).Mul((float64(level)*step-from)/(to-from))))
			known[c] = i
		}
		return i
	}
	parts := map[int][][2]int32{}
	for _, t := range m.triangles {
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range t {
			low, high = min(low, m.answers[v].Distance), max(high, m.answers[v].Distance)
		}
		if math.IsInf(high, 1) || math.IsNaN(high) {
			continue
		}
		for level := int(math.Floor(low/step)) + 1; float64(level)*step <= high; level++ {
			var ends [2]int32
			for k := range 3 {
				a, b := t[k], t[(k+1)%3]
				above := func(v int32) bool { return m.answers[v].Distance >= float64(level)*step }
				switch {
				case !above(a) && above(b):
					ends[1] = at(a, b, level)
				case above(a) && !above(b):
					ends[0] = at(a, b, level)
				}
			}
			parts[level] = append(parts[level], ends)
		}
	}
	lines = map[int][][]mgl64.Vec2{}
	for level, edges := range parts {
		lines[level] = place(points, chain(edges), nil)
	}
	return slices.Sorted(maps.Keys(lines)), lines
}

// slack is how far the borders of regions may be moved to have fewer points. Unit: points.
const slack = 0.125

// spare returns the points that borders of regions can do without: both sides and the line between them
// leave out the same.
func (m *mesh) spare(seams []seam) map[int32]bool {
	between := map[[2]int][][2]int32{}
	for _, s := range seams {
		pair := [2]int{s.left, s.right}
		between[pair] = append(between[pair], s.ends)
	}
	spare := map[int32]bool{}
	for _, edges := range between {
		for _, line := range chain(edges) {
			m.thin(line, slack*m.longest/side, spare)
		}
	}
	return spare
}

// thin marks the points of a line that are within a distance of the line through the others: the
// algorithm of Douglas and Peucker.
func (m *mesh) thin(line []int32, within float64, spare map[int32]bool) {
	last := len(line) - 1
	a, b := m.points[line[0]], m.points[line[last]]
	d := b.Sub(a)
	far, at := -1.0, 0
	for i := 1; i < last; i++ {
		p := m.points[line[i]]
		u := 0.0
		if d.LenSqr() > 0 {
			u = min(max(p.Sub(a).Dot(d)/d.LenSqr(), 0), 1)
		}
		if off := p.Sub(a.Add(d.Mul(u))).Len(); off > far {
			far, at = off, i
		}
	}
	if far > within {
		m.thin(line[:at+1], within, spare)
		m.thin(line[at:], within, spare)
		return
	}
	for _, i := range line[1:max(last, 1)] {
		spare[i] = true
	}
}

// outline returns the borders of the union of pieces that do not overlap: closed rings, with the
// pieces on their left.
func outline(pieces [][]int32) [][]int32 {
	border := map[[2]int32]bool{}
	for _, p := range pieces {
		for k, a := range p {
			b := p[(k+1)%len(p)]
			if border[[2]int32{b, a}] {
				delete(border, [2]int32{b, a})
			} else {
				border[[2]int32{a, b}] = true
			}
		}
	}
	return chain(slices.Collect(maps.Keys(border)))
}

// chain joins directed edges to lines, whatever their order. A closed line ends with its first point.
func chain(edges [][2]int32) (lines [][]int32) {
	slices.SortFunc(edges, func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	next, entered := map[int32][]int32{}, map[int32]int{}
	for _, e := range edges {
		next[e[0]] = append(next[e[0]], e[1])
		entered[e[1]]++
	}
	follow := func(v int32) {
		line := []int32{v}
		for first := v; len(next[v]) > 0; {
			to := next[v][0]
			next[v] = next[v][1:]
			line = append(line, to)
			if v = to; v == first {
				break
			}
		}
		lines = append(lines, line)
	}
	for _, e := range edges { // open lines first, from their beginning
		if entered[e[0]] < len(next[e[0]]) {
			follow(e[0])
		}
	}
	for _, e := range edges {
		for len(next[e[0]]) > 0 {
			follow(e[0])
		}
	}
	return lines
}

// place returns the places of lines without spare points, and without those on the straight line
// between their neighbors.
func place(points []mgl64.Vec2, lines [][]int32, spare map[int32]bool) (placed [][]mgl64.Vec2) {
	for _, line := range lines {
		var kept []mgl64.Vec2
		for i, v := range line {
			if i > 0 && i+1 < len(line) && spare[v] {
				continue
			}
			p := points[v]
			if n := len(kept); n > 1 && straight(kept[n-2], kept[n-1], p) {
				kept = kept[:n-1]
			}
			kept = append(kept, p)
		}
		if len(kept) > 1 {
			placed = append(placed, kept)
		}
	}
	return placed
}

// straight reports whether b lies between a and c, but for a billionth: what halving rounds.
func straight(a, b, c mgl64.Vec2) bool {
	ab, ac := b.Sub(a), c.Sub(a)
	return math.Abs(ab[0]*ac[1]-ab[1]*ac[0]) <= 1e-9*ac.LenSqr() && ab.Dot(c.Sub(b)) >= 0
}
