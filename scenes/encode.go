package scenes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// lineWidth is how many columns Encode fills before it breaks a line.
const lineWidth = 120

// Encode returns the scene as a document that Read turns into an equal scene. It
// is canonical: equal scenes give the same bytes. Fields that hold their default
// are left out, and so are the zeros of partial structs (see Scene), what fits a line
// stands on one, and points are never torn apart.
// A number that JSON cannot hold, another version, or more values than Read takes, is an error.
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

// document returns the scene as text. It always does; where e.err is set, Read refuses the text.
func (e *encoder) document(s *Scene) []byte {
	whole, left := *s, s.Version == 0
	if left {
		whole.Version = Version
	}
	var out bytes.Buffer
	root := e.object(reflect.ValueOf(&whole).Elem(), left)
	root.print(&out, 0, 0, true)
	out.WriteByte('\n')
	return out.Bytes()
}

// text is a JSON value to be laid out: a scalar, or a list or an object of such.
type text struct {
	scalar string
	open   byte // '[' or '{', 0 for a scalar
	names  []string
	parts  []text
	width  int  // on one line
	plain  bool // numbers only, at any depth
}

// encoder makes text of values. err is the first thing that keeps the text from being read again.
type encoder struct {
	values int
	whole  bool // all fields are written
	err    error
}

// value returns the text of a value. Where it is held by a partial struct, so is it, if it is a struct.
func (e *encoder) value(v reflect.Value, partial bool) text {
	switch v.Kind() {
	case reflect.Pointer:
		return e.value(v.Elem(), false)
	case reflect.Struct:
		return e.object(v, partial)
	case reflect.Slice, reflect.Array:
		t := text{open: '[', width: 2, plain: true}
		for i := range v.Len() {
			// One more than Read takes is written, so that Read says what is wrong.
			if e.values++; e.values > maxValues+1 {
				e.fail("more than %d values cannot be written: Read takes no more", maxValues)
				break
			}
			part := e.value(v.Index(i), false)
			t.parts = append(t.parts, part)
			t.width += part.width
			t.plain = t.plain && part.plain
		}
		t.width += 2 * max(len(t.parts)-1, 0)
		return t
	case reflect.Float64:
		return scalar(e.number(v.Float()), true)
	case reflect.Int:
		return scalar(strconv.FormatInt(v.Int(), 10), true)
	case reflect.Uint64:
		return scalar(strconv.FormatUint(v.Uint(), 10), true)
	case reflect.Bool:
		return scalar(strconv.FormatBool(v.Bool()), false)
	}
	return scalar(quote(v.String()), false)
}

func scalar(s string, plain bool) text { return text{scalar: s, width: len(s), plain: plain} }

func (e *encoder) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf("scenes: "+format, args...)
	}
}

// number returns the shortest decimal that reads back as the same float64; for what is no number a word that Read refuses.
func (e *encoder) number(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		e.fail("%v cannot be written: every number of a scene has to be finite", x)
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	if a := math.Abs(x); a == 0 || 1e-6 <= a && a < 1e15 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// quote returns a JSON string. Only what JSON wants escaped is.
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
func (e *encoder) object(v reflect.Value, partial bool) text {
	rec := records[v.Type()]
	partial = partial || rec.partial(v)
	t := text{open: '{', width: 2}
	for _, f := range rec.fields {
		x := v.Field(f.index)
		empty := x.Kind() == reflect.Slice && x.Len() == 0
		asDefault := empty || reflect.DeepEqual(x.Interface(), rec.blank.Field(f.index).Interface())
		left := partial && x.IsZero() || asDefault && !f.always
		if (left || empty) && !f.required && !e.whole {
			continue
		}
		part := e.value(x, partial)
		t.names = append(t.names, quote(f.name)+": ")
		t.parts = append(t.parts, part)
		t.width += len(quote(f.name)) + 2 + part.width + 2
	}
	if len(t.parts) > 0 {
		t.width -= 2
	}
	return t
}

// print lays a value out at a column of an indented line. The outermost object
// and its lists of objects are always broken: a line for each obstacle, goal,
// group.
func (t text) print(out *bytes.Buffer, indent, column int, root bool) {
	if t.open == 0 {
		out.WriteString(t.scalar)
		return
	}
	shut := byte(']')
	if t.open == '{' {
		shut = '}'
	}
	out.WriteByte(t.open)
	if column+t.width <= lineWidth-1 && !root && !t.holdsObjects() || t.point() {
		for i, p := range t.parts {
			if i > 0 {
				out.WriteString(", ")
			}
			if t.names != nil {
				out.WriteString(t.names[i])
			}
			p.print(out, 0, -math.MaxInt32, false)
		}
		out.WriteByte(shut)
		return
	}
	indent += 2
	at := lineWidth // no room left: the first part begins a line
	for i, p := range t.parts {
		if i > 0 {
			out.WriteByte(',')
			at++
		}
		name := ""
		if t.names != nil {
			name = t.names[i]
		}
		// Lists of numbers are filled like text, all else has a line each.
		if t.plain && at+1+p.width < lineWidth {
			out.WriteByte(' ')
			at++
		} else {
			out.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		}
		out.WriteString(name)
		p.print(out, indent, at+len(name), false)
		at += len(name) + p.width
	}
	out.WriteString("\n" + strings.Repeat(" ", indent-2))
	out.WriteByte(shut)
}

// holdsObjects reports whether this is a list with more than a line's worth of
// reasons to be broken: objects.
func (t text) holdsObjects() bool {
	return t.open == '[' && len(t.parts) > 0 && t.parts[0].open == '{'
}

// point reports whether this is a list of plain numbers, which stays on its line.
func (t text) point() bool {
	if t.open != '[' {
		return false
	}
	for _, p := range t.parts {
		if p.open != 0 || !p.plain {
			return false
		}
	}
	return len(t.parts) <= 4
}
