package scenes

import (
	"slices"

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
	// sound has the goal's sources without fault, whole the number that each of them has among all.
	sound, whole := Goal{Clearance: g.Clearance}, []int(nil)
	for k, v := range g.Points {
		if p := at("points", k); c.sound(p) && c.inDomain(p, v, "the source") {
			sound.Points, whole = append(sound.Points, v), append(whole, k)
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
		if c.inDomain(at("segments", k, 1), s[1], "the segment's end") && inside {
			sound.Segments, whole = append(sound.Segments, s), append(whole, len(g.Points)+k)
		}
	}
	if !c.sound(at("clearance")) || c.domain == nil {
		return
	}
	if w, h := c.scene.Max()[0]-c.scene.Min()[0], c.scene.Max()[1]-c.scene.Min()[1]; 2*g.Clearance >= min(w, h) {
		c.wrong(at("clearance"), "a clearance of %v m closes the domain, which is %v m by %v m: it has to be below half the shorter side",
			g.Clearance, w, h)
		return
	}
	if len(whole) > 0 {
		c.checkAwake(sound, func(source int) place {
			if k := whole[source]; k < len(g.Points) {
				return at("points", k)
			}
			return at("segments", whole[source]-len(g.Points))
		})
	}
}

// checkAwake finds sources of a goal that nobody can ever come to, because of obstacles that are always there, and notes
// those that nobody can come to at first.
func (c *checker) checkAwake(g Goal, at func(source int) place) {
	name := func(source int) string {
		if source < len(g.Points) {
			return "the source " + point(g.Points[source])
		}
		return "the segment"
	}
	open, clear := c.ground(fixed, 0), c.ground(fixed, g.Clearance)
	if open == nil || clear == nil {
		return
	}
	never := g.SourcesOn(open, clear).Asleep
	for _, source := range never {
		switch {
		case g.Clearance > 0 && !slices.Contains(Goal{Points: g.Points, Segments: g.Segments}.SourcesOn(open, open).Asleep, source):
			c.wrong(at(source), "no path leads to %s with a clearance of %v m: the nearest position for the center of such a disc is hidden from it, or too far away",
				name(source), g.Clearance)
		case source < len(g.Points):
			c.wrong(at(source), "the source %s lies in the interior of an obstacle, where no path leads: move it to free ground", point(g.Points[source]))
		default:
			c.wrong(at(source), "the segment lies wholly inside obstacles, where no path leads: move it to free ground")
		}
	}
	open, clear = c.ground(first, 0), c.ground(first, g.Clearance)
	if open == nil || clear == nil {
		return
	}
	for _, source := range g.SourcesOn(open, clear).Asleep {
		if !slices.Contains(never, source) {
			c.remark(at(source), "%s is buried at the start, under an obstacle that opens or moves: it leads nowhere until that is gone", name(source))
		}
	}
}

// moment says which obstacles there are.
type moment bool

// The moments that scenes are checked at.
const (
	fixed moment = false // those alone that are always there, and nowhere else
	first moment = true  // those at time 0
)

// groundKey is a ground of the scene.
type groundKey struct {
	moment    moment
	clearance float64
}

// ground returns the ground of a moment and a clearance, made when it is first asked for. It is nil where that cannot be
// done; then an error that says why has been told. Obstacles with errors of their own are left out.
func (c *checker) ground(m moment, clearance float64) *geom.Ground {
	if c.domain == nil {
		return nil
	}
	if !c.timed {
		m = fixed
	}
	key := groundKey{m, clearance}
	if g, ok := c.grounds[key]; ok {
		return g
	}
	obstacles := c.always
	if m == first {
		obstacles = c.initial
	}
	g, err := c.scene.ClearGround(obstacles, clearance)
	if err != nil {
		c.wrong(c.at("obstacles"), "%s", plain(err))
	}
	if c.grounds == nil {
		c.grounds = map[groundKey]*geom.Ground{}
	}
	c.grounds[key] = g
	return g
}

// buried reports whether a point of the domain lies in the interior of the union of the obstacles at time 0. Points on walls
// do not, nor do points that are no farther behind one than rounding to the lattice explains (geom.SnapSlack).
func (c *checker) buried(v mgl64.Vec2) bool {
	ground := c.ground(first, 0)
	if ground == nil {
		return false
	}
	_, free := ground.Standing(v)
	return !free
}
