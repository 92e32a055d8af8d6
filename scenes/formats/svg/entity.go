package svg

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/wayfront/wayfront/scenes/formats/plan"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

var (
	declaredEncoding = regexp.MustCompile(`^<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)["']`)
	unicodeEncoding  = regexp.MustCompile(`(?i)^(utf[-_ ]?(8|16)|(us[-_ ]?)?ascii)$`)
)

// decode turns a file into UTF-8 from the encoding that its XML declaration names. UTF-16 with a
// byte order mark has been turned before, and without one it is none, or the file began otherwise.
func decode(in *plan.Source) {
	found := declaredEncoding.FindSubmatchIndex(in.Data)
	if found == nil {
		return
	}
	name := string(in.Data[found[2]:found[3]])
	if unicodeEncoding.MatchString(name) {
		return
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		in.Fail(found[2], "the encoding %s is not known: save the file as UTF-8", text.Quote(name))
		return
	}
	in.Data = plan.Decoded(e, in.Data)
}

// entities are those of a document type declaration, <!ENTITY name "text">.
type entities struct {
	given   map[string]string // as written
	plain   map[string]string // expanded
	refused map[string]string // why they cannot be
	left    int               // bytes that expansions may still have, in all
	depth   int               // of the entity being expanded in others
}

// maxExpansion is the greatest sum of the lengths of a file's entities where they are used, in
// bytes: that of a file.
const maxExpansion = text.MaxBytes

var entityDeclaration = regexp.MustCompile(`<!ENTITY\s+(%\s+)?([^\s%"'>]+)\s+(?:"([^"]*)"|'([^']*)'|SYSTEM|PUBLIC)`)

// readEntities returns the entities of a document type declaration; of several of a name the first.
func readEntities(declaration []byte) *entities {
	e := &entities{given: map[string]string{}, plain: map[string]string{}, refused: map[string]string{}, left: maxExpansion}
	for _, found := range entityDeclaration.FindAllSubmatch(declaration, -1) {
		name := string(found[2])
		_, twice := e.given[name]
		_, refused := e.refused[name]
		switch {
		case len(found[1]) > 0 || twice || refused:
		case found[3] == nil && found[4] == nil:
			e.refused[name] = "it stands for another file, which is not read"
		default:
			e.given[name] = string(found[3]) + string(found[4])
		}
	}
	return e
}

// expand returns an entity's text; false if it has none, with the reason in refused. Entities are
// text here, and no markup. They may hold others.
func (e *entities) expand(name string) (string, bool) {
	if known, ok := e.plain[name]; ok {
		return known, true
	}
	given, ok := e.given[name]
	if !ok {
		return "", false
	}
	delete(e.given, name) // until it is expanded: one that holds itself is not found
	if e.refused[name] = "it holds itself"; e.depth == text.MaxDepth {
		e.refused[name] = fmt.Sprintf("it lies more than %d deep in others", text.MaxDepth)
		return "", false
	}
	e.depth++
	defer func() { e.depth-- }()
	var out strings.Builder
	add := func(part string) bool {
		if e.left -= len(part); e.left < 0 {
			e.refused[name] = fmt.Sprintf("with the entities in it, and in others, it has more than %d MiB", maxExpansion>>20)
			return false
		}
		out.WriteString(part)
		return true
	}
	for rest := given; rest != ""; {
		before, after, found := strings.Cut(rest, "&")
		inner, after, closed := strings.Cut(after, ";")
		if strings.Contains(before, "<") || found && !closed {
			e.refused[name] = "it has to be plain text, without elements"
			return "", false
		}
		part := ""
		if found {
			if part, ok = e.reference(inner); !ok {
				e.refused[name] = fmt.Sprintf("it holds &%s; which cannot be read", text.Shorten(inner))
				if why := e.refused[inner]; strings.HasPrefix(why, "in &") {
					e.refused[name] = why
				} else if why != "" {
					e.refused[name] = fmt.Sprintf("in &%s; that it holds, %s", text.Shorten(inner), why)
				}
				return "", false
			}
		}
		if !add(before) || !add(part) {
			return "", false
		}
		rest = after
	}
	delete(e.refused, name)
	e.plain[name] = out.String()
	return out.String(), true
}

// predefined are the entities that XML has itself.
var predefined = map[string]string{"lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": `"`}

// reference returns the text of a reference, &name; in an entity.
func (e *entities) reference(name string) (string, bool) {
	if char, ok := predefined[name]; ok {
		return char, true
	}
	if digits, ok := strings.CutPrefix(name, "#"); ok {
		base := 10
		if hex, ok := strings.CutPrefix(digits, "x"); ok {
			digits, base = hex, 16
		}
		code, err := strconv.ParseInt(digits, base, 32)
		// Characters that would be markup when the entity is used are not plain text.
		return string(rune(code)), err == nil && utf8.ValidRune(rune(code)) && code != '<' && code != '&'
	}
	return e.expand(name)
}

// used expands the entities that a text refers to. It returns false where the text would become
// longer than maxExpansion, and the place.
func (e *entities) used(data []byte) (at int, ok bool) {
	for i := 0; ; {
		n := bytes.IndexByte(data[i:], '&')
		if n < 0 {
			return 0, true
		}
		i += n
		// Names are short: what has no end soon is none.
		if end := bytes.IndexByte(data[i:min(len(data), i+1000)], ';'); end > 0 {
			if expanded, ok := e.expand(string(data[i+1 : i+end])); ok {
				if e.left -= len(expanded); e.left < 0 {
					return i, false
				}
			}
		}
		i++
	}
}
