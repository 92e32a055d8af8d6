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
	places    []int // of the obstacles' shapes, offsets in the file
	goals     []Goal
	groups    []Group
	all       []mgl64.Vec2 // points of every shape
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
	taken := s.id == "" || slices.ContainsFunc(k.obstacles, func(o Obstacle) bool { return o.ID == s.id })
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
		if !taken {
			o.ID, taken = s.id, true
		}
		k.obstacles, k.places = append(k.obstacles, o), append(k.places, s.at)
	}
}

// addGoal makes a source of the shape: its points, its line, the middle of its
// disc, or its outlines. Shapes of one id are sources of one goal.
func (k *sketch) addGoal(s shape, areas []geom.Polygon) {
	i := slices.IndexFunc(k.goals, func(g Goal) bool { return s.id != "" && g.ID == s.id })
	if i < 0 {
		i = len(k.goals)
		g := records[reflect.TypeFor[Goal]()].blank.Interface().(Goal)
		if g.ID = s.id; g.ID == "" {
			g.ID = fmt.Sprintf("goal-%d", i+1)
		}
		k.goals = append(k.goals, g)
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
	if g.ID = s.id; g.ID == "" || slices.ContainsFunc(k.groups, func(o Group) bool { return o.ID == s.id }) {
		g.ID = fmt.Sprintf("group-%d", len(k.groups)+1)
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
	k.groups = append(k.groups, g)
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
// polygons what remains of the domain is obstacles. What obstacles have outside of
// the domain is cut off.
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
	c := &content{domain: domain, goals: k.goals, groups: k.groups}
	if len(k.walkable) > 0 {
		var walkable []geom.Polygon
		for _, p := range k.walkable {
			parts, err := p.Clip(domain.Min(), domain.Max())
			if err != nil {
				return nil, k.wrong(0, "the walkable ground cannot be cut at the domain's border: %s", plain(err))
			}
			walkable = append(walkable, parts...)
		}
		outside, err := k.outside(walkable, domain)
		if err != nil {
			return nil, err
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
			return nil, k.wrong(k.places[i], "the obstacle cannot be cut at the domain's border: %s", plain(err))
		}
		if len(parts) == 0 {
			k.remark(k.places[i], "the obstacle is left out: it lies outside the domain, %s", numbers(domain[:]))
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
