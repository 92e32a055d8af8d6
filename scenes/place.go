package scenes

import (
	"fmt"
	"slices"

	"github.com/tailscale/hujson"

	"github.com/wayfront/wayfront/scenes/internal/text"
)

// place is a spot of the document: its path, and its node if it is there.
type place struct {
	reader *reader
	path   []text.Step
	offset int           // where the document does not have it: of the nearest thing around it
	node   *hujson.Value // nil if the document does not have it
}

// at returns the place at a path of names and indices in the document.
func (r *reader) at(path ...any) place {
	return place{reader: r, node: &r.root, offset: r.root.StartOffset}.at(path...)
}

// at returns the place at a path in a place.
func (p place) at(path ...any) place {
	p.path = slices.Clip(p.path)
	for _, s := range path {
		node := p.node
		p.node = nil
		switch s := s.(type) {
		case string:
			p.path = append(p.path, text.Step{Name: s})
			if node != nil {
				p.node = text.Member(node, s)
			}
		case int:
			p.path = append(p.path, text.Step{Index: s})
			if node != nil {
				if list, ok := node.Value.(*hujson.Array); ok && s < len(list.Elements) {
					p.node = &list.Elements[s]
				}
			}
		}
		if p.node != nil {
			p.offset = p.node.StartOffset
		}
	}
	return p
}

// given reports whether the document has something there.
func (p place) given() bool { return p.node != nil }

// isObject reports whether the document has an object there.
func (p place) isObject() bool { return p.given() && p.node.Value.Kind() == '{' }

// sound reports whether a place is free of errors so far; what is not given is.
func (p place) sound() bool {
	return p.node == nil || !slices.ContainsFunc(p.reader.broken, func(offset int) bool {
		return p.node.StartOffset <= offset && offset < p.node.EndOffset
	})
}

// wrong adds an error at a place.
func (p place) wrong(format string, args ...any) { p.reader.report(p.offset, p.path, format, args...) }

// note adds a note at a place.
func (p place) note(format string, args ...any) {
	if r := p.reader; r.notes < maxProblems {
		r.notes++
		r.add(p.offset, p.path, true, fmt.Sprintf(format, args...))
	}
}
