package scenes

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// check looks for what a single field cannot tell. Parts that have errors
// already are passed over, so that a mistake is told once.
func (r *reader) check(s *Scene) {
	if r.more > 0 {
		return
	}
	if p := r.at("version"); p.given() && r.sound(p) && s.Version != Version {
		r.wrong(p, "unknown version %d: this program reads version %d", s.Version, Version)
	}
	c := &checker{reader: r, scene: s, domain: r.checkDomain(s)}
	for i := range s.Obstacles {
		if c.checkShape(i) {
			c.polygons = append(c.polygons, s.Obstacles[i].Polygon())
		}
		c.checkTimes(i)
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
	// polygons are the obstacles without fault. What is buried under these is
	// buried under all.
	polygons     []geom.Polygon
	ground       *geom.Ground // made when it is first asked for
	groundFailed bool
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
	return &l
}

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
	c.wrong(p, "%s %s lies outside the domain %s", what, point(v), numbers(c.scene.Domain[:]))
	return false
}

func point(v mgl64.Vec2) string { return numbers(v[:]) }

func numbers(v []float64) string {
	text := make([]string, len(v))
	for i, x := range v {
		text[i] = fmt.Sprint(x)
	}
	return "[" + strings.Join(text, ", ") + "]"
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

// checkTimes finds what is wrong with when and how an obstacle moves.
func (c *checker) checkTimes(i int) {
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
	if o.Motion == nil {
		return
	}
	path := o.Motion.Path
	p := c.at("obstacles", i, "motion", "path")
	if p.given() && c.sound(p) && !slices.ContainsFunc(path, func(v mgl64.Vec2) bool { return v != path[0] }) {
		c.wrong(p, "the path has no length: give at least two different offsets")
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
		var e *geom.PolygonError
		where := c.at(ring(0)...)
		if errors.As(err, &e) {
			where = c.at(ring(e.Ring)...)
			if e.Kind != geom.TooFewVertices && e.Kind != geom.ZeroArea {
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
			c.remark(c.at(ring(k)...), "a vertex equals its neighbour and is merged with it")
		} else if n > 1 {
			c.remark(c.at(ring(k)...), "%d vertices equal their neighbours and are merged with them", n)
		}
	}
	o.Outline = merged.Outer
	for h := range o.Holes {
		o.Holes[h] = merged.Holes[h]
	}
	return true
}

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

func (c *checker) checkProfile(i int) {
	p := c.scene.Profiles[i]
	if c.sound(c.at("profiles", i)) && p.PreferredSpeed.Mean > p.MaxSpeed {
		where := c.at("profiles", i, "preferredSpeed", "mean")
		c.remark(where, "people who would like to walk %v m/s never exceed maxSpeed, %v m/s", p.PreferredSpeed.Mean, p.MaxSpeed)
	}
	if !c.sound(c.at("profiles", i, "bvp", "table")) {
		return
	}
	for k := 1; k < len(p.BVP.Table); k++ {
		if before, t := p.BVP.Table[k-1][0], p.BVP.Table[k][0]; !(t > before) {
			c.wrong(c.at("profiles", i, "bvp", "table", k), "the sample's time %v s is not after that of the one before, %v s", t, before)
		}
	}
}

// checkReferences finds ids that nothing has.
func (c *checker) checkReferences(i int, goals, profiles ids) {
	g := c.scene.Groups[i]
	at := func(path ...any) place { return c.at(append([]any{"groups", i}, path...)...) }
	if p := at("profile"); p.given() && c.sound(p) && len(profiles.list) > 0 && !profiles.has[g.Profile] {
		c.wrong(p, "unknown profile %s: %s", shorten(fmt.Sprintf("%q", g.Profile)), suggest(g.Profile, profiles.list))
	}
	for k, id := range g.Itinerary {
		if p := at("itinerary", k); p.given() && c.sound(p) && len(goals.list) > 0 && !goals.has[id] {
			c.wrong(p, "unknown goal %s: %s", shorten(fmt.Sprintf("%q", id)), suggest(id, goals.list))
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
		for _, corner := range []mgl64.Vec2{d.box().Min(), d.box().Max()} {
			if !c.inDomain(p, corner, "the ring's box reaches to") {
				return
			}
		}
		room(p, mostOnRing(d.Radius, radius))
	case s.Grid != nil:
		p := at("grid")
		if !c.checkRect(at("grid", "rect"), s.Grid.Rect, "the rectangle") ||
			!c.inDomain(at("grid", "rect"), s.Grid.Rect.Min(), "the corner") ||
			!c.inDomain(at("grid", "rect"), s.Grid.Rect.Max(), "the corner") {
			return
		}
		if n, _ := s.places(); n > MaxAgents {
			c.wrong(p, "the grid has %d points: at most %d (2^24) are allowed", n, MaxAgents)
		} else if g.Count > n {
			room(p, n)
		} else if atOnce && g.Count > 1 && s.Grid.Spacing < 2*radius*(1-overlapSlack) {
			c.wrong(at("grid", "spacing"), "agents of radius %v m need a spacing of at least %v m, not %v", radius, 2*radius, s.Grid.Spacing)
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
			c.wrong(p, "the point %s lies in the interior of an obstacle: nobody can start there", point(v))
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
		c.wrong(at("points", pair[1]), "the point is nearer to points[%d] than %v m, twice the radius: nobody starts inside another", pair[0], 2*radius)
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
	c.wrong(p, "the area lies outside the domain %s", numbers(d[:]))
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
