package scenes

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// check looks for what a single field cannot tell. Parts that have errors
// already are passed over, so that a mistake is told once.
func (r *reader) check(s *Scene) {
	if p := r.at("version"); p.given() && r.sound(p) && s.Version != Version {
		r.wrong(p, "unknown version %d: this program reads version %d", s.Version, Version)
	}
	c := &checker{reader: r, scene: s, domain: r.checkDomain(s)}
	for i := range s.Obstacles {
		sound := c.checkShape(i)
		if sound && c.domain != nil {
			c.checkThin(i)
		}
		if c.checkTimes(i) && sound {
			c.place(s.Obstacles[i])
		}
	}
	for i := range s.Goals {
		c.checkGoal(i)
	}
	for i := range s.Profiles {
		c.checkProfile(i)
	}
	goals, profiles := idSet(s.Goals, func(g Goal) string { return g.ID }), idSet(s.Profiles, func(p Profile) string { return p.ID })
	for i := range s.Groups {
		c.checkReferences(i, goals, profiles)
		c.checkSpawn(i)
	}
	if p := r.at("groups"); r.sound(p) && s.Agents() > MaxAgents {
		r.wrong(p, "%d agents over all groups: at most %d (2^24) are allowed", s.Agents(), MaxAgents)
	}
	// Last, since what has a bad id is to be looked at all the same.
	r.checkIDs("obstacles", len(s.Obstacles), func(i int) string { return s.Obstacles[i].ID })
	r.checkIDs("goals", len(s.Goals), func(i int) string { return s.Goals[i].ID })
	r.checkIDs("profiles", len(s.Profiles), func(i int) string { return s.Profiles[i].ID })
	r.checkIDs("groups", len(s.Groups), func(i int) string { return s.Groups[i].ID })
}

// checker is a reader that knows the scene.
type checker struct {
	*reader
	scene  *Scene
	domain *geom.Lattice // nil if the domain is no good
	// always and initial are the obstacles without fault that are always there, and
	// those at time 0. What is buried under these is buried under all.
	always, initial []geom.Polygon
	timed           bool // the two are not the same
	grounds         map[groundKey]*geom.Ground
}

// place adds an obstacle without fault.
func (c *checker) place(o Obstacle) {
	if o.Timed() {
		c.timed = true
	} else {
		c.always = append(c.always, o.Polygon())
	}
	if o.PresentAt(0) {
		c.initial = append(c.initial, o.PolygonAt(0))
	}
}

// checkIDs finds empty and duplicate ids.
func (r *reader) checkIDs(list string, n int, id func(int) string) {
	first := map[string]int{}
	for i := range n {
		p := r.at(list, i, "id")
		if p.given() && r.sound(p) && id(i) == "" {
			r.wrong(p, "the id is empty: leave it out or give a name")
			continue
		}
		if id(i) == "" {
			continue
		}
		if before, twice := first[id(i)]; twice {
			r.wrong(p, "duplicate id %q: %s already has it", id(i), formatPath(r.at(list, before).path))
			continue
		}
		first[id(i)] = i
	}
}

// ids is a set of ids that keeps their order.
type ids struct {
	list []string
	has  map[string]bool
}

func idSet[T any](all []T, id func(T) string) ids {
	set := ids{has: map[string]bool{}}
	for _, t := range all {
		set.list = append(set.list, id(t))
		set.has[id(t)] = true
	}
	return set
}

// checkDomain returns the domain's lattice, or nil.
func (r *reader) checkDomain(s *Scene) *geom.Lattice {
	p := r.at("domain")
	if !p.given() || !r.sound(p) || !r.checkRect(p, s.Domain, "the domain") {
		return nil
	}
	l, err := geom.NewLattice(s.Min(), s.Max())
	if err != nil {
		r.wrong(p, "%s", plain(err))
		return nil
	}
	if side := max(s.Max()[0]-s.Min()[0], s.Max()[1]-s.Min()[1]); side < minDomain {
		r.wrong(p, "the domain's longer side is %v m, it has to be at least %v m", side, float64(minDomain))
		return nil
	}
	return &l
}

// minDomain is the shortest longer side of a domain. Unit: m. Devices compute in float32: the square of a lattice step,
// 2^-20 of that side, has to stay above 2^-126, the least normal number, so the side above 2^-43 m, a tenth of a
// picometre. A nanometre is well past that.
const minDomain = 1e-9

// plain returns an error's text without the name of its package.
func plain(err error) string {
	return strings.TrimPrefix(err.Error(), "geom: ")
}

// checkRect finds rectangles without area.
func (r *reader) checkRect(p place, rect Rect, what string) bool {
	for k, axis := range []string{"x", "y"} {
		lo, hi := rect[k], rect[k+2]
		switch {
		case lo == hi:
			r.wrong(p, "%s has no area: %s0 and %s1 are both %v, %s0 has to be below %s1", what, axis, axis, lo, axis, axis)
			return false
		case lo > hi:
			r.wrong(p, "%s is turned round: %s0 is %v and %s1 is %v, %s0 has to be below %s1", what, axis, lo, axis, hi, axis, axis)
			return false
		}
	}
	return true
}

// inDomain finds a point outside the domain.
func (c *checker) inDomain(p place, v mgl64.Vec2, what string) bool {
	if c.domain == nil || c.scene.Domain.Contains(v) {
		return true
	}
	c.wrong(p, "%v", &OutsideError{what, v, c.scene.Domain})
	return false
}

// OutsideError says that a point lies outside the domain.
type OutsideError struct {
	What   string     // the point is: "the vertex"
	Point  mgl64.Vec2 // world, meters
	Domain Rect
}

func (e *OutsideError) Error() string {
	at := point(e.Point)
	var shown mgl64.Vec2
	if err := json.Unmarshal([]byte(at), &shown); err == nil && e.Domain.Contains(shown) {
		at = fmt.Sprintf("[%v, %v]", e.Point[0], e.Point[1]) // outside by less than what is shown
	}
	return fmt.Sprintf("%s %s lies outside the domain %v", e.What, at, e.Domain)
}

func point(v mgl64.Vec2) string { return numbers(v[:]) }

func numbers(v []float64) string {
	return "[" + strings.Join(polygon.Shown(v...), ", ") + "]"
}

// exactlyOne finds an object of which not just one of some fields is given.
func (r *reader) exactlyOne(what string, where []any, names ...string) bool {
	var given []string
	for _, n := range names {
		if r.at(append(slices.Clone(where), n)...).given() {
			given = append(given, n)
		}
	}
	list := strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
	switch len(given) {
	case 1:
		return true
	case 0:
		r.wrong(r.at(where...), "%s is missing: give %s", what, list)
	default:
		r.wrong(r.at(where...), "%s is given in %d ways (%s): keep one", what, len(given), strings.Join(given, ", "))
	}
	return false
}

func (c *checker) checkProfile(i int) {
	p := c.scene.Profiles[i]
	if c.sound(c.at("profiles", i)) && p.PreferredSpeed.Mean > p.MaxSpeed {
		where := c.at("profiles", i, "preferredSpeed", "mean")
		c.remark(where, "people that prefer to walk at %v m/s never exceed maxSpeed, %v m/s", p.PreferredSpeed.Mean, p.MaxSpeed)
	}
	if !c.sound(c.at("profiles", i, "bvp")) {
		return
	}
	if p.BVP.Cells < 7 {
		c.remark(c.at("profiles", i, "bvp", "cells"), "in a map of 5 or 6 cells no walls and no people are seen: all cells where they could be are those that the agent stands in; take 7 or more")
	}
	if most := p.BVP.strongest(); p.BVP.ViewAngle < 30 && most >= 0.5 {
		c.remark(c.at("profiles", i, "bvp", "viewAngle"), "an agent with so narrow a view loses a wall as soon as it turns away from it, and where the bias, of %.3g at most, points back to the wall it may walk to and fro at its end forever; 30 degrees are enough", most)
	}
	if len(p.BVP.Table) == 0 {
		c.checkConstant(i, p.BVP.Bias)
	} else if p.BVP.Bias != DefaultProfile().BVP.Bias {
		c.remark(c.at("profiles", i, "bvp", "bias"), "the table stands in its place")
	}
	for k, row := range p.BVP.Table {
		c.checkBias(c.at("profiles", i, "bvp", "table", k), row.strongest())
	}
	c.checkTable(p.BVP.Table, "profiles", i, "bvp", "table")
}

// checkTable finds samples that are not in the order of time.
func (r *reader) checkTable(table []Sample, path ...any) {
	for k := 1; k < len(table); k++ {
		if before, t := table[k-1][0], table[k][0]; !(t > before) {
			r.wrong(r.at(append(path, k)...), "the sample's time %v s is not after that of the one before, %v s", t, before)
		}
	}
}

// strongest is the strongest that a local map's bias ever is.
func (m BVP) strongest() float64 {
	if len(m.Table) == 0 {
		return m.Bias.strongest()
	}
	most := 0.0
	for _, row := range m.Table {
		most = max(most, row.strongest())
	}
	return most
}

func (b Bias) strongest() float64 {
	return math.Abs(b.Strength) * math.Hypot(b.Direction.Len(), b.Wave.Amplitude)
}

func (s Sample) strongest() float64 { return math.Abs(s[3]) * math.Hypot(s[1], s[2]) }

// checkConstant notes what does nothing of a bias that is not a table, and what is too much.
func (c *checker) checkConstant(i int, b Bias) {
	at := func(path ...any) place { return c.at(append([]any{"profiles", i, "bvp", "bias"}, path...)...) }
	waves := b.Wave.Amplitude != 0 || b.Wave.Frequency != 0
	switch {
	case b.Strength == 0 && waves:
		c.remark(at("wave"), "a bias without strength does nothing, nor does its wave")
	case b.Strength != 0 && b.Direction == mgl64.Vec2{}:
		c.remark(at("direction"), "a bias without a direction does nothing, nor does a wave, which swings across it")
	case waves && (b.Wave.Amplitude == 0 || b.Wave.Frequency == 0):
		c.remark(at("wave"), "a wave takes an amplitude and a frequency: with one of them 0 it does nothing")
	}
	c.checkBias(at("strength"), b.strongest())
}

// checkBias notes a bias that is stronger than any can be.
func (c *checker) checkBias(where place, strength float64) {
	if strength >= 2 {
		c.remark(where, "with its direction the bias is of %.3g at most: it acts as one just below 2", strength)
	}
}

// checkReferences finds ids that nothing has.
func (c *checker) checkReferences(i int, goals, profiles ids) {
	g := c.scene.Groups[i]
	at := func(path ...any) place { return c.at(append([]any{"groups", i}, path...)...) }
	if p := at("profile"); p.given() && c.sound(p) && len(profiles.list) > 0 && !profiles.has[g.Profile] {
		c.wrong(p, "unknown profile %s: %s", shorten(fmt.Sprintf("%q", g.Profile)), c.hint(g.Profile, profiles.list))
	}
	if profile, ok := c.scene.Profile(g.Profile); ok && g.Explores != nil && profile.Steering != SteeringBVP {
		c.remark(at("explores"), `people explore by local maps: without steering "bvp" in profile %q they walk as if they knew the place`, g.Profile)
	} else if g.Explores != nil && g.Goal == AntipodeGoal {
		c.remark(at("explores"), `people with the goal "antipode" know where it is: they walk as if they knew the place; give an itinerary for them to seek`)
	}
	for k, id := range g.Itinerary {
		if p := at("itinerary", k); p.given() && c.sound(p) && len(goals.list) > 0 && !goals.has[id] {
			c.wrong(p, "unknown goal %s: %s", shorten(fmt.Sprintf("%q", id)), c.hint(id, goals.list))
		}
	}
	if p := at("goal"); p.given() && c.sound(p) && c.sound(at("spawn")) {
		if g.Spawn.Ring == nil {
			c.wrong(p, `goal "antipode" is for people who start on a ring: give spawn.ring, or an itinerary instead`)
		}
		if at("itinerary").given() {
			c.wrong(p, `goal "antipode" and an itinerary exclude each other: keep one`)
		}
	}
}
