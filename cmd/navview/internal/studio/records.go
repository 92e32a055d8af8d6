package studio

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// List is a list of records of the document.
type List int

// The lists, in the order of the outline.
const (
	None List = iota
	Scene
	Goals
	Groups
	Profiles
	Obstacles
	Gates
	Areas
)

// names of a record of each list, and the field of the document.
var lists = map[List]struct{ one, field string }{
	Scene: {"scene", ""}, Goals: {"goal", "goals"}, Groups: {"group", "groups"}, Profiles: {"profile", "profiles"},
	Obstacles: {"obstacle", "obstacles"}, Gates: {"gate", "gates"}, Areas: {"area", "areas"},
}

func (l List) String() string { return lists[l].one }

// Ref names a record of the document, or an item of one.
type Ref struct {
	List  List
	Index int
	// Item of a goal: its points, then its segments; of a group: its spawn's points. -1: the whole.
	Item int
}

// IsNone reports whether it names nothing.
func (r Ref) IsNone() bool { return r.List == None }

// Whole returns the record that an item is part of.
func (r Ref) Whole() Ref { return Ref{r.List, r.Index, -1} }

// Path returns the path of the record in the document, as problems have it.
func (r Ref) Path() string {
	if r.List == Scene || r.List == None {
		return "$"
	}
	return fmt.Sprintf("$.%s[%d]", lists[r.List].field, r.Index)
}

// There reports whether a scene has what is named.
func (r Ref) There(s *scenes.Scene) bool {
	if r.Index < 0 || r.Index >= count(s, r.List) {
		return false
	}
	return r.Item < items(s, r)
}

// count returns the number of records of a list.
func count(s *scenes.Scene, l List) int {
	switch l {
	case Scene:
		return 1
	case Goals:
		return len(s.Goals)
	case Groups:
		return len(s.Groups)
	case Profiles:
		return len(s.Profiles)
	case Obstacles:
		return len(s.Obstacles)
	case Gates:
		return len(s.Gates)
	case Areas:
		return len(s.Areas)
	}
	return 0
}

// items returns the number of items of a record.
func items(s *scenes.Scene, r Ref) int {
	switch r.List {
	case Goals:
		return len(s.Goals[r.Index].Points) + len(s.Goals[r.Index].Segments)
	case Groups:
		return len(s.Groups[r.Index].Spawn.Points)
	}
	return 0
}

// All returns the whole records of a list.
func All(s *scenes.Scene, l List) []Ref {
	all := make([]Ref, count(s, l))
	for i := range all {
		all[i] = Ref{l, i, -1}
	}
	return all
}

// id returns where a scene has the id of a record; nil: it has none.
func (r Ref) id(s *scenes.Scene) *string {
	switch r.List {
	case Scene:
		return &s.Name
	case Goals:
		return &s.Goals[r.Index].ID
	case Groups:
		return &s.Groups[r.Index].ID
	case Profiles:
		return &s.Profiles[r.Index].ID
	case Obstacles:
		return &s.Obstacles[r.Index].ID
	case Gates:
		return &s.Gates[r.Index].ID
	case Areas:
		return &s.Areas[r.Index].ID
	}
	return nil
}

// Name returns what people call a record.
func (r Ref) Name(s *scenes.Scene) string {
	if id := r.id(s); id != nil && *id != "" {
		return *id
	}
	return fmt.Sprintf("%s %d", r.List, r.Index+1)
}

// Figures returns the figures of a record, or of an item of it; those of a whole goal are its items.
func (r Ref) Figures(s *scenes.Scene) []Figure {
	if n := items(s, r); r.Item < 0 && n > 0 {
		var all []Figure
		for i := range n {
			all = append(all, Ref{r.List, r.Index, i}.Figure(s))
		}
		return all
	}
	if f := r.Figure(s); f.Kind != NoFigure {
		return []Figure{f}
	}
	return nil
}

// Figure returns the figure of an item, or of a record without items.
func (r Ref) Figure(s *scenes.Scene) Figure {
	switch r.List {
	case Scene:
		return rectOf(s.Domain)
	case Obstacles:
		o := s.Obstacles[r.Index]
		switch {
		case o.Rect != nil:
			return rectOf(*o.Rect)
		case o.Circle != nil:
			return Figure{Kind: Circle, Points: []mgl64.Vec2{o.Circle.Center}, Radius: o.Circle.Radius}
		}
		return Figure{Kind: Polygon, Points: o.Outline, Holes: o.Holes}
	case Goals:
		g := s.Goals[r.Index]
		if r.Item < 0 {
			return Figure{}
		}
		if i := r.Item - len(g.Points); i >= 0 {
			return Figure{Kind: Line, Points: g.Segments[i][:]}
		}
		return Figure{Kind: Point, Points: g.Points[r.Item : r.Item+1]}
	case Groups:
		return spawnFigure(s.Groups[r.Index].Spawn, r.Item)
	case Gates:
		return Figure{Kind: Line, Points: s.Gates[r.Index].Line[:]}
	case Areas:
		return rectOf(s.Areas[r.Index].Rect)
	}
	return Figure{}
}

func spawnFigure(p scenes.Spawn, item int) Figure {
	disc := func(d *scenes.Disc) Figure {
		return Figure{Kind: Circle, Points: []mgl64.Vec2{d.Center}, Radius: d.Radius}
	}
	switch {
	case p.Rect != nil:
		return rectOf(*p.Rect)
	case p.Grid != nil:
		return rectOf(p.Grid.Rect)
	case p.Circle != nil:
		return disc(p.Circle)
	case p.Ring != nil:
		return disc(p.Ring)
	case p.Polygon != nil:
		return Figure{Kind: Polygon, Points: p.Polygon}
	case item >= 0:
		return Figure{Kind: Point, Points: p.Points[item : item+1]}
	}
	return Figure{}
}

// SetFigure changes a scene so that an item, or a record without items, has a figure of a kind that
// it can have.
func (r Ref) SetFigure(s *scenes.Scene, f Figure) {
	f = f.Clone()
	switch r.List {
	case Scene:
		s.Domain = f.rect()
	case Obstacles:
		o := &s.Obstacles[r.Index]
		sides := 32
		if o.Circle != nil {
			sides = o.Circle.Sides
		}
		o.Rect, o.Circle, o.Outline, o.Holes = nil, nil, nil, nil
		switch f.Kind {
		case Rect:
			box := f.rect()
			o.Rect = &box
		case Circle:
			o.Circle = &scenes.Circle{Center: f.Points[0], Radius: f.Radius, Sides: sides}
		default:
			o.Outline, o.Holes = f.Points, f.Holes
		}
	case Goals:
		g := &s.Goals[r.Index]
		if i := r.Item - len(g.Points); i >= 0 {
			g.Segments[i] = scenes.Segment{f.Points[0], f.Points[1]}
		} else {
			g.Points[r.Item] = f.Points[0]
		}
	case Groups:
		setSpawn(&s.Groups[r.Index].Spawn, r.Item, f)
	case Gates:
		s.Gates[r.Index].Line = scenes.Segment{f.Points[0], f.Points[1]}
	case Areas:
		s.Areas[r.Index].Rect = f.rect()
	}
}

func setSpawn(p *scenes.Spawn, item int, f Figure) {
	switch {
	case f.Kind == Point:
		p.Points[item] = f.Points[0]
	case p.Grid != nil && f.Kind == Rect:
		p.Grid.Rect = f.rect()
	case p.Ring != nil && f.Kind == Circle:
		p.Ring = &scenes.Disc{Center: f.Points[0], Radius: f.Radius}
	default:
		*p = SpawnOf(f)
	}
}

// SpawnOf returns the spawn that spreads agents over a figure with an area.
func SpawnOf(f Figure) scenes.Spawn {
	switch f.Kind {
	case Rect:
		box := f.rect()
		return scenes.Spawn{Rect: &box}
	case Circle:
		return scenes.Spawn{Circle: &scenes.Disc{Center: f.Points[0], Radius: f.Radius}}
	}
	return scenes.Spawn{Polygon: f.Points}
}

// transform changes all figures of a record.
func (r Ref) transform(s *scenes.Scene, to func(Figure) Figure) {
	if n := items(s, r); r.Item < 0 && n > 0 {
		for i := range n {
			Ref{r.List, r.Index, i}.transform(s, to)
		}
		return
	}
	if f := r.Figure(s); f.Kind != NoFigure {
		r.SetFigure(s, to(f))
	}
}

// moved moves a record, with the pivot of its motion.
func (r Ref) moved(s *scenes.Scene, by mgl64.Vec2) {
	if r.List == Obstacles {
		s.Obstacles[r.Index] = s.Obstacles[r.Index].Moved(by)
		return
	}
	r.transform(s, func(f Figure) Figure { return f.Moved(by) })
}

// removed removes records and items from a scene. Profiles that groups have, and the last goal and
// profile, stay: that is a fault of the document otherwise.
func removed(s *scenes.Scene, refs []Ref) {
	refs = slices.Clone(refs)
	slices.SortFunc(refs, func(a, b Ref) int { // the last first, so that indices stay good
		if a.List != b.List || a.Index != b.Index {
			return (int(b.List)-int(a.List))*1e6 + b.Index - a.Index
		}
		return b.Item - a.Item
	})
	for _, r := range slices.Compact(refs) {
		if !r.There(s) {
			continue
		}
		if r.Item >= 0 && items(s, r) > 1 {
			removedItem(s, r)
			continue
		}
		i := r.Index
		switch r.List {
		case Goals:
			s.Goals = slices.Delete(s.Goals, i, i+1)
		case Groups:
			s.Groups = slices.Delete(s.Groups, i, i+1)
		case Profiles:
			s.Profiles = slices.Delete(s.Profiles, i, i+1)
		case Obstacles:
			s.Obstacles = slices.Delete(s.Obstacles, i, i+1)
		case Gates:
			s.Gates = slices.Delete(s.Gates, i, i+1)
		case Areas:
			s.Areas = slices.Delete(s.Areas, i, i+1)
		}
	}
}

func removedItem(s *scenes.Scene, r Ref) {
	switch r.List {
	case Goals:
		g := &s.Goals[r.Index]
		if i := r.Item - len(g.Points); i >= 0 {
			g.Segments = slices.Delete(g.Segments, i, i+1)
		} else {
			g.Points = slices.Delete(g.Points, r.Item, r.Item+1)
		}
	case Groups:
		p := &s.Groups[r.Index]
		p.Spawn.Points = slices.Delete(p.Spawn.Points, r.Item, r.Item+1)
		p.Count = len(p.Spawn.Points)
	}
}

// copied adds copies of records to a scene, moved by an offset, and returns them. Copies have ids of
// their own.
func copied(s *scenes.Scene, refs []Ref, by mgl64.Vec2) (copies []Ref) {
	for _, r := range refs {
		if !r.There(s) || r.List == Scene {
			continue
		}
		from := s.Clone() // its records share nothing with those of s
		to := Ref{r.List, count(s, r.List), -1}
		switch r.List {
		case Goals:
			s.Goals = append(s.Goals, from.Goals[r.Index])
		case Groups:
			s.Groups = append(s.Groups, from.Groups[r.Index])
		case Profiles:
			s.Profiles = append(s.Profiles, from.Profiles[r.Index])
		case Obstacles:
			s.Obstacles = append(s.Obstacles, from.Obstacles[r.Index])
		case Gates:
			s.Gates = append(s.Gates, from.Gates[r.Index])
		case Areas:
			s.Areas = append(s.Areas, from.Areas[r.Index])
		}
		if id := to.id(s); *id != "" {
			*id = freeID(s, r.List, *id)
		}
		to.moved(s, by)
		copies = append(copies, to)
	}
	return copies
}

// freeID returns an id that no record of a list but the last has: a stem, or with a number behind.
func freeID(s *scenes.Scene, l List, stem string) string {
	taken := func(id string) bool {
		for _, r := range All(s, l)[:max(0, count(s, l)-1)] {
			if *r.id(s) == id {
				return true
			}
		}
		return false
	}
	for k, id := 2, stem; ; k++ {
		if !taken(id) {
			return id
		}
		id = fmt.Sprintf("%s-%d", stem, k)
	}
}

// numberedID returns the first of NAME-1, NAME-2, ... that no record of a list but the last has.
func numberedID(s *scenes.Scene, l List, name string) string {
	for k := 1; ; k++ {
		if id := fmt.Sprintf("%s-%d", name, k); freeID(s, l, id) == id {
			return id
		}
	}
}

// Find returns what is at a place, within a reach in meters: items of goals, gates, obstacles and
// spawns in this order, of those the nearest, and the last of the document that covers it.
func Find(s *scenes.Scene, p mgl64.Vec2, reach float64, seen func(Ref) bool) Ref {
	for _, l := range []List{Goals, Gates, Obstacles, Groups, Areas} {
		best, least := Ref{}, reach
		if l == Obstacles || l == Groups || l == Areas {
			least = reach / 2 // they have an area to point at
		}
		for _, r := range All(s, l) {
			if seen != nil && !seen(r) {
				continue
			}
			parts := []Ref{r}
			if n := items(s, r); n > 0 {
				parts = parts[:0]
				for i := range n {
					parts = append(parts, Ref{l, r.Index, i})
				}
			}
			for _, part := range parts {
				f := part.Figure(s)
				if f.Kind == NoFigure {
					continue
				}
				if d := f.Distance(p); d < least || d == least && !math.IsInf(d, 0) {
					best, least = part, d
				}
			}
		}
		if !best.IsNone() {
			return best
		}
	}
	return Ref{}
}

// Within returns the records all of whose figures lie in a box.
func Within(s *scenes.Scene, box scenes.Rect, seen func(Ref) bool) (all []Ref) {
	for _, l := range []List{Goals, Groups, Obstacles, Gates, Areas} {
		for _, r := range All(s, l) {
			figures := r.Figures(s)
			outside := slices.ContainsFunc(figures, func(f Figure) bool { return !box.Holds(f.Box()) })
			if len(figures) > 0 && !outside && (seen == nil || seen(r)) {
				all = append(all, r)
			}
		}
	}
	return all
}
