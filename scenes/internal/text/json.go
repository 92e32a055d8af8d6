package text

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// Step is one step of a path: the name of a field, or an index if the name is empty.
type Step struct {
	Name  string
	Index int
}

// FormatPath returns a path as in RFC 9535, with the short form for names that allow it.
func FormatPath(path []Step) string {
	var b strings.Builder
	b.WriteByte('$')
	for _, s := range path {
		switch {
		case s.Name == "":
			b.WriteString("[" + strconv.Itoa(s.Index) + "]")
		case isShortName(s.Name):
			b.WriteString("." + s.Name)
		default:
			q := strconv.Quote(cut(s.Name, LongestName))
			q = strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
			b.WriteString("['" + strings.ReplaceAll(q, "'", `\'`) + "']")
		}
	}
	return b.String()
}

// LongestName is the number of bytes of a name that a path repeats.
const LongestName = 40

// isShortName reports whether a name may follow a dot in a path (RFC 9535, member-name-shorthand;
// letters beyond ASCII are quoted here).
func isShortName(name string) bool {
	for i, c := range name {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && len(name) <= LongestName
}

// Finding is a problem with the place and the path of what it is about.
type Finding struct {
	Offset  int
	Path    []Step
	Message string
}

// Parse parses JSON with comments and trailing commas. Words such as NaN and Infinity, which JSON
// does not have but programs write, are returned and overwritten in the file's data with a zero, so
// that the rest of the document can still be checked. What keeps the document from being parsed is
// fatal.
func (f *File) Parse() (root hujson.Value, words []Finding, fatal *Finding) {
	if len(f.Data) > MaxBytes {
		return root, nil, &Finding{Message: fmt.Sprintf("the document has %d bytes, at most %d (32 MiB) are read", len(f.Data), MaxBytes)}
	}
	if i := invalidUTF8(f.Data); i >= 0 {
		_, _, path := scan(bytes.Clone(f.Data), i)
		return root, nil, &Finding{i, path, fmt.Sprintf("byte %#02x is not UTF-8, the encoding of scene files", f.Data[i])}
	}
	words, fatal, _ = scan(f.Data, len(f.Data))
	if fatal != nil {
		return root, nil, fatal
	}
	root, err := hujson.Parse(f.Data)
	if err != nil {
		offset := f.parseOffset(err)
		_, _, path := scan(f.Data, offset)
		return root, words, &Finding{offset, path, "no valid JSON: " + parseMessage(err)}
	}
	return root, words, nil
}

// parseOffset returns the place of an error of the parser, which has it in its text, as line and
// byte.
func (f *File) parseOffset(err error) int {
	var line, column int
	if _, e := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); e != nil {
		return 0
	}
	f.Place(0) // finds the lines
	return min(f.starts[min(line, len(f.starts))-1]+column-1, len(f.Data))
}

// parseMessage returns the parser's words on one line, without its own place, shortened.
func parseMessage(err error) string {
	if inner := errors.Unwrap(err); inner != nil {
		err = inner
	}
	return cut(strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return ' ' // a string torn by the end of its line, for one
		}
		return c
	}, err.Error()), 160)
}

// Member returns the first member of an object with this name, or nil.
func Member(node *hujson.Value, name string) *hujson.Value {
	object, ok := node.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	for i := range object.Members {
		// Names are compared as written where nothing in them is escaped: this is done for every
		// vertex.
		raw := object.Members[i].Name.Value.(hujson.Literal)
		if same := len(raw) == len(name)+2 && string(raw[1:len(raw)-1]) == name; same ||
			bytes.IndexByte(raw, '\\') >= 0 && raw.String() == name {
			return &object.Members[i].Value
		}
	}
	return nil
}

// frame is an object or a list that scan is inside of.
type frame struct {
	object bool
	named  bool // the key has been read
	step   Step // of the value
}

// scan looks over a document before it is parsed: for words that are no JSON, its depth and its
// values. It stops at stop or at the first limit that is exceeded, which fatal says; path is that
// of the place where it stopped. Other mistakes are left to the parser.
func scan(data []byte, stop int) (words []Finding, fatal *Finding, path []Step) {
	var stack []frame
	where := func() (p []Step) {
		for _, f := range stack {
			if !f.object || f.named {
				p = append(p, f.step)
			}
		}
		return p
	}
	values := 1
	var end int
	for i := 0; i < min(stop, len(data)); i = end {
		end = i + 1
		var top *frame
		if n := len(stack); n > 0 {
			top = &stack[n-1]
		}
		switch c := data[i]; {
		case c == '"':
			end = stringEnd(data, i)
			if top != nil && top.object && !top.named && end <= stop {
				key, err := strconv.Unquote(string(data[i:end]))
				if err != nil {
					key = strings.Trim(string(data[i:end]), `"`)
				}
				top.step, top.named = Step{Name: key}, true
			}
		case bytes.HasPrefix(data[i:], []byte("//")):
			end = after(data, i, "\n")
		case bytes.HasPrefix(data[i:], []byte("/*")):
			end = after(data, i+2, "*/")
		case c == '{' || c == '[':
			if len(stack) == MaxDepth {
				return words, &Finding{i, where(), fmt.Sprintf("nested more than %d levels deep", MaxDepth)}, nil
			}
			stack = append(stack, frame{object: c == '{'})
		case c == '}' || c == ']':
			stack = stack[:max(len(stack)-1, 0)]
		case c == ',':
			if values++; values > MaxValues {
				return words, &Finding{i, where(), fmt.Sprintf("more than %d values", MaxValues)}, nil
			}
			if top != nil {
				top.step.Index++
				top.named = false
			}
		case isWord(c):
			for end < len(data) && isWord(data[end]) {
				end++
			}
			word := string(data[i:end])
			switch strings.ToLower(strings.TrimLeft(word, "+-")) {
			case "nan", "inf", "infinity":
				words = append(words, Finding{i, where(), word + " is not allowed: a number has to be finite"})
				copy(data[i:end], "0"+strings.Repeat(" ", end-i-1))
			}
		}
	}
	return words, nil, where()
}

func isWord(c byte) bool {
	return c == '+' || c == '-' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// stringEnd returns the offset after the string that begins at i.
func stringEnd(data []byte, i int) int {
	for j := i + 1; j < len(data); j++ {
		switch data[j] {
		case '\\':
			j++
		case '"':
			return j + 1
		}
	}
	return len(data)
}

// after returns the offset after the next mark at or behind i, or the end.
func after(data []byte, i int, mark string) int {
	if n := bytes.Index(data[i:], []byte(mark)); n >= 0 {
		return i + n + len(mark)
	}
	return len(data)
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}
