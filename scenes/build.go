package scenes

import (
	"bytes"
	"math"
	"reflect"
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
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

// Checked returns what Read makes of the obstacle in a scene of a domain, as Scene.Checked does:
// with defaults filled in and equal neighbors merged, and every problem. Paths of problems begin at
// the obstacle, such as $.circle.radius. Of an obstacle with problems that are no notes only those
// count.
func (o Obstacle) Checked(domain Rect) (Obstacle, []Problem) {
	var document bytes.Buffer
	new(encoder).object(reflect.ValueOf(o), false).print(&document, 0, 0, true)
	r := newReader("", document.Bytes())
	var checked Obstacle
	if r.parse() {
		r.decode(&r.root, reflect.ValueOf(&checked).Elem(), field{})
		c := &checker{reader: r, scene: &Scene{Domain: domain}}
		if l, err := geom.NewLattice(domain.Min(), domain.Max()); err == nil {
			c.domain = &l
		}
		c.checkObstacle(r.at(), &checked)
	}
	return checked, unplaced(r.sorted())
}

// Check returns what of the local map a profile of a scene cannot have. Problems have paths from
// the local map on, such as $.cells, and no places. No field counts as left out: zeros are zeros.
//
// A local map without a fault takes about a microsecond: there may be one for each agent.
func (m BVPOf[N, I]) Check() []Problem {
	if sound(reflect.ValueOf(&m).Elem(), field{}) && rises(m.Table) {
		return nil
	}
	return checkFields(m, func(r *reader, m *BVPOf[N, I]) {
		if table := r.at("table"); table.sound() {
			checkTable(table, m.Table)
		}
	})
}

// sound reports whether a struct of numbers, words and flags is without a fault. It may be without
// one where this is false: the document has the last word.
func sound(v reflect.Value, f field) bool {
	switch v.Kind() {
	case reflect.Bool:
		return true
	case reflect.String:
		return slices.Contains(words[v.Type()], v.String())
	case reflect.Int:
		return f.outside(float64(v.Int()), "", reflect.Int) == ""
	case reflect.Float64:
		return !math.IsNaN(v.Float()) && f.outside(v.Float(), "", reflect.Float64) == ""
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			if !sound(v.Index(i), field{}) {
				return false
			}
		}
		return v.Len() < text.MaxValues/8
	case reflect.Struct:
		return v.Type() != distributionType && !slices.ContainsFunc(records[v.Type()].fields, func(f field) bool { return !sound(v.FieldByIndex(f.index), f) })
	}
	return false
}

// Check returns what of the profile a scene cannot have, as BVP.Check does.
func (p Profile) Check() []Problem {
	return checkFields(p, func(r *reader, p *Profile) {
		if table := r.at("bvp", "table"); table.sound() {
			checkTable(table, p.BVP.Table)
		}
	})
}

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
