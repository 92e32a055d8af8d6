//go:build !headless

package main

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/cmd/navview/draw"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/window"
	"github.com/wayfront/wayfront/spm"
)

// viewerVerbs are the verbs that need a window.
type viewerVerbs struct {
	View viewVerb `cmd:"" default:"withargs" help:"Open the viewer on a scene; this is the verb if none is given."`
}

type viewVerb struct {
	Scene  string `arg:"" optional:"" default:"${scene}" help:"A file, a built-in scene, or - for standard input (default: ${scene})."`
	Paused bool   `help:"Start paused."`
	look   `embed:""`
}

func (viewVerb) Help() string {
	return `A scene that comes from a file is read again whenever the file changes.

` + strings.Join(keys, "\n") + `

Examples:
  navview
  navview profiling3 --palette paper
  navview hall.json --goal exits --verbose`
}

// keys is the viewer's help.
var keys = []string{
	"drag         pan",
	"wheel        zoom about the pointer",
	"click        on the ground: the goal is there; on an agent: show its path",
	"space        play, pause",
	". or right   one step",
	"tab          next goal",
	"1 to 6       show or hide " + strings.Join(draw.LayerNames(), ", "),
	"c            next colours",
	"f            fit the scene into the window",
	"r            start again",
	"h            this help",
	"escape       quit",
}

func (v viewVerb) Run(s *session) error {
	if s.context == "headless" {
		return usagef("--context headless: the viewer needs a window; navview render draws without one")
	}
	doc, err := load(v.Scene)
	if err != nil {
		return err
	}
	w, err := window.Open(window.Options{Title: "navview", Width: 1280, Height: 800, Visible: true})
	if err != nil {
		return err
	}
	defer w.Close()
	d, err := gpu.New()
	if err != nil {
		return err
	}
	defer d.Close()
	if s.verbose {
		s.note("%s, OpenGL %s (GLFW)", d.Info().Renderer, d.Info().Version)
	}
	vw, err := newViewer(w, d, doc, v.look)
	if err != nil {
		return err
	}
	defer vw.free()
	vw.playing, vw.verbose, vw.name = !v.Paused, s.verbose, v.Scene
	if vw.changes, err = watch(v.Scene); err != nil {
		return err
	}
	for !w.ShouldClose() {
		if err := vw.frame(time.Now()); err != nil {
			return err
		}
	}
	return d.Err()
}

// viewer shows a world in a window and takes what the user does there.
type viewer struct {
	window *window.Window
	device *gpu.Device
	stage  *stage
	camera draw.Camera
	target *gpu.Target

	doc     *document // the scene that is shown
	name    string    // by which it is read again
	changes *watcher  // of its file; nil where nobody watches

	playing bool
	verbose bool
	help    bool
	alarm   []string // what is wrong, until the next success

	pointer [2]float64
	grip    [2]float64 // where the ground is held in a drag
	pressed bool       // the left button is down
	dragged bool       // and the pointer has moved since
	pending *click
	mail    *gpu.Mailbox[agents.Agent]
	crowd   []agents.Agent // the letter's place
	traits  []agents.Traits
	picked  int // whose path is shown; -1: nobody's
	behind  float64
	last    time.Time // of the last frame; zero before the first
	since   time.Time // counting frames
	frames  int
	rate    float64 // frames a second
}

// click is a click that waits for the agents' places.
type click struct {
	at    mgl64.Vec2
	reach float64 // metres that the click is wide
}

// clickWidth is how far from an agent's disc a click may be, and how far the pointer may move in a click. Nominal pixels.
const clickWidth = 4

func newViewer(w *window.Window, d *gpu.Device, doc *document, l look) (*viewer, error) {
	v := &viewer{window: w, device: d, doc: doc, playing: true, picked: -1}
	l.Layers |= layers(draw.Paths)
	st, err := newStage(d, doc, l)
	if err != nil {
		return nil, err
	}
	if err := v.show(st); err != nil {
		return nil, err
	}
	v.resize()
	v.fit()
	return v, nil
}

// show puts a stage in the place of the one before.
func (v *viewer) show(st *stage) error {
	count := st.world.Crowd().Count()
	var mail *gpu.Mailbox[agents.Agent]
	if count > 0 {
		var err error
		if mail, err = gpu.NewMailbox[agents.Agent](v.device, gpu.MailboxSpec{Label: "navview picking", Length: count, Slots: 1}); err != nil {
			st.free()
			return err
		}
	}
	v.clear()
	v.stage, v.mail, v.behind = st, mail, 0
	v.crowd, v.traits = make([]agents.Agent, count), make([]agents.Traits, count)
	st.world.Buffers().Agents.Traits.Read(0, v.traits) // once: they never change
	return nil
}

// clear frees the stage and what goes with it.
func (v *viewer) clear() {
	if v.stage != nil {
		v.stage.free()
	}
	if v.mail != nil {
		v.mail.Delete()
	}
	v.stage, v.mail, v.pending, v.picked = nil, nil, nil, -1
}

func (v *viewer) free() {
	v.clear()
	if v.changes != nil {
		v.changes.close()
	}
}

// frame takes what happened, lets time pass, draws and shows one frame. While nothing moves it sleeps between frames.
func (v *viewer) frame(now time.Time) error {
	events := v.window.Poll
	if !v.playing && v.pending == nil && !v.last.IsZero() {
		events = func() []window.Event { return v.window.Wait(0.05) }
	}
	if v.changes != nil {
		select {
		case <-v.changes.changed:
			v.reload(load(v.name))
		default:
		}
	}
	for _, e := range events() {
		if err := v.handle(e); err != nil {
			return err
		}
	}
	elapsed := now.Sub(v.last)
	if v.last.IsZero() {
		elapsed = 0
	}
	v.last = now
	if v.playing {
		p, err := v.stage.world.Advance(elapsed)
		if err != nil {
			return err
		}
		v.behind = (1 - p.Fraction) * v.stage.world.Timestep().Seconds()
	} else if err := v.stage.world.Poll(); err != nil {
		return err
	}
	if err := v.settle(); err != nil {
		return err
	}
	if v.camera.Width == 0 || v.camera.Height == 0 {
		return nil // minimised
	}
	if err := v.draw(); err != nil {
		return err
	}
	v.window.Swap()
	v.device.FrameEnd()
	v.count(now)
	return nil
}

// draw draws the frame into the window's target.
func (v *viewer) draw() error { return v.stage.draw(v.picture(v.target)) }

// picture is what the window shows, on any target.
func (v *viewer) picture(target *gpu.Target) draw.Picture {
	return draw.Picture{Target: target, Camera: v.camera, PixelRatio: v.ratio(), Behind: v.behind, Panels: v.panels()}
}

func (v *viewer) ratio() float64 { return float64(v.window.ContentScale()) }

// resize takes the window's size; the middle of the picture stays.
func (v *viewer) resize() {
	v.camera.Width, v.camera.Height = v.window.FramebufferSize()
	v.target = gpu.DefaultTarget(v.device, v.camera.Width, v.camera.Height)
}

func (v *viewer) fit() {
	v.camera = v.stage.fit(size{max(1, v.camera.Width), max(1, v.camera.Height)}, v.ratio())
}

// limits are the scales that zooming keeps to: the domain is not smaller than some pixels, and a pixel not smaller than
// float32 can tell apart on the device.
func (v *viewer) limits() [2]float64 {
	length := v.stage.world.Ground().Lattice.Length()
	return [2]float64{40 / length, 4e6 / length}
}

// handle takes one event.
func (v *viewer) handle(e window.Event) error {
	switch e := e.(type) {
	case window.ResizeEvent, window.ScaleEvent:
		v.resize()
	case window.ScrollEvent:
		v.camera.Zoom(zoomStep(e.DY), v.pointer[0], v.pointer[1], v.limits())
	case window.MoveEvent:
		v.move(e.X, e.Y)
	case window.ButtonEvent:
		if e.Button == window.Left {
			return v.button(e)
		}
	case window.KeyEvent:
		if e.Action != window.Release {
			return v.key(e)
		}
	}
	return nil
}

// zoomStep is the factor of so many notches of the wheel.
func zoomStep(notches float64) float64 {
	const notch = 1.15
	return math.Pow(notch, notches)
}

func (v *viewer) move(x, y float64) {
	dx, dy := x-v.grip[0], y-v.grip[1]
	v.pointer = [2]float64{x, y}
	if !v.pressed || !v.dragged && max(dx, -dx, dy, -dy) <= clickWidth*v.ratio() {
		return // no drag, or still a click
	}
	v.dragged = true
	v.camera.Pan(dx, dy)
	v.grip = v.pointer
}

func (v *viewer) button(e window.ButtonEvent) error {
	switch e.Action {
	case window.Press:
		v.pressed, v.dragged, v.grip = true, false, v.pointer
	case window.Release:
		clicked := v.pressed && !v.dragged
		v.pressed, v.dragged = false, false
		if clicked {
			return v.click(v.camera.World(v.pointer[0], v.pointer[1]))
		}
	}
	return nil
}

// click asks for the places of all agents, without waiting for them: settle sees what was hit.
func (v *viewer) click(at mgl64.Vec2) error {
	if v.pending != nil {
		return nil // the click before is still on its way
	}
	v.pending = &click{at: at, reach: clickWidth * v.ratio() / v.camera.Scale}
	if v.mail != nil {
		v.mail.Post(v.stage.world.Crowd().Buffers().Agents, 0)
	}
	return nil
}

// settle carries out a click once it is known what it hit.
func (v *viewer) settle() error {
	if v.pending == nil {
		return nil
	}
	hit := -1
	if v.mail != nil {
		if _, ok := v.mail.Take(v.crowd); !ok {
			return nil
		}
		hit = v.hit(*v.pending)
	}
	c := *v.pending
	v.pending = nil
	if hit >= 0 {
		return v.pick(hit)
	}
	v.alarm = nil
	world := v.stage.world
	if free, ok := world.NearestFree(c.at); world.Ground().Lattice.Contains(c.at) && (!ok || free != c.at) {
		// The world would take it, and have it sleep until the obstacle is gone.
		v.alarm = []string{fmt.Sprintf("goal %q: there is an obstacle at (%.2f, %.2f); click on free ground", world.Scene().Goals[v.stage.goal].ID, c.at[0], c.at[1])}
		return nil
	}
	err := world.Edit(func(e *engine.Edit) error {
		e.SetSources(world.Goals()[v.stage.goal], spm.Goal{Points: []mgl64.Vec2{c.at}})
		return nil
	})
	var refused *engine.GoalError
	switch {
	case errors.As(err, &refused):
		v.alarm = []string{err.Error()}
	case err != nil:
		return err
	case !v.playing:
		return v.step() // an edit takes effect with the next tick
	}
	return nil
}

// hit is the agent that a click hit: of those whose disc, as drawn, is near enough the nearest. -1 is none.
func (v *viewer) hit(c click) int {
	origin := v.stage.world.Ground().Lattice.Origin
	best, least := -1, 0.0
	for i, a := range v.crowd {
		if a.Status != agents.Walking && a.Status != agents.Arrived {
			continue
		}
		place := mgl64.Vec2{
			float64(a.Position[0]) - v.behind*float64(a.Velocity[0]),
			float64(a.Position[1]) - v.behind*float64(a.Velocity[1]),
		}
		d := c.at.Sub(origin).Sub(place).Len()
		if d <= float64(v.traits[i].Radius)+c.reach && (best < 0 || d < least) {
			best, least = i, d
		}
	}
	return best
}

// pick shows the path of an agent, and hides it when it is picked again.
func (v *viewer) pick(agent int) error {
	if agent == v.picked {
		v.picked = -1
		return v.stage.follow(nil)
	}
	v.picked = agent
	return v.stage.follow([]int{agent})
}

func (v *viewer) step() error {
	v.behind = 0
	return v.stage.world.Step()
}

func (v *viewer) key(e window.KeyEvent) error {
	st := v.stage
	switch e.Key {
	case "space":
		v.playing = !v.playing
	case ".", "right":
		v.playing = false
		return v.step()
	case "tab":
		goals := len(st.world.Goals())
		st.goal = (st.goal + 1) % goals
		if e.Modifiers&window.Shift != 0 {
			st.goal = (st.goal + goals - 2) % goals
		}
	case "f":
		v.fit()
	case "r":
		return v.restart(v.doc)
	case "h":
		v.help = !v.help
	case "c":
		for i, p := range draw.Palettes {
			if p == st.look.Palette {
				st.look.Palette = draw.Palettes[(i+1)%len(draw.Palettes)]
				break
			}
		}
	case "escape":
		v.window.Quit()
	default:
		if i := strings.Index("123456", e.Key); i >= 0 && len(e.Key) == 1 {
			st.look.Layers ^= 1 << i
		}
	}
	return nil
}

// restart begins a scene anew, with what is shown as before as far as the scene has it.
func (v *viewer) restart(doc *document) error {
	l := v.stage.look
	l.Goal = v.stage.world.Scene().Goals[v.stage.goal].ID
	if _, ok := doc.Goal(l.Goal); !ok {
		l.Goal = ""
	}
	st, err := newStage(v.device, doc, l)
	if err != nil {
		return err
	}
	before := v.stage.world.Scene().Domain
	if err := v.show(st); err != nil {
		return err
	}
	v.doc = doc
	if doc.Domain != before {
		v.fit()
	}
	return nil
}

// reload shows a scene that was read again, or says why it cannot be: the old one stays then.
func (v *viewer) reload(doc *document, err error) {
	if err == nil {
		err = v.restart(doc)
	}
	if err == nil {
		v.alarm = nil
		return
	}
	const most = 8
	v.alarm = strings.Split(strings.TrimRight(err.Error(), "\n"), "\n")
	if more := len(v.alarm) - most; more > 0 {
		v.alarm = append(v.alarm[:most:most], fmt.Sprintf("and %d more lines", more))
	}
}

// count measures frames a second and writes the title, twice a second.
func (v *viewer) count(now time.Time) {
	v.frames++
	passed := now.Sub(v.since)
	if passed < 500*time.Millisecond {
		return
	}
	if !v.since.IsZero() {
		v.rate = float64(v.frames) / passed.Seconds()
	}
	v.since, v.frames = now, 0
	v.window.SetTitle(fmt.Sprintf("%s: %d agents, %.0f frames/s", v.stage.world.Scene().Name, v.stage.world.Crowd().Count(), v.rate))
}

// panels are the words over the picture.
func (v *viewer) panels() []draw.Panel {
	world := v.stage.world
	scene := world.Scene()
	counters := world.Crowd().Counters()
	state := "paused"
	if v.playing {
		state = "playing"
	}
	status := fmt.Sprintf("%s, goal %s    %d of %d agents walking    %.1f s, %s", scene.Name, scene.Goals[v.stage.goal].ID,
		counters.Walking, world.Crowd().Count(), world.Time(), state)
	panels := []draw.Panel{{Corner: draw.BottomLeft, Lines: []string{status}}, {Corner: draw.BottomRight, Lines: []string{"h  help"}}}
	if v.verbose {
		lines := append([]string{fmt.Sprintf("%-18s%8.1f /s", "frames", v.rate)}, times(v.device)...)
		panels = append(panels, draw.Panel{Corner: draw.TopRight, Lines: lines, Mono: true})
	}
	if v.alarm != nil {
		panels = append(panels, draw.Panel{Corner: draw.TopLeft, Lines: v.alarm, Alarm: true})
	}
	if v.help {
		panels = append(panels, draw.Panel{Corner: draw.Middle, Lines: keys, Mono: true})
	}
	return panels
}
