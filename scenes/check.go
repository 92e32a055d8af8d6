package scenes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/polygon"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// check finds what decoding a single field cannot. Parts that have errors already are skipped, so
// that a mistake is reported once.
func (r *reader) check(s *Scene) {
	if p := r.at("version"); p.given() && p.sound() && s.Version != Version {
		p.wrong("unknown version %d: this program reads version %d", s.Version, Version)
	}
	c := &checker{reader: r, scene: s, domain: r.checkDomain(s), grounds: map[groundKey]*geom.Ground{}}
	for i := range s.Obstacles {
		c.checkObstacle(r.at("obstacles", i), &s.Obstacles[i])
	}
	if r.shapes {
		return
	}
	for i, g := range s.Goals {
		c.checkGoal(r.at("goals", i), g)
	}
	for i, p := range s.Profiles {
		checkProfile(r.at("profiles", i), p)
	}
	lists := s.idLists()
	for i := range s.Groups {
		at := r.at("groups", i)
		c.checkReferences(at, s.Groups[i], lists[1].ids, lists[2].ids)
		c.checkSpawn(at, &s.Groups[i])
	}
	if p := r.at("groups"); p.sound() && s.Agents() > MaxAgents {
		p.wrong("%d agents over all groups: at most %d (2^24) are allowed", s.Agents(), MaxAgents)
	}
	for i, g := range s.Gates {
		if p := r.at("gates", i, "line"); p.given() && p.sound() && g.Line[0] == g.Line[1] {
			p.wrong("the gate has no length: its ends are the same point")
		}
	}
	for _, l := range lists { // last, since items with a bad id are checked all the same
		r.checkIDs(l)
	}
}

// checker is a reader that knows the scene.
type checker struct {
	*reader
	scene     *Scene
	domain    *geom.Lattice // nil if the domain has errors
	obstacles []Obstacle    // without errors
	timed     bool          // some of them are
	staffOnly bool          // some of them are
	grounds   map[groundKey]*geom.Ground
}

// groundKey is a ground of the obstacles at time 0, or of those that are always present.
type groundKey struct {
	initial bool
	passage Passage
}

// checkIDs finds empty and duplicate ids.
func (r *reader) checkIDs(l idList) {
	first := map[string]int{}
	for i, id := range l.ids {
		p := r.at(l.list, i, "id")
		if *id == "" {
			if p.given() && p.sound() {
				p.wrong("the id is empty: leave it out or give a name")
			}
			continue
		}
		if before, twice := first[*id]; twice {
			p.wrong("duplicate id %q: %s already has it", *id, text.FormatPath(r.at(l.list, before).path))
			continue
		}
		first[*id] = i
	}
}

// minDomain is the shortest longer side of a domain. Unit: m. Devices compute in float32: the
// square of a lattice step, 2^-20 of that side, has to stay above 2^-126, the least normal number,
// so the side above 2^-43 m, a tenth of a picometer. A nanometer is well past that.
const minDomain = 1e-9

// checkDomain returns the domain's lattice, or nil.
func (r *reader) checkDomain(s *Scene) *geom.Lattice {
	p := r.at("domain")
	if !p.given() || !p.sound() {
		return nil
	}
	l, err := geom.NewLattice(s.Min(), s.Max())
	if err != nil {
		p.wrong("%s", text.Plain(err))
		return nil
	}
	if side := max(s.Max()[0]-s.Min()[0], s.Max()[1]-s.Min()[1]); side < minDomain {
		p.wrong("the domain's longer side is %v m, it has to be at least %v m", side, float64(minDomain))
		return nil
	}
	return &l
}

// rectInDomain finds a rectangle with a corner outside the domain.
func (c *checker) rectInDomain(p place, rect Rect) bool {
	return c.inDomain(p, rect.Min(), "the corner") && c.inDomain(p, rect.Max(), "the corner")
}

// inDomain finds a point outside the domain.
func (c *checker) inDomain(p place, v mgl64.Vec2, what string) bool {
	if c.domain == nil || c.scene.Domain.Contains(v) {
		return true
	}
	p.wrong("%v", &OutsideError{what, v, c.scene.Domain})
	return false
}

// OutsideError is the error of a point outside the domain.
type OutsideError struct {
	What   string     // the point is: "the vertex"
	Point  mgl64.Vec2 // world, meters
	Domain Rect
}

func (e *OutsideError) Error() string {
	at := ShowPoint(e.Point)
	var shown mgl64.Vec2
	if err := json.Unmarshal([]byte(at), &shown); err == nil && e.Domain.Contains(shown) {
		at = fmt.Sprintf("[%v, %v]", e.Point[0], e.Point[1]) // outside by less than what is shown
	}
	return fmt.Sprintf("%s %s lies outside the domain %v", e.What, at, e.Domain)
}

// ShowPoint returns a point as a scene has it, rounded as polygon.Shown does.
func ShowPoint(v mgl64.Vec2) string { return numbers(v[:]) }

func numbers(v []float64) string { return "[" + strings.Join(polygon.Shown(v...), ", ") + "]" }

// exactlyOne finds an object that does not have exactly one of some fields.
func exactlyOne(p place, what string, names ...string) bool {
	given := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !p.at(name).given() })
	switch last := len(names) - 1; len(given) {
	case 1:
		return true
	case 0:
		p.wrong("%s is missing: give %s or %s", what, strings.Join(names[:last], ", "), names[last])
	default:
		p.wrong("%s is given in %d ways (%s): keep one", what, len(given), strings.Join(given, ", "))
	}
	return false
}

// checkReferences finds ids that nothing has.
func (c *checker) checkReferences(at place, g Group, goals, profiles []*string) {
	known := func(p place, kind, id string, ids []*string) {
		if !p.given() || !p.sound() || len(ids) == 0 || slices.ContainsFunc(ids, func(have *string) bool { return *have == id }) {
			return
		}
		names := make([]string, len(ids))
		for i := range ids {
			names[i] = *ids[i]
		}
		p.wrong("unknown %s %s: %s", kind, text.Quote(id), c.hint(id, names))
	}
	known(at.at("profile"), "profile", g.Profile, profiles)
	if profile, ok := c.scene.Profile(g.Profile); ok && g.Explores != nil && profile.Steering != SteeringBVP {
		at.at("explores").note(`agents explore by local maps: without steering "bvp" in profile %q they walk as if they knew the place`, g.Profile)
	} else if g.Explores != nil && g.Goal == AntipodeGoal {
		at.at("explores").note(`agents with the goal "antipode" know where it is and walk as if they knew the place: give an itinerary to seek`)
	}
	for k, id := range g.Itinerary {
		known(at.at("itinerary", k), "goal", id, goals)
	}
	for i, r := range g.Routes {
		for k, id := range r.Itinerary {
			known(at.at("routes", i, "itinerary", k), "goal", id, goals)
		}
	}
	if p := at.at("routes"); p.given() && at.at("itinerary").given() {
		p.wrong("routes and an itinerary exclude each other: keep one")
	}
	if p := at.at("goal"); p.given() && p.sound() && at.at("spawn").sound() {
		if g.Spawn.Ring == nil {
			p.wrong(`goal "antipode" is for agents that start on a ring: give spawn.ring, or an itinerary instead`)
		}
		if at.at("itinerary").given() || at.at("routes").given() {
			p.wrong(`goal "antipode" and an itinerary exclude each other: keep one`)
		}
	}
}
