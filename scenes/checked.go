package scenes

import (
	"bytes"
	"reflect"
)

// New returns a scene of a domain with every default, the profile "default" among them, and
// without obstacles, goals and groups. It wants at least one goal before it can be used.
func New(domain Rect) *Scene {
	s := records[sceneType].blank.Interface().(Scene)
	s.Version, s.Name, s.Domain, s.Profiles = Version, stem(""), domain, []Profile{DefaultProfile()}
	return &s
}

// Checked returns what Read makes of the scene's document: a scene of its own with every default
// filled in and equal neighbors of polygons merged, nil if it is refused, and every problem.
// Problems have paths and no places. So a scene that a program builds has the defaults, the limits
// and the messages of one that is read; see Scene for what counts as left out. The scene itself is
// not changed and shares nothing with the one returned. A nil scene is an empty one.
func (s *Scene) Checked() (*Scene, []Problem) {
	if s == nil {
		s = &Scene{}
	}
	scene, problems := Read("", new(encoder).document(s))
	return scene, unplaced(problems)
}

// Check returns what of the local map a profile of a scene cannot have. Problems have paths from
// the local map on, such as $.cells, and no places. Nothing counts as left out: zeros are zeros.
func (m BVP) Check() []Problem {
	var document bytes.Buffer
	e := encoder{whole: true}
	e.object(reflect.ValueOf(m), false).print(&document, 0, 0, true)
	r := &reader{data: document.Bytes()}
	if r.parse() {
		r.decode(&r.root, reflect.ValueOf(&m).Elem(), field{})
		if r.sound(r.at("table")) {
			r.checkTable(m.Table, "table")
		}
	}
	return unplaced(r.sorted())
}

// unplaced are problems of what was never a file.
func unplaced(problems []Problem) []Problem {
	for i := range problems {
		problems[i].Line, problems[i].Column = 0, 0
	}
	return problems
}
