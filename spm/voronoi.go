package spm

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/spm/exact"
)

// site is a point source in a triangle that it lights all of, as others there do.
type site struct {
	geom.Entrance
	generator uint32
	at        mgl64.Vec2 // what its distances are from, lattice steps
	rays      geom.Point // where its rays part: the lattice point that it was moved to
	moved     float64    // how far that is, lattice steps
}

func newSite(l geom.Lattice, s exact.Source, in geom.Entrance, generator uint32) site {
	at := s.Position.Sub(l.Origin).Mul(1 / l.Step)
	return site{in, generator, at, s.Sector.At, at.Sub(onPlane(s.Sector.At)).Len()}
}

func onPlane(p geom.Point) mgl64.Vec2 { return mgl64.Vec2{float64(p.X), float64(p.Y)} }

// voronoi finds which part of a triangle each of its sources can win against the others: its
// Voronoi cell, made wider by what float32 distances may be off. Behind the triangle, too, a source
// wins nothing that it sees through a point of a side where another is nearer: from there on the
// other has the same path.
//
// Only these parts are drawn, and only through them light leaves the triangle, so that a thousand
// sources in a room cost about as much as one and not a thousand times it. What is left out would
// have lost in any case: the map is the same.
type voronoi struct {
	triangle [3]geom.Point
	sites    []site          // a balanced k-d tree: the middle one of a range splits it
	boxes    [][2]mgl64.Vec2 // around a range, at the index of its middle
	slack    float64         // what lengths may be off, lattice steps
	cell     []cellVertex
	clipped  []cellVertex
	radius   float64 // distance of the cell's farthest point from its site, lattice steps
}

// cellVertex is a vertex of a cell, counter-clockwise.
type cellVertex struct {
	mgl64.Vec2     // lattice steps
	side       int // of the triangle that the cell's border follows from here on, or inner
}

const inner = -1

// newVoronoi sorts the sites.
func newVoronoi(triangle [3]geom.Point, sites []site, slack float64) *voronoi {
	v := &voronoi{triangle: triangle, sites: sites, boxes: make([][2]mgl64.Vec2, len(sites)), slack: slack}
	v.split(0, len(sites))
	return v
}

// split makes a tree of a range of sites, each part of which is split across its longer extent.
func (v *voronoi) split(from, to int) {
	if from == to {
		return
	}
	some, middle := v.sites[from:to], (from+to)/2
	box := boxOf(some, func(s site) mgl64.Vec2 { return s.at })
	axis, extent := 0, box[1].Sub(box[0])
	if extent[1] > extent[0] {
		axis = 1
	}
	slices.SortFunc(some, func(a, b site) int { return cmp.Compare(a.at[axis], b.at[axis]) })
	v.boxes[middle] = box
	v.split(from, middle)
	v.split(middle+1, to)
}

// boxOf is the bounding box of places, from low to high.
func boxOf[T any](all []T, place func(T) mgl64.Vec2) [2]mgl64.Vec2 {
	low, high := place(all[0]), place(all[0])
	for _, x := range all {
		p := place(x)
		low = mgl64.Vec2{min(low[0], p[0]), min(low[1], p[1])}
		high = mgl64.Vec2{max(high[0], p[0]), max(high[1], p[1])}
	}
	return [2]mgl64.Vec2{low, high}
}

// find finds the cell of sites[i].
func (v *voronoi) find(i int) {
	v.cell = v.cell[:0]
	for side, p := range v.triangle {
		v.cell = append(v.cell, cellVertex{onPlane(p), side})
	}
	v.measure(&v.sites[i])
	v.cutBy(i, 0, len(v.sites))
}

// cutBy cuts the cell of sites[i] by a range of sites: by its middle, then by the halves, unless no
// place in the box around them takes away more than twice what the slack leaves. That far ones come
// first makes cells small, and boxes futile, in a few cuts however sites lie; that little is not
// worth a cut keeps the vertices of cells few where a hundred sites are as good as one.
func (v *voronoi) cutBy(i, from, to int) {
	if from == to {
		return
	}
	own := &v.sites[i]
	middle := (from + to) / 2
	box := v.boxes[middle]
	if !slices.ContainsFunc(v.cell, func(p cellVertex) bool {
		nearest := mgl64.Vec2{min(max(p.X(), box[0][0]), box[1][0]), min(max(p.Y(), box[0][1]), box[1][1])}
		return p.Sub(own.at).LenSqr()-p.Sub(nearest).LenSqr() > 4*v.slack*v.radius
	}) {
		return
	}
	if middle != i && v.cut(own, &v.sites[middle]) {
		v.measure(own)
	}
	if i < middle {
		v.cutBy(i, from, middle)
		v.cutBy(i, middle+1, to)
	} else {
		v.cutBy(i, middle+1, to)
		v.cutBy(i, from, middle)
	}
}

// measure finds the cell's radius.
func (v *voronoi) measure(own *site) {
	farthest := 0.0
	for _, p := range v.cell {
		farthest = max(farthest, p.Sub(own.at).LenSqr())
	}
	v.radius = math.Sqrt(farthest)
}

// cut takes away from the cell where the other is nearer by more than lengths may be off, and
// reports whether that was anything.
//
// With a and b the distances of the two to a point, that is where a - b > slack. A linear bound is
// enough: a² - b² > slack (a + b), of which the left side is linear in the point and the right one,
// where b < a, at most twice the slack times the cell's radius.
func (v *voronoi) cut(own, other *site) bool {
	// Rays part from lattice points, lengths are from where sources were given.
	most := 2 * (v.slack + 2*(own.moved+other.moved)) * v.radius
	to := other.at.Sub(own.at)
	middle := own.at.Add(other.at).Mul(0.5)
	beyond := func(p mgl64.Vec2) float64 { return 2*p.Sub(middle).Dot(to) - most }
	v.clipped = v.clipped[:0]
	changed := false
	for i, p := range v.cell {
		q := v.cell[(i+1)%len(v.cell)]
		f, g := beyond(p.Vec2), beyond(q.Vec2)
		if f <= 0 {
			v.clipped = append(v.clipped, p)
		}
		if (f <= 0) != (g <= 0) {
			changed = true
			border := cellVertex{p.Add(q.Sub(p.Vec2).Mul(f / (f - g))), inner}
			if f > 0 {
				border.side = p.side
			}
			v.clipped = append(v.clipped, border)
		}
	}
	if changed {
		v.cell, v.clipped = v.clipped, v.cell
	}
	return changed
}

// box is the cell's bounding box, lattice: whole steps, and one more for what the cell's vertices
// may be off.
func (v *voronoi) box() (low, high geom.Point) {
	box := boxOf(v.cell, func(p cellVertex) mgl64.Vec2 { return p.Vec2 })
	low = geom.Point{X: int32(math.Floor(box[0][0])) - 1, Y: int32(math.Floor(box[0][1])) - 1}
	return low, geom.Point{X: int32(math.Ceil(box[1][0])) + 1, Y: int32(math.Ceil(box[1][1])) + 1}
}

// exit says between which rays the cell's site lights more through a side of the triangle than
// others do: none where the cell does not reach the side. The rays go through lattice points that
// lie farther out than the cell, or through the side's ends.
func (v *voronoi) exit(own *site, side int) geom.Exit {
	x := geom.Exit{Right: v.triangle[side], Left: v.triangle[(side+1)%3]}
	i := slices.IndexFunc(v.cell, func(p cellVertex) bool { return p.side == side })
	if i < 0 {
		return geom.Exit{}
	}
	first, last := v.cell[i].Vec2, v.cell[(i+1)%len(v.cell)].Vec2
	along := onPlane(x.Left).Sub(onPlane(x.Right))
	along = along.Mul(1 / along.Len())
	// Two steps make up for rounding to the lattice where the side is seen at an angle; where it is
	// not, the rounded point may lie on the wrong side, and the end stays.
	nearer := func(p, away mgl64.Vec2) geom.Point {
		p = p.Add(away)
		return geom.Point{X: int32(math.Round(p[0])), Y: int32(math.Round(p[1]))}
	}
	right, left := nearer(first, along.Mul(-2)), nearer(last, along.Mul(2))
	if geom.Orient(own.rays, x.Right, right) == geom.Left && turns(own.rays, right, first) > 0 {
		x.Right = right
	}
	if geom.Orient(own.rays, x.Left, left) == geom.Right && turns(own.rays, left, last) < 0 {
		x.Left = left
	}
	return x
}

// turns is positive where p lies left of the ray from a point through another, negative right of
// it.
func turns(from, through geom.Point, p mgl64.Vec2) float64 {
	ray, to := onPlane(through).Sub(onPlane(from)), p.Sub(onPlane(from))
	return ray[0]*to[1] - ray[1]*to[0]
}
