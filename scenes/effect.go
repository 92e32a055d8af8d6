package scenes

import (
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// dormant is a field of the format that nothing reads yet.
type dormant struct {
	// pattern is the path of the field; [*] stands for every index.
	pattern string
	// except are the values, as in the file, that mean what happens anyway.
	except []string
	// what has no effect, for the message.
	what string
}

// dormantFields lists what a scene may say without effect. A line goes when its
// behaviour comes.
var dormantFields = []dormant{
	{"$.groups[*].explores", nil, "exploring without a map"},
}

// effects notes what the document says without effect: each field once, at its
// first place.
func (r *reader) effects() {
	for _, d := range dormantFields {
		steps := strings.Split(strings.TrimPrefix(d.pattern, "$."), ".")
		var places []place
		r.match(place{node: &r.root, offset: r.root.StartOffset}, steps, d.except, &places)
		if len(places) == 0 {
			continue
		}
		also := ""
		if n := len(places) - 1; n > 0 {
			also = fmt.Sprintf(" (here and in %d more places)", n)
		}
		r.remark(places[0], "accepted, but without effect yet: %s%s", d.what, also)
	}
}

// match appends the places that a pattern finds from a place on.
func (r *reader) match(from place, steps, except []string, found *[]place) {
	if len(steps) == 0 {
		if lit, ok := from.node.Value.(hujson.Literal); ok {
			for _, e := range except {
				if string(lit) == e {
					return
				}
			}
		}
		*found = append(*found, from)
		return
	}
	name, each := strings.CutSuffix(steps[0], "[*]")
	node := member(from.node, name)
	if node == nil {
		return
	}
	path := append(from.path[:len(from.path):len(from.path)], step{name: name})
	if !each {
		r.match(place{path, node.StartOffset, node}, steps[1:], except, found)
		return
	}
	if list, ok := node.Value.(*hujson.Array); ok {
		for i := range list.Elements {
			e := &list.Elements[i]
			inner := append(path[:len(path):len(path)], step{index: i})
			r.match(place{inner, e.StartOffset, e}, steps[1:], except, found)
		}
	}
}
