//go:build !headless

package viewer

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/stage"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/engine/window"
)

// keyIndent is how far the words of the viewer's help are from where a line begins.
const keyIndent = 13

// Keys is the viewer's help: a line each, wrapped where it is shown.
var Keys = []string{
	"drag         a source, an end of a segment, an obstacle: move it; the map follows",
	"             free ground: pan (with the middle or right button: anywhere)",
	"wheel        zoom about the pointer",
	"shift+click  free ground: the goal is there too",
	"click        a door: open or shut it; an agent: show or hide its path and local map,",
	"             and its goal's map unless you chose or moved a goal",
	"             another goal's source: show its map; free ground: no agent",
	"n            next agent: show its path and its local map; with shift: the one before",
	"b            bend: the chosen agent's local map, and with it those of its profile;",
	"             up, down: choose what of it; left, right: turn it",
	"d            take away the obstacle under the pointer, or put it back;",
	"             with shift: leave it to its timetable again",
	"delete       remove the source under the pointer",
	"ctrl+z       undo",
	"ctrl+s       save the scene as edited, in a new file beside its own",
	"escape       cancel the drag; close this help, or what bends; no agent",
	"space        play, pause",
	". or right   one step; right not while something is bent",
	"tab          next goal; with shift: the one before",
	"1 to 9, 0    show or hide " + strings.Join(render.LayerNames()[:4], ", ") + ",",
	"             " + strings.Join(render.LayerNames()[4:], ", "),
	"c            next colors",
	"f            fit the scene into the window",
	"r            start again, without what was changed; again if edits are not saved",
	"h            this help; up, down, wheel: more of it",
	"q            quit; again if edits are not saved",
}

// Run shows a scene in a window until its user leaves it.
func Run(s *console.Session, doc *stage.Document, l stage.Look, paused bool, changes *watcher) error {
	w, err := window.Open(window.Options{Title: "navview", Width: 1280, Height: 800, Visible: true})
	if err != nil {
		return err
	}
	defer w.Close()
	d, err := gpu.NewOwn()
	if err != nil {
		return err
	}
	defer d.Close()
	d.MeasurePasses(true)
	if s.Verbose {
		s.Note("%s, OpenGL %s (GLFW)", d.Info().Renderer, d.Info().Version)
	}
	vw, err := newViewer(windowScreen{w}, d, doc, l)
	if err != nil {
		return err
	}
	defer vw.free()
	vw.playing, vw.verbose, vw.name, vw.changes = !paused, s.Verbose, changes.name, changes
	for !w.ShouldClose() {
		if err := vw.frame(time.Now()); err != nil {
			return err
		}
	}
	return d.Err()
}

// screen is where a viewer shows itself, and hears of its user: a window.
type screen interface {
	Poll() []window.Event
	Wait(seconds float64) []window.Event
	Swap()
	Quit()
	Stay()
	FramebufferSize() (width, height int)
	ContentScale() float32
	SetTitle(title string)
	SetPointer(p window.Pointer)
	target(d *gpu.Device, width, height int) *gpu.Target // what Swap shows, in the size that it has now
}

// windowScreen is a window as a screen.
type windowScreen struct{ *window.Window }

func (windowScreen) target(d *gpu.Device, width, height int) *gpu.Target {
	return gpu.DefaultTarget(d, width, height)
}

// viewer shows a world on a screen and takes what the user does there.
type viewer struct {
	screen screen
	device *gpu.Device
	stage  *stage.Stage
	camera render.Camera
	fitted bool // the camera shows the whole domain: the user has not zoomed or panned
	target *gpu.Target

	doc      *stage.Document // the scene that is shown
	name     string          // by which it is read again
	changes  *watcher        // of its file; nil where none watches
	outdated bool            // its file has changed, and was not read because of unsaved edits

	playing    bool
	verbose    bool
	help       bool
	scroll     int  // lines of the help above those shown
	scrolls    bool // the help has more lines than the window
	tuner      tuner
	alarm      []string // what is wrong, until the next success
	notice     string   // what was done
	noticeAt   time.Time
	saved      saved
	question   string // what drops unsaved edits if the next press asks for it again, while the question is shown
	questionAt time.Time
	answered   string // what the press before the present one asked for

	edits       *editSession // of the world that is shown
	pointer     [2]float64
	outside     bool          // the pointer is
	pressed     window.Button // 0: none
	shifted     bool          // when it was pressed
	grip        mgl64.Vec2    // the place on the ground where it was pressed
	grabbed     [2]float64    // the pixel where it was pressed
	dragged     bool          // the pointer has moved since
	pending     *click
	readback    *gpu.Mailbox[agents.Agent]
	crowd       []agents.Agent // the letter's place
	traits      []agents.Traits
	behind      float64       // how much of the last tick is still to be shown. Unit: s
	due         time.Duration // until the next tick
	last        time.Time     // of the last frame; zero before the first
	lastPicture pictureKey    // in that frame
	moved       time.Time     // when that was another than before
	draft       bool          // the ground is drawn in haste
	since       time.Time     // counting frames
	frames      int
	rate        float64 // frames a second
}

// click is a click, or a wish for another agent, that waits for the agents' places.
type click struct {
	next  int // 1: the next agent, -1: the one before, 0: a click
	at    mgl64.Vec2
	reach float64 // metres that the click is wide
	adds  bool    // the goal is there too, if there is nothing
}

// clickWidth is how far from an agent's disc a click may be, and how far the pointer may move in a click. Nominal pixels.
const clickWidth = 4

func newViewer(w screen, d *gpu.Device, doc *stage.Document, l stage.Look) (*viewer, error) {
	v := &viewer{screen: w, device: d, doc: doc, playing: true, outside: true, fitted: true}
	l.Layers |= stage.Layers(render.Paths | render.LocalMap)
	st, err := stage.New(d, doc, l)
	if err != nil {
		return nil, err
	}
	if err := v.show(st); err != nil {
		return nil, err
	}
	v.resize()
	return v, nil
}

// show puts a stage in the place of the one before.
func (v *viewer) show(st *stage.Stage) error {
	count := st.World.Crowd().Count()
	var mail *gpu.Mailbox[agents.Agent]
	if count > 0 {
		var err error
		if mail, err = gpu.NewMailbox[agents.Agent](v.device, gpu.MailboxSpec{Label: "navview picking", Length: count, Slots: 1}); err != nil {
			st.Free()
			return err
		}
	}
	v.clear()
	st.Edited = true
	v.stage, v.readback, v.edits = st, mail, &editSession{world: st.World}
	v.behind, v.due, v.pressed = 0, st.World.Timestep(), 0
	v.crowd, v.traits = make([]agents.Agent, count), make([]agents.Traits, count)
	st.World.Buffers().Agents.Traits.Read(0, v.traits) // once: they never change
	return nil
}

// clear frees the stage and what goes with it.
func (v *viewer) clear() {
	if v.stage != nil {
		v.stage.Free()
	}
	if v.readback != nil {
		v.readback.Delete()
	}
	v.stage, v.readback, v.pending = nil, nil, nil
}

func (v *viewer) free() { v.clear() }

// frame takes what happened, lets time pass, draws and shows one frame. While nothing moves it sleeps between frames.
func (v *viewer) frame(now time.Time) error {
	events := v.screen.Poll
	if !v.playing && v.pending == nil && !v.stage.World.Building() && !v.last.IsZero() {
		events = func() []window.Event { return v.screen.Wait(0.05) }
	}
	if v.changes != nil {
		select {
		case <-v.changes.changed:
			v.changed()
		default:
		}
	}
	for _, e := range events() {
		if err := v.handle(e); err != nil {
			return err
		}
	}
	if err := v.resolvePick(); err != nil {
		return err
	}
	if err := v.updateEdits(); err != nil {
		return err
	}
	elapsed := now.Sub(v.last)
	if v.last.IsZero() {
		elapsed = 0
	}
	v.last = now
	if err := v.advance(elapsed); err != nil {
		return err
	}
	if v.camera.Width == 0 || v.camera.Height == 0 {
		return nil // minimised
	}
	if err := v.draw(now); err != nil {
		return err
	}
	v.screen.Swap()
	v.device.FrameEnd()
	v.count(now)
	return nil
}

// updateEdits has the hand where the pointer is, and what it holds with it.
func (v *viewer) updateEdits() error {
	v.updateHover()
	pointer := window.Arrow
	if v.edits.hovered.part != nothing {
		pointer = window.Hand
	}
	v.screen.SetPointer(pointer)
	if v.edits.grab == nil {
		return nil
	}
	v.edits.dragTo(v.ground())
	return v.showRefusal(v.edits.apply())
}

// updateHover finds what the pointer is on.
func (v *viewer) updateHover() {
	switch {
	case v.edits.grab != nil: // that
	case v.outside || v.pressed != 0 && v.dragged:
		v.edits.hovered = selection{}
	default:
		v.edits.hovered = v.at(v.ground())
	}
}

// at is what can be held at a place on the ground.
func (v *viewer) at(p mgl64.Vec2) selection {
	return v.edits.find(p, pickRadius*v.ratio()/v.camera.Scale, v.goal(), render.Layers(v.stage.Look.Layers))
}

// ground is the place on the ground that the pointer is on.
func (v *viewer) ground() mgl64.Vec2 { return v.camera.World(v.pointer[0], v.pointer[1]) }

// goal is the goal whose map is shown.
func (v *viewer) goal() engine.Goal { return v.stage.World.Goals()[v.stage.Goal] }

// showRefusal shows what an edit was refused for, until the next one that is not. Other errors it gives back.
func (v *viewer) showRefusal(err error) error {
	if words, ok := refusal(err); ok {
		v.alarm = []string{words}
		return nil
	}
	if err == nil {
		v.alarm = nil
	}
	return err
}

// patience is how long a frame waits for maps that the next tick needs.
const patience = 5 * time.Millisecond

// advance lets time pass. A world that stands still takes edits nevertheless. Where a tick is due and its maps are still under way,
// time stands still until they are there: a slow device shows a slow world, in frames that are as many as before.
func (v *viewer) advance(elapsed time.Duration) error {
	world := v.stage.World
	if !v.playing {
		return world.Apply()
	}
	for ticks := 0; ticks < engine.MaxTicks; ticks++ {
		if elapsed < v.due {
			v.due -= elapsed
			break
		}
		for start := time.Now(); world.Building() && time.Since(start) < patience; time.Sleep(patience / 50) {
			if err := world.Poll(); err != nil {
				return err
			}
		}
		if world.Building() {
			break
		}
		if err := v.stage.Step(); err != nil {
			return err
		}
		elapsed -= v.due
		v.due = world.Timestep()
	}
	v.behind = v.due.Seconds()
	return world.Poll()
}

// pictureKey is what the ground's picture depends on that changes from frame to frame.
type pictureKey struct {
	camera render.Camera
	world  *engine.World
	goal   int
	builds uint64
}

const (
	tooSlow = 15 * time.Millisecond  // a ground that takes longer to draw is not drawn in every frame
	atRest  = 300 * time.Millisecond // after so long without a change it is drawn well again
)

// draw draws the frame into the window's target. Where the ground takes long and changes again and again, it is drawn in haste.
func (v *viewer) draw(now time.Time) error {
	world := v.stage.World
	sees := pictureKey{v.camera, world, v.stage.Goal, world.Buffers().Maps.Builds(v.stage.Goal)}
	if sees != v.lastPicture {
		v.lastPicture, v.moved = sees, now
	}
	slow := slices.ContainsFunc(v.device.Timings(), func(t gpu.Timing) bool { return t.Name == "ground" && t.Mean > tooSlow })
	v.draft = slow && (world.Building() || now.Sub(v.moved) < atRest)
	return v.stage.Draw(v.picture(v.target))
}

// picture is what the window shows, on any target.
func (v *viewer) picture(target *gpu.Target) render.Picture {
	return render.Picture{
		Target: target, Camera: v.camera, PixelRatio: v.ratio(), Behind: v.behind, Panels: v.panels(), Draft: v.draft,
		Sketches: v.edits.sketches(v.goal(), render.Layers(v.stage.Look.Layers)),
	}
}

func (v *viewer) ratio() float64 { return float64(v.screen.ContentScale()) }

// resize takes the window's size: the whole domain stays in sight if it was, else the middle of the picture stays.
func (v *viewer) resize() {
	v.camera.Width, v.camera.Height = v.screen.FramebufferSize()
	v.target = v.screen.target(v.device, v.camera.Width, v.camera.Height)
	if v.fitted {
		v.fit()
	}
}

// fit shows the whole domain, above the words at the lower edge where there is room for both.
func (v *viewer) fit() {
	words := 40.0 // nominal pixels that they reach beyond the margin
	if v.stage.World.LocalMaps() != nil {
		words = 68 // with three lines of their legend
	}
	width, height := v.camera.Width, v.camera.Height // 0 while the window is minimised
	v.camera = v.stage.Fit(image.Pt(max(1, width), max(1, height)), v.ratio(), words*v.ratio())
	v.camera.Width, v.camera.Height, v.fitted = width, height, true
}

// limits are the scales that zooming keeps to: the domain is not smaller than some pixels, and a pixel not smaller than
// float32 can tell apart on the device.
func (v *viewer) limits() [2]float64 {
	length := v.stage.World.Ground().Lattice.Length()
	return [2]float64{40 / length, 4e6 / length}
}

// presses reports whether an event is a press of a key or a button, or on the window's cross.
func presses(e window.Event) bool {
	switch e := e.(type) {
	case window.KeyEvent:
		return e.Action != window.Release
	case window.ButtonEvent:
		return e.Action != window.Release
	case window.CloseEvent:
		return true
	}
	return false
}

// handle takes one event.
func (v *viewer) handle(e window.Event) error {
	if presses(e) {
		v.answered, v.question = v.question, ""
	}
	switch e := e.(type) {
	case window.ResizeEvent, window.ScaleEvent:
		v.resize()
	case window.CloseEvent:
		v.screen.Stay()
		v.leave()
	case window.ScrollEvent:
		if v.help && v.scrolls {
			v.scroll -= int(math.Copysign(math.Ceil(3*math.Abs(e.DY)), e.DY))
			break
		}
		v.fitted = false
		v.camera.Zoom(zoomStep(e.DY), v.pointer[0], v.pointer[1], v.limits())
	case window.MoveEvent:
		v.move(e.X, e.Y)
	case window.LeaveEvent:
		v.outside = true
	case window.ButtonEvent:
		return v.button(e)
	case window.KeyEvent:
		if e.Action != window.Release {
			v.updateHover() // the pointer may have moved in this frame
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
	before := v.pointer
	v.pointer, v.outside = [2]float64{x, y}, false
	if v.pressed == 0 {
		return
	}
	if !v.dragged {
		dx, dy := x-v.grabbed[0], y-v.grabbed[1]
		if max(dx, -dx, dy, -dy) <= clickWidth*v.ratio() {
			return // still a click
		}
		v.dragged, before = true, v.grabbed
		if t := v.at(v.grip); v.pressed == window.Left && t.part != nothing {
			if t.part != body {
				v.stage.Show(v.stage.Goal)
			}
			v.edits.start(t, v.grip)
		}
	}
	if v.edits.grab == nil {
		v.fitted = false
		v.camera.Pan(x-before[0], y-before[1])
	}
}

// button takes the left button for clicks and drags: of what is under the pointer, or else of the picture. The others drag the
// picture wherever they are pressed. Of several buttons the first counts.
func (v *viewer) button(e window.ButtonEvent) error {
	switch {
	case e.Action == window.Press && v.pressed == 0:
		v.pressed, v.dragged, v.shifted = e.Button, false, e.Modifiers&window.Shift != 0
		v.grabbed, v.grip = v.pointer, v.ground()
	case e.Action == window.Release && e.Button == v.pressed:
		clicked := e.Button == window.Left && !v.dragged
		v.pressed, v.dragged = 0, false
		if clicked {
			v.click(v.grip, v.shifted)
		}
		if v.edits.grab != nil {
			v.edits.dragTo(v.ground())
			err := v.showRefusal(v.edits.apply())
			v.edits.finish()
			return err
		}
	}
	return nil
}

// click asks what is at a place.
func (v *viewer) click(at mgl64.Vec2, adds bool) {
	v.requestPick(click{at: at, reach: clickWidth * v.ratio() / v.camera.Scale, adds: adds})
}

// requestPick asks for the places of all agents, without waiting for them: settle sees what was hit.
func (v *viewer) requestPick(c click) {
	if v.pending != nil {
		return // the click before is still on its way
	}
	v.pending = &c
	if v.readback != nil {
		v.readback.Post(v.stage.World.Crowd().Buffers().Agents, 0)
	}
}

// resolvePick carries out a click once it is known what it hit.
func (v *viewer) resolvePick() error {
	if v.pending == nil {
		return nil
	}
	c, hit := *v.pending, -1
	if v.readback != nil {
		if _, ok := v.readback.Take(v.crowd); !ok {
			return nil
		}
		if c.next != 0 {
			hit = v.another(c.next)
		} else {
			hit = v.hit(c)
		}
	}
	v.pending = nil
	if hit >= 0 {
		return v.pick(hit)
	}
	if c.next != 0 {
		return nil
	}
	switch t := v.at(c.at); t.part {
	case nothing:
		if !c.adds {
			return v.stage.Choose(-1)
		}
		v.stage.Show(v.stage.Goal) // and goes on to be: it is being edited
		return v.showRefusal(v.edits.addPoint(v.goal(), c.at))
	case body:
		if v.edits.state(t.obstacle).Opens {
			return v.showRefusal(v.edits.toggle(t.obstacle))
		}
	default:
		v.stage.Show(v.edits.goal(t.source.Goal))
	}
	return nil
}

// hit is the agent that a click hit: of those whose disc, as drawn, is near enough the nearest. -1 is none.
func (v *viewer) hit(c click) int {
	origin := v.stage.World.Ground().Lattice.Origin
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

// another is the next agent that walks, forwards or backwards from the one that is chosen; -1 is none.
func (v *viewer) another(step int) int {
	n, chosen := len(v.crowd), v.stage.Chosen
	from := chosen
	if from < 0 && step < 0 {
		from = 0
	}
	for k := 1; k <= n; k++ {
		if i := ((from+k*step)%n + n) % n; i != chosen && v.crowd[i].Status == agents.Walking {
			return i
		}
	}
	return -1
}

// pick shows the path and the local map of an agent, and hides them when it is picked again.
func (v *viewer) pick(agent int) error {
	if agent == v.stage.Chosen {
		agent = -1
	}
	return v.stage.Choose(agent)
}

func (v *viewer) step() error {
	v.behind = 0
	return v.stage.Step()
}

func (v *viewer) key(e window.KeyEvent) error {
	st := v.stage
	switch e.Key {
	case "b":
		v.tuner.shown = !v.tuner.shown
	case "up", "down", "pageup", "pagedown":
		if v.help {
			v.scroll += map[string]int{"up": -1, "down": 1, "pageup": -10, "pagedown": 10}[e.Key]
		} else if v.tuner.shown {
			return v.tune(e.Key)
		}
	case "left", "right":
		if v.tuner.shown {
			return v.tune(e.Key)
		} else if e.Key == "right" {
			v.playing = false
			return v.step()
		}
	case "space":
		v.playing = !v.playing
	case ".":
		v.playing = false
		return v.step()
	case "tab":
		goals, by := len(st.World.Goals()), 1
		if e.Modifiers&window.Shift != 0 {
			by = -1
		}
		st.Show((st.Goal + goals + by) % goals)
	case "n":
		next := 1
		if e.Modifiers&window.Shift != 0 {
			next = -1
		}
		v.requestPick(click{next: next})
	case "d":
		if t := v.edits.hovered; t.part == body && e.Modifiers&window.Shift != 0 {
			return v.showRefusal(v.edits.setDoor(t.obstacle, engine.DoorTimed))
		} else if t.part == body {
			return v.showRefusal(v.edits.toggle(t.obstacle))
		}
	case "delete", "backspace":
		if v.edits.grab == nil {
			return v.showRefusal(v.edits.remove(v.edits.hovered))
		}
	case "z":
		if e.Modifiers&window.Control != 0 {
			return v.showRefusal(v.edits.undo())
		}
	case "s":
		if e.Modifiers&window.Control != 0 {
			return v.save()
		}
	case "f":
		v.fit()
	case "r":
		v.startAgain()
	case "q":
		v.leave()
	case "h":
		v.help, v.scroll = !v.help, 0
	case "c":
		for i, p := range render.Palettes {
			if p == st.Look.Palette {
				st.Look.Palette = render.Palettes[(i+1)%len(render.Palettes)]
				break
			}
		}
	case "escape":
		switch {
		case v.edits.grab != nil:
			return v.showRefusal(v.edits.cancel())
		case v.help:
			v.help = false
		case v.tuner.shown:
			v.tuner.shown = false
		default:
			return st.Choose(-1)
		}
	default:
		if i := strings.Index("1234567890", e.Key); i >= 0 && i < len(render.LayerNames()) && len(e.Key) == 1 {
			st.Look.Layers ^= 1 << i
		}
	}
	return nil
}

// restart begins a scene anew, with what is shown as before as far as the scene has it.
func (v *viewer) restart(doc *stage.Document) error {
	l := v.stage.Look
	l.Goal = v.stage.World.Scene().Goals[v.stage.Goal].ID
	if _, ok := doc.Goal(l.Goal); !ok {
		l.Goal = ""
	}
	l.Agent = nil // the scene may have fewer
	st, err := stage.New(v.device, doc, l)
	if err != nil {
		return err
	}
	st.Pinned = st.Pinned && v.stage.Pinned
	if chosen := v.stage.Chosen; chosen < st.World.Crowd().Count() {
		if err := st.Choose(chosen); err != nil {
			st.Free()
			return err
		}
	}
	before := v.stage.World.Scene().Domain
	if err := v.show(st); err != nil {
		return err
	}
	v.doc = doc
	if doc.Domain != before {
		v.fit()
	}
	return nil
}

// leave ends the viewer, or asks first.
func (v *viewer) leave() {
	if v.confirm("quit") {
		v.screen.Quit()
	}
}

// startAgain begins the scene anew, or asks first: as it was read, or from its file where that has changed since.
func (v *viewer) startAgain() {
	if !v.confirm("start again") {
		return
	}
	doc, err := v.doc, error(nil)
	if v.outdated {
		doc, err = stage.Load(v.name)
	}
	if err == nil {
		err = v.restart(doc)
	}
	v.warn(err)
}

// changed reads a file again that has changed, unless that would drop unsaved edits.
func (v *viewer) changed() {
	if v.unsaved() {
		v.outdated = true
		v.alarm = []string{v.doc.File + " has changed: r reads it and drops unsaved edits, ctrl+s saves them"}
		return
	}
	v.reload(stage.Load(v.name))
}

// confirm reports whether nothing is lost by what the user wants to do, or whether it was asked for twice.
func (v *viewer) confirm(want string) bool {
	if !v.unsaved() || v.answered == want && v.last.Sub(v.questionAt) < noticeTime {
		return true
	}
	v.question, v.questionAt = want, v.last
	v.notify("unsaved edits: press again to " + want + ", ctrl+s saves")
	return false
}

// reload shows a scene that was read again, or says why it cannot be: the old one stays then.
func (v *viewer) reload(doc *stage.Document, err error) {
	if err == nil {
		if maps, ok := v.changedLocalMaps(doc); ok {
			err = v.setLocalMaps(maps)
			v.doc = doc
		} else {
			err = v.restart(doc)
		}
	}
	v.warn(err)
}

// warn says why a scene that was read cannot be shown, or nothing if it is.
func (v *viewer) warn(err error) {
	v.outdated = false
	if err == nil {
		v.alarm = nil
		return
	}
	const most = 8
	v.alarm = strings.Split(strings.TrimRight(console.WithoutPackages(err.Error()), "\n"), "\n")
	if more := len(v.alarm) - most; more > 0 {
		v.alarm = append(v.alarm[:most:most], "and "+console.Count(more, "more line", "more lines"))
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
	v.screen.SetTitle(fmt.Sprintf("%s: %s, %.0f frames/s", console.Legible(v.stage.World.Scene().Name), console.Count(v.stage.World.Crowd().Count(), "agent", "agents"), v.rate))
}

// panels are the words over the picture.
func (v *viewer) panels() []render.Panel {
	world := v.stage.World
	scene := world.Scene()
	counters := world.Crowd().Counters()
	state := "paused"
	if v.playing {
		state = "playing"
	}
	status := fmt.Sprintf("%s, goal %s"+gap+"%.1f s, %s", console.Legible(scene.Name), console.Legible(scene.Goals[v.stage.Goal].ID), world.Time(), state)
	switch n := world.Crowd().Count(); {
	case n > 0 && world.Ticks() > 0: // before the first tick no agent is counted
		status += fmt.Sprintf(gap+"%s of %s walking", console.Figure(float64(counters.Walking)), console.Count(n, "agent", "agents"))
	case n > 0:
		status += gap + console.Count(n, "agent", "agents")
	}
	hint := "drag an exit or an obstacle, and the map follows" + gap + "h: help"
	if !v.outside || v.edits.grab != nil {
		hint = v.edits.hint(v.goal())
	}
	panels := []render.Panel{{Corner: render.BottomLeft, Lines: []string{status, hint}}}
	if v.verbose {
		lines := append([]string{fmt.Sprintf("%-18s%8.1f /s", "frames", v.rate)}, stage.Times(v.device)...)
		panels = append(panels, render.Panel{Corner: render.TopRight, Lines: lines, Mono: true})
	}
	var alarm []string
	for _, line := range v.alarm {
		alarm = append(alarm, console.Line(line))
	}
	if lines := slices.Concat(alarm, v.notices(), v.knobs()); lines != nil {
		panels = append(panels, render.Panel{Corner: render.TopLeft, Lines: lines, Mono: v.tuner.shown, Alarm: v.alarm != nil})
	}
	for i := range panels {
		panels[i] = panels[i].Wrap(v.camera.Width, 0, v.ratio())
	}
	if v.help {
		panels = append(panels, v.helpPanel())
	}
	return panels
}

// helpPanel is the help, as much of it as the window has room for.
func (v *viewer) helpPanel() render.Panel {
	all := render.Panel{Corner: render.Middle, Lines: Keys, Mono: true}.Wrap(v.camera.Width, keyIndent, v.ratio())
	lines := len(all.Lines)
	fitting := all.Fitting(v.camera.Height, v.ratio())
	if v.scrolls = lines > fitting; !v.scrolls {
		v.scroll = 0
		return all
	}
	shown := max(1, fitting-1) // the last line says that there are more
	v.scroll = min(max(v.scroll, 0), lines-shown)
	all.Lines = append(slices.Clone(all.Lines[v.scroll:v.scroll+shown]), fmt.Sprintf("up/down: %d-%d of %d", v.scroll+1, v.scroll+shown, lines))
	return all.Wrap(v.camera.Width, 0, v.ratio())
}
