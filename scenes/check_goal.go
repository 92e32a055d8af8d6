package scenes

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// checkGoal finds what is wrong with a goal's sources.
func (c *checker) checkGoal(i int) {
	g := c.scene.Goals[i]
	at := func(path ...any) place { return c.at(append([]any{"goals", i}, path...)...) }
	if !c.isObject(at()) {
		return
	}
	if len(g.Points)+len(g.Segments) == 0 && c.sound(at("points")) && c.sound(at("segments")) {
		c.wrong(at(), "the goal has no source: give at least one of points and segments")
	}
	for k, v := range g.Points {
		if p := at("points", k); c.sound(p) && c.inDomain(p, v, "the source") && c.buried(v) {
			c.wrong(p, "the source %s lies in the interior of an obstacle: nobody could reach it", point(v))
		}
	}
	for k, s := range g.Segments {
		if !c.sound(at("segments", k)) {
			continue
		}
		if s[0] == s[1] {
			c.wrong(at("segments", k), "the segment has no length: give a source at a point under points")
			continue
		}
		inside := c.inDomain(at("segments", k, 0), s[0], "the segment's end")
		inside = c.inDomain(at("segments", k, 1), s[1], "the segment's end") && inside
		if inside && c.segmentBuried(s) {
			c.wrong(at("segments", k), "the segment lies wholly inside obstacles: nobody could reach it")
		}
	}
}

// ready makes the ground. It returns nil where that cannot be done; then an error
// that says why has been told, or nothing is in anybody's way.
func (c *checker) ready() *geom.Ground {
	if c.ground != nil || c.groundFailed || c.domain == nil || len(c.polygons) == 0 {
		return c.ground
	}
	ground, err := geom.Build(*c.domain, c.polygons)
	if err != nil {
		c.groundFailed = true
		c.wrong(c.at("obstacles"), "the ground cannot be made of these obstacles: %s", plain(err))
		return nil
	}
	c.ground = ground
	return ground
}

// buried reports whether a point of the domain lies in the interior of the union
// of the obstacles. Points on walls do not, nor do points that are no farther
// behind one than rounding to the lattice explains (geom.SnapSlack). Where the
// obstacles have errors of their own the answer is no.
func (c *checker) buried(v mgl64.Vec2) bool {
	ground := c.ready()
	if ground == nil {
		return false
	}
	_, free := ground.NearestFree(c.domain.Snap(v), geom.SnapSlack)
	return !free
}

// segmentBuried reports whether no point of a segment lies in free space. A
// segment with both ends buried has a free point exactly if it meets a wall:
// walls are what separates free ground from the rest.
func (c *checker) segmentBuried(s Segment) bool {
	if !c.buried(s[0]) || !c.buried(s[1]) {
		return false
	}
	a, b := c.domain.Snap(s[0]), c.domain.Snap(s[1])
	for _, w := range c.ground.Walls {
		p, q := c.ground.Vertices[w.A], c.ground.Vertices[w.B]
		if geom.Orient(a, b, p) != geom.Orient(a, b, q) && geom.Orient(p, q, a) != geom.Orient(p, q, b) {
			return false
		}
	}
	return true
}
