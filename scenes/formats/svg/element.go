package svg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/wayfront/wayfront/scenes/formats/plan"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// element is an element of a drawing.
type element struct {
	name       string
	attributes []xml.Attr
	at         int             // offset in the file
	text       strings.Builder // of a style sheet
	inside     []*element
}

// value returns an attribute, whatever its namespace is; "" if it is not given.
func (e *element) value(name string) string {
	for _, a := range e.attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// parse returns the outermost element of a drawing.
func parse(in *plan.Source) (root *element) {
	decode(in)
	decoder := xml.NewDecoder(bytes.NewReader(in.Data))
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8 now
	named := readEntities(nil)
	var around []*element // of what comes next, the innermost last
	for in.Err == nil {
		at := int(decoder.InputOffset())
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			failXML(in, at, err, named)
			return nil
		}
		switch t := token.(type) {
		case xml.Directive:
			if !bytes.HasPrefix(t, []byte("DOCTYPE")) {
				continue
			}
			named = readEntities(t)
			after := int(decoder.InputOffset())
			if long, ok := named.used(in.Data[after:]); !ok {
				in.Fail(after+long, "with all its entities the file has more than %d MiB", maxExpansion>>20)
			}
			decoder.Entity = named.plain
		case xml.StartElement:
			e := &element{name: t.Name.Local, attributes: t.Attr, at: at}
			switch {
			case len(around) > text.MaxDepth:
				in.Fail(at, "elements lie more than %d deep in one another", text.MaxDepth)
			case len(around) > 0:
				last := around[len(around)-1]
				last.inside = append(last.inside, e)
			case root != nil:
				in.Fail(at, "a second element <%s> beside <svg>", text.Shorten(e.name))
			case e.name != "svg":
				in.Fail(at, "the element <%s> where <svg> is needed", text.Shorten(e.name))
			default:
				root = e
			}
			around = append(around, e)
		case xml.EndElement:
			around = around[:len(around)-1]
		case xml.CharData:
			if n := len(around); n > 0 && around[n-1].name == "style" {
				around[n-1].text.Write(t)
			}
		}
	}
	if root == nil {
		in.Fail(0, "there is no <svg> element")
	}
	return root
}

// failXML fails with the error of the XML decoder at a place.
func failXML(in *plan.Source, at int, err error, named *entities) {
	message := err.Error()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		message = syntax.Msg
	}
	_, name, _ := strings.Cut(strings.TrimSuffix(message, ";"), "invalid character entity &")
	switch why := named.refused[name]; {
	case why != "":
		in.Fail(at, "the entity &%s; cannot be read: %s", text.Shorten(name), why)
	case message == "invalid UTF-8":
		in.Fail(at, "this is not UTF-8, and the file names no other encoding: save it as UTF-8")
	}
	in.Fail(at, "no valid XML: %s", message)
}

// cssRules are what the style sheets of a drawing say of classes, by name: of the properties that
// count. Other selectors than .name are passed over.
type cssRules map[string]map[string]string

// cssComment is a comment, also one that does not end.
var cssComment = regexp.MustCompile(`(?s)/\*.*?(\*/|$)`)

// looked are the properties that count.
var looked = []string{"display", "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-dasharray"}

// read takes the rules of a style sheet.
func (r cssRules) read(sheet string) {
	for rule := range strings.SplitSeq(cssComment.ReplaceAllString(sheet, " "), "}") {
		selectors, body, ok := strings.Cut(rule, "{")
		if !ok {
			continue
		}
		said := map[string]string{}
		declarations(body, said)
		for selector := range strings.SplitSeq(selectors, ",") {
			class, ok := strings.CutPrefix(strings.TrimSpace(selector), ".")
			if !ok {
				continue
			}
			if r[class] == nil {
				r[class] = map[string]string{}
			}
			maps.Copy(r[class], said)
		}
	}
}

// declarations reads the properties that count in a list of NAME: VALUE; into a map.
func declarations(list string, into map[string]string) {
	for d := range strings.SplitSeq(list, ";") {
		name, value, ok := strings.Cut(d, ":")
		if name = strings.TrimSpace(name); ok && slices.Contains(looked, name) {
			value, _, _ = strings.Cut(value, "!")
			into[name] = strings.TrimSpace(value)
		}
	}
}

// of returns the properties of an element: its style counts before its classes, and these before
// its attributes. "" is what is not given.
func (r cssRules) of(e *element) func(property string) string {
	said := map[string]string{}
	for class := range strings.FieldsSeq(e.value("class")) {
		maps.Copy(said, r[class])
	}
	declarations(e.value("style"), said)
	return func(property string) string {
		if value, ok := said[property]; ok {
			return value
		}
		return strings.TrimSpace(e.value(property))
	}
}
