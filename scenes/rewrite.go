package scenes

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Draft reads a document as Read does, but returns the scene of one with errors, too, as far as it
// could be read: for an editor, which shows faults and mends them. It is nil where there is no JSON
// to read.
func Draft(file string, data []byte) (*Scene, []Problem) {
	r := newReader(file, bytes.Clone(data))
	scene := r.read()
	return scene, r.sorted()
}

// Rewrite returns the text of a document changed so that Draft reads a given scene from it. What
// the text has of fields that stay, comments and layout included, stays to the byte; what is new is
// laid out as Encode does, on lines of its own where its neighbors have such. Comments above a
// removed part, and behind it on its line, go with it. Items of lists count as the same by their
// ids or where they are equal; else, between the same neighbors, those without ids are changed ones,
// and one with another id and nothing else is renamed.
//
// The scene may have faults, as drafts have, but each value must be one that its field can have. The
// error is that of Encode, or *Invalid: for other values, and for a text that is no JSON. The data
// is not changed.
func Rewrite(file string, data []byte, to *Scene) ([]byte, error) {
	whole, err := to.Encode()
	if err != nil {
		return nil, err
	}
	limits := newReader(file, whole)
	limits.shapes = true
	want := limits.fields() // with every default, as documents are read
	if limits.failed {
		return nil, &Invalid{"", limits.sorted()}
	}
	limits.check(want) // merges equal neighbors
	// Writing can change what is left out elsewhere: ids count on, and groups take the first
	// profile. The second pass writes those, and the third has nothing left to do, unless fields
	// depend on each other in a way that this package does not know.
	for range 4 {
		r := newReader(file, bytes.Clone(data))
		r.shapes = true
		now := r.read()
		if now == nil {
			return nil, &Invalid{file, r.sorted()}
		}
		if reflect.DeepEqual(now, want) {
			return data, nil
		}
		body := bytes.TrimPrefix(data, []byte("\ufeff"))
		w := rewriter{text: body}
		w.out.Write(data[:len(data)-len(body)])
		w.out.Write(body[:r.root.StartOffset])
		w.value(&r.root, reflect.ValueOf(now).Elem(), reflect.ValueOf(want).Elem())
		w.out.Write(body[r.root.EndOffset:])
		data = w.out.Bytes()
	}
	return nil, errors.New("scenes: the text cannot be changed into that of the scene: write it anew by Encode")
}

// rewriter writes a text anew as far as its meaning changes.
type rewriter struct {
	text []byte
	out  bytes.Buffer
}

// value writes a node that means from so that it means to.
func (w *rewriter) value(node *hujson.Value, from, to reflect.Value) {
	if reflect.DeepEqual(from.Interface(), to.Interface()) {
		w.out.Write(w.text[node.StartOffset:node.EndOffset])
		return
	}
	switch composite := node.Value.(type) {
	case *hujson.Object:
		switch {
		case from.Kind() == reflect.Pointer && !from.IsNil() && !to.IsNil():
			w.value(node, from.Elem(), to.Elem())
			return
		case from.Kind() == reflect.Struct && from.Type() != distributionType && len(composite.Members) > 0:
			w.object(node, composite, from, to)
			return
		}
	case *hujson.Array:
		list := from.Kind() == reflect.Slice || from.Kind() == reflect.Array
		if n := len(composite.Elements); list && n > 0 && n == from.Len() && to.Len() > 0 && !w.refills(node, from, to) {
			w.list(node, composite, from, to)
			return
		}
	}
	w.fresh(to)
}

// refills reports whether a list is laid out anew: one of numbers alone, without comments, that has
// more or fewer of them.
func (w *rewriter) refills(node *hujson.Value, from, to reflect.Value) bool {
	return from.Len() != to.Len() && new(encoder).value(to, false).plain && !bytes.ContainsRune(w.text[node.StartOffset:node.EndOffset], '/')
}

// fresh writes a value as Encode lays it out, at the end of the line that is being written.
func (w *rewriter) fresh(to reflect.Value) {
	line := w.out.Bytes()[bytes.LastIndexByte(w.out.Bytes(), '\n')+1:]
	margin := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
	var laid bytes.Buffer
	new(encoder).value(to, false).print(&laid, 0, len(line), false)
	for i, l := range strings.Split(laid.String(), "\n") {
		if i > 0 {
			w.out.WriteByte('\n')
			w.out.Write(margin)
			if bytes.ContainsRune(margin, '\t') {
				rest := strings.TrimLeft(l, " ")
				l = strings.Repeat("\t", (len(l)-len(rest))/2) + rest
			}
		}
		w.out.WriteString(l)
	}
}

// part is an item of a list or a member of an object in the new text.
type part struct {
	old   int    // its index in the old text; -1 where it is new
	write func() // all of it but what surrounds it
}

func (w *rewriter) list(node *hujson.Value, list *hujson.Array, from, to reflect.Value) {
	spans := make([][2]int, len(list.Elements))
	for i, e := range list.Elements {
		spans[i] = [2]int{e.StartOffset, e.EndOffset}
	}
	parts := make([]part, to.Len())
	for i, was := range align(from, to) {
		parts[i] = part{was, func() {
			if was < 0 {
				w.fresh(to.Index(i))
			} else {
				w.value(&list.Elements[was], from.Index(was), to.Index(i))
			}
		}}
	}
	w.composite(node, spans, parts)
}

func (w *rewriter) object(node *hujson.Value, object *hujson.Object, from, to reflect.Value) {
	rec := records[from.Type()]
	blank := rec.blankOf(to)
	names, spans, parts := make([]string, len(object.Members)), make([][2]int, len(object.Members)), []part(nil)
	for i, m := range object.Members {
		names[i], spans[i] = m.Name.Value.(hujson.Literal).String(), [2]int{m.Name.StartOffset, m.Value.EndOffset}
		k := slices.Index(rec.names, names[i])
		if k < 0 || slices.Contains(names[:i], names[i]) { // a fault, which is not mended here
			parts = append(parts, part{i, func() { w.out.Write(w.text[spans[i][0]:spans[i][1]]) }})
			continue
		}
		f := rec.fields[k]
		was, is := from.FieldByIndex(f.index), to.FieldByIndex(f.index)
		same := reflect.DeepEqual(was.Interface(), is.Interface())
		if asDefault := reflect.DeepEqual(is.Interface(), blank.FieldByIndex(f.index).Interface()); !same && asDefault && !f.always && !f.required {
			continue
		}
		parts = append(parts, part{i, func() {
			w.out.Write(w.text[m.Name.StartOffset:m.Value.StartOffset])
			w.value(&m.Value, was, is)
		}})
	}
	last := -1 // the part that holds the last field that came before
	for _, f := range rec.fields {
		was, is := from.FieldByIndex(f.index), to.FieldByIndex(f.index)
		if i := slices.Index(names, f.name); i >= 0 {
			if at := slices.IndexFunc(parts, func(p part) bool { return p.old == i }); at >= 0 {
				last = at
			}
		} else if !reflect.DeepEqual(was.Interface(), is.Interface()) {
			last++
			parts = slices.Insert(parts, last, part{-1, func() {
				w.out.WriteString(quote(f.name) + ": ")
				w.fresh(is)
			}})
		}
	}
	w.composite(node, spans, parts)
}

// composite writes a list or an object with these parts. Spans are where the items, or the members
// with their names, stand in the old text.
func (w *rewriter) composite(node *hujson.Value, spans [][2]int, parts []part) {
	l := w.layout(node, spans)
	w.out.WriteByte(w.text[node.StartOffset])
	for k, p := range parts {
		lead, trailer := l.margin, []byte(nil)
		if p.old >= 0 {
			lead, trailer = l.leads[p.old], l.trailers[p.old]
		}
		switch {
		case k == 0 && p.old != 0 && !bytes.ContainsRune(lead, '\n'):
			lead = l.leads[0]
		case k > 0 && len(lead) == 0:
			lead = []byte{' '}
		}
		w.extra(lead, l)
		p.write()
		if k < len(parts)-1 || l.comma {
			w.out.WriteByte(',')
		}
		w.out.Write(trailer)
	}
	if len(parts) > 0 || bytes.ContainsRune(l.tail, '/') {
		w.extra(l.tail, l)
	}
	w.out.WriteByte(w.text[node.EndOffset-1])
}

// extra writes white space and comments, on a new line where the line before has a comment to its
// end.
func (w *rewriter) extra(extra []byte, l layout) {
	line := w.out.Bytes()[bytes.LastIndexByte(w.out.Bytes(), '\n')+1:]
	if l.comments && bytes.Contains(line, []byte("//")) && !bytes.HasPrefix(extra, []byte{'\n'}) {
		w.out.WriteByte('\n')
		w.out.Write(bytes.TrimLeft(l.margin, "\n"))
	}
	w.out.Write(extra)
}

// layout is what surrounds the parts of a list or an object.
type layout struct {
	leads, trailers [][]byte // before each part, and behind each without the comma
	tail            []byte   // before the end
	margin          []byte   // before a new part
	comma           bool     // behind the last part
	comments        bool     // there are some
}

// layout cuts a text between parts. A comment on the line where a part ends belongs to that part,
// any other to the part that follows.
func (w *rewriter) layout(node *hujson.Value, spans [][2]int) layout {
	l := layout{margin: []byte{' '}}
	end := node.EndOffset - 1
	at := node.StartOffset + 1
	for i, s := range spans {
		l.leads = append(l.leads, w.text[at:s[0]])
		limit := end
		if i+1 < len(spans) {
			limit = spans[i+1][0]
		}
		between := w.text[s[1]:limit]
		l.comments = l.comments || bytes.ContainsRune(between, '/')
		comma := commaIn(between)
		l.comma = comma >= 0
		trailer := slices.Clone(between[:max(comma, 0)])
		rest := between[comma+1:]
		own, _, broken := bytes.Cut(rest, []byte{'\n'})
		if !bytes.ContainsRune(own, '/') || !broken {
			own = nil
		}
		l.trailers = append(l.trailers, append(trailer, own...))
		at = s[1] + comma + 1 + len(own)
	}
	l.tail = w.text[at:end]
	for _, lead := range l.leads {
		if i := bytes.LastIndexByte(lead, '\n'); i >= 0 {
			l.margin = lead[i:]
			break
		}
	}
	return l
}

// commaIn returns where the comma is among white space and comments; -1 where there is none.
func commaIn(extra []byte) int {
	for i := 0; i < len(extra); i++ {
		switch {
		case extra[i] == ',':
			return i
		case bytes.HasPrefix(extra[i:], []byte("//")):
			i += max(bytes.IndexByte(extra[i:], '\n'), 0)
		case bytes.HasPrefix(extra[i:], []byte("/*")):
			i += 2 + bytes.Index(extra[i+2:], []byte("*/")) + 1
		}
	}
	return -1
}

// longestAligned is the product of lengths up to which two runs of items are compared each with
// each: 2^22 comparisons take less than a second.
const longestAligned = 1 << 22

// align returns, for each item of a list, the item of an older one that it was; -1 for a new one.
// They ascend.
func align(from, to reflect.Value) []int {
	n, m := from.Len(), to.Len()
	out := make([]int, m)
	if from.Kind() == reflect.Array || n == m && to.Type().Elem().Kind() != reflect.Struct {
		for i := range out {
			out[i] = i
		}
		return out
	}
	same := func(i, j int) bool { return sameItem(from.Index(i), to.Index(j)) }
	begin := 0
	for ; begin < n && begin < m && same(begin, begin); begin++ {
		out[begin] = begin
	}
	for ; n > begin && m > begin && same(n-1, m-1); n, m = n-1, m-1 {
		out[m-1] = n - 1
	}
	pairs := commonItems(n-begin, m-begin, func(i, j int) bool { return same(begin+i, begin+j) })
	// Between two that are the same, as many as there are on both sides are changed items.
	i, j := begin, begin
	for _, p := range append(pairs, [2]int{n - begin, m - begin}) {
		for ; j < begin+p[1]; i, j = i+1, j+1 {
			out[j] = -1
			if i < begin+p[0] && mayBe(from.Index(i), to.Index(j)) {
				out[j] = i
			}
		}
		if i, j = begin+p[0], begin+p[1]; j < m {
			out[j] = i
			i, j = i+1, j+1
		}
	}
	return out
}

// commonItems returns a longest common subsequence, as pairs of indices.
func commonItems(n, m int, same func(i, j int) bool) (pairs [][2]int) {
	if n == 0 || m == 0 || n*m > longestAligned {
		return nil
	}
	length := make([][]int, n+1) // of what follows
	for i := range length {
		length[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if length[i][j] = max(length[i+1][j], length[i][j+1]); same(i, j) {
				length[i][j] = length[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case same(i, j) && length[i][j] == length[i+1][j+1]+1:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// sameItem reports whether an item of a list is one of before: by its id where both have one, else
// where all of it is equal.
func sameItem(a, b reflect.Value) bool {
	if x, y := itemID(a), itemID(b); x != "" || y != "" {
		return x == y
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

// mayBe reports whether an item can be a changed one of before: with another id only if all else is
// equal, which is a new name.
func mayBe(a, b reflect.Value) bool {
	if itemID(a) == "" || itemID(b) == "" {
		return true
	}
	renamed := reflect.New(a.Type()).Elem()
	renamed.Set(a)
	renamed.FieldByName("ID").SetString(itemID(b))
	return sameItem(a, b) || reflect.DeepEqual(renamed.Interface(), b.Interface())
}

// itemID is the id of an item of a list; empty where it has none.
func itemID(v reflect.Value) string {
	if v.Kind() != reflect.Struct {
		return ""
	}
	id := v.FieldByName("ID")
	if !id.IsValid() {
		return ""
	}
	return id.String()
}
