package studio

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// SetKind gives records another one of the fields of which exactly one is given, at the same place of
// the ground: a wall that was a rectangle becomes a circle.
func (s *Studio) SetKind(refs []Ref, at Place, kind string) error {
	return s.Change(fmt.Sprintf("make %s a %s", s.title(refs), kind), func(to *scenes.Scene) {
		for _, r := range refs {
			v := r.Value(to, at)
			if _, has := Kinds(v); has == kind {
				continue
			}
			switch x := v.Addr().Interface().(type) {
			case *scenes.Obstacle:
				r.SetFigure(to, r.Figure(to).as(kind))
			case *scenes.Spawn:
				*x = spawnAs(*x, kind, to.Groups[r.Index].Count)
				r.follow(to, at)
			case *scenes.Motion:
				moveAs(x, kind)
			}
		}
	})
}

// as returns a figure of a kind, as fields are called, in the same box.
func (f Figure) as(kind string) Figure {
	box := f.Box()
	switch {
	case kind == "rect":
		return rectOf(box)
	case kind == "circle" && f.Kind != Circle:
		return Figure{Kind: Circle, Points: []mgl64.Vec2{f.Center()}, Radius: math.Min(box[2]-box[0], box[3]-box[1]) / 2}
	case kind == "polygon" && f.Kind == Circle:
		var outline []mgl64.Vec2
		for _, l := range f.Lines() {
			outline = append(outline, l[0])
		}
		return Figure{Kind: Polygon, Points: outline}
	case kind == "polygon":
		return Figure{Kind: Polygon, Points: f.Corners()}
	}
	return f
}

// maxPoints is how many points a spawn gets that becomes one of points.
const maxPoints = 1000

// spawnAs returns the spawn of a kind where another one is.
func spawnAs(p scenes.Spawn, kind string, count int) scenes.Spawn {
	f := spawnFigure(p, 0)
	if p.Points != nil {
		box := scenes.Around(p.Points)
		f = RectFigure(box.Min().Sub(mgl64.Vec2{0.5, 0.5}), box.Max().Add(mgl64.Vec2{0.5, 0.5}))
	}
	box := f.Box()
	count = max(count, 1)
	grid := scenes.Grid{Rect: box, Spacing: math.Sqrt((box[2] - box[0]) * (box[3] - box[1]) / float64(count))} // at least count points
	switch kind {
	case "ring":
		f = f.as("circle")
		return scenes.Spawn{Ring: &scenes.Disc{Center: f.Points[0], Radius: f.Radius}}
	case "grid":
		return scenes.Spawn{Grid: &grid}
	case "points":
		points := make([]mgl64.Vec2, min(count, maxPoints))
		for i := range points {
			x, y := float64(i%grid.Columns()), float64(i/grid.Columns())
			points[i] = box.Min().Add(mgl64.Vec2{x, y}.Mul(grid.Spacing))
		}
		return scenes.Spawn{Points: points}
	}
	return SpawnOf(f.as(kind))
}

// moveAs makes keyframes of a path, or a path of keyframes.
func moveAs(m *scenes.Motion, kind string) {
	if kind == "path" {
		length, last := 0.0, len(m.Keyframes)-1
		for i, k := range m.Keyframes {
			m.Path = append(m.Path, k.Offset)
			length += k.Offset.Sub(m.Keyframes[max(0, i-1)].Offset).Len()
		}
		m.Speed = 1
		if length > 0 {
			m.Speed = length / (m.Keyframes[last].Time - m.Keyframes[0].Time)
		}
		m.Keyframes, m.Pivot = nil, nil
		return
	}
	t := 0.0
	for i, p := range m.Path {
		t += p.Sub(m.Path[max(0, i-1)]).Len() / m.Speed
		m.Keyframes = append(m.Keyframes, scenes.Keyframe{Time: t, Offset: p})
	}
	m.Path, m.Speed = nil, 0
}

// Give adds what records may leave out, as it is without a word about it, or removes it.
func (s *Studio) Give(refs []Ref, at Place, given bool) error {
	title := fmt.Sprintf("add %s to %s", at.Name(), s.title(refs))
	if !given {
		title = fmt.Sprintf("remove %s of %s", at.Name(), s.title(refs))
	}
	return s.Change(title, func(to *scenes.Scene) {
		for _, r := range refs {
			v := r.Value(to, at)
			if !v.IsValid() || given == !v.IsNil() {
				continue
			}
			v.SetZero()
			if given {
				v.Set(reflect.New(v.Type().Elem()))
				r.begin(to, v)
			}
		}
	})
}

// begin fills what has been added.
func (r Ref) begin(s *scenes.Scene, v reflect.Value) {
	switch x := v.Interface().(type) {
	case *scenes.Motion:
		*x = scenes.Default[scenes.Motion]()
		x.Path, x.Speed = []mgl64.Vec2{{}, {2, 0}}, 1
	case *scenes.Service:
		x.Time, x.Places = scenes.Exactly(10), 1
	case *mgl64.Vec2: // the pivot
		*x = r.Figure(s).Center()
	default:
		v.Elem().Set(scenes.Defaults(v.Elem()))
	}
}

// Grow adds an item to a list of records, next to the last one.
func (s *Studio) Grow(refs []Ref, at Place) error {
	place := s.Free(s.middle(), 0.5, Obstacles)
	return s.Change(fmt.Sprintf("add to %s of %s", at.Name(), s.title(refs)), func(to *scenes.Scene) {
		for _, r := range refs {
			if v := r.Value(to, at); v.IsValid() {
				r.grow(to, v, at, place)
				r.follow(to, at)
			}
		}
	})
}

func (r Ref) grow(s *scenes.Scene, v reflect.Value, at Place, place mgl64.Vec2) {
	east := mgl64.Vec2{1, 0}
	switch list := v.Addr().Interface().(type) {
	case *[]mgl64.Vec2:
		next := place
		if n := len(*list); n > 0 {
			next = (*list)[n-1].Add(east)
			if name := at.Name(); name == "polygon" || name == "holes" {
				next = (*list)[n-1].Add((*list)[0]).Mul(0.5)
			}
		}
		*list = append(*list, next)
	case *[][]mgl64.Vec2:
		f := r.Figure(s)
		box, c := f.Box(), f.Center()
		quarter := box.Max().Sub(box.Min()).Mul(0.125)
		*list = append(*list, RectFigure(c.Sub(quarter), c.Add(quarter)).Corners())
	case *[]scenes.Segment:
		next := scenes.Segment{place, place.Add(east)}
		if n := len(*list); n > 0 {
			for k, p := range (*list)[n-1] {
				next[k] = p.Add(east)
			}
		}
		*list = append(*list, next)
	case *[]scenes.Interval:
		from := 10.0
		if n := len(*list); n > 0 {
			from += (*list)[n-1][1]
		}
		*list = append(*list, scenes.Interval{from, from + 10})
	case *[]string:
		*list = append(*list, s.Goals[0].ID)
	case *[]scenes.Route:
		next := scenes.Route{Itinerary: []string{s.Goals[len(*list)%len(s.Goals)].ID}, Share: 1}
		if own := s.Groups[r.Index].Itinerary; len(*list) == 0 && len(own) > 0 {
			next.Itinerary = own
		}
		*list = append(*list, next)
	case *[]scenes.Keyframe:
		*list = append(*list, scenes.Keyframe{})
		if n := len(*list); n > 1 {
			(*list)[n-1] = (*list)[n-2]
			(*list)[n-1].Time++
		}
	case *[]scenes.Sample:
		next := scenes.Sample{0, 1, 0, 0}
		if n := len(*list); n > 0 {
			next = (*list)[n-1]
			next[0]++
		}
		*list = append(*list, next)
	}
}

// Shrink removes an item of a list of records.
func (s *Studio) Shrink(refs []Ref, at Place, i int) error {
	return s.Change(fmt.Sprintf("remove from %s of %s", at.Name(), s.title(refs)), func(to *scenes.Scene) {
		for _, r := range refs {
			if v := r.Value(to, at); v.IsValid() && i < v.Len() {
				v.Set(reflect.AppendSlice(v.Slice(0, i), v.Slice(i+1, v.Len())))
				r.follow(to, at)
			}
		}
	})
}

// Add adds a record to a list, in the middle of what is seen, and selects it.
func (s *Studio) Add(l List) error {
	at := s.Free(s.middle(), map[List]float64{Groups: 2.5}[l]+0.75, Obstacles, Goals, Groups)
	half := func(side float64) scenes.Rect {
		by := mgl64.Vec2{side / 2, side / 2}
		return RectFigure(at.Sub(by), at.Add(by)).rect()
	}
	var added Ref
	err := s.Change("add a "+l.String(), func(to *scenes.Scene) {
		switch l {
		case Goals:
			g := scenes.Default[scenes.Goal]()
			g.Points = []mgl64.Vec2{at}
			to.Goals = append(to.Goals, g)
		case Groups:
			g := scenes.Default[scenes.Group]()
			box := half(5)
			g.Count, g.Spawn.Rect = 10, &box
			g.Profile, g.Itinerary = to.Profiles[0].ID, []string{to.Goals[0].ID}
			to.Groups = append(to.Groups, g)
		case Profiles:
			to.Profiles = append(to.Profiles, scenes.DefaultProfile())
		case Obstacles:
			box := half(1)
			to.Obstacles = append(to.Obstacles, scenes.Obstacle{Rect: &box})
		case Gates:
			by := mgl64.Vec2{0, 1}
			to.Gates = append(to.Gates, scenes.Gate{Line: scenes.Segment{at.Sub(by), at.Add(by)}})
		case Areas:
			to.Areas = append(to.Areas, scenes.Area{Rect: half(2)})
		}
		added = Ref{l, count(to, l) - 1, -1}
		*added.id(to) = freeID(to, l, l.String())
	})
	if err == nil && added.There(s.Scene()) {
		s.Select(added)
	}
	return err
}

// middle returns the middle of what panels leave of the ground.
func (s *Studio) middle() mgl64.Vec2 {
	in, c := s.Inset, s.Camera
	return c.World((in.Left+float64(c.Width)-in.Right)/2, (in.Top+float64(c.Height)-in.Bottom)/2)
}

// Free returns a place near another one that is a clearance away from the figures of lists, as they
// are in the document, and from the border; the given one where no such place is found. Unit: m.
func (s *Studio) Free(p mgl64.Vec2, clearance float64, of ...List) mgl64.Vec2 {
	scene := s.Scene()
	low, high := scene.Min().Add(mgl64.Vec2{clearance, clearance}), scene.Max().Sub(mgl64.Vec2{clearance, clearance})
	var figures []Figure
	for _, l := range of {
		for _, r := range All(scene, l) {
			figures = append(figures, r.Figures(scene)...)
		}
	}
	free := func(q mgl64.Vec2) bool {
		return scenes.Rect{low[0], low[1], high[0], high[1]}.Contains(q) &&
			!slices.ContainsFunc(figures, func(f Figure) bool { return f.Distance(q) < clearance })
	}
	const rings, around = 80, 24
	size := high.Sub(low)
	for k := range rings {
		share := float64(k) / rings
		radius := max(size[0], size[1]) * share * share // denser near by
		for i := range around {
			if q := scenes.OnCircle(p, radius, i, around); free(q) {
				return q
			}
		}
	}
	return p
}
