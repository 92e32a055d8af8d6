// Package measuring makes a study of flags and a scene, and JSON of its results: what `navview
// measure` prints and `simulate --report` adds.
package measuring

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/scenes"
)

// Frames is the time between the frames of a run that are measured: crossings in between are
// interpolated. Unit: s.
const Frames = 0.1

// Flags say what is measured where.
type Flags struct {
	Gates  []string `name:"gate" placeholder:"NAME=X0,Y0,X1,Y1" sep:"none" help:"A line that agents are counted at when they cross it. Give it again for more."`
	Areas  []string `name:"area" placeholder:"NAME=X0,Y0,X1,Y1" sep:"none" help:"A rectangle in which density and speed are sampled. Give it again for more."`
	Sample float64  `default:"1" placeholder:"S" help:"Seconds between samples of areas."`
	Cutoff float64  `default:"2" placeholder:"M" help:"Radius that a Voronoi cell has at most, in meters; 0: no limit."`
}

// Any reports whether a place was named.
func (f Flags) Any() bool { return len(f.Gates)+len(f.Areas) > 0 }

// Validate checks the flags.
func (f Flags) Validate() error {
	if !(f.Sample >= 0) || math.IsInf(f.Sample, 0) {
		return fmt.Errorf("--sample %v: seconds, at least 0", f.Sample)
	}
	if !(f.Cutoff >= 0) || math.IsInf(f.Cutoff, 0) {
		return fmt.Errorf("--cutoff %v: meters, at least 0", f.Cutoff)
	}
	_, err := f.Study(nil)
	return err
}

// Study returns what the flags ask for, and the gates and areas of the scene. Free ground, exits and names of groups are those of the
// scene, at time 0; without one there are none.
func (f Flags) Study(s *scenes.Scene) (measure.Study, error) {
	study := measure.Study{Every: f.Sample, Cutoff: f.Cutoff}
	for i, text := range f.Gates {
		name, v, err := place("gate", text, i)
		if err != nil {
			return study, err
		}
		if v[0] == v[2] && v[1] == v[3] {
			return study, fmt.Errorf("--gate %s: the ends are the same point", text)
		}
		study.Gates = append(study.Gates, measure.Gate{Name: name, Door: measure.Door{A: mgl64.Vec2{v[0], v[1]}, B: mgl64.Vec2{v[2], v[3]}}})
	}
	for i, text := range f.Areas {
		name, v, err := place("area", text, i)
		if err != nil {
			return study, err
		}
		r := measure.Rect{Low: mgl64.Vec2{min(v[0], v[2]), min(v[1], v[3])}, High: mgl64.Vec2{max(v[0], v[2]), max(v[1], v[3])}}
		if r.Low[0] == r.High[0] || r.Low[1] == r.High[1] {
			return study, fmt.Errorf("--area %s: the rectangle has no area", text)
		}
		study.Areas = append(study.Areas, measure.Area{Name: name, Shape: r.Box()})
	}
	if s == nil {
		return study, nil
	}
	for _, g := range s.Gates {
		study.Gates = append(study.Gates, measure.Gate{Name: g.ID, Door: measure.Door{A: g.Line[0], B: g.Line[1]}})
	}
	for _, a := range s.Areas {
		study.Areas = append(study.Areas, measure.Area{Name: a.ID, Shape: measure.Rect{Low: a.Rect.Min(), High: a.Rect.Max()}.Box()})
	}
	for _, g := range s.Groups {
		study.Groups = append(study.Groups, g.ID)
	}
	study.Exits = exits(s)
	if len(study.Areas) == 0 { // only they have Voronoi cells
		return study, nil
	}
	var err error
	study.Ground, err = s.Ground()
	return study, err
}

// exits are the sources of all goals, named by the goal, and with a number where it has several.
func exits(s *scenes.Scene) (all []measure.Exit) {
	for _, g := range s.Goals {
		first := len(all)
		for _, p := range g.Points {
			all = append(all, measure.Exit{A: p, B: p})
		}
		for _, s := range g.Segments {
			all = append(all, measure.Exit{A: s[0], B: s[1]})
		}
		for i := range all[first:] {
			all[first+i].Name = g.ID
			if len(all)-first > 1 {
				all[first+i].Name = fmt.Sprintf("%s-%d", g.ID, i+1)
			}
		}
	}
	return all
}

// place reads NAME=X0,Y0,X1,Y1, or without a name the four numbers.
func place(kind, text string, index int) (name string, v [4]float64, err error) {
	name, numbers, named := strings.Cut(text, "=")
	if !named {
		name, numbers = fmt.Sprintf("%s-%d", kind, index+1), text
	}
	fields := strings.Split(numbers, ",")
	if len(fields) != 4 || name == "" {
		return name, v, fmt.Errorf("--%s %s: want NAME=X0,Y0,X1,Y1, in meters", kind, text)
	}
	for i, field := range fields {
		v[i], err = strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil || math.IsNaN(v[i]) || math.IsInf(v[i], 0) {
			return name, v, fmt.Errorf("--%s %s: %q is not a number", kind, text, field)
		}
	}
	return name, v, nil
}
