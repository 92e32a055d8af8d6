package reference

import (
	"math"

	"github.com/wayfront/wayfront/bvp/explore"
	"github.com/wayfront/wayfront/bvp/grid"
	"github.com/wayfront/wayfront/bvp/local"
)

// inSight reports whether ways lead along the line from one cell to another. Through a corner of
// cells the line goes along x first.
func inSight(g *grid.Grid, from, to int) bool {
	dx, dy := to%g.Columns-from%g.Columns, to/g.Columns-from/g.Columns
	nx, ny := max(dx, -dx), max(dy, -dy)
	across, along := grid.East, grid.North
	if dx < 0 {
		across = grid.West
	}
	if dy < 0 {
		along = grid.South
	}
	open := true
	for ix, iy := 0, 0; ix+iy < nx+ny && open; {
		if iy == ny || ix < nx && (1+2*ix)*ny <= (1+2*iy)*nx {
			from, open = g.Way(from, across)
			ix++
		} else {
			from, open = g.Way(from, along)
			iy++
		}
	}
	return open
}

// known is a cell that has been seen just now: 1, and free to be relaxed.
var known = math.Float32bits(1)

// See is the plain form of sense.comp: what a walker sees becomes known in a team's map, as words.
func See(seen []uint32, g *grid.Grid, w *local.Walker, s local.Settings) {
	if g.Columns == 0 {
		return
	}
	looksRound := w.Heading == local.NoHeading
	x := *w // frameOf gives it a heading
	f := frameOf(&x, &s)
	if looksRound {
		f.view = -2
	}
	size, perMeter := float32(g.CellSize()), float32(1/g.CellSize())
	place := func(v float32, count int) int { return min(max(int(float32(v*perMeter)), 0), count-1) }
	ownX, ownY := place(w.Position[0], g.Columns), place(w.Position[1], g.Rows)
	for cell := range seen {
		i, j := cell%g.Columns, cell/g.Columns
		off := [2]float32{
			float32((float32(i)+0.5)*size) - w.Position[0],
			float32((float32(j)+0.5)*size) - w.Position[1],
		}
		far := float32(max(off[0], -off[0], off[1], -off[1]) * f.CellsPerMeter)
		near := max(i-ownX, ownX-i, j-ownY, ownY-j) <= 1
		within := far <= f.middle-2 && f.inView(off)
		if word := seen[cell]; (near || within) && word&(local.FixedBit|explore.Stale) != 0 && inSight(g, ownY*g.Columns+ownX, cell) {
			seen[cell] = word &^ explore.Stale
			if word&local.FixedBit != 0 {
				seen[cell] = known
			}
		}
	}
}

// inView reports whether a place off the walker lies in the view cone.
func (f *frame) inView(off [2]float32) bool {
	ahead := float32(off[0]*f.look[0]) + float32(off[1]*f.look[1])
	edge := float32(float32(f.view*f.view) * (float32(off[0]*off[0]) + float32(off[1]*off[1])))
	if f.view >= 0 {
		return ahead >= 0 && float32(ahead*ahead) >= edge
	}
	return ahead >= 0 || float32(ahead*ahead) <= edge
}

// Explore is the plain form of explore.comp: a team's map, relaxed so many times.
func Explore(seen []uint32, g *grid.Grid, times int) {
	for half := range 2 * times {
		for cell, word := range seen {
			if (cell%g.Columns+cell/g.Columns)&1 != half&1 || word&local.FixedBit != 0 {
				continue
			}
			beside := func(direction int) float32 {
				if to, ok := g.Way(cell, direction); ok {
					return math.Float32frombits(seen[to] &^ (local.FixedBit | explore.Stale))
				}
				return 0
			}
			mean := explore.Share * ((beside(grid.East) + beside(grid.West)) + (beside(grid.North) + beside(grid.South)))
			q := math.Float32frombits(word &^ explore.Stale)
			seen[cell] = math.Float32bits(bounded(q+float32(explore.Eagerness*(mean-q)))) | word&explore.Stale
		}
	}
}

// TeamAscent is which way the potential of a cell of a team's map, as words, rises, half as fast:
// the plain form of what exploreguide.comp.glsl interpolates.
func TeamAscent(seen []uint32, g *grid.Grid, cell int) [2]float32 {
	var q [4]float32
	for d := range q {
		if to, ok := g.Way(cell, d); ok {
			q[d] = math.Float32frombits(seen[to] &^ (local.FixedBit | explore.Stale))
		}
	}
	return [2]float32{q[grid.East] - q[grid.West], q[grid.North] - q[grid.South]}
}
