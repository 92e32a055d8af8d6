//go:build !headless

package viewer

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/engine/window"
)

// room is the scene that most tests run on.
const room = "../../testdata/room.json"

// The size of the display.
const (
	width  = 640
	height = 400
)

// display starts an X server without a screen and makes it the display of the test.
func display(t *testing.T) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", width, height), "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{write}
	if err := server.Start(); err != nil {
		t.Fatalf("the viewer's tests need Xvfb and xdotool (apt-get install xvfb xdotool): %v", err)
	}
	write.Close()
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	var number int
	if _, err := fmt.Fscan(read, &number); err != nil {
		t.Fatalf("Xvfb did not start: %v", err)
	}
	t.Setenv("DISPLAY", fmt.Sprintf(":%d", number))
}

// xdotool sends the input of a user.
func xdotool(t *testing.T, args ...any) string {
	t.Helper()
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = fmt.Sprint(a)
	}
	out, err := exec.Command("xdotool", words...).CombinedOutput()
	if err != nil {
		t.Fatalf("xdotool %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// opened is a paused viewer on a display of its own.
func opened(t *testing.T, file string) *viewer {
	t.Helper()
	display(t)
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	w, err := window.Open(window.Options{Title: "navview", Width: width, Height: height, Visible: true, Debug: true, Free: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	d, err := gpu.NewOwn()
	if err != nil {
		t.Fatal(err)
	}
	d.MeasureStages(true)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	doc, err := document.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	all := render.Regions | render.Isolines | render.Obstacles | render.Sources | render.Agents
	v, err := newViewer(windowScreen{w}, d, doc, worldview.Look{Layers: all, Palette: render.PaletteCalm})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.clear)
	v.playing = false
	t.Cleanup(func() {
		if err := d.Err(); err != nil {
			t.Error(err)
		}
	})
	v.until(t, "the window is shown", func() bool {
		return strings.Contains(xdotool(t, "search", "--onlyvisible", "--name", "room|navview"), "\n")
	})
	return v
}

// until draws frames until something is so.
func (v *viewer) until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for start := time.Now(); time.Since(start) < 20*time.Second; {
		if err := v.frame(time.Now()); err != nil {
			t.Fatal(err)
		}
		if so() {
			return
		}
	}
	t.Fatalf("waited in vain: %s", what)
}

// click clicks on a point of the ground.
func (v *viewer) clickOn(t *testing.T, p mgl64.Vec2) {
	t.Helper()
	x, y := v.camera.Pixel(p)
	xdotool(t, "mousemove", int(math.Round(x)), int(math.Round(y)), "click", 1)
}

func (v *viewer) source(t *testing.T) mgl64.Vec2 {
	t.Helper()
	sources, err := v.view.World.Sources(v.view.World.Goals()[v.view.Goal])
	if err != nil || len(sources.Points) == 0 {
		t.Fatalf("sources %v, %v", sources, err)
	}
	return sources.Points[0]
}

// screenshot is what the display shows.
func screenshot(t *testing.T) *image.RGBA {
	t.Helper()
	out, err := exec.Command("ffmpeg", "-v", "error", "-f", "x11grab", "-draw_mouse", "0", "-video_size", fmt.Sprintf("%dx%d", width, height),
		"-i", os.Getenv("DISPLAY"), "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "-").Output()
	if err != nil {
		t.Fatalf("ffmpeg: %v", err)
	}
	shown, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	m := image.NewRGBA(shown.Bounds())
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			m.Set(x, y, shown.At(x, y))
		}
	}
	return m
}

// difference is the mean difference of two pictures' colors, 0 to 255. A failure writes both.
func difference(t *testing.T, got, want *image.RGBA, most float64) {
	t.Helper()
	if got.Rect != want.Rect {
		t.Fatalf("pictures of %v and %v", got.Rect, want.Rect)
	}
	sum := 0
	for i := range got.Pix {
		if i%4 != 3 {
			sum += diff(got.Pix[i], want.Pix[i])
		}
	}
	if mean := float64(sum) / float64(len(got.Pix)/4*3); mean > most {
		folder := filepath.Join("testdata", "failed")
		for name, m := range map[string]*image.RGBA{"got": got, "want": want} {
			var b bytes.Buffer
			if err := png.Encode(&b, m); err == nil && os.MkdirAll(folder, 0o755) == nil {
				_ = os.WriteFile(filepath.Join(folder, t.Name()+"-"+name+".png"), b.Bytes(), 0o644)
			}
		}
		t.Errorf("the pictures differ by %.3f in the mean, at most %.3f is allowed; see %s", mean, most, folder)
	}
}

// TestViewer uses the viewer as a person does: a real window, a pointer and keys.
func TestViewer(t *testing.T) {
	v := opened(t, room)
	world := v.view.World

	// A click with shift on the ground sets the goal there too.
	target := mgl64.Vec2{113, -48}
	xdotool(t, "keydown", "shift")
	v.clickOn(t, target)
	xdotool(t, "keyup", "shift")
	pixel := 1 / v.camera.Scale
	v.until(t, "the goal is where the click was, too", func() bool {
		sources, err := world.Sources(v.goal())
		return err == nil && len(sources.Points) == 2 && sources.Points[1].Sub(target).Len() <= pixel
	})
	if world.Ticks() != 0 {
		t.Errorf("%d ticks: a world that stands still takes edits without one", world.Ticks())
	}

	// A click on an agent shows its path, another hides it.
	crowd := make([]agents.Agent, world.Crowd().Count())
	world.Crowd().Snapshot(crowd)
	place := world.Ground().Lattice.Origin.Add(mgl64.Vec2{float64(crowd[5].Position[0]), float64(crowd[5].Position[1])})
	before := v.source(t)
	v.clickOn(t, place)
	v.until(t, "the agent is picked", func() bool { return v.view.Chosen == 5 && v.view.Paths != nil })

	// What the display shows is what the same picture is off screen: both come from the same
	// passes, and a display of 24 bits keeps all of them. One frame more, so that the last one is
	// shown.
	v.until(t, "a frame", func() bool { return true })
	c, err := render.NewCanvas(v.device, image.Pt(width, height), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Delete()
	if err := v.view.Draw(v.picture(c.Target)); err != nil {
		t.Fatal(err)
	}
	difference(t, screenshot(t), c.Read(), 0.01)

	v.clickOn(t, place)
	v.until(t, "the path is hidden", func() bool { return v.view.Chosen == -1 && v.view.Paths == nil })
	if v.source(t) != before {
		t.Error("a click on an agent moved the goal")
	}

	// Keys.
	ticks := world.Ticks()
	xdotool(t, "key", "period")
	v.until(t, "one step", func() bool { return world.Ticks() == ticks+1 })
	xdotool(t, "key", "Tab")
	v.until(t, "the next goal", func() bool { return v.view.Goal == 1 })
	xdotool(t, "key", "shift+Tab")
	v.until(t, "the goal before", func() bool { return v.view.Goal == 0 })
	xdotool(t, "key", "h")
	v.until(t, "help", func() bool { return v.help })
	xdotool(t, "mousemove", 200, 150, "click", 5)
	v.until(t, "more help", func() bool { return v.scroll > 0 })
	xdotool(t, "key", "Escape")
	v.until(t, "no help", func() bool { return !v.help })
	xdotool(t, "key", "c")
	v.until(t, "other colors", func() bool { return v.view.Look.Palette == render.PalettePaper })
	xdotool(t, "key", "2")
	v.until(t, "no isolines", func() bool { return v.view.Look.Layers&render.Isolines == 0 })

	// The wheel zooms about the pointer, a drag pans, f fits.
	fitted := v.camera
	under := v.camera.World(200, 150)
	xdotool(t, "mousemove", 200, 150, "click", 4)
	v.until(t, "a closer look", func() bool { return v.camera.Scale > fitted.Scale })
	if now := v.camera.World(200, 150); now.Sub(under).Len() > pixel {
		t.Errorf("zooming moved the point under the pointer from %v to %v", under, now)
	}
	under = v.camera.World(200, 150)
	xdotool(t, "mousedown", 1, "mousemove", 230, 150, "mousemove", 260, 180, "mouseup", 1)
	v.until(t, "another part of the ground", func() bool { return v.camera.World(260, 180).Sub(under).Len() <= pixel && v.pressed == 0 })
	if v.source(t) != before {
		t.Error("a drag moved the goal")
	}
	xdotool(t, "key", "f")
	v.until(t, "the whole scene", func() bool { return v.camera == fitted })

	// Space plays and pauses, r restarts at the second press, since there is an edit, and q quits.
	xdotool(t, "key", "space")
	v.until(t, "time passes", func() bool { return v.playing && world.Ticks() > ticks+5 })
	xdotool(t, "key", "space")
	v.until(t, "pause", func() bool { return !v.playing })
	xdotool(t, "key", "r")
	v.until(t, "a question", func() bool { return v.question != "" })
	xdotool(t, "key", "r")
	v.until(t, "the start", func() bool { return v.view.World != world && v.view.World.Ticks() == 0 })
	if got := v.source(t); got != (mgl64.Vec2{101, -45}) {
		t.Errorf("after starting again the source is at %v", got)
	}
	xdotool(t, "key", "Escape", "key", "q")
	v.until(t, "the end", v.screen.(windowScreen).ShouldClose)
}

// TestViewerDrags takes a source, an obstacle and a door in a real window: what is shown follows
// the pointer.
func TestViewerDrags(t *testing.T) {
	v := opened(t, room)
	world := v.view.World
	pixel := 1 / v.camera.Scale
	to := func(p mgl64.Vec2) []any {
		x, y := v.camera.Pixel(p)
		return []any{"mousemove", int(math.Round(x)), int(math.Round(y))}
	}
	hands := func(words ...[]any) { xdotool(t, slices.Concat(words...)...) }
	done := func() bool { return !world.Building() && v.pressed == 0 }
	color := func(p mgl64.Vec2) color.RGBA {
		v.until(t, "a frame with all maps", func() bool { return !world.Building() })
		v.until(t, "its like, so that it is shown", func() bool { return true })
		x, y := v.camera.Pixel(p)
		return screenshot(t).RGBAAt(int(x), int(y))
	}
	press, release := []any{"mousedown", 1}, []any{"mouseup", 1}
	here, there := mgl64.Vec2{101, -45}, mgl64.Vec2{105, -48}

	// The source of the goal that is shown.
	hands(to(here), press, to(mgl64.Vec2{102, -46}), to(there), release)
	v.until(t, "the source is there", func() bool { return done() && v.source(t).Sub(there).Len() <= 2*pixel })
	view, err := world.View(v.goal())
	if err != nil {
		t.Fatal(err)
	}
	if a := view.Query(there); a.Distance > 2*pixel {
		t.Errorf("the map did not follow: %v m from the goal to itself", a.Distance)
	}

	// The pillar, while the button is down: the ground where it was shows, and its own color where
	// it is. Escape puts it back.
	pillar := color(mgl64.Vec2{109, -45})
	ground := color(mgl64.Vec2{112, -41.5})
	if pillar == ground {
		t.Fatalf("the pillar is as the ground is: %v", pillar)
	}
	hands(to(mgl64.Vec2{109, -45}), press, to(mgl64.Vec2{110, -44}), to(mgl64.Vec2{112, -41.5}))
	v.until(t, "the pillar is moved", func() bool { return v.edits.grab != nil && v.edits.grab.moved.Len() > 4 })
	if got := color(mgl64.Vec2{112, -41.5}); got != pillar {
		t.Errorf("where the pillar is dragged to the window shows %v, want %v", got, pillar)
	}
	if got := color(mgl64.Vec2{108.3, -45.7}); got == pillar {
		t.Errorf("where the pillar was the window still shows it")
	}
	xdotool(t, "key", "Escape")
	v.until(t, "nothing is held", func() bool { return v.edits.grab == nil })
	hands(release)
	v.until(t, "the button is up", done)
	if got := color(mgl64.Vec2{109, -45}); got != pillar {
		t.Errorf("after the escape key the pillar is not back: %v", got)
	}

	// It is taken away by a key.
	hands(to(mgl64.Vec2{109, -45}), []any{"key", "d"})
	v.until(t, "the pillar is away", func() bool {
		_, there := world.ObstacleAt(mgl64.Vec2{109, -45})
		return !there && done()
	})
	if got := color(mgl64.Vec2{108.5, -45.5}); got == pillar {
		t.Error("the pillar is still shown")
	}
}

// TestViewerReadsNothingBack: a hundred frames that play, with a path shown and a source added,
// wait for nothing.
func TestViewerReadsNothingBack(t *testing.T) {
	v := opened(t, room)
	v.playing, v.verbose = true, true
	if err := v.pick(3); err != nil {
		t.Fatal(err)
	}
	if err := v.click(mgl64.Vec2{119, -46}, true); err != nil {
		t.Fatal(err)
	}
	before, ticks := v.device.Readbacks(), v.view.World.Ticks()
	frames := 0
	v.until(t, "a hundred frames and some ticks", func() bool {
		frames++
		return frames >= 100 && v.view.World.Ticks() > ticks+2
	})
	if n := v.device.Readbacks() - before; n != 0 {
		t.Errorf("%d read-backs in %d frames", n, frames)
	}
	if sources, err := v.view.World.Sources(v.goal()); err != nil || sources.Points[len(sources.Points)-1] != (mgl64.Vec2{119, -46}) {
		t.Errorf("the click was not carried out: the sources are %v, %v", sources, err)
	}
}

// TestViewerReloads: the scene follows its file; a mistake is shown, and the old scene stays.
func TestViewerReloads(t *testing.T) {
	data, err := os.ReadFile(room)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "room.json")
	save := func(data []byte) {
		t.Helper()
		// As editors do: a new file takes the old one's name.
		if err := os.WriteFile(file+"~", data, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(file+"~", file); err != nil {
			t.Fatal(err)
		}
	}
	save(data)
	v := opened(t, file)
	v.changes = Watch(file)
	v.view.Show(1)

	save(bytes.Replace(data, []byte(`"corner", "points": [[119.5, -49.5]]`), []byte(`"corner", "points": [[109, -45]]`), 1))
	v.until(t, "the mistake is shown", func() bool { return v.alarm != nil })
	if alarm := strings.Join(v.alarm, "\n"); !strings.Contains(alarm, "$.goals[1].points[0]") {
		t.Errorf("alarm: %s", alarm)
	}
	if got := v.source(t); got != (mgl64.Vec2{119.5, -49.5}) {
		t.Errorf("the old scene is gone: source at %v", got)
	}

	save(bytes.Replace(data, []byte(`[[119.5, -49.5]]`), []byte(`[[119.5, -40.5]]`), 1))
	v.until(t, "the new scene", func() bool { return v.source(t) == mgl64.Vec2{119.5, -40.5} })
	if v.alarm != nil || v.view.Goal != 1 {
		t.Errorf("alarm %q, goal %d", v.alarm, v.view.Goal)
	}
}

// TestFileChangesRunningWorld: a file that is saved while the window shows it changes the world that
// runs. Its agents stay where they are, whatever the order of goals and profiles in the file is.
func TestFileChangesRunningWorld(t *testing.T) {
	file := filepath.Join(t.TempDir(), "scene.json")
	text := `{"version": 1, "name": "navview file", "domain": [0, 0, 40, 25],
		"goals": [{"id": "east", "points": [[38, 12]]}],
		"profiles": [{"id": "p", "avoidance": "none"}],
		"groups": [{"id": "all", "profile": "p", "count": 3, "spawn": {"points": [[3, 10], [3, 12], [3, 14], [3, 16], [3, 18]]}, "itinerary": ["east"]}],
		"map": {"size": 50}}`
	v := (*viewer)(nil)
	save := func(changes ...string) {
		t.Helper()
		for i := 0; i < len(changes); i += 2 {
			if !strings.Contains(text, changes[i]) {
				t.Fatalf("nothing is %q", changes[i])
			}
			text = strings.Replace(text, changes[i], changes[i+1], 1)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if v == nil {
			return
		}
		doc := v.doc
		v.until(t, "the file is read", func() bool { return v.doc != doc || v.alarm != nil })
	}
	save()
	v = opened(t, file)
	v.changes = Watch(file)
	world := v.view.World
	for range 10 {
		if err := v.step(); err != nil {
			t.Fatal(err)
		}
	}
	if err := v.view.Choose(1); err != nil {
		t.Fatal(err)
	}
	v.readCrowd()
	before, shown := slices.Clone(v.crowd), screenshot(t)
	save(`"goals": [`, `"obstacles": [{"id": "wall", "rect": [20, 5, 21, 20]}], "goals": [{"id": "new", "points": [[38, 3]]}, `,
		`[[38, 12]]`, `[[36, 22]]`, `"count": 3`, `"count": 5`)
	if v.view.World != world || world.Ticks() != 10 || v.alarm != nil || v.notices() != nil {
		t.Fatalf("after %d ticks: alarm %q, notices %q", world.Ticks(), v.alarm, v.notices())
	}
	if v.readCrowd(); !slices.Equal(v.crowd[:3], before) {
		t.Errorf("agents were %v, and are %v", before, v.crowd[:3])
	}
	if id := world.Scene().Goals[v.view.Goal].ID; id != "east" || v.source(t) != (mgl64.Vec2{36, 22}) || v.view.Chosen != 1 {
		t.Errorf("goal %s at %v is shown, and agent %d", id, v.source(t), v.view.Chosen)
	}
	if len(world.Ground().Walls) != 8 || v.unsaved() {
		t.Errorf("%d walls, unsaved edits: %v", len(world.Ground().Walls), v.unsaved())
	}
	if err := v.step(); err != nil {
		t.Fatal(err)
	}
	if v.readCrowd(); len(world.Agents(nil)) != 5 || v.crowd[4].Status != agents.Walking {
		t.Errorf("%d agents, the last is %+v", len(world.Agents(nil)), v.crowd[4])
	}
	save(`[20, 5, 21, 20]`, `[20, 5, 21, 99]`) // a mistake: the last good document runs on
	if v.alarm == nil || v.view.World != world || len(world.Ground().Walls) != 8 {
		t.Errorf("of a mistake it is said %q", v.alarm)
	}
	save(`99`, `20`)
	save(`[20, 5, 21, 20]`, `[20, 5, 21, 19]`)
	v.until(t, "the alarm goes", func() bool { return v.alarm == nil })
	after := screenshot(t)
	at := func(m *image.RGBA, p mgl64.Vec2) color.RGBA {
		x, y := v.camera.Pixel(p)
		return m.RGBAAt(int(x), int(y))
	}
	if ground, wall := at(shown, mgl64.Vec2{20.5, 12}), at(after, mgl64.Vec2{20.5, 12}); wall == ground {
		t.Errorf("the wall has the color of the ground, %v", ground)
	}
	save(`[0, 0, 40, 25]`, `[0, 0, 50, 25]`)
	if v.view.World == world || v.alarm != nil || !strings.Contains(strings.Join(v.notices(), ""), "$.domain") {
		t.Errorf("with another domain: alarm %q, notices %q", v.alarm, v.notices())
	}
}

func diff(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
