package studio

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/wayfront/wayfront/scenes"
)

// Place is where a value is in a record, as paths of problems go on behind that of the record: "" is
// the record, ".spawn.rect" the rectangle of a group's spawn, ".points[2]" an item of a list.
type Place string

// Field returns the place of a field of what is at the place.
func (p Place) Field(name string) Place { return p + Place("."+name) }

// Item returns the place of an item of the list at the place.
func (p Place) Item(i int) Place { return p + Place(fmt.Sprintf("[%d]", i)) }

// Name returns the last field of the place.
func (p Place) Name() string {
	name, _, _ := strings.Cut(string(p[strings.LastIndexByte(string(p), '.')+1:]), "[")
	return name
}

// infos are the structs of the document.
var infos = sync.OnceValue(func() map[reflect.Type]scenes.RecordInfo {
	all := map[reflect.Type]scenes.RecordInfo{}
	for _, info := range scenes.Records() {
		all[info.Type] = info
	}
	return all
})

// member returns a field by its name in the document.
func member(v reflect.Value, name string) reflect.Value {
	fields := infos()[v.Type()].Fields
	i := slices.IndexFunc(fields, func(f scenes.FieldInfo) bool { return f.Name == name })
	if i < 0 {
		return reflect.Value{}
	}
	return v.FieldByIndex(fields[i].Index)
}

// Value returns what a record of a scene has at a place; the zero Value where it has nothing there.
func (r Ref) Value(s *scenes.Scene, at Place) reflect.Value {
	if !r.There(s) || r.IsNone() {
		return reflect.Value{}
	}
	v := reflect.ValueOf(s).Elem()
	if r.List != Scene {
		v = member(v, lists[r.List].field).Index(r.Index)
	}
	for _, step := range strings.FieldsFunc(string(at), func(c rune) bool { return strings.ContainsRune(".[]", c) }) {
		for v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		switch i, err := strconv.Atoi(step); {
		case v.Kind() == reflect.Struct:
			v = member(v, step)
		case (v.Kind() == reflect.Slice || v.Kind() == reflect.Array) && err == nil && 0 <= i && i < v.Len():
			v = v.Index(i)
		default:
			return reflect.Value{}
		}
	}
	return v
}

// Mixed reports whether records differ at a place.
func Mixed(s *scenes.Scene, refs []Ref, at Place) bool {
	if len(refs) < 2 {
		return false
	}
	first := refs[0].Value(s, at)
	return slices.ContainsFunc(refs[1:], func(r Ref) bool {
		v := r.Value(s, at)
		return v.IsValid() != first.IsValid() || v.IsValid() && !reflect.DeepEqual(v.Interface(), first.Interface())
	})
}

// Set returns the change that gives records a value at a place, as far as they have the place.
func Set(refs []Ref, at Place, value any) func(*scenes.Scene) {
	return func(s *scenes.Scene) {
		for _, r := range refs {
			if v := r.Value(s, at); v.IsValid() {
				v.Set(reflect.ValueOf(value))
				r.follow(s, at)
			}
		}
	}
}

// follow changes what has to change with a field: a group with a goal that is no place has no
// itinerary, and all agents of a spawn of points have one.
func (r Ref) follow(s *scenes.Scene, at Place) {
	if r.List != Groups {
		return
	}
	g := &s.Groups[r.Index]
	switch {
	case g.Goal != "":
		g.Itinerary, g.Routes = nil, nil
	case len(g.Routes) > 0:
		g.Itinerary = nil
	}
	if at == ".spawn" || at == ".spawn.points" {
		if n := len(g.Spawn.Points); n > 0 {
			g.Count = n
		}
	}
}

// refused says why a field cannot be a number; "" if it can.
func refused(f scenes.FieldInfo, x float64) string {
	if f.Above != nil && !(x > *f.Above) || f.Min != nil && !(x >= *f.Min) || f.Max != nil && !(x <= *f.Max) || f.Below != nil && !(x < *f.Below) {
		return fmt.Sprintf("%s has to be %s, got %g", f.Name, f.Limits(), x)
	}
	return ""
}

// ListOf returns the list whose ids a field has, or a list of ids; None for other fields.
func ListOf(record reflect.Type, f scenes.FieldInfo) List {
	if record == reflect.TypeFor[scenes.Group]() {
		switch f.Name {
		case "profile":
			return Profiles
		case "itinerary":
			return Goals
		}
	}
	if record == reflect.TypeFor[scenes.Route]() && f.Name == "itinerary" {
		return Goals
	}
	return None
}

// Resets reports whether a field of a struct can be left out, so that it has its default.
func Resets(record reflect.Type, f scenes.FieldInfo) bool {
	return !f.Required && f.Name != "id" && ListOf(record, f) == None && !slices.Contains(kinds[record], f.Name)
}

// kinds are the structs of which exactly one of some fields is given.
var kinds = map[reflect.Type][]string{
	reflect.TypeFor[scenes.Obstacle](): {"rect", "circle", "polygon"},
	reflect.TypeFor[scenes.Spawn]():    {"rect", "circle", "polygon", "ring", "points", "grid"},
	reflect.TypeFor[scenes.Motion]():   {"path", "keyframes"},
}

// Kinds returns the fields of a struct of which exactly one is given, or nil, and the one that is.
func Kinds(v reflect.Value) (all []string, given string) {
	all = kinds[v.Type()]
	for _, name := range all {
		if Given(member(v, name)) {
			return all, name
		}
	}
	return all, ""
}

// Given reports whether a value is neither zero nor an empty list.
func Given(v reflect.Value) bool {
	return v.Kind() == reflect.Slice && v.Len() > 0 || v.Kind() != reflect.Slice && !v.IsZero()
}

// Fields returns the fields of a struct that a form shows: not the lists of the scene, which have
// forms of their own, and not what has no meaning beside what is given.
func Fields(v reflect.Value) (shown []scenes.FieldInfo) {
	all, kind := Kinds(v)
	for _, f := range infos()[v.Type()].Fields {
		switch {
		case slices.Contains(all, f.Name) && f.Name != kind:
		case !Given(v.FieldByIndex(f.Index)) && hidden(v, f.Name, kind):
		case f.Of != nil && f.Of.Kind() == reflect.Struct && len(infos()[f.Of].Fields) == 0: // a method without parameters
		case isMethod(v, f.Name) && f.Name != v.FieldByName("Avoidance").String():
		case f.Name == "bvp" && v.FieldByName("Steering").String() != string(scenes.SteeringBVP):
		case v.Type() == reflect.TypeFor[scenes.Scene]() && (f.Name == "version" || v.FieldByIndex(f.Index).Kind() == reflect.Slice):
		default:
			shown = append(shown, f)
		}
	}
	return shown
}

// isMethod reports whether a field of a profile has the parameters of an avoidance method.
func isMethod(v reflect.Value, name string) bool {
	return v.Type() == reflect.TypeFor[scenes.Profile]() && slices.Contains(scenes.Avoidances(), name)
}

// hidden reports whether a field that is not given has no meaning beside those that are.
func hidden(v reflect.Value, name, kind string) bool {
	switch x := v.Interface().(type) {
	case scenes.Obstacle:
		return name == "holes" && kind != "polygon" || name == "open" && len(x.Closed) > 0 || name == "closed" && len(x.Open) > 0
	case scenes.Motion:
		return name == "speed" && kind != "path" || name == "pivot" && kind == "path"
	case scenes.Group:
		return name == "itinerary" && (x.Goal != "" || len(x.Routes) > 0) || name == "routes" && x.Goal != ""
	}
	return false
}

// Rename gives a record another id. What names it in the document follows. An id that another
// record of the list has, or none where there has to be one, is refused with a notice.
func (s *Studio) Rename(r Ref, id string) error {
	scene := s.Scene()
	was := *r.id(scene)
	if id == was {
		return nil
	}
	if id == "" && r.List != Obstacles {
		s.Notify(fmt.Sprintf("a %s has to have a name", r.List))
		return nil
	}
	if id != "" && slices.ContainsFunc(All(scene, r.List), func(other Ref) bool { return *other.id(scene) == id }) {
		s.Notify(fmt.Sprintf("another %s is called %s", r.List, id))
		return nil
	}
	return s.Change(fmt.Sprintf("call %s %s", r.Name(scene), id), func(to *scenes.Scene) {
		*r.id(to) = id
		for i := range to.Groups {
			g := &to.Groups[i]
			if r.List == Profiles && g.Profile == was {
				g.Profile = id
			}
			if r.List == Goals {
				g.RenameGoals(map[string]string{was: id})
			}
		}
	})
}

// ProblemsAt returns the messages of the document's problems at a place of a record and below it;
// direct: those at the place alone.
func (s *Studio) ProblemsAt(r Ref, at Place, direct bool) (all []string) {
	path := r.Path() + string(at)
	for _, p := range s.Doc.Problems() {
		rest, ok := strings.CutPrefix(p.Path, path)
		if ok && (rest == "" || !direct && (rest[0] == '.' || rest[0] == '[')) {
			all = append(all, p.Message)
		}
	}
	return all
}

// BeginField begins a gesture that changes a field of records.
func (s *Studio) BeginField(refs []Ref, at Place) error { return s.Begin(s.fieldTitle(refs, at)) }

func (s *Studio) fieldTitle(refs []Ref, at Place) string {
	return fmt.Sprintf("set %s of %s", at.Name(), s.title(refs))
}

// Put gives records a value of a field in the gesture that is going on; without one it is a step of
// the history. A number out of the field's limits is refused, with a fault.
func (s *Studio) Put(refs []Ref, at Place, f scenes.FieldInfo, value any) error {
	if why := refusal(f, reflect.ValueOf(value)); why != "" {
		s.Fault = &Fault{Words: []string{refs[0].Path() + string(at) + ": " + why}, Of: refs[0]}
		return nil
	}
	if s.Doc.Dragging() {
		return s.Drag(Set(refs, at, value))
	}
	return s.Change(s.fieldTitle(refs, at), Set(refs, at, value))
}

// refusal says why a field cannot have a value; "" where limits do not say so.
func refusal(f scenes.FieldInfo, v reflect.Value) string {
	switch v.Kind() {
	case reflect.Float64, reflect.Int, reflect.Uint64:
		return refused(f, v.Convert(reflect.TypeFor[float64]()).Float())
	case reflect.Struct:
		d, ok := v.Interface().(scenes.Distribution)
		switch {
		case !ok:
		case !(d.Std >= 0):
			return fmt.Sprintf("the std of %s has to be at least 0, got %g", f.Name, d.Std)
		case DistributionKind(d) >= Cut && !(d.Min < d.Max):
			return fmt.Sprintf("the min of %s has to be below its max: got %g and %g", f.Name, d.Min, d.Max)
		default:
			return refused(f, d.Mean)
		}
	}
	return ""
}
