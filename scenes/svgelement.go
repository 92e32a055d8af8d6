package scenes

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
)

// svgElement is an element of a drawing.
type svgElement struct {
	name       string
	attributes []xml.Attr
	at         int             // offset in the file
	text       strings.Builder // of a style sheet
	inside     []*svgElement
}

// value returns an attribute, whatever its namespace is; "" if it is not given.
func (e *svgElement) value(name string) string {
	for _, a := range e.attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// parseSVG returns the outermost element of a drawing.
func parseSVG(in *source) (*svgElement, error) {
	if err := in.declared(); err != nil {
		return nil, err
	}
	decoder := xml.NewDecoder(bytes.NewReader(in.data))
	decoder.CharsetReader = asIs
	named := readEntities(nil)
	var root *svgElement
	var around []*svgElement // of what comes next, the innermost last
	for {
		at := int(decoder.InputOffset())
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				_, name, _ := strings.Cut(strings.TrimSuffix(syntax.Msg, ";"), "invalid character entity &")
				if why := named.refused[name]; why != "" {
					return nil, in.wrong(at, "the entity &%s; cannot be read: %s", shorten(name), why)
				}
				if syntax.Msg == "invalid UTF-8" {
					return nil, in.wrong(at, "this is not UTF-8, and the file names no other encoding: save it as UTF-8")
				}
				return nil, in.wrong(at, "no valid XML: %s", syntax.Msg)
			}
			return nil, in.wrong(at, "no valid XML: %v", err)
		}
		switch t := token.(type) {
		case xml.Directive:
			if !bytes.HasPrefix(t, []byte("DOCTYPE")) {
				continue
			}
			named = readEntities(t)
			after := int(decoder.InputOffset())
			if long, ok := named.used(in.data[after:]); !ok {
				return nil, in.wrong(after+long, "with all its entities the file has more than %d MiB", maxExpansion>>20)
			}
			decoder.Entity = named.plain
		case xml.StartElement:
			e := &svgElement{name: t.Name.Local, attributes: t.Attr, at: at}
			switch {
			case len(around) > maxDepth:
				return nil, in.wrong(at, "elements lie more than %d deep in one another", maxDepth)
			case len(around) > 0:
				last := around[len(around)-1]
				last.inside = append(last.inside, e)
			case root != nil:
				return nil, in.wrong(at, "a second element <%s> beside <svg>", shorten(e.name))
			case e.name != "svg":
				return nil, in.wrong(at, "the element <%s> where <svg> is needed", shorten(e.name))
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
		return nil, in.wrong(0, "there is no <svg> element")
	}
	return root, nil
}

// cssRules are what the style sheets of a drawing say of classes, by name: of the properties that
// are looked at. Other selectors than .name are passed over.
type cssRules map[string]map[string]string

// looked are the properties that a reader looks at.
var looked = []string{"display", "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-dasharray"}

// read takes the rules of a style sheet.
func (r *cssRules) read(sheet string) {
	var plain strings.Builder // without comments
	for rest := sheet; rest != ""; {
		before, after, found := strings.Cut(rest, "/*")
		plain.WriteString(before)
		if found {
			plain.WriteByte(' ')
		}
		_, rest, _ = strings.Cut(after, "*/")
	}
	for rule := range strings.SplitSeq(plain.String(), "}") {
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
			if *r == nil {
				*r = cssRules{}
			}
			if (*r)[class] == nil {
				(*r)[class] = map[string]string{}
			}
			maps.Copy((*r)[class], said)
		}
	}
}

// declarations puts what a list of NAME: VALUE; says of properties that are looked at where it
// belongs.
func declarations(list string, into map[string]string) {
	for d := range strings.SplitSeq(list, ";") {
		name, value, ok := strings.Cut(d, ":")
		if name = strings.TrimSpace(name); ok && slices.Contains(looked, name) {
			value, _, _ = strings.Cut(value, "!")
			into[name] = strings.TrimSpace(value)
		}
	}
}

// of returns how an element looks: its style counts before its classes, and these before its attributes. "" is what is not said.
func (r cssRules) of(e *svgElement) func(property string) string {
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
