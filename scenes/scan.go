package scenes

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of a document, so that a broken or hostile file ends in a message. The
// deepest field of the format lies 6 levels down; 2^21 values are 700,000
// vertices, 35 times what maps are asked to hold.
const (
	maxBytes  = 32 << 20
	maxDepth  = 64
	maxValues = 1 << 21
)

// step is one step of a path: the name of a field, or an index if the name is
// empty.
type step struct {
	name  string
	index int
}

// formatPath returns a path as in RFC 9535, with the short form for names that
// allow it.
func formatPath(path []step) string {
	var b strings.Builder
	b.WriteByte('$')
	for _, s := range path {
		switch {
		case s.name == "":
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case isShortName(s.name):
			b.WriteString("." + s.name)
		default:
			b.WriteString("[" + quotedName(s.name) + "]")
		}
	}
	return b.String()
}

// longestName is how many bytes of a name a path repeats.
const longestName = 40

// isShortName reports whether a name may follow a dot in a path (RFC 9535,
// member-name-shorthand; letters beyond ASCII are quoted here).
func isShortName(name string) bool {
	for i, c := range name {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && len(name) <= longestName
}

// quotedName returns a name between single quotes as normalised paths want it,
// cut when it is absurdly long.
func quotedName(name string) string {
	if len(name) > longestName {
		name = strings.ToValidUTF8(name[:longestName], "") + "..."
	}
	q := strconv.Quote(name)
	q = strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
	return "'" + strings.ReplaceAll(q, "'", `\'`) + "'"
}

// finding is something that scan came upon.
type finding struct {
	offset  int
	path    []step
	message string
}

// frame is an object or a list that scan is inside of.
type frame struct {
	object bool
	index  int    // of the value, in a list
	key    string // of the value, in an object
	named  bool   // the key has been read
}

// scan looks over a document before it is parsed. It stops at stop or at the
// first limit that is passed; fatal then says which. Words such as NaN and
// Infinity, which JSON does not have but programs write, are told and overwritten
// in data with a zero, so that the rest of the document can still be checked.
// The path is that of the place where it stopped. Anything else that is wrong is
// left to the parser.
func scan(data []byte, stop int) (words []finding, fatal *finding, path []step) {
	var stack []frame
	where := func() []step {
		var p []step
		for _, f := range stack {
			switch {
			case !f.object:
				p = append(p, step{index: f.index})
			case f.named:
				p = append(p, step{name: f.key})
			}
		}
		return p
	}
	values := 1
	i := 0
	for i < min(stop, len(data)) {
		switch c := data[i]; {
		case c == '"':
			end := stringEnd(data, i)
			if n := len(stack); n > 0 && stack[n-1].object && !stack[n-1].named && end <= stop {
				key, err := strconv.Unquote(string(data[i:end]))
				if err != nil {
					key = strings.Trim(string(data[i:end]), `"`)
				}
				stack[n-1].key, stack[n-1].named = key, true
			}
			i = end
			continue
		case c == '/' && i+1 < len(data) && data[i+1] == '/':
			i = after(data, i, "\n")
			continue
		case c == '/' && i+1 < len(data) && data[i+1] == '*':
			i = after(data, i+2, "*/")
			continue
		case c == '{' || c == '[':
			if len(stack) == maxDepth {
				return words, &finding{i, where(), fmt.Sprintf("nested more than %d levels deep", maxDepth)}, nil
			}
			stack = append(stack, frame{object: c == '{'})
		case c == '}' || c == ']':
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
		case c == ',':
			if values++; values > maxValues {
				return words, &finding{i, where(), fmt.Sprintf("more than %d values", maxValues)}, nil
			}
			if n := len(stack); n > 0 {
				stack[n-1].index++
				stack[n-1].named = false
			}
		case isWord(c):
			end := i
			for end < len(data) && isWord(data[end]) {
				end++
			}
			word := string(data[i:end])
			switch strings.ToLower(strings.TrimLeft(word, "+-")) {
			case "nan", "inf", "infinity":
				words = append(words, finding{i, where(), word + " is not allowed: a number has to be finite"})
				copy(data[i:end], "0"+strings.Repeat(" ", end-i-1))
			}
			i = end
			continue
		}
		i++
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
