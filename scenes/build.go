package scenes

import (
	"bytes"
	"reflect"

	"github.com/wayfront/wayfront/scenes/internal/text"
)

// New returns a scene of a domain with every default, the profile "default" among them, and without
// obstacles, goals and groups. It needs a goal before it can be used.
func New(domain Rect) *Scene {
	s := Default[Scene]()
	s.Version, s.Name, s.Domain, s.Profiles = Version, text.Stem(""), domain, []Profile{DefaultProfile()}
	return &s
}

// Checked returns what Read makes of the scene's document: a scene of its own with every default
// filled in and equal neighbors of polygons merged, nil if it is refused, and every problem.
// Problems have paths and no places. See Scene for what counts as left out. The scene itself is not
// changed and shares nothing with the one returned. A nil scene is an empty one.
func (s *Scene) Checked() (*Scene, []Problem) {
	if s == nil {
		s = &Scene{}
	}
	scene, problems := Read("", new(encoder).document(s))
	return scene, unplaced(problems)
}

// Check returns what of the local map a profile of a scene cannot have. Problems have paths from
// the local map on, such as $.cells, and no places. No field counts as left out: zeros are zeros.
func (m BVP) Check() []Problem {
	return checkFields(m, func(r *reader, m *BVP) {
		if table := r.at("table"); table.sound() {
			checkTable(table, m.Table)
		}
	})
}

// Check returns what of the profile a scene cannot have, as BVP.Check does.
func (p Profile) Check() []Problem { return checkFields(p, func(*reader, *Profile) {}) }

// checkFields returns what decoding finds wrong with a struct of the document, and more.
func checkFields[T any](v T, more func(r *reader, v *T)) []Problem {
	var document bytes.Buffer
	e := encoder{whole: true}
	e.object(reflect.ValueOf(v), false).print(&document, 0, 0, true)
	r := newReader("", document.Bytes())
	if r.parse() {
		r.decode(&r.root, reflect.ValueOf(&v).Elem(), field{})
		more(r, &v)
	}
	return unplaced(r.sorted())
}

// unplaced removes the places of problems of what was never a file.
func unplaced(problems []Problem) []Problem {
	for i := range problems {
		problems[i].Line, problems[i].Column = 0, 0
	}
	return problems
}
