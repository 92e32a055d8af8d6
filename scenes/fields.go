package scenes

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"
)

// field holds what the tags of a struct's field say.
type field struct {
	index    []int
	name     string
	unit     string
	above    *float64
	below    *float64
	min, max *float64
	fallback string // the default as JSON; empty where there is none
	required bool
	always   bool
	filled   bool
	whole    bool // a distribution of whole numbers
	nonzero  bool // whether it is zero in no scene that was read
}

// record describes a struct type of the document.
type record struct {
	fields []field
	names  []string
	blank  reflect.Value // a value with every default
}

// partial reports whether a field is zero that is zero in no scene that was read: then all zeros of
// the struct are fields left out.
func (r *record) partial(v reflect.Value) bool {
	return slices.ContainsFunc(r.fields, func(f field) bool { return f.nonzero && v.FieldByIndex(f.index).IsZero() })
}

// records holds every struct type of the document; made once, then only read.
var records = func() map[reflect.Type]*record {
	all := map[reflect.Type]*record{}
	describe(reflect.TypeFor[Scene](), all)
	describe(reflect.TypeFor[BVP](), all)
	return all
}()

// describe puts a type, and every type that it holds, into all.
func describe(t reflect.Type, all map[reflect.Type]*record) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		describe(t.Elem(), all)
	case reflect.Struct:
		if all[t] != nil || t == distributionType {
			return
		}
		rec := &record{blank: reflect.New(t).Elem()}
		all[t] = rec
		for _, sf := range reflect.VisibleFields(t) {
			if sf.Anonymous {
				continue // its fields are those of t
			}
			f := fieldOf(sf)
			describe(sf.Type, all)
			switch kind := sf.Type.Kind(); kind {
			case reflect.Struct:
				if sf.Type == distributionType {
					f.nonzero = f.outside(0, "0", reflect.Float64) != ""
				} else {
					f.nonzero = all[sf.Type].partial(reflect.Zero(sf.Type))
				}
			case reflect.String:
				f.nonzero = f.filled || f.fallback != ""
			case reflect.Int, reflect.Uint64, reflect.Float64:
				f.nonzero = f.outside(0, "0", kind) != ""
			}
			rec.fields = append(rec.fields, f)
			rec.names = append(rec.names, f.name)
			to := rec.blank.FieldByIndex(f.index)
			if f.fallback != "" {
				if err := json.Unmarshal([]byte(f.fallback), to.Addr().Interface()); err != nil {
					panic(fmt.Sprintf("scenes: the default of %s.%s: %v", t, f.name, err))
				}
			} else if inner := all[to.Type()]; inner != nil {
				to.Set(inner.blank)
			}
		}
	}
}

func fieldOf(sf reflect.StructField) field {
	number := func(key string) *float64 {
		text, ok := sf.Tag.Lookup(key)
		if !ok {
			return nil
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			panic(fmt.Sprintf("scenes: tag %s of %s: %v", key, sf.Name, err))
		}
		return &x
	}
	return field{
		index: sf.Index, name: sf.Tag.Get("json"), unit: sf.Tag.Get("unit"),
		above: number("above"), below: number("below"), min: number("min"), max: number("max"),
		fallback: sf.Tag.Get("default"),
		required: sf.Tag.Get("required") == "true", always: sf.Tag.Get("always") == "true",
		filled: sf.Tag.Get("filled") == "true", whole: sf.Tag.Get("whole") == "true",
	}
}

// Default returns a struct of the document with every default, such as a Goal or a Simulation.
func Default[T any]() T { return records[reflect.TypeFor[T]()].blank.Interface().(T) }

// DefaultProfile returns the profile of a scene that has none: every default, with the id
// "default".
func DefaultProfile() Profile {
	p := Default[Profile]()
	p.ID = "default"
	return p
}

// words holds what the string types of the document may say.
var words = map[reflect.Type][]string{
	reflect.TypeFor[Loop]():        {"once", "cycle", "pingpong"},
	reflect.TypeFor[Base]():        {"adult", "child", "elderly", "weidmann"},
	reflect.TypeFor[Steering]():    {"direct", "spm", "bvp"},
	reflect.TypeFor[Avoidance]():   Avoidances(),
	reflect.TypeFor[Method]():      {"red-black", "jacobi-gs", "adi"},
	reflect.TypeFor[Rules]():       {"robust", "paper"},
	reflect.TypeFor[Guide]():       {"spm", "harmonic"},
	reflect.TypeFor[Antipode]():    {"antipode"},
	reflect.TypeFor[OnArrival]():   {"leave", "stay", "loop"},
	reflect.TypeFor[InertiaForm](): {"angle", "vector"},
}

// shapes says how the lists of fixed length are written.
var shapes = map[reflect.Type]string{
	reflect.TypeFor[mgl64.Vec2]():      "a point [x, y]",
	reflect.TypeFor[[2]Distribution](): "a direction [x, y]",
	reflect.TypeFor[[2]float64]():      "a direction [x, y]",
	reflect.TypeFor[Rect]():            "a rectangle [x0, y0, x1, y1]",
	reflect.TypeFor[Segment]():         "a segment [[x0, y0], [x1, y1]]",
	reflect.TypeFor[Interval]():        "an interval [from, to]",
	reflect.TypeFor[Sample]():          "a sample [t, x, y, strength]",
}

// shapeOf returns how a value of a type is written, with its article.
func shapeOf(t reflect.Type) string {
	if s, ok := shapes[t]; ok {
		return s
	}
	if t == distributionType {
		return "a number or a distribution"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return shapeOf(t.Elem())
	case reflect.Struct:
		return "an object"
	case reflect.Slice:
		return "a list"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	}
	return "a whole number"
}
