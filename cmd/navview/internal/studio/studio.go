package studio

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/edit"
)

// Studio is a scene document that is edited while its world runs. It belongs to one goroutine, that
// of its device.
type Studio struct {
	Device *gpu.Device
	Doc    *edit.Document
	View   *worldview.View // of the world, which has the last sound scene of the document
	Camera render.Camera
	Ratio  float64 // pixels in a nominal pixel
	Inset  Inset   // of the window, that panels cover

	Selected []Ref
	Hovered  Ref
	Hidden   map[List]bool // not drawn and not found
	Locked   map[List]bool // not found
	Tool     Tool
	sizes    map[string]float64 // that were set, of all tools, by name
	Snaps    bool               // to the grid, corners and edges
	Grid     float64
	Playing  bool
	Time     *Timeline
	Measure  *Measuring // of Time
	Breaks   Breaks
	Break    *Break  // that the run has paused at; nil: none
	Branched *Branch // nil: none
	watching watching
	Fault    *Fault // why the world has not what the document says; nil: it has
	shown    *scenes.Scene
	kept     []byte // the text at the last look at the recovery copy
	asked    asked
	notice   string
	noticeAt time.Time
	now      time.Time
	behind   float64       // how much of the last tick is still to be shown. Unit: s
	due      time.Duration // until the next tick
}

// Inset is how much of each side of the window panels cover, pixels.
type Inset struct{ Left, Top, Right, Bottom float64 }

// Fault is why the document is not shown, with the places on the ground that it is about.
type Fault struct {
	Words []string
	At    []mgl64.Vec2
	Of    Ref // none where it is of none
}

// New returns a studio with a document that has been sound once.
func New(d *gpu.Device, doc *edit.Document, l worldview.Look) (*Studio, error) {
	s := &Studio{
		Time: newTimeline(), Breaks: newBreaks(),
		Device: d, Ratio: 1, Playing: true, Snaps: true, Grid: 0.5,
		sizes: map[string]float64{}, Hidden: map[List]bool{}, Locked: map[List]bool{}, Tool: &Select{},
	}
	s.Measure = s.Time.Measure
	s.Measure.see, s.Time.rolled = s.sawFrame, func() error { return s.watch(true) }
	if err := s.Open(doc, l); err != nil {
		return nil, err
	}
	return s, nil
}

// Open shows another document. The error leaves the studio as it was.
func (s *Studio) Open(doc *edit.Document, l worldview.Look) error {
	if doc.Scene() == nil {
		return &scenes.Invalid{File: doc.File(), Problems: doc.Problems()}
	}
	if err := s.restart(doc.Scene(), l); err != nil {
		return err
	}
	s.Doc, s.Selected, s.Hovered, s.Fault = doc, nil, Ref{}, nil
	s.judge()
	return nil
}

// restart makes a world of a scene, from its beginning.
func (s *Studio) restart(scene *scenes.Scene, l worldview.Look) error {
	l.Layers |= render.Paths | render.LocalMap
	next, err := worldview.NewWith(s.Device, &document.Document{Scene: scene, File: scene.Name}, l, engine.Options{Events: engine.AllEvents})
	if err != nil {
		return err
	}
	s.Close()
	next.Edited = true
	s.View, s.shown = next, scene
	s.Time.begin(s.Device, next, scene)
	s.behind, s.due = 0, next.World.Timestep()
	return nil
}

// Restart runs the scene from its beginning.
func (s *Studio) Restart() error { return s.restart(s.shown, s.look(s.shown)) }

// look is what is shown now, as far as a scene has it.
func (s *Studio) look(to *scenes.Scene) worldview.Look {
	l := s.View.Look
	l.Goal, l.Agent = s.View.World.Scene().Goals[s.View.Goal].ID, nil
	if _, ok := to.Goal(l.Goal); !ok || !s.View.Pinned {
		l.Goal = ""
	}
	return l
}

// Close frees the world.
func (s *Studio) Close() {
	s.DropBranch()
	if s.View != nil {
		s.Time.clear()
		s.View.Delete()
		s.View = nil
	}
}

// World returns the world.
func (s *Studio) World() *engine.World { return s.View.World }

// Scene returns what tools and forms work on: the document, faults included; the last sound scene
// where the text is no JSON.
func (s *Studio) Scene() *scenes.Scene {
	if d := s.Doc.Draft(); d != nil {
		return d
	}
	return s.Doc.Scene()
}

// Change changes the document in one step of the history, and the world with it.
func (s *Studio) Change(title string, change func(*scenes.Scene)) error {
	err := s.Doc.Change(title, func(to *scenes.Scene) error { change(to); return nil })
	return s.changed(err)
}

// Begin begins a gesture. Each Drag changes the document from what it was at the beginning. A notice
// says why none can begin, as where the text is no JSON; Drag then does nothing.
func (s *Studio) Begin(title string) error {
	if err := s.Doc.Begin(title); err != nil {
		s.Notify(firstLine(err))
	}
	return nil
}

// Drag changes the document in a gesture, and the world with it.
func (s *Studio) Drag(change func(*scenes.Scene)) error {
	if !s.Doc.Dragging() {
		return nil
	}
	err := s.Doc.Drag(func(to *scenes.Scene) error { change(to); return nil })
	return s.changed(err)
}

// End ends a gesture: it is one step of the history, if it changed anything.
func (s *Studio) End() {
	s.Doc.End()
	if err := s.place(); err != nil {
		s.Notify(firstLine(err))
	}
}

// place makes the world of a run that has not begun anew where its agents are not those of the
// document: ones that are added to a world enter with its first tick, and an author wants to see them.
func (s *Studio) place() error {
	if s.Doc.Dragging() || s.World().Ticks() > 0 || !s.Doc.Sound() || s.World().Crowd().Count() == s.shown.Agents() {
		return nil
	}
	return s.refuse(s.restart(s.shown, s.look(s.shown)))
}

// Cancel takes a gesture back.
func (s *Studio) Cancel() error {
	s.Doc.Cancel()
	return s.apply()
}

// Go goes to a step of the history: so many are done then.
func (s *Studio) Go(done int) error {
	if !s.Doc.Go(done) {
		return nil
	}
	return s.apply()
}

// changed shows what a change has made of the document; the error is that of the change.
func (s *Studio) changed(err error) error {
	var refused *scenes.Invalid
	switch {
	case errors.As(err, &refused):
		s.Fault = s.faultOf(refused.Problems)
	case err != nil:
		s.Fault = &Fault{Words: lines(err)}
	default:
		return s.apply()
	}
	return nil
}

// apply makes the world equal to the document where that is sound, and keeps what is selected as far
// as it is there. Errors are those of the device alone: what the world refuses is the Fault.
func (s *Studio) apply() error {
	s.Selected = slices.DeleteFunc(s.Selected, func(r Ref) bool { return !r.There(s.Scene()) })
	if !s.Hovered.There(s.Scene()) {
		s.Hovered = Ref{}
	}
	s.judge()
	scene := s.Doc.Scene()
	if !s.Doc.Sound() || scene == s.shown {
		return nil
	}
	err := s.Time.sync(authored{scene, s.Doc.Text()})
	var fixed *engine.SyncError
	if errors.As(err, &fixed) {
		if err = s.restart(scene, s.look(scene)); err == nil {
			s.Notify("started again: " + firstLine(fixed))
		}
	}
	if err != nil {
		return s.refuse(err)
	}
	s.shown = scene
	return nil
}

// judge finds the fault of the document.
func (s *Studio) judge() { s.Fault = s.faultOf(s.Doc.Problems()) }

// faultOf makes a fault of problems; nil where they are notes.
func (s *Studio) faultOf(problems []scenes.Problem) *Fault {
	var words []string
	for _, p := range problems {
		if !p.Note {
			words = append(words, fmt.Sprintf("%s: %s", p.Path, p.Message))
		}
	}
	if words == nil {
		return nil
	}
	return &Fault{Words: words, Of: s.refOf(words[0])}
}

// refOf returns the record that a path begins with, or the item of it.
func (s *Studio) refOf(path string) Ref {
	for l, names := range lists {
		var i int
		if n, _ := fmt.Sscanf(path, "$."+names.field+"[%d]", &i); n == 1 && names.field != "" {
			if r := (Ref{l, i, -1}); r.There(s.Scene()) {
				return r.part(s.Scene(), strings.TrimPrefix(path, r.Path()))
			}
		}
	}
	return Ref{}
}

// part returns the item that a path within the record leads to, or the record.
func (r Ref) part(s *scenes.Scene, path string) Ref {
	before := 0
	if r.List == Goals && strings.HasPrefix(path, ".segments[") {
		before = len(s.Goals[r.Index].Points)
	}
	for _, format := range map[List][]string{Goals: {".points[%d]", ".segments[%d]"}, Groups: {".spawn.points[%d]"}}[r.List] {
		i := 0
		if n, _ := fmt.Sscanf(path, format, &i); n == 1 && before+i < items(s, r) {
			r.Item = before + i
		}
	}
	return r
}

// called returns the record of an id; of several lists the first.
func (s *Studio) called(id string) Ref {
	for l := Goals; l <= Areas; l++ {
		for _, r := range All(s.Scene(), l) {
			if id != "" && *r.id(s.Scene()) == id {
				return r
			}
		}
	}
	return Ref{}
}

// refuse makes the fault of an error of the world, if it is one of the scene; other errors are
// returned.
func (s *Studio) refuse(err error) error {
	var faults engine.EditErrors
	var goal *engine.GoalError
	var obstacle *engine.ObstacleError
	var crowded *spawn.RoomError
	var capacity *gpu.CapacityError
	var invalid *scenes.Invalid
	switch {
	case errors.As(err, &crowded):
		s.Fault = &Fault{Words: lines(err), Of: s.called(crowded.Group)}
	case errors.As(err, &faults):
		s.Fault = &Fault{Words: lines(err)}
		for _, f := range faults {
			s.Fault.At = append(s.Fault.At, f.At...)
		}
		s.Fault.Of = s.called(faults[0].ID)
	case errors.As(err, &goal):
		s.Fault = &Fault{Words: lines(err), Of: s.called(goal.ID)}
	case errors.As(err, &obstacle), errors.As(err, &capacity), errors.As(err, &invalid):
		s.Fault = &Fault{Words: lines(err)}
	default:
		return err
	}
	return nil
}

// lines returns the lines of an error, without names of packages.
func lines(err error) []string {
	return strings.Split(strings.TrimRight(console.WithoutPackages(err.Error()), "\n"), "\n")
}

func firstLine(err error) string { return lines(err)[0] }

// noticeTime is how long a notice is shown.
const noticeTime = 6 * time.Second

// Notify shows a notice.
func (s *Studio) Notify(words string) { s.notice, s.noticeAt = words, s.now }

// Notice returns the notice while it is shown; else "".
func (s *Studio) Notice() string {
	if s.now.Sub(s.noticeAt) >= noticeTime {
		return ""
	}
	return s.notice
}

// Select selects records, and nothing else.
func (s *Studio) Select(refs ...Ref) { s.Selected = slices.Clone(refs) }

// IsSelected reports whether a record or the item is selected.
func (s *Studio) IsSelected(r Ref) bool {
	return slices.Contains(s.Selected, r) || slices.Contains(s.Selected, r.Whole())
}

// seen reports whether tools find a record.
func (s *Studio) seen(r Ref) bool { return !s.Hidden[r.List] && !s.Locked[r.List] }

// Delete removes what is selected.
func (s *Studio) Delete() error {
	refs := s.Selected
	if len(refs) == 0 {
		return nil
	}
	return s.Change("delete "+s.title(refs), func(to *scenes.Scene) { removed(to, refs) })
}

// Duplicate copies what is selected by an offset, and selects the copies.
func (s *Studio) Duplicate(by mgl64.Vec2) error {
	var copies []Ref
	err := s.Change("duplicate "+s.title(s.Selected), func(to *scenes.Scene) { copies = copied(to, s.Selected, by) })
	if err == nil && s.Fault == nil {
		s.Select(copies...)
	}
	return err
}

// title names records in the history.
func (s *Studio) title(refs []Ref) string {
	if len(refs) == 1 {
		return refs[0].Name(s.Scene())
	}
	return fmt.Sprintf("%d things", len(refs))
}
