package scenes

import "fmt"

// complete fills in the defaults that depend on the rest of the document, and
// merges equal neighbours of polygons.
func (r *reader) complete(s *Scene) {
	if !r.at("name").given() {
		s.Name = stem(r.file)
	}
	for i := range s.Goals {
		if !r.at("goals", i, "id").given() {
			s.Goals[i].ID = fmt.Sprintf("goal-%d", i+1)
		}
	}
	for i := range s.Profiles {
		if !r.at("profiles", i, "id").given() {
			s.Profiles[i].ID = fmt.Sprintf("profile-%d", i+1)
		}
	}
	if !r.at("profiles").given() {
		s.Profiles = []Profile{DefaultProfile()}
	}
	for i := range s.Groups {
		r.completeGroup(s, i)
	}
}

// DefaultProfile returns the profile of a scene that has none: every default,
// with the id "default".
func DefaultProfile() Profile {
	p := records[profileType].blank.Interface().(Profile)
	p.ID = "default"
	return p
}

func (r *reader) completeGroup(s *Scene, i int) {
	g := &s.Groups[i]
	given := func(name string) bool { return r.at("groups", i, name).given() }
	if !given("id") {
		g.ID = fmt.Sprintf("group-%d", i+1)
	}
	if !given("profile") && len(s.Profiles) > 0 {
		g.Profile = s.Profiles[0].ID
	}
	if !given("count") {
		g.Count = 1
		if n, ok := g.Spawn.places(); ok {
			g.Count = n
		}
	}
	if !given("itinerary") && g.Goal == "" && len(s.Goals) > 0 {
		g.Itinerary = []string{s.Goals[0].ID}
	}
}

// places returns how many people a spawn with places of its own has room for;
// false for one that spreads them.
func (s Spawn) places() (int, bool) {
	switch {
	case s.Points != nil:
		return len(s.Points), true
	case s.Grid != nil:
		// Each factor is at most 2^24+1, so that the product fits.
		return s.Grid.Columns() * s.Grid.Rows(), true
	}
	return 0, false
}
