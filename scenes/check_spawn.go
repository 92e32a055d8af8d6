package scenes

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// overlapSlack is the part of a distance that discs may overlap by: what decimal
// fractions lose in float64, with room, and far below what anybody sees.
const overlapSlack = 1e-9

// checkSpawn finds what is wrong with where people start, as far as it can be
// told without placing them.
func (c *checker) checkSpawn(i int) {
	g := &c.scene.Groups[i]
	at := func(path ...any) place { return c.at(append([]any{"groups", i, "spawn"}, path...)...) }
	if !c.isObject(at()) || !c.exactlyOne("the place to start", []any{"groups", i, "spawn"}, "rect", "circle", "ring", "points", "grid") ||
		!c.sound(at()) {
		return
	}
	profile, ok := c.scene.Profile(g.Profile)
	radius := profile.Radius
	if !ok || !(radius > 0) {
		radius = 0
	}
	atOnce := g.Start.Rate == 0 // else they may come one after the other
	room := func(p place, most int) {
		if atOnce && g.Count > most {
			c.wrong(p, "too little room: %d of the %d agents of radius %v m fit at most", most, g.Count, radius)
		}
	}
	switch s := g.Spawn; {
	case s.Rect != nil:
		p := at("rect")
		if !c.checkRect(p, *s.Rect, "the rectangle") || !c.meetsDomain(p, *s.Rect) {
			return
		}
		w, h := s.Rect[2]-s.Rect[0], s.Rect[3]-s.Rect[1]
		room(p, mostDiscs(w*h, 2*(w+h), radius))
	case s.Circle != nil:
		p, d := at("circle"), s.Circle
		if !c.meetsDomain(p, d.box()) {
			return
		}
		room(p, mostDiscs(math.Pi*d.Radius*d.Radius, 2*math.Pi*d.Radius, radius))
	case s.Ring != nil:
		p, d := at("ring"), s.Ring
		if most := mostOnRing(d.Radius, radius); atOnce && g.Count > most {
			room(p, most)
			return
		}
		box := d.box()
		if whole := c.scene.Domain.Contains(box.Min()) && c.scene.Domain.Contains(box.Max()); whole {
			return
		}
		for k := range g.Count {
			if !c.inDomain(p, onCircle(d.Center, d.Radius, k, g.Count), "the ring's point") {
				return
			}
		}
	case s.Grid != nil:
		p := at("grid")
		if !c.checkRect(at("grid", "rect"), s.Grid.Rect, "the rectangle") ||
			!c.inDomain(at("grid", "rect"), s.Grid.Rect.Min(), "the corner") ||
			!c.inDomain(at("grid", "rect"), s.Grid.Rect.Max(), "the corner") {
			return
		}
		if n, _ := s.places(); n > MaxAgents {
			c.wrong(p, "the grid has %d points: at most %d (2^24) are allowed", n, MaxAgents)
		} else {
			room(p, n)
		}
	default:
		c.checkPoints(at, g, radius, atOnce)
	}
}

// checkPoints finds starting points that nobody can stand on.
func (c *checker) checkPoints(at func(...any) place, g *Group, radius float64, atOnce bool) {
	points := g.Spawn.Points
	if len(points) == 0 {
		c.wrong(at("points"), "the list is empty: give at least one point")
		return
	}
	for k, v := range points {
		if p := at("points", k); c.inDomain(p, v, "the point") && c.buried(v) {
			c.wrong(p, "the point %s lies in the interior of an obstacle, where no agent can start: move it to free ground", point(v))
		}
	}
	if !atOnce || radius == 0 {
		return
	}
	if g.Count > len(points) {
		c.wrong(at("points"), "too little room: %d of the %d agents of radius %v m fit at most", len(points), g.Count, radius)
		return
	}
	for _, pair := range overlaps(points[:g.Count], 2*radius*(1-overlapSlack)) {
		c.wrong(at("points", pair[1]), "the point is nearer to points[%d] than %v m, twice the radius: agents that start together must not overlap", pair[0], 2*radius)
	}
}

// overlaps returns, for every point that has one before it nearer than distance,
// itself and the lowest such.
func overlaps(points []mgl64.Vec2, distance float64) [][2]int {
	type cell [2]float64
	cells := map[cell][]int{}
	var pairs [][2]int
	for i, p := range points {
		home := cell{math.Floor(p[0] / distance), math.Floor(p[1] / distance)}
		first := i
		for dx := -1.0; dx <= 1; dx++ {
			for dy := -1.0; dy <= 1; dy++ {
				for _, j := range cells[cell{home[0] + dx, home[1] + dy}] {
					if points[j].Sub(p).Len() < distance {
						first = min(first, j)
					}
				}
			}
		}
		if first < i {
			if pairs = append(pairs, [2]int{first, i}); len(pairs) == maxProblems {
				break // enough to tell, and what keeps crowded cells from costing the square
			}
		}
		cells[home] = append(cells[home], i)
	}
	return pairs
}

// box returns the rectangle around a disc.
func (d Disc) box() Rect {
	return Rect{d.Center[0] - d.Radius, d.Center[1] - d.Radius, d.Center[0] + d.Radius, d.Center[1] + d.Radius}
}

// meetsDomain finds an area that shares nothing with the domain.
func (c *checker) meetsDomain(p place, box Rect) bool {
	d := c.scene.Domain
	if c.domain == nil || box[0] < d[2] && box[2] > d[0] && box[1] < d[3] && box[3] > d[1] {
		return true
	}
	c.wrong(p, "the area lies outside the domain %v", d)
	return false
}

// mostDiscs returns a number of discs that certainly cannot be exceeded when
// their centres lie in a convex area, by Oler's inequality (An inequality in the
// geometry of numbers, 1961): points at distances of at least d in a compact
// convex set of this area and perimeter number at most
// 2 area / (sqrt(3) d^2) + perimeter / (2 d) + 1.
func mostDiscs(area, perimeter, radius float64) int {
	d := 2 * radius * (1 - overlapSlack)
	return int(min(2*area/(math.Sqrt(3)*d*d)+perimeter/(2*d)+1, 2*MaxAgents))
}

// mostOnRing returns how many discs fit on a circle at equal distances: the
// chord between neighbours, 2 R sin(pi/n), has to be twice their radius.
func mostOnRing(ring, radius float64) int {
	sine := radius / ring * (1 - overlapSlack)
	if sine > 1 {
		return 1
	}
	return int(min(math.Pi/math.Asin(sine), 2*MaxAgents))
}
