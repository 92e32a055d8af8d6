package reference

import "github.com/wayfront/wayfront/bvp/local"

// AscentAt is the plain form of ascent.glsl: the ascent of a global map at a place, in cells, that
// of the four cells about it interpolated between their middles. By single cells a walker would
// turn back and forth on every ridge.
//
// A neighbor counts where a way leads to it, and the cell across the corner where two ways do, in
// either order. So nothing is read through a wall, and elsewhere the sum is continuous but for the
// ends of walls. Only its direction is used; it is zero where all that counts is zero or cancels.
func AscentAt(place [2]float32, columns, rows int, ways func(cell int) uint32, ascent func(cell int) [2]float32) [2]float32 {
	i, shareX, east := besideAt(place[0], columns)
	j, shareY, north := besideAt(place[1], rows)
	cell, dx, dy, across, along := j*columns+i, 1, columns, uint32(1), uint32(4)
	if !east {
		dx, across = -dx, 2
	}
	if !north {
		dy, along = -dy, 8
	}
	isAcross, isAlong := ways(cell)&across != 0, ways(cell)&along != 0
	isBoth := isAcross && ways(cell+dx)&along != 0 || isAlong && ways(cell+dy)&across != 0
	var sum [2]float32
	add := func(counts bool, cell int, share float32) {
		if counts {
			a := ascent(cell)
			sum[0] += float32(share * a[0])
			sum[1] += float32(share * a[1])
		}
	}
	add(true, cell, (1-shareX)*(1-shareY))
	add(isAcross, cell+dx, shareX*(1-shareY))
	add(isAlong, cell+dy, (1-shareX)*shareY)
	add(isBoth, cell+dx+dy, shareX*shareY)
	return sum
}

// besideAt is the column, or row, of a coordinate in cells, what the next one counts, and whether
// that is the one ahead.
func besideAt(at float32, count int) (i int, share float32, ahead bool) {
	i = min(max(int(at), 0), count-1)
	off := min(max(at-0.5-float32(i), -0.5), 0.5)
	return i, max(off, -off), off >= 0
}

// Along is the Guide of a walker at a place that heads along an ascent, whose length does not
// matter: a point Afar off. Where there is none it is the place itself, and false.
func Along(from, ascent [2]float32) (guide [2]float32, ok bool) {
	most := max(ascent[0], -ascent[0], ascent[1], -ascent[1])
	if most < Tiny {
		return from, false
	}
	r := reciprocal(most)
	for k := range guide {
		guide[k] = from[k] + float32(float32(ascent[k]*r)*local.Afar)
	}
	return guide, true
}
