package scenes

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// fromUTF16 returns a text without its byte order mark, in UTF-8 where the mark is that of UTF-16.
func fromUTF16(data []byte) []byte {
	var order unicode.Endianness
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		order = unicode.LittleEndian
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		order = unicode.BigEndian
	default:
		return bytes.TrimPrefix(data, []byte("\ufeff"))
	}
	return decoded(unicode.UTF16(order, unicode.ExpectBOM), data)
}

func decoded(e encoding.Encoding, data []byte) []byte {
	text, err := e.NewDecoder().Bytes(data)
	if err != nil {
		panic("scenes: a text that cannot be decoded: " + err.Error()) // what is invalid becomes U+FFFD
	}
	return text
}

var declaredEncoding = regexp.MustCompile(`^<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)["']`)

// declared turns the file into UTF-8 from the encoding that its XML declaration names: those of a
// byte a character are known. UTF-16 has been turned before where it has a byte order mark.
func (s *source) declared() error {
	found := declaredEncoding.FindSubmatchIndex(s.data)
	if found == nil {
		return nil
	}
	plain := func(name string) string {
		return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name))
	}
	name := string(s.data[found[2]:found[3]])
	switch key := plain(name); key {
	case "utf8", "utf16", "usascii", "ascii": // UTF-16 without the mark is none, or the file began otherwise
		return nil
	case "latin1", "l1":
		s.data = decoded(charmap.ISO8859_1, s.data)
		return nil
	default:
		for _, e := range charmap.All {
			if long := plain(fmt.Sprint(e)); key == long || strings.HasPrefix(key, "cp") && "windows"+key[2:] == long {
				s.data = decoded(e, s.data)
				return nil
			}
		}
	}
	return s.wrong(found[2], "the encoding %s is not known: save the file as UTF-8", excerpt([]byte(name)))
}

// entities are those that a document type declaration gives names to, <!ENTITY name "text">.
type entities struct {
	given   map[string]string // as written
	plain   map[string]string // expanded
	refused map[string]string // why they cannot be
	left    int               // bytes that expansions may still have, in all
	depth   int               // of the entity being expanded in others
}

// maxExpansion is how many bytes the entities of a file may come to, one after the other: as many
// as a file may have.
const maxExpansion = maxBytes

var entityDeclaration = regexp.MustCompile(`<!ENTITY\s+(%\s+)?([^\s%"'>]+)\s+(?:"([^"]*)"|'([^']*)'|SYSTEM|PUBLIC)`)

// readEntities returns the entities of a document type declaration, of several of a name the first.
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

// expand returns an entity's text; false if it has none, which refused says the reason of. Entities
// are text here, and no markup. They may hold others.
func (e *entities) expand(name string) (string, bool) {
	if text, ok := e.plain[name]; ok {
		return text, true
	}
	given, ok := e.given[name]
	if !ok {
		return "", false
	}
	delete(e.given, name) // until it is expanded: one that holds itself is not found
	if e.refused[name] = "it holds itself"; e.depth == maxDepth {
		e.refused[name] = fmt.Sprintf("it lies more than %d deep in others", maxDepth)
		return "", false
	}
	e.depth++
	defer func() { e.depth-- }()
	var out strings.Builder
	add := func(text string) bool {
		if e.left -= len(text); e.left < 0 {
			e.refused[name] = fmt.Sprintf("with the entities in it, and in others, it has more than %d MiB", maxExpansion>>20)
			return false
		}
		out.WriteString(text)
		return true
	}
	for rest := given; rest != ""; {
		before, after, found := strings.Cut(rest, "&")
		inner, after, closed := strings.Cut(after, ";")
		if strings.Contains(before, "<") || found && !closed {
			e.refused[name] = "it has to be plain text, without elements"
			return "", false
		}
		text := ""
		if found {
			if text, ok = e.reference(inner); !ok {
				e.refused[name] = fmt.Sprintf("it holds &%s; which cannot be read", shorten(inner))
				if why := e.refused[inner]; strings.HasPrefix(why, "in &") {
					e.refused[name] = why
				} else if why != "" {
					e.refused[name] = fmt.Sprintf("in &%s; that it holds, %s", shorten(inner), why)
				}
				return "", false
			}
		}
		if !add(before) || !add(text) {
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

// reference returns what is between & and ; in an entity stands for.
func (e *entities) reference(name string) (string, bool) {
	if text, ok := predefined[name]; ok {
		return text, true
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

// used expands the entities that a text refers to. It reports false where the text would become
// longer than maxExpansion, and the place.
func (e *entities) used(text []byte) (at int, ok bool) {
	for i := 0; ; {
		n := bytes.IndexByte(text[i:], '&')
		if n < 0 {
			return 0, true
		}
		i += n
		// Names are short: what has no end soon is none.
		if end := bytes.IndexByte(text[i:min(len(text), i+1000)], ';'); end > 0 {
			if expanded, ok := e.expand(string(text[i+1 : i+end])); ok {
				if e.left -= len(expanded); e.left < 0 {
					return i, false
				}
			}
		}
		i++
	}
}

// asIs is for decoders of text that is UTF-8 already.
func asIs(_ string, in io.Reader) (io.Reader, error) { return in, nil }
