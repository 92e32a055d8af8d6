package bvp

import "slices"

// frame is a local map laid about its walker: columns and rows run along the axes, cell (i, j) is the closed square from i, j to i+1,
// j+1 in units of cells.
type frame struct {
	*Settings
	cells  int
	at     [2]float32 // the walker, m
	middle float32    // where it is in the map, cells
	look   [2]float32 // its heading, as a unit vector
	view   float32    // as Settings.View, or all round
}

// frameOf lays the map; a walker that has no heading yet gets one.
func frameOf(w *Walker, s *Settings) frame {
	if w.Heading == NoHeading {
		w.Heading = 0
		if u, ok := towards(w.Position, w.Guide); ok {
			w.Heading = angle(u)
		}
	}
	f := frame{s, int(s.Cells), w.Position, 0.5 * float32(s.Cells), direction(w.Heading), s.View}
	if w.Stood >= s.patience() {
		f.view = -2
	}
	return f
}

// patience is how many steps somebody stands, a second's, before it looks all round; it does until it has walked for as long. Turning on
// the spot, it would see now the ones, now the others who are in its way, and never both: people who face each other would wait for ever.
func (s *Settings) patience() uint32 { return max(uint32(s.StepsPerSecond), 1) }

// Patience is the Stood of a walker from which on it looks all round, for steps of so many seconds.
func Patience(timestep float64) uint32 {
	s := Settings{StepsPerSecond: float32(1 / timestep)}
	return s.patience()
}

// towards is the vector from one place to another, and false where they are the same but for less than any ground matters.
func towards(from, to [2]float32) ([2]float32, bool) {
	u := [2]float32{to[0] - from[0], to[1] - from[1]}
	return u, max(u[0], -u[0], u[1], -u[1]) >= tiny
}

// place is where in the map a place of the ground is.
func (f *frame) place(p [2]float32) [2]float32 {
	return [2]float32{
		float32((p[0]-f.at[0])*f.CellsPerMetre) + f.middle,
		float32((p[1]-f.at[1])*f.CellsPerMetre) + f.middle,
	}
}

// sees reports whether the middle of a cell lies in the view cone. The angle to the heading is compared by squares of cosines.
func (f *frame) sees(i, j int) bool {
	x, y := float32(2*i+1-f.cells), float32(2*j+1-f.cells)
	ahead := float32(x*f.look[0]) + float32(y*f.look[1])
	edge := float32(f.view*f.view) * (x*x + y*y)
	if f.view >= 0 {
		return ahead >= 0 && ahead*ahead >= edge
	}
	return ahead >= 0 || ahead*ahead <= edge
}

// takes reports whether what is seen may take a cell.
func (f *frame) takes(i, j int) bool {
	return ZoneOf(f.cells, i, j) == Update && !Own(f.cells, i, j) && f.sees(i, j)
}

// touchesWall reports whether a wall, from a to b in the map, touches a cell: there is no line between them along an axis or along
// the wall.
func touchesWall(a, b [2]float32, i, j int) bool {
	x, y := float32(i), float32(j)
	dx, dy := b[0]-a[0], b[1]-a[1]
	area := float32(dx*((y+0.5)-a[1])) - float32(dy*((x+0.5)-a[0]))
	return max(a[0], b[0]) >= x && min(a[0], b[0]) <= x+1 &&
		max(a[1], b[1]) >= y && min(a[1], b[1]) <= y+1 &&
		max(area, -area) <= 0.5*(max(dx, -dx)+max(dy, -dy))
}

// touchesDisc reports whether a disc in the map touches a cell: whether its middle is as near as the radius to the nearest point.
func touchesDisc(middle [2]float32, radius float32, i, j int) bool {
	x := min(max(middle[0], float32(i)), float32(i+1)) - middle[0]
	y := min(max(middle[1], float32(j)), float32(j+1)) - middle[1]
	return float32(x*x)+float32(y*y) <= radius*radius
}

// goalCell is the cell that a goal takes, and false where it is not in sight in the update zone.
func (f *frame) goalCell(goal [2]float32) (i, j int, ok bool) { return f.inSight(f.place(goal)) }

// inSight is the cell of a place in the map, and false likewise.
func (f *frame) inSight(p [2]float32) (i, j int, ok bool) {
	low, high := float32(2), float32(f.cells-2)
	if !(p[0] >= low && p[0] < high && p[1] >= low && p[1] < high) {
		return 0, 0, false
	}
	i, j = int(p[0]), int(p[1])
	return i, j, Own(f.cells, i, j) || f.sees(i, j)
}

// exit is the cell of the border that the way to the guide's point, or failing that the heading, leads through, and the way's
// direction, its larger part 1.
func (f *frame) exit(guide [2]float32) (i, j int, way [2]float32) {
	u, ok := towards(f.at, guide)
	if !ok {
		u = f.look
	}
	r := reciprocal(max(u[0], -u[0], u[1], -u[1]))
	way = [2]float32{u[0] * r, u[1] * r}
	far := f.middle - 0.5
	cell := func(v float32) int { return min(max(int(float32(v*far)+far+0.5), 0), f.cells-1) }
	return cell(way[0]), cell(way[1]), way
}

// bars reports whether a wall, from a to b in the map, crosses the way from the guide's point, or half a cell behind it, since such points are
// corners, to the middle of the exit.
func bars(a, b, guide, way [2]float32, i, j int) bool {
	from := [2]float32{guide[0] + 0.5*way[0], guide[1] + 0.5*way[1]}
	to := [2]float32{float32(i) + 0.5, float32(j) + 0.5}
	return isRight(a, b, from) != isRight(a, b, to) && isRight(from, to, a) != isRight(from, to, b)
}

// sideOf is twice the area of a triangle: above 0 for a place on the left of the line from a to b.
func sideOf(a, b, p [2]float32) float32 {
	return float32((b[0]-a[0])*(p[1]-a[1])) - float32((b[1]-a[1])*(p[0]-a[0]))
}

func isRight(a, b, p [2]float32) bool { return sideOf(a, b, p) < 0 }

// along is how far along a way from the agent a wall is, from a to b in the map: the way's larger part, cells; below 0 where the way does not
// cross it.
func (f *frame) along(a, b, way [2]float32) float32 {
	p, q := [2]float32{a[0] - f.middle, a[1] - f.middle}, [2]float32{b[0] - f.middle, b[1] - f.middle}
	cross := func(v, w [2]float32) float32 { return float32(v[0]*w[1]) - float32(v[1]*w[0]) }
	sideOfP, sideOfQ := cross(way, p), cross(way, q)
	if (sideOfP < 0) == (sideOfQ < 0) {
		return -1
	}
	apart := sideOfQ - sideOfP
	far := cross(p, q) * reciprocal(max(apart, -apart, tiny))
	if apart < 0 {
		return -far
	}
	return far
}

// end is the cell that is a goal besides the intermediate one, and false where there is none: see Stamp.
func (f *frame) end(guide [2]float32, walls []Wall) (i, j int, ok bool) {
	x, y, way := f.exit(guide)
	u, apart := towards(f.at, guide)
	if max(u[0], -u[0], u[1], -u[1]) < Afar/2 {
		i, j, ok = f.goalCell(guide)
		return i, j, ok && apart && slices.ContainsFunc(walls, func(w Wall) bool {
			return bars(f.place(w[0]), f.place(w[1]), f.place(guide), way, x, y)
		})
	}
	open := float32(2 * MaxCells) // beyond any map
	for _, w := range walls {
		if far := f.along(f.place(w[0]), f.place(w[1]), way); far >= 0 {
			open = min(open, far)
		}
	}
	i, j, ok = f.inSight([2]float32{f.middle + float32(way[0]*(open-1)), f.middle + float32(way[1]*(open-1))})
	return i, j, ok && f.away(i, j) > 1
}

// Stamp is the plain form of stamp.comp: the map that a walker begins a step's relaxations with, from the one that it had, with what
// it sees. The order in which cells are written is the free ones, then obstacles, then goals.
//
// In rooms smaller than the map walls bar the way to the intermediate goal, which would pull from behind them, round whatever is in the map.
// So a place in sight in the update zone is a goal then too: the guide's point, if a wall bars the way from it on to the intermediate goal;
// where the guide tells a direction alone, the last place that way, a cell before the wall, unless it is next to where the agent stands.
func Stamp(before Potential[float32], w *Walker, s Settings, walls []Wall, others []Disc) Potential[float32] {
	f := frameOf(w, &s)
	p := f.shifted(before, w)
	for k := range p.Q {
		i, j := k%f.cells, k/f.cells
		if ZoneOf(f.cells, i, j) == Border || f.takes(i, j) && f.covered(i, j, walls, others) {
			p.Q[k], p.Fixed[k] = 0, true
		}
	}
	x, y, _ := f.exit(w.Guide)
	for k := range p.Q {
		i, j := k%f.cells, k/f.cells
		if ZoneOf(f.cells, i, j) == Border && max(i-x, x-i)+max(j-y, y-j) <= 1 {
			p.Q[k] = 1
		}
	}
	stamp := func(i, j int) { p.Q[j*f.cells+i], p.Fixed[j*f.cells+i] = 1, true }
	if i, j, ok := f.goalCell(w.Goal); ok {
		stamp(i, j)
	}
	if i, j, ok := f.end(w.Guide, walls); ok {
		stamp(i, j)
	}
	w.Stamped, w.Cells = w.Position, s.Cells
	return p
}

// away is how many cells away from those that the agent stands in a cell is, along the axis along which that is more.
func (f *frame) away(i, j int) int {
	x, y := 2*i+1-f.cells, 2*j+1-f.cells
	return max(x, -x, y, -y) / 2
}

// parts reports whether a wall, from a to b in the map, is between the agent and the middle of a cell. Who stands on a wall, but for a 64th of a
// cell, is on its left, where the ground is free, and a cell's middle is not behind it then. From there, twice as far off the wall, it is clear what is
// behind walls that meet where he stands; they count as 3/4 of that longer, or cells between what is seen from one wall's left and from the
// other's would be behind neither.
func (f *frame) parts(a, b [2]float32, i, j int) bool {
	own, other := [2]float32{f.middle, f.middle}, [2]float32{float32(i) + 0.5, float32(j) + 0.5}
	dx, dy := b[0]-a[0], b[1]-a[1]
	size := max(dx, -dx) + max(dy, -dy)
	slack := size * (1.0 / 64)
	here, there := sideOf(a, b, own), sideOf(a, b, other)
	r := reciprocal(max(size, tiny)) * (1.0 / 32)
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
			if touchesWall(a, b, i, j) {
				return true
			}
		}
	}
	return false
}

// covered reports whether something that is seen takes a cell. A wall so near that it touches the agent's own cells takes none beside them by its
// touch: in a corner they would all be taken, and along a wall those ahead. It takes those behind it, two cells far, so that nothing is felt
// through such cells from beyond it. A disc that the agent's middle is in takes none: two people who have come so
// deep into each other would have all cells about them taken, and stand for ever.
func (f *frame) covered(i, j int, walls []Wall, others []Disc) bool {
	for _, w := range walls {
		a, b := f.place(w[0]), f.place(w[1])
		near := f.away(i, j) <= 2 && f.touched(a, b)
		if touchesWall(a, b, i, j) && !(near && f.away(i, j) <= 1) || near && f.parts(a, b, i, j) {
			return true
		}
	}
	for _, d := range others {
		middle, radius := f.place(d.Center), d.Radius*f.CellsPerMetre
		x, y := middle[0]-f.middle, middle[1]-f.middle
		inside := float32(x*x)+float32(y*y) < radius*radius
		if touchesDisc(middle, radius, i, j) && !inside {
			return true
		}
	}
	return false
}

// shifted is the map of the step before, moved against the walker's motion: every cell takes what was at its place,
// interpolated between the four cells about it. Farther out than the free ring there was nothing to remember. A map of another size, or from beyond
// the map's width away, is forgotten: all is 0.
func (f *frame) shifted(before Potential[float32], w *Walker) Potential[float32] {
	p := NewPotential[float32](f.cells)
	x := (w.Position[0] - w.Stamped[0]) * f.CellsPerMetre
	y := (w.Position[1] - w.Stamped[1]) * f.CellsPerMetre
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

// between is the column, or row, that lies just before another one shifted, and how far behind it that is.
func (f *frame) between(i int, shift float32) (before int, share float32) {
	at := min(max(float32(i)+shift, 1), float32(f.cells-2))
	before = min(int(at), f.cells-3)
	return before, at - float32(before)
}

func mixed(a, b, share float32) float32 { return a + float32(share*(b-a)) }
