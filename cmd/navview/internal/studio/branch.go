package studio

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
)

// Branch is a second world that was the same as the first one until a change of its own. Both
// advance together.
type Branch struct {
	Name    string
	At      float64         // when it began, s
	View    *worldview.View // of its world, tied to the first by Studio.BranchPicture
	Time    *Timeline       // from At on
	Measure *Measuring      // of Time, with what was measured before At
	Ghosts  bool            // its agents are drawn among those of the run; else it has a picture of its own
	change  func(*scenes.Scene)
}

// Branch begins a branch with a change of the document, in place of the one before. Where the
// change is not sound a notice says so, and there is none. Errors are those of the device.
func (s *Studio) Branch(change func(*scenes.Scene), name string) error {
	s.DropBranch()
	if err := s.finish(); err != nil {
		return err
	}
	var saved bytes.Buffer
	if err := s.World().Save(&saved); err != nil {
		return err
	}
	world, err := engine.Restore(s.Device, &saved, engine.Options{Events: engine.AllEvents})
	if err != nil {
		return err
	}
	view, err := worldview.Of(s.Device, world, s.look(s.shown))
	if err != nil {
		return err
	}
	view.Edited = true
	b := &Branch{Name: name, At: world.Time(), View: view, Time: newTimeline(), Ghosts: true, change: change}
	b.Measure = b.Time.Measure
	b.Time.begin(s.Device, view, s.shown)
	err = s.startBranch(b)
	if err == nil {
		s.Branched = b
		return nil
	}
	b.close()
	was := s.Fault
	if err = s.refuse(err); err == nil {
		s.Notify("no branch: " + s.Fault.Words[0])
		s.Fault = was
	}
	return err
}

// startBranch gives a branch what was measured so far, and its change.
func (s *Studio) startBranch(b *Branch) (err error) {
	if b.Measure.meter, err = s.Measure.keep(); err != nil {
		return err
	}
	scene := s.shown.Clone()
	b.change(scene)
	if err := b.Time.keep(); err != nil {
		return err
	}
	text, _ := scene.Encode() // what cannot be written is refused
	return b.Time.sync(authored{scene, text})
}

// DropBranch ends the branch.
func (s *Studio) DropBranch() {
	if s.Branched != nil {
		s.Branched.close()
		s.Branched = nil
	}
}

func (b *Branch) close() {
	b.Time.clear()
	b.View.Delete()
}

// TakeBranch makes the change of the branch one of the document, from when the branch began: the
// run comes to where the branch is, in this frame and those that follow. The branch ends.
func (s *Studio) TakeBranch() error {
	b := s.Branched
	now := s.World().Time()
	s.DropBranch()
	if err := s.Seek(b.At); err != nil {
		return err
	}
	if err := s.finish(); err != nil {
		return err
	}
	if err := s.Change(b.Name, b.change); err != nil || s.Fault != nil {
		return err
	}
	return s.Seek(now)
}

// finish ends a seek, in as long as it takes.
func (s *Studio) finish() error {
	for s.Time.Seeking() {
		if err := s.seek(); err != nil {
			return err
		}
	}
	return nil
}

// follow brings the branch to the tick of the run, where that is not before its beginning.
func (s *Studio) follow() error {
	b := s.Branched
	for b != nil && !b.Time.Seeking() && b.View.World.Ticks() < s.World().Ticks() {
		if err := b.Time.tick(); err != nil {
			return err
		}
	}
	return nil
}

// BranchPicture returns the view of the branch and what is drawn of it beside the run: the same
// layers, goal, agent and part of the ground. False: there is no branch, or it is drawn as ghosts.
func (s *Studio) BranchPicture() (*worldview.View, render.Picture, bool) {
	b := s.Branched
	if b == nil || b.Ghosts {
		return nil, render.Picture{}, false
	}
	v := b.View
	v.Look.Layers, v.Look.Palette, v.Pinned = s.View.Look.Layers, s.View.Look.Palette, s.View.Pinned
	v.Goal = min(s.View.Goal, len(v.World.Goals())-1)
	return v, render.Picture{Camera: s.Camera, PixelRatio: s.Ratio, Behind: s.behindOf(b)}, true
}

// behindOf is how much of the last tick of the branch is still to be shown.
func (s *Studio) behindOf(b *Branch) float64 {
	if b.View.World.Ticks() != s.World().Ticks() {
		return 0
	}
	return s.behind
}

// Difference is a quantity of the run and of the branch over time.
type Difference struct {
	Kind, Of, Unit string // as of Series
	Times          []float64
	Run, Branch    []float64 // NaN where there is none
}

// Differences returns the series that the run and the branch both have, over the range of Measure.
func (s *Studio) Differences() []Difference {
	b := s.Branched
	if b == nil {
		return nil
	}
	b.Measure.From, b.Measure.To = s.Measure.From, s.Measure.To
	var all []Difference
	others := b.Measure.Series()
	for _, x := range s.Measure.Series() {
		i := slices.IndexFunc(others, func(y Series) bool { return y.Kind == x.Kind && y.Of == x.Of })
		if i < 0 {
			continue
		}
		n := min(len(x.Times), len(others[i].Times))
		all = append(all, Difference{x.Kind, x.Of, x.Unit, x.Times[:n], x.Values[:n], others[i].Values[:n]})
	}
	return all
}

func branchActions() []Action {
	there := func(s *Studio) bool { return s.Branched != nil }
	all := []Action{
		{Menu: "Run", Name: "Compare without what is selected", Can: func(s *Studio) bool { return len(s.Selected) > 0 }, Do: func(s *Studio) error {
			refs := s.Selected
			return s.Branch(func(to *scenes.Scene) { removed(to, refs) }, "delete "+s.title(refs))
		}},
	}
	for _, method := range scenes.Avoidances() {
		all = append(all, Action{Menu: "Run", Name: "Compare with avoidance " + method, Do: func(s *Studio) error {
			return s.Branch(func(to *scenes.Scene) {
				for i := range to.Profiles {
					to.Profiles[i].Avoidance = scenes.Avoidance(method)
				}
			}, fmt.Sprintf("avoid others by %s", method))
		}})
	}
	return append(
		all,
		Action{Menu: "Run", Name: "Show the branch as ghosts", Can: there, On: func(s *Studio) bool { return there(s) && s.Branched.Ghosts }, Do: func(s *Studio) error {
			s.Branched.Ghosts = !s.Branched.Ghosts
			return nil
		}},
		Action{Menu: "Run", Name: "Take the branch over", Can: there, Do: (*Studio).TakeBranch},
		Action{Menu: "Run", Name: "Drop the branch", Can: there, Do: func(s *Studio) error { s.DropBranch(); return nil }},
	)
}
