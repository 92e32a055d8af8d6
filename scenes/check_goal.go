package scenes

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// checkGoal finds what is wrong with a goal's sources.
func (c *checker) checkGoal(at place, g Goal) {
	if !at.isObject() {
		return
	}
	if len(g.Points)+len(g.Segments) == 0 && at.at("points").sound() && at.at("segments").sound() {
		at.wrong("the goal has no source: give at least one of points and segments")
	}
	// sound has the goal's sources without errors, places has theirs.
	sound, places := Goal{Clearance: g.Clearance, Staff: g.Staff}, []place(nil)
	for k, v := range g.Points {
		if p := at.at("points", k); p.sound() && c.inDomain(p, v, "the source") {
			sound.Points, places = append(sound.Points, v), append(places, p)
		}
	}
	for k, s := range g.Segments {
		p := at.at("segments", k)
		if !p.sound() {
			continue
		}
		if s[0] == s[1] {
			p.wrong("the segment has no length: give a source at a point under points")
			continue
		}
		inside := c.inDomain(p.at(0), s[0], "the segment's end")
		if c.inDomain(p.at(1), s[1], "the segment's end") && inside {
			sound.Segments, places = append(sound.Segments, s), append(places, p)
		}
	}
	if p := at.at("clearance"); p.sound() && c.domain != nil {
		if w, h := c.scene.Max()[0]-c.scene.Min()[0], c.scene.Max()[1]-c.scene.Min()[1]; 2*g.Clearance >= min(w, h) {
			p.wrong("a clearance of %v m closes the domain, which is %v m by %v m: it has to be below half the shorter side", g.Clearance, w, h)
		} else if len(places) > 0 {
			c.checkReachable(sound, places)
		}
	}
}

// checkReachable finds sources of a goal that are blocked by obstacles that are always present, and
// notes those that are blocked at first.
func (c *checker) checkReachable(g Goal, places []place) {
	name := func(source int) string {
		if source < len(g.Points) {
			return "the source " + ShowPoint(g.Points[source])
		}
		return "the segment"
	}
	open, clear := c.ground(false, Passage{Staff: g.Staff}), c.ground(false, g.Passage())
	if open == nil || clear == nil {
		return
	}
	never := g.SourcesOn(open, clear).Blocked
	for _, source := range never {
		switch at := places[source]; {
		case g.Clearance > 0 && !slices.Contains(Goal{Points: g.Points, Segments: g.Segments}.SourcesOn(open, open).Blocked, source):
			at.wrong("no path leads to %s with a clearance of %v m: the nearest position for the center of such a disc is hidden from it, or too far away",
				name(source), g.Clearance)
		case source < len(g.Points):
			at.wrong("%s lies in the interior of an obstacle, where no path leads: move it to free ground", name(source))
		default:
			at.wrong("the segment lies wholly inside obstacles, where no path leads: move it to free ground")
		}
	}
	open, clear = c.ground(true, Passage{Staff: g.Staff}), c.ground(true, g.Passage())
	if open == nil || clear == nil {
		return
	}
	for _, source := range g.SourcesOn(open, clear).Blocked {
		if !slices.Contains(never, source) {
			places[source].note("%s is blocked at the start by an obstacle that opens or moves: no path leads there until that is gone", name(source))
		}
	}
}

// ground returns the ground of the obstacles at time 0, or of those that are always present, for a
// passage, made when it is first requested. It is nil where that fails, which is reported.
// Obstacles with errors of their own are left out.
func (c *checker) ground(initial bool, p Passage) *geom.Ground {
	if c.domain == nil {
		return nil
	}
	key := groundKey{initial && c.timed, Passage{p.Clearance, p.Staff || !c.staffOnly}}
	if g, ok := c.grounds[key]; ok {
		return g
	}
	var in []geom.Polygon
	for _, o := range c.obstacles {
		if o.Stops(p) && (!o.Timed() || initial && o.PresentAt(0)) {
			in = append(in, o.PolygonAt(0))
		}
	}
	g, err := c.scene.ClearGround(in, p.Clearance)
	if err != nil {
		c.at("obstacles").wrong("%s", text.Plain(err))
	}
	c.grounds[key] = g
	return g
}

// covered reports whether a point of the domain lies in the interior of the union of the obstacles
// at time 0. Points on walls do not, nor do points that are no farther behind one than rounding to
// the lattice explains (geom.SnapSlack).
func (c *checker) covered(v mgl64.Vec2) bool {
	ground := c.ground(true, Walked)
	if ground == nil {
		return false
	}
	_, free := ground.Standing(v)
	return !free
}
