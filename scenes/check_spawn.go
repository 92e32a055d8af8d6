package scenes

import (
	"errors"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/polygon"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// overlapSlack is the part of a distance that discs may overlap by: what decimal fractions lose in
// float64, with room, and far below what is visible.
const overlapSlack = 1e-9

// checkSpawn finds what is wrong with where agents start, as far as that is known without placing
// them.
func (c *checker) checkSpawn(group place, g *Group) {
	at := group.at("spawn")
	if !at.isObject() || !exactlyOne(at, "the place to start", "rect", "circle", "polygon", "ring", "points", "grid") || !at.sound() {
		return
	}
	profile, _ := c.scene.Profile(g.Profile)
	radius := max(profile.Radius.cut(fieldOfRadius).least(), 0) // of the smallest
	atOnce := g.Start.Rate == 0                                 // else they may start one after the other
	room := func(p place, most int) bool {
		if atOnce && g.Count > most {
			p.wrong("too little room: %d of the %d agents of radius %v m fit at most", most, g.Count, radius)
			return false
		}
		return true
	}
	switch s := g.Spawn; {
	case s.Rect != nil:
		if p := at.at("rect"); c.meetsDomain(p, *s.Rect) {
			w, h := s.Rect[2]-s.Rect[0], s.Rect[3]-s.Rect[1]
			room(p, mostDiscs(w*h, 2*(w+h), radius))
		}
	case s.Circle != nil:
		if p, d := at.at("circle"), s.Circle; c.meetsDomain(p, d.Box()) {
			room(p, mostDiscs(math.Pi*d.Radius*d.Radius, 2*math.Pi*d.Radius, radius))
		}
	case s.Polygon != nil:
		if p := at.at("polygon"); c.checkOutline(p, s.Polygon) && c.meetsDomain(p, Around(s.Polygon)) {
			around := 0.0
			for k, v := range s.Polygon {
				around += s.Polygon[(k+1)%len(s.Polygon)].Sub(v).Len()
			}
			room(p, mostDiscs(math.Abs(geom.Ring(s.Polygon).Area()), around, radius))
		}
	case s.Ring != nil:
		p, d := at.at("ring"), s.Ring
		if !room(p, mostOnRing(d.Radius, radius)) || c.scene.Domain.Holds(d.Box()) {
			return
		}
		for k := range g.Count {
			if !c.inDomain(p, OnCircle(d.Center, d.Radius, k, g.Count), "the ring's point") {
				return
			}
		}
	case s.Grid != nil:
		p := at.at("grid")
		if !c.rectInDomain(p.at("rect"), s.Grid.Rect) {
			return
		}
		if n := s.places(); n > MaxAgents {
			p.wrong("the grid has %d points: at most %d (2^24) are allowed", n, MaxAgents)
		} else {
			room(p, n)
		}
	default:
		p := at.at("points")
		if len(s.Points) == 0 {
			p.wrong("the list is empty: give at least one point")
			return
		}
		for k, v := range s.Points {
			if c.inDomain(p.at(k), v, "the point") && c.covered(v) {
				p.at(k).wrong("the point %s lies in the interior of an obstacle, where no agent can start: move it to free ground", ShowPoint(v))
			}
		}
		if !atOnce || radius == 0 || !room(p, len(s.Points)) {
			return
		}
		for _, pair := range overlaps(s.Points[:g.Count], 2*radius*(1-overlapSlack)) {
			p.at(pair[1]).wrong("the point is nearer to points[%d] than %v m, twice the radius: agents that start together must not overlap", pair[0], 2*radius)
		}
	}
}

// overlaps returns, for every point that has one before it nearer than distance, itself and the
// lowest such.
func overlaps(points []mgl64.Vec2, distance float64) [][2]int {
	type cell [2]float64
	cells := map[cell][]int{}
	var pairs [][2]int
	for i, p := range points {
		home := cell{math.Floor(p[0] / distance), math.Floor(p[1] / distance)}
		first := i
		for k := range 9 {
			for _, j := range cells[cell{home[0] + float64(k%3-1), home[1] + float64(k/3-1)}] {
				if points[j].Sub(p).Len() < distance {
					first = min(first, j)
				}
			}
		}
		if first < i {
			if pairs = append(pairs, [2]int{first, i}); len(pairs) == maxProblems {
				break // enough to report, and what keeps crowded cells from costing the square
			}
		}
		cells[home] = append(cells[home], i)
	}
	return pairs
}

// checkOutline finds what is wrong with a polygon without holes, and reports whether it is sound.
func (c *checker) checkOutline(at place, outline []mgl64.Vec2) bool {
	err := geom.Polygon{Outer: outline}.Check()
	if err == nil {
		return true
	}
	if e := (*polygon.Error)(nil); errors.As(err, &e) && !e.Kind.OfRing() {
		at = at.at(e.Index)
	}
	at.wrong("%s", text.Plain(err))
	return false
}

// meetsDomain finds an area that shares nothing with the domain.
func (c *checker) meetsDomain(p place, box Rect) bool {
	if c.domain == nil || c.scene.Domain.Meets(box) {
		return true
	}
	p.wrong("the area lies outside the domain %v", c.scene.Domain)
	return false
}

// mostDiscs returns a bound on the number of discs whose centers lie in a convex area, by Oler's
// inequality (An inequality in the geometry of numbers, 1961): points at distances of at least d in
// a compact convex set of this area and perimeter number at most 2 area / (sqrt(3) d^2) + perimeter
// / (2 d) + 1.
func mostDiscs(area, perimeter, radius float64) int {
	d := 2 * radius * (1 - overlapSlack)
	return int(min(2*area/(math.Sqrt(3)*d*d)+perimeter/(2*d)+1, 2*MaxAgents))
}

// mostOnRing returns how many discs fit on a circle at equal distances: the chord between
// neighbors, 2 R sin(pi/n), has to be twice their radius.
func mostOnRing(ring, radius float64) int {
	sine := radius / ring * (1 - overlapSlack)
	if sine > 1 {
		return 1
	}
	return int(min(math.Pi/math.Asin(sine), 2*MaxAgents))
}
