package plan

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// Sketch collects the shapes of a drawing, in which each shape has a role.
type Sketch struct {
	*Source
	Walkable  []geom.Polygon // ground; the rest of the domain is obstacles
	Sheet     *scenes.Rect   // that is drawn on; nil: not known
	domain    *scenes.Rect   // that the file names
	obstacles list[scenes.Obstacle]
	goals     list[scenes.Goal]
	groups    list[scenes.Group]
	all       []geom.Ring // points of every shape
	farAt     int         // offset of the shape that needs the largest reach, see reachOf
	far       float64     // that reach
}

// list is what a sketch has of one kind. Items have no id where the file gives none.
type list[T any] struct {
	items []T
	at    []int          // offsets of the shapes that they come from, of the first of several
	ids   map[string]int // that are taken, with the index of the item
}

func (l *list[T]) add(at int, items ...T) {
	for _, item := range items {
		l.items, l.at = append(l.items, item), append(l.at, at)
	}
}

// take returns an id that is not taken yet, and takes it for the next item; "" if it is taken.
func (l *list[T]) take(id string) string {
	if _, twice := l.ids[id]; id == "" || twice {
		return ""
	}
	if l.ids == nil {
		l.ids = map[string]int{}
	}
	l.ids[id] = len(l.items)
	return id
}

// takeAny returns an id, or if it is empty one made of a name and a number, from n on.
func (l *list[T]) takeAny(id, name string, n int) string {
	for ; id == ""; n++ {
		id = l.take(fmt.Sprintf("%s-%d", name, n))
	}
	return id
}

// Shape is one shape of a drawing, in meters. One of its forms is given.
type Shape struct {
	At    int // offset in the file
	Role  Role
	ID    string
	Count int // of agents that start there

	Clearance, ArrivalRadius *float64 // of a goal, meters; nil: not given

	Points   []mgl64.Vec2   // single points
	Line     []mgl64.Vec2   // a line through points
	Polygons []geom.Polygon // rings without their closing vertex
	Rect     *scenes.Rect
	Disc     *scenes.Disc
}

// obstacle returns the shape as an obstacle, if it is a rectangle or a disc.
func (s Shape) obstacle() (scenes.Obstacle, bool) {
	switch {
	case s.Rect != nil:
		return scenes.Obstacle{Rect: s.Rect}, true
	case s.Disc != nil:
		return scenes.Obstacle{Circle: &scenes.Circle{Center: s.Disc.Center, Radius: s.Disc.Radius, Sides: 32}}, true
	}
	return scenes.Obstacle{}, false
}

// Add adds a shape as its role says.
func (k *Sketch) Add(s Shape) {
	if s.Role == RoleNone {
		return
	}
	areas := s.Polygons
	o, round := s.obstacle()
	if round {
		areas = []geom.Polygon{o.Polygon()}
	}
	far := coarsest(s.Line, false)
	for i, p := range areas {
		if err := p.Check(); err != nil {
			k.Fail(s.At, "%s", text.Plain(err))
			return
		}
		areas[i], _ = p.Merged()
		k.all = append(k.all, areas[i].Outer)
		for _, ring := range areas[i].Rings() {
			far = max(far, coarsest(ring, true))
		}
	}
	k.all = append(k.all, s.Points, s.Line)
	if far > k.far {
		k.farAt, k.far = s.At, far
	}
	switch {
	case s.Role == RoleGoal:
		k.addGoal(s, areas)
	case s.Role == RoleSpawn:
		k.addSpawn(s)
	case areas == nil:
		k.Fail(s.At, "the role %s needs a shape with an inside, not points or a line", s.Role)
	case s.Role == RoleWalkable:
		k.Walkable = append(k.Walkable, areas...)
	case s.Role == RoleDomain:
		box := BoxOf(outers(areas)...)
		k.domain = &box
	default:
		parts := obstaclesOf(areas)
		if round {
			parts = []scenes.Obstacle{o}
		}
		for i := range parts {
			parts[i].ID = k.obstacles.take(s.ID)
		}
		k.obstacles.add(s.At, parts...)
	}
}

// addGoal makes sources of the shape: its points, its line, the middle of its disc, or its
// outlines. Shapes of one id are sources of one goal.
func (k *Sketch) addGoal(s Shape, areas []geom.Polygon) {
	i, known := k.goals.ids[s.ID]
	if !known {
		i = len(k.goals.items)
		g := scenes.Default[scenes.Goal]()
		g.ID = k.goals.take(s.ID)
		k.goals.add(s.At, g)
	}
	g := &k.goals.items[i]
	g.Points = append(g.Points, s.Points...)
	for n := 1; n < len(s.Line); n++ {
		g.Segments = append(g.Segments, scenes.Segment{s.Line[n-1], s.Line[n]})
	}
	if s.Disc != nil {
		g.Points, g.ArrivalRadius = append(g.Points, s.Disc.Center), s.Disc.Radius
		areas = nil
	}
	if s.Clearance != nil {
		g.Clearance = *s.Clearance
	}
	if s.ArrivalRadius != nil {
		g.ArrivalRadius = *s.ArrivalRadius
	}
	for _, ring := range outers(areas) {
		for n, v := range ring {
			g.Segments = append(g.Segments, scenes.Segment{v, ring[(n+1)%len(ring)]})
		}
	}
}

func (k *Sketch) addSpawn(s Shape) {
	g := scenes.Default[scenes.Group]()
	g.ID = k.groups.take(s.ID)
	g.Count = max(1, s.Count)
	switch {
	case s.Rect != nil:
		g.Spawn.Rect = s.Rect
	case s.Disc != nil:
		g.Spawn.Circle = s.Disc
	case s.Points != nil:
		g.Spawn.Points, g.Count = s.Points, len(s.Points)
	case len(s.Polygons) == 1 && IsRect(s.Polygons[0]):
		box := BoxOf(s.Polygons[0].Outer)
		g.Spawn.Rect = &box
	case len(s.Polygons) == 1 && len(s.Polygons[0].Holes) == 0:
		g.Spawn.Polygon = s.Polygons[0].Outer
	default:
		k.Fail(s.At, "people start in polygons without holes, in circles or on points: this is none of them")
	}
	k.groups.add(s.At, g)
}

// HasGoals reports whether a shape has been added as a goal.
func (k *Sketch) HasGoals() bool { return len(k.goals.items) > 0 }

// Scene returns what the shapes say of a scene. The domain is the one that the file names, or
// else the bounding box of the walkable polygons, or the sheet that it is drawn on, or the bounding
// box of all shapes. Where there are walkable polygons the rest of the domain is obstacles. What
// obstacles and the lines of goals have outside of the domain is cut off; what lies outside
// altogether is noted.
func (k *Sketch) Scene() *scenes.Scene {
	domain := BoxOf(k.all...)
	switch {
	case k.domain != nil:
		domain = *k.domain
	case len(k.Walkable) > 0:
		domain = BoxOf(outers(k.Walkable)...)
	case k.Sheet != nil:
		domain = *k.Sheet
	case domain[0] > domain[2]:
		k.Fail(0, "nothing is drawn: there is no shape with a role")
		return nil
	}
	if _, err := geom.NewLattice(domain.Min(), domain.Max()); err != nil {
		k.Fail(0, "no ground can be made of this: %s", text.Plain(err))
		return nil
	}
	if bound := reachOf(domain); k.far > bound {
		k.outOfReach(k.farAt, bound)
		return nil
	}
	s := scenes.New(domain)
	s.Goals, s.Groups = k.goalsIn(domain), k.groupsIn(domain)
	if len(k.Walkable) > 0 {
		outside, err := Outside(k.Walkable, domain)
		if err != nil {
			k.Fail(0, "the outside of the walkable polygons cannot be found: %s", text.Plain(err))
			return nil
		}
		s.Obstacles = obstaclesOf(outside)
	}
	for i, o := range k.obstacles.items {
		parts, err := cutObstacle(o, domain)
		if err != nil {
			k.Fail(k.obstacles.at[i], "the obstacle cannot be cut at the domain's border: %s", text.Plain(err))
		}
		if len(parts) == 0 {
			k.Notef(k.obstacles.at[i], "the obstacle is left out: it lies outside the domain, %s", domain)
			continue
		}
		parts[0].ID = o.ID
		s.Obstacles = append(s.Obstacles, parts...)
	}
	return s
}

// cutObstacle returns what an obstacle has in the domain.
func cutObstacle(o scenes.Obstacle, domain scenes.Rect) ([]scenes.Obstacle, error) {
	p := o.Polygon()
	if domain.Holds(BoxOf(p.Outer)) {
		return []scenes.Obstacle{o}, nil
	}
	polygons, err := p.Clip(domain.Min(), domain.Max())
	parts := obstaclesOf(polygons)
	for n := range parts {
		if o.Rect != nil {
			box := BoxOf(parts[n].Outline)
			parts[n] = scenes.Obstacle{Rect: &box}
		}
	}
	return parts, err
}

// goalsIn returns the goals with the sources that they have in the domain.
func (k *Sketch) goalsIn(domain scenes.Rect) (goals []scenes.Goal) {
	for i, g := range k.goals.items {
		all := len(g.Points) + len(g.Segments)
		g.Points = slices.DeleteFunc(g.Points, func(p mgl64.Vec2) bool { return !domain.Contains(p) })
		var segments []scenes.Segment
		for _, s := range g.Segments {
			if part, ok := partIn(s, domain); ok {
				segments = append(segments, part)
			}
		}
		g.Segments = segments
		switch left := len(g.Points) + len(segments); {
		case left == 0:
			k.Notef(k.goals.at[i], "the goal is left out: it lies outside the domain, %s", domain)
			continue
		case left < all:
			k.Notef(k.goals.at[i], "%d of the goal's %d sources are left out: they lie outside the domain, %s", all-left, all, domain)
		}
		g.ID = k.goals.takeAny(g.ID, "goal", i+1)
		goals = append(goals, g)
	}
	return goals
}

// groupsIn returns the groups that start in the domain.
func (k *Sketch) groupsIn(domain scenes.Rect) (groups []scenes.Group) {
	for i, g := range k.groups.items {
		box := domain
		switch {
		case g.Spawn.Rect != nil:
			box = *g.Spawn.Rect
		case g.Spawn.Circle != nil:
			box = g.Spawn.Circle.Box()
		case g.Spawn.Polygon != nil:
			box = BoxOf(g.Spawn.Polygon)
		default:
			count := len(g.Spawn.Points)
			g.Spawn.Points = slices.DeleteFunc(g.Spawn.Points, func(p mgl64.Vec2) bool { return !domain.Contains(p) })
			if g.Count = len(g.Spawn.Points); 0 < g.Count && g.Count < count {
				k.Notef(k.groups.at[i], "%d of the %d points to start from are left out: they lie outside the domain, %s", count-g.Count, count, domain)
			}
		}
		if !domain.Meets(box) || g.Count == 0 {
			k.Notef(k.groups.at[i], "the group is left out: it starts outside the domain, %s", domain)
			continue
		}
		g.ID = k.groups.takeAny(g.ID, "group", i+1)
		groups = append(groups, g)
	}
	return groups
}
