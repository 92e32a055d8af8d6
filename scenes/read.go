package scenes

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// maxProblems is how many problems of a file are told one by one; how many more
// there are is told in one. Of notes as many are told and no more.
const maxProblems = 1000

// Read reads a scene document: JSON, comments and trailing commas allowed. It
// returns every problem, in the order of the file, and a scene if none of them
// is more than a note. The scene has every default filled in, equal neighbours
// of its polygons merged, and is checked as a whole: whoever gets it need not
// check again. File is the name for messages, and gives a scene without a name
// its own. The data is not changed.
func Read(file string, data []byte) (*Scene, []Problem) {
	r := &reader{file: file, data: bytes.Clone(bytes.TrimPrefix(data, []byte("\ufeff")))}
	scene := r.read()
	if r.failed {
		scene = nil
	}
	return scene, r.sorted()
}

// Numbers with a fraction are at most largest in size, and those above 0 at least
// smallest: devices compute in float32, whose range, 1e-38 to 3e38, has to hold
// squares and quotients of them.
const (
	largest  = 1e12
	smallest = 1e-12
)

// reader is the state of one Read.
type reader struct {
	file  string
	data  []byte
	lines []int // offsets of the lines' beginnings
	root  hujson.Value
	path  []step
	found []located
	// broken holds the offsets of the errors.
	broken        []int
	failed        bool
	errors, notes int // told one by one
	more          int // errors that are not
	// zeroed holds the offsets of words that scan overwrote.
	zeroed map[int]bool
}

// located is a problem and the offset that it is sorted by.
type located struct {
	Problem
	offset int
}

func (r *reader) read() *Scene {
	if !r.parse() {
		return nil
	}
	scene := new(Scene)
	r.decode(&r.root, reflect.ValueOf(scene).Elem(), field{})
	if r.root.Value.Kind() == '{' && r.more == 0 {
		r.complete(scene)
		r.check(scene)
	}
	return scene
}

// parse finds the root of the document; false if there is none.
func (r *reader) parse() bool {
	if len(r.data) > maxBytes {
		r.report(0, nil, "the document has %d bytes, at most %d (32 MiB) are read", len(r.data), maxBytes)
		return false
	}
	if i := invalidUTF8(r.data); i >= 0 {
		_, _, path := scan(bytes.Clone(r.data), i)
		r.report(i, path, "byte %#02x is not UTF-8, the encoding of scene files", r.data[i])
		return false
	}
	words, fatal, _ := scan(r.data, len(r.data))
	if fatal != nil {
		r.report(fatal.offset, fatal.path, "%s", fatal.message)
		return false
	}
	r.zeroed = map[int]bool{}
	for _, w := range words {
		r.zeroed[w.offset] = true
		r.report(w.offset, w.path, "%s", w.message)
	}
	root, err := hujson.Parse(r.data)
	if err != nil {
		offset := r.parseOffset(err)
		_, _, path := scan(r.data, offset)
		r.report(offset, path, "no valid JSON: %s", parseMessage(err))
		return false
	}
	r.root = root
	return true
}

// parseOffset returns the place of an error of the parser, which tells it in its
// text, as line and byte.
func (r *reader) parseOffset(err error) int {
	var line, column int
	if _, e := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); e != nil {
		return 0
	}
	starts := r.lineStarts()
	return min(starts[min(line, len(starts))-1]+column-1, len(r.data))
}

// parseMessage returns the parser's words on one line, without its own place, cut
// where a whole file sits in them.
func parseMessage(err error) string {
	if inner := errors.Unwrap(err); inner != nil {
		err = inner
	}
	m := strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return ' ' // a string torn by the end of its line, for one
		}
		return c
	}, err.Error())
	if len(m) > 160 {
		m = strings.ToValidUTF8(m[:160], "") + "..."
	}
	return m
}

// lineStarts returns the offsets of the beginnings of all lines.
func (r *reader) lineStarts() []int {
	if r.lines == nil {
		r.lines = []int{0}
		for i, c := range r.data {
			if c == '\n' {
				r.lines = append(r.lines, i+1)
			}
		}
	}
	return r.lines
}

// report adds an error.
func (r *reader) report(offset int, path []step, format string, args ...any) {
	r.failed = true
	if r.errors == maxProblems {
		r.more++
		return
	}
	r.errors++
	r.broken = append(r.broken, offset)
	r.add(offset, path, false, fmt.Sprintf(format, args...))
}

// hint is suggest, but for problems that will not be told: a file that is wrong
// from end to end is to be refused quickly.
func (r *reader) hint(word string, allowed []string) string {
	if r.errors == maxProblems {
		return ""
	}
	return suggest(word, allowed)
}

// note adds a note.
func (r *reader) note(offset int, path []step, format string, args ...any) {
	if r.notes < maxProblems {
		r.notes++
		r.add(offset, path, true, fmt.Sprintf(format, args...))
	}
}

func (r *reader) add(offset int, path []step, note bool, message string) {
	r.found = append(r.found, located{Problem{File: r.file, Path: formatPath(path), Message: message, Note: note}, offset})
}

// sorted returns the problems in the order of the file, with lines and columns.
func (r *reader) sorted() []Problem {
	slices.SortStableFunc(r.found, func(a, b located) int { return a.offset - b.offset })
	starts := r.lineStarts()
	var out []Problem
	line, column, at := 0, 0, 0 // of the problem before, so that a long line is counted once
	for _, l := range r.found {
		if n := sort.SearchInts(starts, l.offset+1); n != line {
			line, column, at = n, 1, starts[n-1]
		}
		column += utf8.RuneCount(r.data[at:l.offset])
		at = l.offset
		l.Line, l.Column = line, column
		out = append(out, l.Problem)
	}
	if r.more > 0 {
		last := out[len(out)-1]
		last.Path, last.Message, last.Note = "$", fmt.Sprintf("and %d more problems", r.more), false
		out = append(out, last)
	}
	return out
}

// decode reads a node into a value and reports what does not fit. Limits of f
// that belong to numbers hold for numbers inside of lists too.
func (r *reader) decode(node *hujson.Value, to reflect.Value, f field) {
	if r.zeroed[node.StartOffset] {
		return
	}
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		r.decode(node, to.Elem(), f)
	case reflect.Struct:
		r.decodeObject(node, to)
	case reflect.Slice:
		r.decodeList(node, to, f)
	case reflect.Array:
		list, ok := node.Value.(*hujson.Array)
		if !ok {
			r.mismatch(node, to.Type(), f)
			return
		}
		if len(list.Elements) != to.Len() {
			r.report(node.StartOffset, r.path, "expected %s, got a list of %d", shapeOf(to.Type()), len(list.Elements))
			return
		}
		for i := range list.Elements {
			r.inside(step{index: i}, func() { r.decode(&list.Elements[i], to.Index(i), field{unit: f.unit}) })
		}
	default:
		lit, ok := node.Value.(hujson.Literal)
		if !ok {
			r.mismatch(node, to.Type(), f)
			return
		}
		r.decodeLiteral(node, lit, to, f)
	}
}

// inside calls do with a step added to the path.
func (r *reader) inside(s step, do func()) {
	r.path = append(r.path, s)
	do()
	r.path = r.path[:len(r.path)-1]
}

func (r *reader) decodeObject(node *hujson.Value, to reflect.Value) {
	rec := records[to.Type()]
	to.Set(rec.blank)
	object, ok := node.Value.(*hujson.Object)
	if !ok {
		r.mismatch(node, to.Type(), field{})
		return
	}
	first := map[string]int{}
	for i := range object.Members {
		member := &object.Members[i]
		name := member.Name.Value.(hujson.Literal).String()
		r.inside(step{name: name}, func() {
			at := member.Name.StartOffset
			if before, twice := first[name]; twice {
				line := sort.SearchInts(r.lineStarts(), before+1)
				r.report(at, r.path, "the field is given twice, first in line %d: keep one", line)
				return
			}
			first[name] = at
			k := slices.Index(rec.names, name)
			if k < 0 {
				var free []string // fields that may still come
				for _, known := range rec.names {
					if _, ok := first[known]; !ok {
						free = append(free, known)
					}
				}
				r.report(at, r.path, "unknown field %s: %s", shorten(strconv.Quote(name)), r.hint(name, free))
				return
			}
			r.decode(&member.Value, to.Field(rec.fields[k].index), rec.fields[k])
		})
	}
	for _, f := range rec.fields {
		if _, ok := first[f.name]; f.required && !ok {
			r.inside(step{name: f.name}, func() {
				shape := shapeOf(to.Field(f.index).Type())
				r.report(node.StartOffset, r.path, "the field is missing: %s is required", withUnit(shape, f.unit))
			})
		}
	}
}

func (r *reader) decodeList(node *hujson.Value, to reflect.Value, f field) {
	list, ok := node.Value.(*hujson.Array)
	if !ok {
		r.mismatch(node, to.Type(), f)
		return
	}
	n := len(list.Elements)
	if f.min != nil && float64(n) < *f.min {
		r.report(node.StartOffset, r.path, "%s needs at least %v, got a list of %d", f.name, *f.min, n)
	}
	if n == 0 {
		return
	}
	to.Set(reflect.MakeSlice(to.Type(), n, n))
	for i := range list.Elements {
		r.inside(step{index: i}, func() { r.decode(&list.Elements[i], to.Index(i), field{unit: f.unit}) })
	}
}

func (r *reader) decodeLiteral(node *hujson.Value, lit hujson.Literal, to reflect.Value, f field) {
	kind := lit.Kind()
	switch to.Kind() {
	case reflect.Bool:
		if kind != 't' && kind != 'f' {
			r.mismatch(node, to.Type(), f)
			return
		}
		to.SetBool(lit.Bool())
	case reflect.String:
		if kind != '"' {
			r.mismatch(node, to.Type(), f)
			return
		}
		s := lit.String()
		if allowed, ok := words[to.Type()]; ok && !slices.Contains(allowed, s) {
			r.report(node.StartOffset, r.path, "unknown word %s: %s", shorten(strconv.Quote(s)), r.hint(s, allowed))
			return
		}
		to.SetString(s)
	default:
		if kind != '0' {
			r.mismatch(node, to.Type(), f)
			return
		}
		r.decodeNumber(node, string(lit), to, f)
	}
}

func (r *reader) decodeNumber(node *hujson.Value, text string, to reflect.Value, f field) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		r.report(node.StartOffset, r.path, "%s is not a finite number: at most 1.8e308 can be held", shorten(text))
		return
	}
	if message := f.outside(x, text, to.Kind()); message != "" {
		r.report(node.StartOffset, r.path, "%s", message)
		return
	}
	switch to.Kind() {
	case reflect.Float64:
		to.SetFloat(x)
		return
	case reflect.Uint64:
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			to.SetUint(n)
			return
		}
	default:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			to.SetInt(n)
			return
		}
	}
	// Whole numbers may be written 200.0 or 2e2, as long as every whole number of
	// that size can be.
	switch {
	case x != math.Trunc(x):
		r.report(node.StartOffset, r.path, "expected a whole number, got %s", shorten(text))
	case math.Abs(x) > 1<<53:
		r.report(node.StartOffset, r.path, "%s is too large for a whole number", shorten(text))
	case to.Kind() == reflect.Uint64:
		to.SetUint(uint64(x))
	default:
		to.SetInt(int64(x))
	}
}

// outside returns what is wrong with a number, or nothing.
func (f field) outside(x float64, text string, kind reflect.Kind) string {
	var limit string
	switch {
	case kind == reflect.Float64 && math.Abs(x) > largest:
		return fmt.Sprintf("%s is too large: numbers of a scene are at most %g", shorten(text), largest)
	case f.above != nil && x > *f.above && x < *f.above+smallest:
		return fmt.Sprintf("%s has to be above %s, and %s is too near to it: by %g at least", f.name, f.amount(*f.above), shorten(text), smallest)
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
	return fmt.Sprintf("%s has to be %s, got %s", f.name, limit, shorten(text))
}

// amount returns a limit with its unit.
func (f field) amount(x float64) string {
	return strings.TrimSpace(strconv.FormatFloat(x, 'f', -1, 64) + " " + f.unit)
}

// mismatch reports a value of another type than the field has.
func (r *reader) mismatch(node *hujson.Value, t reflect.Type, f field) {
	got := "a number"
	switch node.Value.Kind() {
	case 'n':
		got = "null"
	case 't', 'f':
		got = string(node.Value.(hujson.Literal))
	case '"':
		got = "a string"
	case '{':
		got = "an object"
	case '[':
		got = "a list"
	}
	r.report(node.StartOffset, r.path, "expected %s, got %s", withUnit(shapeOf(t), f.unit), got)
}

func withUnit(text, unit string) string {
	if unit == "" {
		return text
	}
	return text + " (" + unit + ")"
}

// shorten cuts what a message repeats from the file.
func shorten(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "..."
	}
	return s
}

// place is a spot of the document: its path, and its node if it is there.
type place struct {
	path   []step
	offset int
	node   *hujson.Value // nil if the document does not have it
}

// at returns the place at a path of names and indices. Where the document does
// not have it, the offset is that of the nearest thing around it.
func (r *reader) at(path ...any) place {
	p := place{node: &r.root, offset: r.root.StartOffset}
	for _, s := range path {
		var next *hujson.Value
		switch s := s.(type) {
		case string:
			p.path = append(p.path, step{name: s})
			if p.node != nil {
				next = member(p.node, s)
			}
		case int:
			p.path = append(p.path, step{index: s})
			if p.node != nil {
				if list, ok := p.node.Value.(*hujson.Array); ok && s < len(list.Elements) {
					next = &list.Elements[s]
				}
			}
		}
		if p.node = next; next != nil {
			p.offset = next.StartOffset
		}
	}
	return p
}

// member returns the first member of an object with this name, or nil.
func member(node *hujson.Value, name string) *hujson.Value {
	object, ok := node.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	for i := range object.Members {
		// Names are compared as written where nothing in them is escaped: this is
		// done for every vertex.
		raw := object.Members[i].Name.Value.(hujson.Literal)
		if same := len(raw) == len(name)+2 && string(raw[1:len(raw)-1]) == name; same ||
			bytes.IndexByte(raw, '\\') >= 0 && raw.String() == name {
			return &object.Members[i].Value
		}
	}
	return nil
}

// given reports whether the document has something there.
func (p place) given() bool { return p.node != nil }

// sound reports whether a place is free of errors so far; what is not given is.
func (r *reader) sound(p place) bool {
	if p.node == nil {
		return true
	}
	for _, offset := range r.broken {
		if p.node.StartOffset <= offset && offset < p.node.EndOffset {
			return false
		}
	}
	return true
}

// wrong and remark report at a place.
func (r *reader) wrong(p place, format string, args ...any) {
	r.report(p.offset, p.path, format, args...)
}

func (r *reader) remark(p place, format string, args ...any) {
	r.note(p.offset, p.path, format, args...)
}

// stem returns a file's name without folder and ending.
func stem(file string) string {
	base := filepath.Base(file)
	if s := strings.TrimSuffix(base, filepath.Ext(base)); s != "" && s != "-" && s != "." {
		return s
	}
	return "scene"
}
