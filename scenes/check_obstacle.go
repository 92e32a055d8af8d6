package scenes

import (
	"errors"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/polygon"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// checkObstacle finds what is wrong with an obstacle and merges equal neighbors of its polygon.
func (c *checker) checkObstacle(at place, o *Obstacle) {
	sound := c.checkShape(at, o)
	if sound && c.domain != nil {
		c.checkThin(at, o.Polygon())
	}
	if c.checkTimes(at, o) && sound {
		c.obstacles = append(c.obstacles, *o)
		c.timed, c.staffOnly = c.timed || o.Timed(), c.staffOnly || o.StaffOnly
	}
}

// checkShape finds what is wrong with an obstacle's shape, and reports whether it can be used.
func (c *checker) checkShape(at place, o *Obstacle) bool {
	if !at.isObject() || !exactlyOne(at, "the obstacle's shape", "polygon", "rect", "circle") {
		return false
	}
	if p := at.at("holes"); p.given() && !at.at("polygon").given() {
		p.wrong("holes belong to a polygon: give the obstacle's outline as one")
		return false
	}
	switch {
	case slices.ContainsFunc([]string{"polygon", "holes", "rect", "circle"}, func(name string) bool { return !at.at(name).sound() }):
		return false
	case o.Rect != nil:
		return c.rectInDomain(at.at("rect"), *o.Rect)
	case o.Circle != nil:
		return !slices.ContainsFunc(o.Circle.ring(), func(v mgl64.Vec2) bool { return !c.inDomain(at.at("circle"), v, "the circle's point") })
	}
	return c.checkPolygon(at, o)
}

// checkTimes finds what is wrong with when and how an obstacle moves, and reports whether its
// positions are defined.
func (c *checker) checkTimes(at place, o *Obstacle) bool {
	if p := at.at("motion"); p.isObject() && p.sound() {
		o.Motion.check(p, c.domain)
	}
	if closed := at.at("closed"); closed.given() && at.at("open").given() {
		closed.wrong("the timetable is given in two ways: keep open, the times in which the obstacle is absent, or closed, those in which it is present")
	}
	if staff := at.at("staffOnly"); o.StaffOnly && o.Motion != nil {
		staff.wrong("an obstacle that moves cannot be for staff only: it would stop no body that it meets. Leave out motion, or staffOnly")
	}
	return at.at("open").sound() && at.at("closed").sound() && at.at("motion").sound()
}

// checkThin notes an obstacle that rounding to the lattice removes, or gives holes.
func (c *checker) checkThin(at place, p geom.Polygon) {
	snapped, area, around := int64(0), 0.0, 0.0
	for _, ring := range p.Rings() {
		twice := int64(0) // the ring's area, exact: below 2^42
		for k, v := range ring {
			next := ring[(k+1)%len(ring)]
			a, b := c.domain.Snap(v), c.domain.Snap(next)
			twice += int64(a.X)*int64(b.Y) - int64(b.X)*int64(a.Y)
			around += next.Sub(v).Len()
		}
		if twice = max(twice, -twice); snapped == 0 {
			snapped, area = twice, math.Abs(ring.Area())
		} else {
			snapped, area = snapped-twice, area-math.Abs(ring.Area())
		}
	}
	const remedy = "make it thicker, or the domain smaller: coordinates are rounded to a lattice, whose step is 2^-20 of the domain's longer side, here"
	if snapped == 0 {
		at.note("the obstacle vanishes; %s %.3g m", remedy, c.domain.Step)
	} else if 2*area < around*c.domain.Step { // of what is long and thin this is its thickness
		at.note("the obstacle may have holes where it is thinner than a step; %s %.3g m", remedy, c.domain.Step)
	}
}

// checkPolygon finds what is wrong with an obstacle's polygon, merges equal neighbors, and reports
// whether the polygon can be used.
func (c *checker) checkPolygon(at place, o *Obstacle) bool {
	ring := func(k int) place {
		if k == 0 {
			return at.at("polygon")
		}
		return at.at("holes", k-1)
	}
	good := true
	given := o.Polygon().Rings()
	for k, vertices := range given {
		p := ring(k)
		for j, v := range vertices {
			good = c.inDomain(p.at(j), v, "the vertex") && good
		}
	}
	if err := o.Polygon().Check(); err != nil {
		where := ring(0)
		if e := (*polygon.Error)(nil); errors.As(err, &e) {
			if where = ring(e.Ring); !e.Kind.OfRing() {
				where = where.at(e.Index)
			}
		}
		where.wrong("%s", text.Plain(err))
		return false
	}
	if !good {
		return false
	}
	merged, _ := o.Polygon().Merged()
	for k, vertices := range merged.Rings() {
		if n := len(given[k]) - len(vertices); n == 1 {
			ring(k).note("a vertex equals its neighbor and is merged with it")
		} else if n > 1 {
			ring(k).note("%d vertices equal their neighbors and are merged with them", n)
		}
	}
	o.Outline = merged.Outer
	for h := range o.Holes {
		o.Holes[h] = merged.Holes[h]
	}
	return true
}
