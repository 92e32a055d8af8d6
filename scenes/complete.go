package scenes

import (
	"fmt"

	"github.com/wayfront/wayfront/scenes/internal/text"
)

// idList is a list of things with ids.
type idList struct {
	list, prefix string // its field, and what ids begin with that are not given; "": they stay empty
	ids          []*string
}

// idLists returns the lists of the scene whose items have ids.
func (s *Scene) idLists() []idList {
	return []idList{
		{"obstacles", "", pointers(s.Obstacles, func(o *Obstacle) *string { return &o.ID })},
		{"goals", "goal", pointers(s.Goals, func(g *Goal) *string { return &g.ID })},
		{"profiles", "profile", pointers(s.Profiles, func(p *Profile) *string { return &p.ID })},
		{"groups", "group", pointers(s.Groups, func(g *Group) *string { return &g.ID })},
		{"gates", "gate", pointers(s.Gates, func(g *Gate) *string { return &g.ID })},
		{"areas", "area", pointers(s.Areas, func(a *Area) *string { return &a.ID })},
	}
}

func pointers[T any](list []T, id func(*T) *string) []*string {
	out := make([]*string, len(list))
	for i := range list {
		out[i] = id(&list[i])
	}
	return out
}

// complete fills in the defaults that depend on the rest of the document.
func (r *reader) complete(s *Scene) {
	if !r.at("name").given() {
		s.Name = text.Stem(r.file.Name)
	}
	for _, l := range s.idLists() {
		for i, id := range l.ids {
			if l.prefix != "" && !r.at(l.list, i, "id").given() {
				*id = fmt.Sprintf("%s-%d", l.prefix, i+1)
			}
		}
	}
	if !r.at("profiles").given() {
		s.Profiles = []Profile{DefaultProfile()}
	}
	for i := range s.Groups {
		g, at := &s.Groups[i], r.at("groups", i)
		if !at.at("profile").given() && len(s.Profiles) > 0 {
			g.Profile = s.Profiles[0].ID
		}
		if !at.at("count").given() {
			g.Count = max(g.Spawn.places(), 1)
		}
		if !at.at("itinerary").given() && !at.at("routes").given() && g.Goal == "" && len(s.Goals) > 0 {
			g.Itinerary = []string{s.Goals[0].ID}
		}
	}
}

// places returns the number of points that a spawn names; 0 for one that spreads agents.
func (s Spawn) places() int {
	if s.Grid != nil {
		// Each factor is at most 2^24+1, so that the product fits.
		return s.Grid.Columns() * s.Grid.Rows()
	}
	return len(s.Points)
}
