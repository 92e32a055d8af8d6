package scenes

import (
	"errors"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// checkShape finds what is wrong with an obstacle's shape, and reports whether it
// can be used.
func (c *checker) checkShape(i int) bool {
	o := &c.scene.Obstacles[i]
	at := func(path ...any) place { return c.at(append([]any{"obstacles", i}, path...)...) }
	if !c.isObject(at()) || !c.exactlyOne("the obstacle's shape", []any{"obstacles", i}, "polygon", "rect", "circle") {
		return false
	}
	if p := at("holes"); p.given() && !at("polygon").given() {
		c.wrong(p, "holes belong to a polygon: give the obstacle's outline as one")
		return false
	}
	switch {
	case !c.sound(at("polygon")) || !c.sound(at("holes")) || !c.sound(at("rect")) || !c.sound(at("circle")):
		return false
	case o.Rect != nil:
		p := at("rect")
		return c.checkRect(p, *o.Rect, "the rectangle") &&
			c.inDomain(p, o.Rect.Min(), "the corner") && c.inDomain(p, o.Rect.Max(), "the corner")
	case o.Circle != nil:
		p := at("circle")
		for _, v := range o.Circle.ring() {
			if !c.inDomain(p, v, "the circle's point") {
				return false
			}
		}
		return true
	}
	return c.checkPolygon(i)
}

// isObject reports whether a place holds an object; that it does not has been
// told before.
func (r *reader) isObject(p place) bool { return p.given() && p.node.Value.Kind() == '{' }

// farthest is how many lengths of the domain a moving obstacle may go: package geom takes vertices up to 2^20 lengths away.
const farthest = 1e6

// checkTimes finds what is wrong with when and how an obstacle moves, and reports whether it can be told where it is.
func (c *checker) checkTimes(i int) bool {
	o := c.scene.Obstacles[i]
	for k, w := range o.Open {
		p := c.at("obstacles", i, "open", k)
		switch {
		case !c.sound(p):
		case w[0] < 0:
			c.wrong(p, "the time %v s is negative: times count from 0", w[0])
		case w[0] >= w[1]:
			c.wrong(p, "the interval ends at %v s, not after its beginning at %v s", w[1], w[0])
		}
	}
	p := c.at("obstacles", i, "motion")
	if p.given() && c.isObject(p) && c.sound(p) {
		p = c.at("obstacles", i, "motion", "path")
		path := o.Motion.Path
		if !slices.ContainsFunc(path, func(v mgl64.Vec2) bool { return v != path[0] }) {
			c.wrong(p, "the path has no length: give at least two different offsets")
		}
		for k, v := range path {
			if c.domain != nil && !(max(math.Abs(v[0]), math.Abs(v[1])) <= farthest*c.domain.Length()) {
				c.wrong(c.at("obstacles", i, "motion", "path", k), "the offset %s leads away by more than %v lengths of the domain: what leaves the domain need go no farther",
					point(v), farthest)
			}
		}
	}
	return c.sound(c.at("obstacles", i, "open")) && c.sound(c.at("obstacles", i, "motion"))
}

// checkThin notes an obstacle that rounding to the lattice takes away, or holes: ground is made of what is left.
func (c *checker) checkThin(i int) {
	p := c.scene.Obstacles[i].Polygon()
	snapped, area, around := int64(0), 0.0, 0.0
	for _, ring := range append([]geom.Ring{p.Outer}, p.Holes...) {
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
		c.remark(c.at("obstacles", i), "the obstacle vanishes; %s %.3g m", remedy, c.domain.Step)
	} else if 2*area < around*c.domain.Step { // of what is long and thin this is its thickness
		c.remark(c.at("obstacles", i), "the obstacle may have holes where it is thinner than a step; %s %.3g m", remedy, c.domain.Step)
	}
}

// checkPolygon finds what is wrong with an obstacle's polygon, merges equal
// neighbours, and reports whether the polygon can be used.
func (c *checker) checkPolygon(i int) bool {
	o := &c.scene.Obstacles[i]
	ring := func(k int) []any {
		if k == 0 {
			return []any{"obstacles", i, "polygon"}
		}
		return []any{"obstacles", i, "holes", k - 1}
	}
	good := true
	rings := append([][]mgl64.Vec2{o.Outline}, o.Holes...)
	for k, vertices := range rings {
		for j, v := range vertices {
			good = c.inDomain(c.at(append(ring(k), j)...), v, "the vertex") && good
		}
	}
	if err := o.Polygon().Check(); err != nil {
		var e *polygon.Error
		where := c.at(ring(0)...)
		if errors.As(err, &e) {
			where = c.at(ring(e.Ring)...)
			if e.Kind != polygon.TooFewVertices && e.Kind != polygon.ZeroArea {
				where = c.at(append(ring(e.Ring), e.Index)...)
			}
		}
		c.wrong(where, "%s", plain(err))
		return false
	}
	if !good {
		return false
	}
	merged, _ := o.Polygon().Merged()
	for k, vertices := range append([]geom.Ring{merged.Outer}, merged.Holes...) {
		if n := len(rings[k]) - len(vertices); n == 1 {
			c.remark(c.at(ring(k)...), "a vertex equals its neighbor and is merged with it")
		} else if n > 1 {
			c.remark(c.at(ring(k)...), "%d vertices equal their neighbors and are merged with them", n)
		}
	}
	o.Outline = merged.Outer
	for h := range o.Holes {
		o.Holes[h] = merged.Holes[h]
	}
	return true
}
