package reference

import (
	"github.com/wayfront/wayfront/bvp/explore"
	"github.com/wayfront/wayfront/bvp/grid"
	"github.com/wayfront/wayfront/bvp/local"
)

// unknown reports whether a team has not seen a cell.
func unknown(seen []uint32, cell int) bool { return seen[cell]&local.FixedBit != 0 }

// frontiers are the cells that a team has not seen, but that a way leads to from one that it has.
func frontiers(seen []uint32, g *grid.Grid) []bool {
	is := make([]bool, len(seen))
	for cell := range seen {
		for d := range 4 {
			if to, ok := g.Way(cell, d); ok && unknown(seen, cell) && !unknown(seen, to) {
				is[cell] = true
			}
		}
	}
	return is
}

// cellsApart is how far two cells are from each other along the axis where they are farther.
func cellsApart(g *grid.Grid, a, b int) int {
	dx, dy := a%g.Columns-b%g.Columns, a/g.Columns-b/g.Columns
	return max(dx, -dx, dy, -dy)
}

// explorer is a walker that seeks frontiers.
type explorer struct {
	explore.Member
	reach int        // how many cells far it sees
	look  [2]float32 // its heading, as a unit vector; 0 where it has none yet
}

// Seek is the plain form of seek.comp: the choice of a walker with the one that it made before.
// Taken are the targets that its teammates hold. It goes through what is known breadth first, to the
// east, the west, the north and the south of a cell in this order.
func Seek(seen []uint32, g *grid.Grid, w *local.Walker, s local.Settings, m explore.Member, before explore.Choice, taken []int) explore.Choice {
	if w.Body == local.NotThere || m.Team == explore.NoTeam || m.Frontiers == 0 {
		return explore.Choice{Target: explore.NoCell, Guide: explore.NoCell}
	}
	x := *w // frameOf gives it a heading
	f, perMeter := frameOf(&x, &s), float32(1/g.CellSize())
	e := explorer{Member: m, reach: int(min(float32(f.middle/f.CellsPerMeter)*perMeter, explore.MostCells))}
	if w.Heading != local.NoHeading {
		e.look = f.look
	}
	place := func(v float32, count int) int { return min(max(int(float32(v*perMeter)), 0), count-1) }
	own := place(w.Position[1], g.Rows)*g.Columns + place(w.Position[0], g.Columns)
	is := frontiers(seen, g)
	way, steps := make([]int, len(seen)), make([]int, len(seen))
	for cell := range way {
		way[cell] = -1
	}
	best := explore.Choice{Target: explore.NoCell, Guide: uint32(own)}
	for level := []int{own}; len(level) > 0; {
		var next []int
		for d := range 4 { // as the device: all of a level in one direction, then in the next one
			for _, cell := range level {
				to, ok := g.Way(cell, d)
				if !ok || to == own || way[to] >= 0 {
					continue
				}
				way[to], steps[to] = d, steps[cell]+1
				if !is[to] {
					next = append(next, to)
					continue
				}
				if before.Held == 1 && to == int(before.Target) {
					before.Guide = uint32(lastInSight(g, own, to, way))
					return before
				}
				cost := costOf(is, g, own, to, steps[to], e, taken)
				if best.Target == explore.NoCell || cost < best.Cost || cost == best.Cost && uint32(to) < best.Target {
					best.Target, best.Cost = uint32(to), cost
				}
			}
		}
		level = next
	}
	if best.Target != explore.NoCell {
		best.Guide = uint32(lastInSight(g, own, int(best.Target), way))
	}
	return best
}

// costOf is what a frontier costs: its way, what a teammate's target is too near, and what the
// explorer has to turn, less what the frontiers in reach from there are worth.
func costOf(is []bool, g *grid.Grid, own, cell, steps int, e explorer, taken []int) int32 {
	cost, x, y := int32(steps)*explore.Fraction, cell%g.Columns, cell/g.Columns
	for j := max(y-e.reach, 0); j <= min(y+e.reach, g.Rows-1); j++ {
		for i := max(x-e.reach, 0); i <= min(x+e.reach, g.Columns-1); i++ {
			if is[j*g.Columns+i] {
				cost -= int32(e.Gain)
			}
		}
	}
	crowding := 0
	for _, other := range taken {
		crowding = max(crowding, int(e.Apart)-cellsApart(g, cell, other))
	}
	off := [2]float32{float32(x - own%g.Columns), float32(y - own/g.Columns)}
	ahead := float32((float32(off[0]*e.look[0]) + float32(off[1]*e.look[1])) * reciprocal(root(float32(off[0]*off[0])+float32(off[1]*off[1]))))
	turn := float32((0.5 - float32(0.5*ahead)) * float32(e.Turn))
	return cost + explore.Fraction*int32(crowding) + int32(turn)
}

// lastInSight is the cell nearest to the target, of those on the way there, that is in sight.
func lastInSight(g *grid.Grid, own, target int, way []int) int {
	for target != own && !inSight(g, own, target) {
		target += [...]int{grid.East: -1, grid.West: 1, grid.North: -g.Columns, grid.South: g.Columns}[way[target]]
	}
	return target
}

// Claim is the plain form of claim.comp: choices that are not held yet are from now on, but for
// those within Apart of a teammate's that costs less, or as much with a lower number.
func Claim(g *grid.Grid, members []explore.Member, choices []explore.Choice) []explore.Choice {
	next := append([]explore.Choice(nil), choices...)
	for i, c := range choices {
		if c.Target == explore.NoCell || c.Held == 1 {
			continue
		}
		next[i].Held = 1
		for k, o := range choices {
			if k != i && members[k].Team == members[i].Team && o.Target != explore.NoCell && o.Held == 0 &&
				cellsApart(g, int(c.Target), int(o.Target)) < int(members[i].Apart) && (o.Cost < c.Cost || o.Cost == c.Cost && k < i) {
				next[i].Held = 0
			}
		}
	}
	return next
}
