package scenes

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// sketch is what the shapes of a drawing say: of a GeoJSON or SVG file, in which
// each shape has a role.
type sketch struct {
	*source
	domain    *Rect // that the file names
	walkable  []geom.Polygon
	obstacles []Obstacle
	goals     []Goal // without an id where the file gives none, like groups
	groups    []Group
	all       []mgl64.Vec2 // points of every shape
	farAt     int          // offset of the shape that needs the largest reach, see reachOf
	far       float64      // that reach

	// Offsets in the file of the shapes that obstacles, goals and groups come from, of the first of
	// several.
	obstacleAt, goalAt, groupAt []int
	// Ids that the file gives, with the index of what has it.
	obstacleIDs, goalIDs, groupIDs map[string]int
}

func newSketch(in *source) *sketch {
	return &sketch{source: in, obstacleIDs: map[string]int{}, goalIDs: map[string]int{}, groupIDs: map[string]int{}}
}

// role is what a shape of a drawing stands for.
type role string

const (
	roleObstacle role = "obstacle"
	roleGoal     role = "goal"
	roleSpawn    role = "spawn"
	roleWalkable role = "walkable"
	roleDomain   role = "domain"
)

// roleWords are the words that say a role, in a name or a class.
var roleWords = map[string]role{
	"obstacle": roleObstacle, "obstacles": roleObstacle, "wall": roleObstacle, "walls": roleObstacle, "building": roleObstacle, "buildings": roleObstacle,
	"goal": roleGoal, "goals": roleGoal, "exit": roleGoal, "exits": roleGoal,
	"spawn": roleSpawn, "spawns": roleSpawn, "start": roleSpawn, "starts": roleSpawn,
	"walkable": roleWalkable, "domain": roleDomain,
}

// roleNames are the roles as messages list them.
func roleNames() []string {
	return []string{string(roleObstacle), string(roleGoal), string(roleSpawn), string(roleWalkable), string(roleDomain)}
}

// roleOf returns the role that the first word of a text says which says one.
func roleOf(text string) (role, bool) {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) }) {
		if r, ok := roleWords[word]; ok {
			return r, true
		}
	}
	return "", false
}

// shape is one shape of a drawing, in metres. One of its forms is given.
type shape struct {
	at    int // offset in the file
	role  role
	id    string
	count int // of people who start there

	unsaid bool // nobody has said the role

	clearance, arrival *float64 // of a goal, metres; nil: not given

	points   []mgl64.Vec2   // single points
	line     []mgl64.Vec2   // a line through points
	polygons []geom.Polygon // rings without their closing vertex
	rect     *Rect
	disc     *Disc
}

// area returns the shape's polygons; false if it has no inside.
func (s shape) area() ([]geom.Polygon, bool) {
	switch {
	case s.rect != nil:
		return []geom.Polygon{Obstacle{Rect: s.rect}.Polygon()}, true
	case s.disc != nil:
		return []geom.Polygon{Obstacle{Circle: &Circle{s.disc.Center, s.disc.Radius, 32}}.Polygon()}, true
	}
	return s.polygons, s.polygons != nil
}

// add takes a shape for what its role says.
func (k *sketch) add(s shape) error {
	areas, isArea := s.area()
	for i, p := range areas {
		if err := p.Check(); err != nil {
			return k.wrong(s.at, "%s", plain(err))
		}
		p, _ = p.Merged()
		areas[i] = p
		k.all = append(k.all, p.Outer...)
	}
	k.all = append(append(k.all, s.points...), s.line...)
	far := coarsest(s.line, false)
	for _, p := range areas {
		far = max(far, coarsest(p.Outer, true))
		for _, hole := range p.Holes {
			far = max(far, coarsest(hole, true))
		}
	}
	if far > k.far {
		k.farAt, k.far = s.at, far
	}
	switch s.role {
	case roleGoal:
		k.addGoal(s, areas)
		return nil
	case roleSpawn:
		return k.addSpawn(s)
	}
	if !isArea {
		return k.wrong(s.at, "the role %s needs a shape with an inside, not points or a line", s.role)
	}
	switch s.role {
	case roleWalkable:
		k.walkable = append(k.walkable, areas...)
	case roleDomain:
		box := boxOf(slices.Concat(outers(areas)...))
		k.domain = &box
	default:
		k.addObstacle(s, areas)
	}
	return nil
}

func (k *sketch) addObstacle(s shape, areas []geom.Polygon) {
	for _, p := range areas {
		o := Obstacle{Outline: p.Outer}
		for _, h := range p.Holes {
			o.Holes = append(o.Holes, h)
		}
		switch {
		case s.rect != nil:
			o = Obstacle{Rect: s.rect}
		case s.disc != nil:
			o = Obstacle{Circle: &Circle{s.disc.Center, s.disc.Radius, 32}}
		}
		if _, taken := k.obstacleIDs[s.id]; s.id != "" && !taken {
			o.ID, k.obstacleIDs[s.id] = s.id, len(k.obstacles)
		}
		k.obstacles, k.obstacleAt = append(k.obstacles, o), append(k.obstacleAt, s.at)
	}
}

// addGoal makes a source of the shape: its points, its line, the middle of its
// disc, or its outlines. Shapes of one id are sources of one goal.
func (k *sketch) addGoal(s shape, areas []geom.Polygon) {
	i, known := k.goalIDs[s.id]
	if s.id == "" || !known {
		i = len(k.goals)
		g := records[reflect.TypeFor[Goal]()].blank.Interface().(Goal)
		if g.ID = s.id; s.id != "" {
			k.goalIDs[s.id] = i
		}
		k.goals, k.goalAt = append(k.goals, g), append(k.goalAt, s.at)
	}
	g := &k.goals[i]
	if s.clearance != nil {
		g.Clearance = *s.clearance
	}
	if s.arrival != nil {
		g.ArrivalRadius = *s.arrival
	}
	g.Points = append(g.Points, s.points...)
	for n := 1; n < len(s.line); n++ {
		g.Segments = append(g.Segments, Segment{s.line[n-1], s.line[n]})
	}
	if s.disc != nil {
		g.Points = append(g.Points, s.disc.Center)
		if s.arrival == nil {
			g.ArrivalRadius = s.disc.Radius
		}
		return
	}
	for _, ring := range outers(areas) {
		for n, v := range ring {
			g.Segments = append(g.Segments, Segment{v, ring[(n+1)%len(ring)]})
		}
	}
}

func (k *sketch) addSpawn(s shape) error {
	g := records[reflect.TypeFor[Group]()].blank.Interface().(Group)
	if _, taken := k.groupIDs[s.id]; s.id != "" && !taken {
		g.ID, k.groupIDs[s.id] = s.id, len(k.groups)
	}
	switch {
	case s.rect != nil:
		g.Spawn.Rect = s.rect
	case s.disc != nil:
		g.Spawn.Circle = s.disc
	case s.points != nil:
		g.Spawn.Points = s.points
	case len(s.polygons) == 1 && isRect(s.polygons[0]):
		box := boxOf(s.polygons[0].Outer)
		g.Spawn.Rect = &box
	default:
		return k.wrong(s.at, "people start in rectangles along the axes, in circles or on points: this is none of them")
	}
	if g.Count = max(1, s.count); s.points != nil {
		g.Count = len(s.points)
	}
	k.groups, k.groupAt = append(k.groups, g), append(k.groupAt, s.at)
	return nil
}

func isRect(p geom.Polygon) bool {
	r := p.Outer
	if len(r) != 4 || len(p.Holes) > 0 {
		return false
	}
	for i, v := range r {
		if next := r[(i+1)%4]; v[i%2] != next[i%2] && v[1-i%2] != next[1-i%2] {
			return false
		}
	}
	return true
}

func outers(list []geom.Polygon) []geom.Ring {
	rings := make([]geom.Ring, len(list))
	for i, p := range list {
		rings[i] = p.Outer
	}
	return rings
}

// boxOf returns the bounding box of points.
func boxOf(points []mgl64.Vec2) Rect {
	box := Rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, v := range points {
		box = Rect{min(box[0], v[0]), min(box[1], v[1]), max(box[2], v[0]), max(box[3], v[1])}
	}
	return box
}

// content returns what Import makes a scene of. The domain is the one that the
// file names, or else the bounding box of the walkable polygons, or the sheet that
// it is drawn on, or the bounding box of all shapes. Where there are walkable
// polygons what remains of the domain is obstacles. What obstacles and the lines of
// goals have outside of the domain is cut off; what lies outside altogether is noted.
func (k *sketch) content(sheet *Rect) (*content, error) {
	var domain Rect
	switch {
	case k.domain != nil:
		domain = *k.domain
	case len(k.walkable) > 0:
		domain = boxOf(slices.Concat(outers(k.walkable)...))
	case sheet != nil:
		domain = *sheet
	case len(k.all) > 0:
		domain = boxOf(k.all)
	default:
		return nil, k.wrong(0, "nothing is drawn: there is no shape with a role")
	}
	if _, err := geom.NewLattice(domain.Min(), domain.Max()); err != nil {
		return nil, k.wrong(0, "no ground can be made of this: %s", plain(err))
	}
	if bound := reachOf(domain); k.far > bound {
		return nil, k.outOfReach(k.farAt, bound)
	}
	c := &content{domain: domain, goals: k.goalsIn(domain), groups: k.groupsIn(domain)}
	if len(k.walkable) > 0 {
		outside, err := outside(k.walkable, domain)
		if err != nil {
			return nil, k.wrong(0, "the outside of the walkable polygons cannot be found: %s", plain(err))
		}
		c.obstacles = obstaclesOf(outside)
	}
	for i, o := range k.obstacles {
		p := o.Polygon()
		if box := boxOf(p.Outer); domain.Contains(box.Min()) && domain.Contains(box.Max()) {
			c.obstacles = append(c.obstacles, o)
			continue
		}
		parts, err := p.Clip(domain.Min(), domain.Max())
		if err != nil {
			return nil, k.wrong(k.obstacleAt[i], "the obstacle cannot be cut at the domain's border: %s", plain(err))
		}
		if len(parts) == 0 {
			k.remark(k.obstacleAt[i], "the obstacle is left out: it lies outside the domain, %s", numbers(domain[:]))
		}
		for n, part := range obstaclesOf(parts) {
			if o.Rect != nil {
				box := boxOf(part.Outline)
				part = Obstacle{Rect: &box}
			}
			if n == 0 {
				part.ID = o.ID
			}
			c.obstacles = append(c.obstacles, part)
		}
	}
	return c, nil
}

// reachOf returns how far from 0 both ends of an oblique edge may lie that is cut at the domain's border. Up to 2^53 times the
// step of the domain's lattice float64 numbers lie at most a step apart, and rounding moves a coordinate by at most half a step,
// as the lattice itself does. Beyond, what the edge bounds in the domain is wrong by more than that.
func reachOf(domain Rect) float64 {
	return max(domain[2]-domain[0], domain[3]-domain[1]) / geom.Steps * (1 << 53)
}

// coarsest returns the reach that the edges of a line or ring need. An edge along an axis needs none: a coordinate is exact
// where it lies in the domain. Of other edges, also those that rounding has left without a length, the nearer end counts: rounding of the farther one turns the edge about it, by
// less than a part in 2^52.
func coarsest(points []mgl64.Vec2, closed bool) (reach float64) {
	for i, b := range points {
		if i == 0 && !closed {
			continue
		}
		a := points[(i+len(points)-1)%len(points)]
		if (a[0] != b[0]) == (a[1] != b[1]) {
			reach = max(reach, min(max(math.Abs(a[0]), math.Abs(a[1])), max(math.Abs(b[0]), math.Abs(b[1]))))
		}
	}
	return reach
}

func (k *sketch) outOfReach(at int, bound float64) error {
	return k.wrong(at, "a coordinate of the shape or its stroke is out of range: at most %.3g m from 0 are needed for a domain of this size", bound)
}

// goalsIn returns the goals with the sources that they have in the domain.
func (k *sketch) goalsIn(domain Rect) (goals []Goal) {
	for i, g := range k.goals {
		var points []mgl64.Vec2
		var segments []Segment
		for _, p := range g.Points {
			if domain.Contains(p) {
				points = append(points, p)
			}
		}
		for _, s := range g.Segments {
			if part, ok := s.in(domain); ok {
				segments = append(segments, part)
			}
		}
		switch lost := len(g.Points) + len(g.Segments) - len(points) - len(segments); {
		case len(points)+len(segments) == 0:
			k.remark(k.goalAt[i], "the goal is left out: it lies outside the domain, %s", numbers(domain[:]))
			continue
		case lost > 0:
			k.remark(k.goalAt[i], "%d of the goal's %d sources are left out: they lie outside the domain, %s", lost, len(g.Points)+len(g.Segments), numbers(domain[:]))
		}
		g.Points, g.Segments = points, segments
		g.ID = idOr(g.ID, "goal", i+1, k.goalIDs)
		goals = append(goals, g)
	}
	return goals
}

// groupsIn returns the groups that start in the domain.
func (k *sketch) groupsIn(domain Rect) (groups []Group) {
	for i, g := range k.groups {
		box := domain
		switch {
		case g.Spawn.Rect != nil:
			box = *g.Spawn.Rect
		case g.Spawn.Circle != nil:
			box = g.Spawn.Circle.box()
		default:
			count := len(g.Spawn.Points)
			g.Spawn.Points = slices.DeleteFunc(g.Spawn.Points, func(p mgl64.Vec2) bool { return !domain.Contains(p) })
			if g.Count = len(g.Spawn.Points); 0 < g.Count && g.Count < count {
				k.remark(k.groupAt[i], "%d of the %d points to start from are left out: they lie outside the domain, %s", count-g.Count, count, numbers(domain[:]))
			}
		}
		if meets := box[0] < domain[2] && box[2] > domain[0] && box[1] < domain[3] && box[3] > domain[1]; !meets || g.Count == 0 {
			k.remark(k.groupAt[i], "the group is left out: it starts outside the domain, %s", numbers(domain[:]))
			continue
		}
		g.ID = idOr(g.ID, "group", i+1, k.groupIDs)
		groups = append(groups, g)
	}
	return groups
}

// idOr returns an id, or if it is empty one made of a name and a number, from n on, that is not
// taken.
func idOr(id, name string, n int, taken map[string]int) string {
	for ; id == ""; n++ {
		if _, ok := taken[fmt.Sprintf("%s-%d", name, n)]; !ok {
			id = fmt.Sprintf("%s-%d", name, n)
			taken[id] = n
		}
	}
	return id
}

// in returns the part of the segment in a box; false if that has no length. An end that is cut has
// the coordinate of the border.
func (s Segment) in(box Rect) (Segment, bool) {
	for k := range 2 {
		for _, side := range [2]struct{ bound, sign float64 }{{box[k], 1}, {box[k+2], -1}} {
			outside := func(p mgl64.Vec2) bool { return side.sign*(p[k]-side.bound) < 0 }
			if outside(s[0]) && outside(s[1]) {
				return s, false
			}
			for end := range s {
				if a, b := s[end], s[1-end]; outside(a) {
					t := (side.bound - b[k]) / (a[k] - b[k])
					across := b[1-k] + float64(t*(a[1-k]-b[1-k]))
					low, high := min(a[1-k], b[1-k]), max(a[1-k], b[1-k])
					s[end][k], s[end][1-k] = side.bound, min(max(across, low), high) // rounding may lead beyond
				}
			}
		}
	}
	return s, s[0] != s[1]
}
