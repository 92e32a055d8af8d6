package reference

import (
	"slices"

	"github.com/wayfront/wayfront/bvp/local"
)

// Wall is a straight piece of an obstacle's border, from end to end, with the free ground on its
// left; m, local.
type Wall [2][2]float32

// Disc is an agent in the way, or the walker itself; m, local.
type Disc struct {
	Center   [2]float32
	Radius   float32
	Velocity [2]float32 // m/s
	Yields   bool       // it avoids others besides
}

// frame is a local map laid about its walker: columns and rows run along the axes, cell (i, j) is
// the closed square from i, j to i+1, j+1 in units of cells.
type frame struct {
	*local.Settings
	cells  int
	at     [2]float32 // the walker, m
	middle float32    // where it is in the map, cells
	look   [2]float32 // its heading, as a unit vector
	mind   [2]float32 // about which it has agents in mind besides, by robust rules: to its guide's point
	view   float32    // as Settings.View, or all round
}

// frameOf lays the map; a walker that has no heading yet gets one.
func frameOf(w *local.Walker, s *local.Settings) frame {
	u, there := towards(w.Position, w.Guide)
	if w.Heading == local.NoHeading {
		w.Heading = 0
		if there {
			w.Heading = angle(u)
		}
	}
	look := direction(w.Heading)
	f := frame{s, int(s.Cells), w.Position, 0.5 * float32(s.Cells), look, look, s.View}
	if s.Has(local.Robust) && there {
		r := reciprocal(root(float32(u[0]*u[0]) + float32(u[1]*u[1])))
		f.mind = [2]float32{u[0] * r, u[1] * r}
	}
	if s.Has(local.Robust) && w.Stood >= s.Patience() {
		f.view = -2
	}
	return f
}

// towards is the vector from one place to another, and false where they are the same but for less
// than any ground matters.
func towards(from, to [2]float32) ([2]float32, bool) {
	u := [2]float32{to[0] - from[0], to[1] - from[1]}
	return u, max(u[0], -u[0], u[1], -u[1]) >= Tiny
}

// place is where in the map a place of the ground is.
func (f *frame) place(p [2]float32) [2]float32 {
	return [2]float32{
		float32((p[0]-f.at[0])*f.CellsPerMeter) + f.middle,
		float32((p[1]-f.at[1])*f.CellsPerMeter) + f.middle,
	}
}

// coneShare is how much of a cell the view cone about a direction covers, 0 to 1: it grows from
// none to all while the nearer edge of the cone crosses the cell, by the distance of the cell's middle
// from that edge. Beyond the walker's place, seen from an edge, a cell is wholly inside or outside.
// Were a cell seen or not seen, the wall beside a walker would come and go with every turn.
func (f *frame) coneShare(look [2]float32, i, j int) float32 {
	if f.view < -1 {
		return 1
	}
	x, y := 0.5*float32(2*i+1-f.cells), 0.5*float32(2*j+1-f.cells)
	ahead := float32(x*look[0]) + float32(y*look[1])
	side := float32(y*look[0]) - float32(x*look[1])
	aside, sine := max(side, -side), root(1-float32(f.view*f.view))
	inwards := float32(ahead*sine) - float32(aside*f.view)
	onwards := float32(ahead*f.view) + float32(aside*sine)
	switch {
	case onwards >= 0:
		return f.part(min(max(inwards+0.5, 0), 1), 0.5)
	case inwards > 0:
		return 1
	}
	return 0
}

// part is a part of a cell by robust rules. By the papers' all of a cell is taken, from a least
// part on, or nothing.
func (f *frame) part(share, least float32) float32 {
	switch {
	case f.Has(local.Robust):
		return share
	case share >= least:
		return 1
	}
	return 0
}

// takenBy is how much of a cell an obstacle takes, 0 to 1, that reaches so deep into it, or ends as
// far before it, in cells.
func (f *frame) takenBy(depth float32) float32 {
	return f.part(min(max(1+float32(depth*(1/local.Shoulder)), 0), 1), 1)
}

// wallIn is how deep a wall, from a to b in the map, reaches into a cell, below 0 where it does not
// touch it: the least overlap along an axis or across the wall, the latter over the sum of the
// wall's parts along the axes.
func wallIn(a, b [2]float32, i, j int) float32 {
	x, y := float32(i), float32(j)
	dx, dy := b[0]-a[0], b[1]-a[1]
	area := float32(dx*((y+0.5)-a[1])) - float32(dy*((x+0.5)-a[0]))
	size := max(dx, -dx) + max(dy, -dy)
	across := 0.5 - float32(max(area, -area)*reciprocal(max(size, Tiny)))
	return min(across, max(a[0], b[0])-x, x+1-min(a[0], b[0]), max(a[1], b[1])-y, y+1-min(a[1], b[1]))
}

// discIn is how deep a disc in the map reaches into a cell, likewise: its radius but for the
// distance of its middle from the cell's nearest point.
func discIn(middle [2]float32, radius float32, i, j int) float32 {
	x := min(max(middle[0], float32(i)), float32(i+1)) - middle[0]
	y := min(max(middle[1], float32(j)), float32(j+1)) - middle[1]
	return radius - root(float32(x*x)+float32(y*y))
}

// ownCell is which of the cells that the agent stands in a place of the ground is in, as an index,
// and false where it is in none.
func (f *frame) ownCell(goal [2]float32) (k int, ok bool) {
	p := f.place(goal)
	low, high := float32((f.cells-1)/2), float32(f.cells/2+1)
	if !(p[0] >= low && p[0] < high && p[1] >= low && p[1] < high) {
		return 0, false
	}
	return int(p[1])*f.cells + int(p[0]), true
}

// goalIn is how much of a cell of the update zone a goal at a place in the map takes, 0 to 1: of
// the four cells with their middles about it, each by how near it is, along both axes, as far as it
// is in view. By whole cells the way to a goal a few cells off would jump with every cell that is
// passed, by up to 45 degrees.
func (f *frame) goalIn(p [2]float32, i, j int) float32 {
	x, y := max(1-max(float32(i)+0.5-p[0], p[0]-(float32(i)+0.5)), 0), max(1-max(float32(j)+0.5-p[1], p[1]-(float32(j)+0.5)), 0)
	share := x * y
	if !f.Has(local.Robust) {
		share = f.part(min(x, y), 0.5)
	}
	if Own(f.cells, i, j) {
		return share
	}
	return share * f.coneShare(f.look, i, j)
}

// exit is the place on the border, in cells from the middle of the first one, that the way to the
// guide's point, or failing that the heading, leads through, and the way's direction, its larger
// part 1.
func (f *frame) exit(guide [2]float32) (exit, way [2]float32) {
	u, ok := towards(f.at, guide)
	if !ok {
		u = f.look
	}
	r := reciprocal(max(u[0], -u[0], u[1], -u[1]))
	way = [2]float32{u[0] * r, u[1] * r}
	far := f.middle - 0.5
	for k := range exit {
		exit[k] = min(max(float32(way[k]*far)+far, 0), 2*far)
	}
	return exit, way
}

// goalShare is how much of a cell of the border the intermediate goal covers, a piece of the border
// of goalLength about the exit: a length of border, in cells, whose part in this one counts.
func (f *frame) goalShare(exit [2]float32, i, j int) float32 {
	x, y := float32(i)-exit[0], float32(j)-exit[1]
	return f.part(bounded(0.5*(local.GoalLength+1)-(max(x, -x)+max(y, -y))), 0.5)
}

// bars reports whether a wall, from a to b in the map, crosses the way from the guide's point, or
// half a cell behind it, since such points are corners, to the exit.
func bars(a, b, guide, way, exit [2]float32) bool {
	from := [2]float32{guide[0] + 0.5*way[0], guide[1] + 0.5*way[1]}
	to := [2]float32{exit[0] + 0.5, exit[1] + 0.5}
	return isRight(a, b, from) != isRight(a, b, to) && isRight(from, to, a) != isRight(from, to, b)
}

// sideOf is twice the area of a triangle: above 0 for a place on the left of the line from a to b.
func sideOf(a, b, p [2]float32) float32 {
	return float32((b[0]-a[0])*(p[1]-a[1])) - float32((b[1]-a[1])*(p[0]-a[0]))
}

func isRight(a, b, p [2]float32) bool { return sideOf(a, b, p) < 0 }

// along is how far along a way from the agent a wall is, from a to b in the map: the way's larger
// part, cells; below 0 where the way does not cross it.
func (f *frame) along(a, b, way [2]float32) float32 {
	p, q := [2]float32{a[0] - f.middle, a[1] - f.middle}, [2]float32{b[0] - f.middle, b[1] - f.middle}
	cross := func(v, w [2]float32) float32 { return float32(v[0]*w[1]) - float32(v[1]*w[0]) }
	sideOfP, sideOfQ := cross(way, p), cross(way, q)
	if (sideOfP < 0) == (sideOfQ < 0) {
		return -1
	}
	apart := sideOfQ - sideOfP
	far := cross(p, q) * reciprocal(max(apart, -apart, Tiny))
	if apart < 0 {
		return -far
	}
	return far
}

// end is the place in the map that is a goal besides the intermediate one, and false where there is
// none: see Stamp.
func (f *frame) end(guide [2]float32, walls []Wall) (place [2]float32, ok bool) {
	if !f.Has(local.Robust) {
		return place, false
	}
	exit, way := f.exit(guide)
	u, apart := towards(f.at, guide)
	if max(u[0], -u[0], u[1], -u[1]) < local.Afar/2 {
		return f.place(guide), apart && slices.ContainsFunc(walls, func(w Wall) bool {
			return bars(f.place(w[0]), f.place(w[1]), f.place(guide), way, exit)
		})
	}
	open := float32(2 * MaxCells) // beyond any map
	for _, w := range walls {
		if far := f.along(f.place(w[0]), f.place(w[1]), way); far >= 0 {
			open = min(open, far)
		}
	}
	place = [2]float32{f.middle + float32(way[0]*(open-1)), f.middle + float32(way[1]*(open-1))}
	return place, f.away(int(place[0]), int(place[1])) > 1
}

// Stamp is the plain form of stamp.comp: the map that a walker begins a step's relaxations with,
// from the one that it had, with what it sees; own is the walker's disc. The order in which cells
// are written is the free ones, then obstacles, then goals.
//
// An obstacle takes all of the cells that it touches, and a part of those that it nearly does or
// that the edge of the view cone crosses: see taken. Such a cell is fixed too, at that much less
// than the mean of those beside it in the map of the step before; goals take cells in part too, at
// that much more. So what a map leads to is continuous in the walker's place and heading. By whole
// cells alone a walker would be pushed to and fro where a wall comes to lie on the line between two
// rows of cells.
//
// In rooms smaller than the map walls bar the way to the intermediate goal, which would pull from
// behind them, round whatever is in the map. So a place in sight in the update zone is a goal then
// too: the guide's point, if a wall bars the way from it on to the intermediate goal; where the
// guide has a direction alone, the last place that way, a cell before the wall, unless it is next
// to where the agent stands.
func Stamp(before Potential[float32], w *local.Walker, s local.Settings, walls []Wall, own Disc, others []Disc) Potential[float32] {
	f := frameOf(w, &s)
	was := f.shifted(before, w)
	p := clone(was)
	exit, _ := f.exit(w.Guide)
	final := f.place(w.Goal)
	end, ends := f.end(w.Guide, walls)
	for k := range p.Q {
		i, j := k%f.cells, k/f.cells
		switch ZoneOf(f.cells, i, j) {
		case Border:
			p.Q[k] = f.goalShare(exit, i, j)
		case Update:
			taken, goal := f.taken(i, j, walls, own, others), f.goalIn(final, i, j)
			if ends {
				goal = max(goal, f.goalIn(end, i, j))
			}
			if taken > 0 || goal > 0 {
				p.Q[k], p.Fixed[k] = bounded((1-taken)*mean(was, &s, k)), true
			}
			if goal > 0 {
				p.Q[k] = bounded(1 - float32((1-goal)*(1-p.Q[k])))
			}
		}
	}
	w.Stamped, w.Cells = w.Position, s.Cells
	return p
}

// away is how many cells away from those that the agent stands in a cell is, along the axis along
// which that is more.
func (f *frame) away(i, j int) int {
	x, y := 2*i+1-f.cells, 2*j+1-f.cells
	return max(x, -x, y, -y) / 2
}

// parts reports whether a wall, from a to b in the map, is between the agent and the middle of a
// cell. An agent on a wall, but for a 64th of a cell, is on its left, where the ground is free,
// and a cell's middle is not behind it then. From there, twice as far off the wall, it is clear
// what is behind walls that meet where it stands; they count as 3/4 of that longer, or cells
// between what is seen from one wall's left and from the other's would be behind neither.
func (f *frame) parts(a, b [2]float32, i, j int) bool {
	own, other := [2]float32{f.middle, f.middle}, [2]float32{float32(i) + 0.5, float32(j) + 0.5}
	dx, dy := b[0]-a[0], b[1]-a[1]
	size := max(dx, -dx) + max(dy, -dy)
	slack := size * (1.0 / 64)
	here, there := sideOf(a, b, own), sideOf(a, b, other)
	r := reciprocal(max(size, Tiny)) * (1.0 / 32)
	piece := [2]float32{dx * r, dy * r}
	from := own
	if max(here, -here) <= slack {
		from = [2]float32{own[0] - piece[1], own[1] + piece[0]}
	}
	first := [2]float32{a[0] - float32(0.75*piece[0]), a[1] - float32(0.75*piece[1])}
	last := [2]float32{b[0] + float32(0.75*piece[0]), b[1] + float32(0.75*piece[1])}
	beyond := there < -slack
	if here < -slack {
		beyond = there > slack
	}
	p, q := sideOf(from, other, first), sideOf(from, other, last)
	return beyond && min(p, q) <= 0 && max(p, q) >= 0
}

// touched reports whether a wall touches the cells that the agent stands in.
func (f *frame) touched(a, b [2]float32) bool {
	for j := (f.cells - 1) / 2; j <= f.cells/2; j++ {
		for i := (f.cells - 1) / 2; i <= f.cells/2; i++ {
			if wallIn(a, b, i, j) >= 0 {
				return true
			}
		}
	}
	return false
}

// taken is how much of a cell what is seen takes, 0 to 1. Two rules are robust ones. A wall so near
// that it touches the agent's own cells takes none beside them by its touch: in a corner they would
// all be taken, and along a wall those ahead. It takes those behind it, two cells far, so that
// nothing is felt through such cells from beyond it. And a disc that the agent's middle is in takes
// none: two agents so deep in each other would have all cells about them taken, and stand for ever.
func (f *frame) taken(i, j int, walls []Wall, own Disc, others []Disc) float32 {
	if Own(f.cells, i, j) {
		return 0
	}
	ofWalls, ofDiscs := float32(0), float32(0)
	for _, w := range walls {
		a, b := f.place(w[0]), f.place(w[1])
		near := f.Has(local.Robust) && f.away(i, j) <= 2 && f.touched(a, b)
		if !(near && f.away(i, j) <= 1) {
			ofWalls = max(ofWalls, f.takenBy(wallIn(a, b, i, j)))
		}
		if near && f.parts(a, b, i, j) {
			ofWalls = 1
		}
	}
	for _, d := range others {
		middle, radius := f.place(f.foreseen(own, d)), d.Radius*f.CellsPerMeter
		x, y := middle[0]-f.middle, middle[1]-f.middle
		if inside := float32(x*x)+float32(y*y) < radius*radius; !inside || !f.Has(local.Robust) {
			ofDiscs = max(ofDiscs, min(f.takenBy(discIn(middle, radius, i, j)), f.yielding(own, d)))
		}
	}
	seen, inMind := f.coneShare(f.look, i, j), f.coneShare(f.mind, i, j)
	return max(ofWalls*seen, ofDiscs*max(seen, inMind))
}

// shifted is the map of the step before, moved against the walker's motion: every cell takes what
// was at its place, interpolated between the four cells about it. Farther out than the free ring
// there was nothing to remember. A map of another size, or from beyond the map's width away, is
// forgotten: all is 0.
func (f *frame) shifted(before Potential[float32], w *local.Walker) Potential[float32] {
	p := NewPotential[float32](f.cells)
	x := (w.Position[0] - w.Stamped[0]) * f.CellsPerMeter
	y := (w.Position[1] - w.Stamped[1]) * f.CellsPerMeter
	if w.Cells != f.Cells || max(x, -x, y, -y) >= float32(f.cells) {
		return p
	}
	for k := range p.Q {
		i, tx := f.between(k%f.cells, x)
		j, ty := f.between(k/f.cells, y)
		at := j*f.cells + i
		low := mixed(before.Q[at], before.Q[at+1], tx)
		high := mixed(before.Q[at+f.cells], before.Q[at+f.cells+1], tx)
		p.Q[k] = bounded(mixed(low, high, ty))
	}
	return p
}

// between is the column, or row, that lies just before another one shifted, and how far behind it
// that is.
func (f *frame) between(i int, shift float32) (before int, share float32) {
	at := min(max(float32(i)+shift, 1), float32(f.cells-2))
	before = min(int(at), f.cells-3)
	return before, at - float32(before)
}

func mixed(a, b, share float32) float32 { return a + float32(share*(b-a)) }
