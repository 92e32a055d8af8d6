package studio

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// Fix is a way out of a fault.
type Fix struct {
	Name string
	Do   func(*Studio) error
}

// fitting is what errors say of a group that does not fit its spawn.
var fitting = regexp.MustCompile(`(\d+) of (?:the )?\d+ (?:agents|people)`)

// Fix returns a way out of the fault: fewer agents where there is too little room, free ground for a
// goal, else undo; false where there is none.
func (s *Studio) Fix() (Fix, bool) {
	if s.Fault == nil {
		return Fix{}, false
	}
	of := s.Fault.Of
	switch {
	case s.Doc.Sound() && s.shown == s.Doc.Scene(): // it was a change that has been refused
		return Fix{"Leave it as it was", func(s *Studio) error { s.judge(); return nil }}, true
	case s.fits() >= 0:
		return Fix{fmt.Sprintf("At most %d agents", s.fits()), (*Studio).fit}, true
	case of.List == Goals && items(s.Scene(), of) > 0:
		return Fix{"Move it to free ground", func(s *Studio) error { return s.free(of) }}, true
	}
	all, done := s.Doc.History()
	if done == 0 {
		return Fix{}, false
	}
	return Fix{"Undo: " + all[done-1].Title, func(s *Studio) error { return s.Go(done - 1) }}, true
}

// fits returns how many agents of the group at fault fit its spawn; -1 where that is not the fault.
func (s *Studio) fits() int {
	if s.Fault == nil || s.Fault.Of.List != Groups {
		return -1
	}
	words := fitting.FindStringSubmatch(s.Fault.Words[0])
	if words == nil {
		return -1
	}
	n, _ := strconv.Atoi(words[1]) // digits
	return n
}

// fit lowers the count of the group at fault. Checks know how many fit at most; placing them shows how
// many fit between obstacles.
func (s *Studio) fit() error {
	of := s.Fault.Of
	if err := s.Begin("fewer agents of " + of.Name(s.Scene())); err != nil {
		return s.changed(err)
	}
	defer s.End()
	for n := s.fits(); n >= 0; n = min(n-1, s.fits()) {
		if err := s.Drag(func(to *scenes.Scene) { to.Groups[of.Index].Count = n }); err != nil {
			return err
		}
	}
	return nil
}

// free moves a goal, or a source of it, to the nearest free ground.
func (s *Studio) free(r Ref) error {
	scene := s.Scene()
	clearance := scene.Goals[r.Index].Clearance + 0.25
	return s.Change("move "+r.Name(scene)+" to free ground", func(to *scenes.Scene) {
		for i := range items(to, r) {
			part := Ref{r.List, r.Index, i}
			if r.Item >= 0 && r.Item != i {
				continue
			}
			f := part.Figure(to)
			center := f.Center()
			part.SetFigure(to, f.Moved(s.Free(center, clearance, Obstacles).Sub(center)))
		}
	})
}

// ShowFault selects the record of the fault and shows where it is.
func (s *Studio) ShowFault() {
	if s.Fault == nil {
		return
	}
	var at []mgl64.Vec2
	if !s.Fault.Of.IsNone() {
		s.Select(s.Fault.Of)
		for _, f := range s.Fault.Of.Figures(s.Scene()) {
			at = append(at, f.Corners()...)
		}
	}
	at = append(at, s.Fault.At...)
	if len(at) == 0 {
		return
	}
	box := scenes.Around(at)
	side := max(box[2]-box[0], box[3]-box[1], 2) // at least 2 m
	s.Frame(scenes.Rect{box[0] - side, box[1] - side, box[2] + side, box[3] + side})
}
