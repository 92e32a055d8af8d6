package studio

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
)

// Action is something that a user can do, by a key, a menu or the palette.
type Action struct {
	Menu string // that it is in: "File", "Edit", "Run", "Tools", "View"
	Name string
	Key  string // as keys are written: "ctrl+z"; "": none
	Can  func(*Studio) bool
	On   func(*Studio) bool // for what is switched; nil: it is not
	Do   func(*Studio) error
}

// Enabled reports whether the action can be done now.
func (a Action) Enabled(s *Studio) bool { return a.Can == nil || a.Can(s) }

// Checked reports whether what the action switches is on.
func (a Action) Checked(s *Studio) bool { return a.On != nil && a.On(s) }

// Actions returns every action of the document, its run and its view, in the order of the menus.
// What needs a window or files (open, save, quit) is added by its host.
func Actions() []Action {
	return slices.Concat(editActions(), runActions(), breakActions(), branchActions(), toolActions(), viewActions())
}

// OfKey returns the action of a key that can be done now.
func OfKey(all []Action, s *Studio, key string) (Action, bool) {
	i := slices.IndexFunc(all, func(a Action) bool { return a.Key == key && a.Enabled(s) })
	if i < 0 {
		return Action{}, false
	}
	return all[i], true
}

func editActions() []Action {
	some := func(s *Studio) bool { return len(s.Selected) > 0 }
	return []Action{
		{
			Menu: "Edit", Name: "Undo", Key: "ctrl+z", Can: func(s *Studio) bool { _, done := s.Doc.History(); return done > 0 },
			Do: func(s *Studio) error { _, done := s.Doc.History(); return s.Go(done - 1) },
		},
		{
			Menu: "Edit", Name: "Redo", Key: "ctrl+shift+z", Can: func(s *Studio) bool { all, done := s.Doc.History(); return done < len(all) },
			Do: func(s *Studio) error { _, done := s.Doc.History(); return s.Go(done + 1) },
		},
		{Menu: "Edit", Name: "Duplicate", Key: "ctrl+d", Can: some, Do: func(s *Studio) error { return s.Duplicate(mgl64.Vec2{2 * s.Grid, 2 * s.Grid}) }},
		{Menu: "Edit", Name: "Delete", Key: "delete", Can: some, Do: (*Studio).Delete},
		{Menu: "Edit", Name: "Open or close doors", Key: "d", Can: func(s *Studio) bool { return len(s.doorsAtHand()) > 0 }, Do: (*Studio).turnDoors},
		{Menu: "Edit", Name: "Select all", Key: "ctrl+a", Do: func(s *Studio) error {
			s.Select(Within(s.Scene(), s.Scene().Domain, s.seen)...)
			return nil
		}},
		{Menu: "Edit", Name: "Snap", Key: "g", On: func(s *Studio) bool { return s.Snaps }, Do: func(s *Studio) error { s.Snaps = !s.Snaps; return nil }},
	}
}

func runActions() []Action {
	return []Action{
		{Menu: "Run", Name: "Run", Key: "space", On: func(s *Studio) bool { return s.Playing }, Do: func(s *Studio) error { s.Playing = !s.Playing; return nil }},
		{Menu: "Run", Name: "Step", Key: ".", Do: (*Studio).Step},
		{Menu: "Run", Name: "Step back", Key: ",", Can: func(s *Studio) bool { return s.Time.Now() > s.Time.Begin() }, Do: (*Studio).StepBack},
		{Menu: "Run", Name: "Slower", Key: "[", Can: func(s *Studio) bool { return s.Time.Speed > MinSpeed }, Do: func(s *Studio) error { s.Time.Speed /= 2; return nil }},
		{Menu: "Run", Name: "Faster", Key: "]", Can: func(s *Studio) bool { return s.Time.Speed < MaxSpeed }, Do: func(s *Studio) error { s.Time.Speed *= 2; return nil }},
		{Menu: "Run", Name: "To the next event", Key: "e", Can: func(s *Studio) bool { return s.Time.event(1) != nil }, Do: func(s *Studio) error { return s.toEvent(1) }},
		{Menu: "Run", Name: "To the event before", Key: "shift+e", Can: func(s *Studio) bool { return s.Time.event(-1) != nil }, Do: func(s *Studio) error { return s.toEvent(-1) }},
		{Menu: "Run", Name: "To the beginning", Key: "home", Do: func(s *Studio) error { s.Playing = false; return s.Seek(s.Time.Begin()) }},
		{Menu: "Run", Name: "To the present", Key: "end", Do: func(s *Studio) error { s.Playing = false; return s.Seek(s.Time.End()) }},
		{Menu: "Run", Name: "Start again", Key: "r", Do: (*Studio).Restart},
	}
}

func toolActions() (all []Action) {
	for i, make := range Tools {
		name := make().Name()
		key := ""
		if i < 9 {
			key = fmt.Sprint(i + 1)
		}
		all = append(all, Action{
			Menu: "Tools", Name: name, Key: key, On: func(s *Studio) bool { return s.Tool.Name() == name },
			Do: func(s *Studio) error { return s.Use(make()) },
		})
	}
	return all
}

func viewActions() []Action {
	all := []Action{
		{Menu: "View", Name: "Fit", Key: "f", Do: func(s *Studio) error { s.Fit(); return nil }},
		{
			Menu: "View", Name: "Frame the selection", Key: "shift+f", Can: func(s *Studio) bool { _, ok := s.selectionBox(); return ok },
			Do: func(s *Studio) error {
				box, _ := s.selectionBox()
				s.Frame(box)
				return nil
			},
		},
		{Menu: "View", Name: "Street view", Key: "v", On: func(s *Studio) bool { return s.Camera.Tilt > 0 }, Do: func(s *Studio) error {
			if s.Camera.Tilt > 0 {
				s.Camera.Yaw, s.Camera.Tilt = 0, 0
			} else {
				s.Camera = s.Camera.Tilted()
			}
			return nil
		}},
		{Menu: "View", Name: "Next agent", Key: "n", Do: func(s *Studio) error { return s.NextAgent(1) }},
		{Menu: "View", Name: "Agent before", Key: "shift+n", Do: func(s *Studio) error { return s.NextAgent(-1) }},
		{Menu: "View", Name: "Next goal", Key: "tab", Do: func(s *Studio) error {
			s.View.Show((s.View.Goal + 1) % len(s.World().Goals()))
			return nil
		}},
		{Menu: "View", Name: "Next colors", Key: "c", Do: func(s *Studio) error {
			i := slices.Index(render.Palettes, s.View.Look.Palette)
			s.View.Look.Palette = render.Palettes[(i+1)%len(render.Palettes)]
			return nil
		}},
	}
	for i, name := range render.LayerNames() {
		layer := render.Layers(1) << i
		all = append(all, Action{
			Menu: "View", Name: "Show " + name, On: func(s *Studio) bool { return s.View.Look.Layers&layer != 0 },
			Do: func(s *Studio) error { s.View.Look.Layers ^= layer; return nil },
		})
	}
	return all
}

// Tools makes each tool, in the order of the tool bar.
var Tools = []func() Tool{
	func() Tool { return &Select{} },
	newRectangle,
	newCircle,
	func() Tool { return &Path{} },
	func() Tool { return &Path{Thickness: 0.3} },
	newDoor,
	newGoal,
	newAgents,
	newGate,
	newArea,
	newMotion,
	func() Tool { return &Path{Spawn: true} },
}

// Use takes another tool, and takes back what the one before was doing.
func (s *Studio) Use(t Tool) error {
	for going := true; going; { // corner by corner
		var err error
		if going, err = s.Tool.Cancel(s); err != nil {
			return err
		}
	}
	if was, ok := s.Tool.(Sized); ok {
		for _, n := range was.Sizes() {
			s.sizes[n.Name] = *n.Value
		}
	}
	if now, ok := t.(Sized); ok {
		for _, n := range now.Sizes() {
			if v, set := s.sizes[n.Name]; set {
				*n.Value = v
			}
		}
	}
	s.Tool = t
	return nil
}

// Escape takes back what the tool is doing, or puts it away, or clears the selection. It never ends
// the program.
func (s *Studio) Escape() error {
	done, err := s.Tool.Cancel(s)
	if done || err != nil {
		return err
	}
	if _, ok := s.Tool.(*Select); !ok {
		return s.Use(&Select{})
	}
	s.Selected = nil
	return s.View.Choose(-1)
}

// Fit shows the whole domain in what panels leave of the window.
func (s *Studio) Fit() { s.Frame(s.World().Scene().Domain) }

// Frame shows a part of the ground in what panels leave of the window.
func (s *Studio) Frame(box scenes.Rect) {
	const margin = 24 // nominal pixels
	width, height, in := s.Camera.Width, s.Camera.Height, s.Inset
	free := [2]float64{float64(width) - in.Left - in.Right, float64(height) - in.Top - in.Bottom}
	yaw, tilt := s.Camera.Yaw, s.Camera.Tilt
	s.Camera = render.Fit(box.Min(), box.Max(), max(1, int(free[0])), max(1, int(free[1])), margin*s.Ratio)
	if s.Camera.Yaw, s.Camera.Tilt = yaw, tilt; tilt > 0 {
		s.Camera = s.Camera.Frame(box.Min(), box.Max(), margin*s.Ratio)
	}
	s.Camera.Width, s.Camera.Height = width, height
	s.Camera.Pan((in.Left-in.Right)/2, (in.Top-in.Bottom)/2)
}

// Title names the scene, with a mark where there is a change that no file has.
func (s *Studio) Title() string {
	mark := ""
	if s.Edited() {
		mark = " •"
	}
	return console.Legible(s.Scene().Name) + mark
}
