package scenes

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/wayfront/wayfront/scenes/internal/text"
)

// maxProblems is the number of problems of a file that are reported one by one; one more says how
// many others there are. Of notes as many are reported and no more.
const maxProblems = 1000

// Read reads a scene document: JSON, comments and trailing commas allowed. It returns every
// problem, in the order of the file, and a scene if none of them is more than a note. The scene has
// every default filled in, equal neighbors of its polygons merged, and is checked as a whole. File
// is the name for messages, and gives a scene without a name its own. The data is not changed.
func Read(file string, data []byte) (*Scene, []Problem) {
	r := newReader(file, bytes.Clone(data))
	scene := r.read()
	if r.failed {
		scene = nil
	}
	return scene, r.sorted()
}

// reader is the state of one Read.
type reader struct {
	file   text.File
	root   hujson.Value
	path   []text.Step
	found  []located
	broken []int // offsets of the errors
	failed bool

	errors, notes int          // reported one by one
	more          int          // errors that are not
	zeroed        map[int]bool // offsets of words such as NaN that are reported
	shapes        bool         // only what checks change is checked: shapes, of which equal neighbors are merged
}

// located is a problem and the offset that it is sorted by.
type located struct {
	Problem
	offset int
}

func newReader(file string, data []byte) *reader {
	return &reader{file: text.File{Name: file, Data: bytes.TrimPrefix(data, []byte("\ufeff"))}, zeroed: map[int]bool{}}
}

func (r *reader) read() *Scene {
	scene := r.fields()
	if scene != nil && r.root.Value.Kind() == '{' && r.more == 0 {
		r.check(scene)
	}
	return scene
}

// fields reads the scene, field by field; nil if there is none.
func (r *reader) fields() *Scene {
	if !r.parse() {
		return nil
	}
	scene := new(Scene)
	r.decode(&r.root, reflect.ValueOf(scene).Elem(), field{})
	if r.root.Value.Kind() == '{' && r.more == 0 {
		r.complete(scene)
	}
	return scene
}

// parse finds the root of the document; false if there is none.
func (r *reader) parse() bool {
	root, words, fatal := r.file.Parse()
	for _, w := range words {
		r.zeroed[w.Offset] = true
		r.report(w.Offset, w.Path, "%s", w.Message)
	}
	if fatal != nil {
		r.report(fatal.Offset, fatal.Path, "%s", fatal.Message)
		return false
	}
	r.root = root
	return true
}

// report adds an error.
func (r *reader) report(offset int, path []text.Step, format string, args ...any) {
	r.failed = true
	if r.errors == maxProblems {
		r.more++
		return
	}
	r.errors++
	r.broken = append(r.broken, offset)
	r.add(offset, path, false, fmt.Sprintf(format, args...))
}

// wrong adds an error at a node of the current path.
func (r *reader) wrong(node *hujson.Value, format string, args ...any) {
	r.report(node.StartOffset, r.path, format, args...)
}

// note adds a note at a node of the current path.
func (r *reader) note(node *hujson.Value, format string, args ...any) {
	if r.notes < maxProblems {
		r.notes++
		r.add(node.StartOffset, r.path, true, fmt.Sprintf(format, args...))
	}
}

func (r *reader) add(offset int, path []text.Step, note bool, message string) {
	r.found = append(r.found, located{Problem{File: r.file.Name, Path: text.FormatPath(path), Message: message, Note: note}, offset})
}

// hint is text.Suggest, but for problems that are not reported: a file that is wrong from end to
// end is refused quickly.
func (r *reader) hint(word string, allowed []string) string {
	if r.errors == maxProblems {
		return ""
	}
	return text.Suggest(word, allowed)
}

// sorted returns the problems in the order of the file, with lines and columns.
func (r *reader) sorted() []Problem {
	slices.SortStableFunc(r.found, func(a, b located) int { return a.offset - b.offset })
	var out []Problem
	for _, l := range r.found {
		l.Line, l.Column = r.file.Place(l.offset)
		out = append(out, l.Problem)
	}
	if r.more > 0 {
		last := out[len(out)-1]
		last.Path, last.Message, last.Note = "$", fmt.Sprintf("and %d more problems", r.more), false
		out = append(out, last)
	}
	return out
}

// decode reads a node into a value and reports what does not fit. A unit holds for numbers inside
// of lists too.
func (r *reader) decode(node *hujson.Value, to reflect.Value, f field) {
	if r.zeroed[node.StartOffset] {
		return
	}
	if d, ok := to.Addr().Interface().(*Distribution); ok {
		r.decodeDistribution(node, d, f)
		return
	}
	switch value := node.Value.(type) {
	case *hujson.Object:
		if to.Kind() == reflect.Struct {
			r.decodeObject(node, value, to, records[to.Type()])
			return
		}
	case *hujson.Array:
		if to.Kind() == reflect.Slice || to.Kind() == reflect.Array {
			r.decodeList(node, value.Elements, to, f)
			return
		}
	case hujson.Literal:
		if r.decodeLiteral(node, value, to, f) {
			return
		}
	}
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		r.decode(node, to.Elem(), f)
		return
	}
	if rec := records[to.Type()]; rec != nil {
		to.Set(rec.blank)
	}
	r.wrong(node, "expected %s, got %s", withUnit(shapeOf(to.Type()), f.unit), kindOf(node))
}

// kindOf returns what a node is, for messages.
func kindOf(node *hujson.Value) string {
	switch node.Value.Kind() {
	case 'n':
		return "null"
	case 't', 'f':
		return string(node.Value.(hujson.Literal))
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	return "a number"
}

// inside calls do with a step added to the path.
func (r *reader) inside(s text.Step, do func()) {
	r.path = append(r.path, s)
	do()
	r.path = r.path[:len(r.path)-1]
}

func (r *reader) decodeObject(node *hujson.Value, object *hujson.Object, to reflect.Value, rec *record) {
	to.Set(rec.blank)
	if to.Type() == profileType {
		if base := text.Member(node, "base"); base != nil && base.Value.Kind() == '"' {
			to.Set(rec.based(Base(base.Value.(hujson.Literal).String())))
		}
	}
	first := map[string]int{}
	for i := range object.Members {
		member := &object.Members[i]
		name := member.Name.Value.(hujson.Literal).String()
		at := member.Name.StartOffset
		r.inside(text.Step{Name: name}, func() {
			if before, twice := first[name]; twice {
				line, _ := r.file.Place(before)
				r.report(at, r.path, "the field is given twice, first in line %d: keep one", line)
				return
			}
			first[name] = at
			k := slices.Index(rec.names, name)
			if k < 0 {
				free := slices.DeleteFunc(slices.Clone(rec.names), func(known string) bool { _, ok := first[known]; return ok })
				r.report(at, r.path, "unknown field %s: %s", text.Quote(name), r.hint(name, free))
				return
			}
			r.decode(&member.Value, to.FieldByIndex(rec.fields[k].index), rec.fields[k])
		})
	}
	for _, f := range rec.fields {
		if _, ok := first[f.name]; f.required && !ok {
			r.inside(text.Step{Name: f.name}, func() {
				r.wrong(node, "the field is missing: %s is required", withUnit(shapeOf(to.FieldByIndex(f.index).Type()), f.unit))
			})
		}
	}
}

func (r *reader) decodeList(node *hujson.Value, elements []hujson.Value, to reflect.Value, f field) {
	n := len(elements)
	switch {
	case to.Kind() == reflect.Array && n != to.Len():
		r.wrong(node, "expected %s, got a list of %d", shapeOf(to.Type()), n)
		return
	case f.min != nil && float64(n) < *f.min:
		r.wrong(node, "%s needs at least %v, got a list of %d", f.name, *f.min, n)
	}
	if n == 0 {
		return
	}
	if to.Kind() == reflect.Slice {
		to.Set(reflect.MakeSlice(to.Type(), n, n))
	}
	errors := r.errors + r.more
	for i := range elements {
		r.inside(text.Step{Index: i}, func() { r.decode(&elements[i], to.Index(i), field{unit: f.unit}) })
	}
	if list, ok := to.Addr().Interface().(faulty); ok && errors == r.errors+r.more {
		if message := list.fault(); message != "" {
			r.wrong(node, "%s", message)
		}
	}
}

// faulty is a list of fixed length whose numbers may not fit together. It returns what is wrong
// with them, or nothing.
type faulty interface{ fault() string }

func (r *Rect) fault() string {
	for k, axis := range []string{"x", "y"} {
		switch lo, hi := r[k], r[k+2]; {
		case lo == hi:
			return fmt.Sprintf("the rectangle has no area: %s0 and %[1]s1 are both %v, %[1]s0 has to be below %[1]s1", axis, lo)
		case lo > hi:
			return fmt.Sprintf("the rectangle is turned round: %s0 is %v and %[1]s1 is %[3]v, %[1]s0 has to be below %[1]s1", axis, lo, hi)
		}
	}
	return ""
}

func (w *Interval) fault() string {
	switch {
	case w[0] < 0:
		return fmt.Sprintf("the time %v s is negative: times count from 0", w[0])
	case w[0] >= w[1]:
		return fmt.Sprintf("the interval ends at %v s, not after its beginning at %v s", w[1], w[0])
	}
	return ""
}

// decodeLiteral reads a string, a number, true or false; false if the value is of another kind.
func (r *reader) decodeLiteral(node *hujson.Value, lit hujson.Literal, to reflect.Value, f field) bool {
	kind := lit.Kind()
	switch to.Kind() {
	case reflect.Bool:
		if kind == 't' || kind == 'f' {
			to.SetBool(lit.Bool())
			return true
		}
	case reflect.String:
		if kind == '"' {
			s := lit.String()
			if allowed, ok := words[to.Type()]; ok && !slices.Contains(allowed, s) {
				r.wrong(node, "unknown word %s: %s", text.Quote(s), r.hint(s, allowed))
			} else {
				to.SetString(s)
			}
			return true
		}
	case reflect.Float64, reflect.Int, reflect.Uint64:
		if kind == '0' {
			if message := f.decodeNumber(string(lit), to); message != "" {
				r.wrong(node, "%s", message)
			}
			return true
		}
	}
	return false
}

// decodeNumber reads a number, or returns what is wrong with it.
func (f field) decodeNumber(number string, to reflect.Value) string {
	shown := text.Shorten(number)
	x, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return shown + " is not a finite number: at most 1.8e308 can be held"
	}
	if message := f.outside(x, shown, to.Kind()); message != "" {
		return message
	}
	switch to.Kind() {
	case reflect.Float64:
		to.SetFloat(x)
		return ""
	case reflect.Uint64:
		if n, err := strconv.ParseUint(number, 10, 64); err == nil {
			to.SetUint(n)
			return ""
		}
	default:
		if n, err := strconv.ParseInt(number, 10, 64); err == nil {
			to.SetInt(n)
			return ""
		}
	}
	// Whole numbers may be written 200.0 or 2e2, as long as every whole number of that size can be.
	switch {
	case x != math.Trunc(x):
		return "expected a whole number, got " + shown
	case math.Abs(x) > 1<<53:
		return shown + " is too large for a whole number"
	case to.Kind() == reflect.Uint64:
		to.SetUint(uint64(x))
	default:
		to.SetInt(int64(x))
	}
	return ""
}

// outside returns what is wrong with a number, or nothing.
func (f field) outside(x float64, shown string, kind reflect.Kind) string {
	var limit string
	switch {
	case kind == reflect.Float64 && math.Abs(x) > text.Largest:
		return fmt.Sprintf("%s is too large: numbers of a scene are at most %g", shown, text.Largest)
	case f.above != nil && x > *f.above && x < *f.above+text.Smallest:
		return fmt.Sprintf("%s has to be above %s, and %s is too near to it: by %g at least", f.name, f.amount(*f.above), shown, text.Smallest)
	case f.above != nil && !(x > *f.above):
		limit = "above " + f.amount(*f.above)
	case f.min != nil && !(x >= *f.min):
		limit = "at least " + f.amount(*f.min)
	case f.below != nil && !(x < *f.below):
		limit = "below " + f.amount(*f.below)
	case f.max != nil && !(x <= *f.max):
		limit = "at most " + f.amount(*f.max)
	default:
		return ""
	}
	return fmt.Sprintf("%s has to be %s, got %s", f.name, limit, shown)
}

// amount returns a limit with its unit.
func (f field) amount(x float64) string {
	return strings.TrimSpace(strconv.FormatFloat(x, 'f', -1, 64) + " " + f.unit)
}

func withUnit(shape, unit string) string {
	if unit == "" {
		return shape
	}
	return shape + " (" + unit + ")"
}
