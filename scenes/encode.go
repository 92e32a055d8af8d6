package scenes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/wayfront/wayfront/scenes/internal/text"
)

// lineWidth is the number of columns that Encode fills before it breaks a line.
const lineWidth = 120

// Encode returns the scene as a document that Read turns into an equal scene. It is canonical:
// equal scenes give the same bytes. Fields that hold their default are left out, and so are the
// zeros of partial structs (see Scene); what fits a line is on one. A number that JSON cannot hold,
// another version, or more values than Read takes, is an error.
func (s *Scene) Encode() ([]byte, error) {
	if s.Version != Version && s.Version != 0 {
		return nil, fmt.Errorf("scenes: version %d cannot be written: set it to %d", s.Version, Version)
	}
	e := &encoder{}
	document := e.document(s)
	if e.err != nil {
		return nil, e.err
	}
	return document, nil
}

// document returns the scene as text. Where e.err is set, Read refuses the text.
func (e *encoder) document(s *Scene) []byte {
	whole, left := *s, s.Version == 0
	if left {
		whole.Version = Version
	}
	var out bytes.Buffer
	e.object(reflect.ValueOf(&whole).Elem(), left).print(&out, 0, 0, true)
	out.WriteByte('\n')
	return out.Bytes()
}

// value is a JSON value to be laid out: a scalar, or a list or an object of such.
type value struct {
	scalar string
	open   byte // '[' or '{', 0 for a scalar
	names  []string
	parts  []value
	width  int  // on one line
	plain  bool // numbers only, at any depth
	tall   bool // holds a list that begins with an object, at any depth
}

// encoder makes JSON of values. err is the first thing that keeps the JSON from being read again.
type encoder struct {
	values int
	whole  bool // all fields are written
	err    error
}

// value returns the JSON of a value. A struct that a partial struct holds is partial, too.
func (e *encoder) value(v reflect.Value, partial bool) value {
	if d, ok := v.Interface().(Distribution); ok {
		return e.distribution(d)
	}
	switch v.Kind() {
	case reflect.Pointer:
		return e.value(v.Elem(), false)
	case reflect.Struct:
		return e.object(v, partial)
	case reflect.Slice, reflect.Array:
		list := value{open: '[', width: 2, plain: true}
		for i := range v.Len() {
			// One more than Read takes is written, so that Read says what is wrong.
			if e.values++; e.values > text.MaxValues+1 {
				e.fail("more than %d values cannot be written: Read takes no more", text.MaxValues)
				break
			}
			part := e.value(v.Index(i), false)
			list.parts = append(list.parts, part)
			list.width += part.width
			list.plain = list.plain && part.plain
			list.tall = list.tall || part.tall || i == 0 && part.open == '{'
		}
		list.width += 2 * max(len(list.parts)-1, 0)
		return list
	}
	plain := v.Kind() != reflect.Bool && v.Kind() != reflect.String
	var s string
	switch v.Kind() {
	case reflect.Float64:
		s = e.number(v.Float())
	case reflect.String:
		s = quote(v.String())
	default:
		s = fmt.Sprint(v)
	}
	return value{scalar: s, width: len(s), plain: plain}
}

func (e *encoder) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf("scenes: "+format, args...)
	}
}

// number returns the shortest decimal that reads back as the same float64; for what is no number a
// word that Read refuses.
func (e *encoder) number(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		e.fail("%v cannot be written: every number of a scene has to be finite", x)
	} else if a := math.Abs(x); a == 0 || 1e-6 <= a && a < 1e15 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// quote returns a JSON string that escapes only what JSON requires.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic("scenes: a string that cannot be written: " + err.Error()) // encoding/json has none
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// object writes the fields that are not left out and do not hold their default.
func (e *encoder) object(v reflect.Value, partial bool) value {
	rec := records[v.Type()]
	partial = partial || rec.partial(v)
	t, blank := value{open: '{', width: 2}, rec.blankOf(v)
	for _, f := range rec.fields {
		x := v.FieldByIndex(f.index)
		empty := x.Kind() == reflect.Slice && x.Len() == 0
		asDefault := empty || reflect.DeepEqual(x.Interface(), blank.FieldByIndex(f.index).Interface())
		left := partial && x.IsZero() || asDefault && !f.always
		unset := f.fallback == "" && x.Kind() == reflect.String && x.Len() == 0
		if !f.required && ((left || empty) && !e.whole || unset && !f.always) {
			continue
		}
		name, part := quote(f.name)+": ", e.value(x, partial)
		t.names, t.parts = append(t.names, name), append(t.parts, part)
		t.width += len(name) + part.width + 2
		t.tall = t.tall || part.tall
	}
	if len(t.parts) > 0 {
		t.width -= 2
	}
	return t
}

// print lays a value out at a column of an indented line. The outermost object and lists of objects,
// and what holds one, are always broken: a line for each obstacle, goal, group.
func (t value) print(out *bytes.Buffer, indent, column int, root bool) {
	if t.open == 0 {
		out.WriteString(t.scalar)
		return
	}
	name := func(i int) string {
		if t.names == nil {
			return ""
		}
		return t.names[i]
	}
	out.WriteByte(t.open)
	defer out.WriteByte(t.open + 2) // in ASCII, ] and } come two after [ and {
	if column+t.width <= lineWidth-1 && !root && !t.tall || t.point() {
		for i, p := range t.parts {
			if i > 0 {
				out.WriteString(", ")
			}
			out.WriteString(name(i))
			p.print(out, 0, -math.MaxInt32, false)
		}
		return
	}
	indent += 2
	at := lineWidth // no room left: the first part begins a line
	for i, p := range t.parts {
		if i > 0 {
			out.WriteByte(',')
			at++
		}
		// Lists of numbers are filled like text, all else has a line each.
		if t.plain && at+1+p.width < lineWidth {
			out.WriteByte(' ')
			at++
		} else {
			out.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		}
		out.WriteString(name(i))
		p.print(out, indent, at+len(name(i)), false)
		at += len(name(i)) + p.width
	}
	out.WriteString("\n" + strings.Repeat(" ", indent-2))
}

// point reports whether this is a list of up to four plain numbers, which stays on its line.
func (t value) point() bool {
	return t.open == '[' && len(t.parts) <= 4 && !slices.ContainsFunc(t.parts, func(p value) bool { return p.open != 0 || !p.plain })
}
