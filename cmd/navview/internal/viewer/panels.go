package viewer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
	"github.com/wayfront/wayfront/engine/render"
)

// keyIndent is the column of descriptions in the help.
const keyIndent = 13

// Keys is the help of the viewer, a line each.
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

// count measures the frame rate and updates the title, twice a second.
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
	v.screen.SetTitle(fmt.Sprintf("%s: %s, %.0f frames/s", console.Legible(v.view.World.Scene().Name), console.Count(v.view.World.Crowd().Count(), "agent", "agents"), v.rate))
}

// panels returns the texts over the picture.
func (v *viewer) panels() []render.Panel {
	world := v.view.World
	scene := world.Scene()
	counters := world.Crowd().Counters()
	state := "paused"
	if v.playing {
		state = "playing"
	}
	status := fmt.Sprintf("%s, goal %s"+gap+"%.1f s, %s", console.Legible(scene.Name), console.Legible(scene.Goals[v.view.Goal].ID), world.Time(), state)
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
		lines := append([]string{fmt.Sprintf("%-18s%8.1f /s", "frames", v.rate)}, device.Times(v.device)...)
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

// helpPanel returns the help, as many lines as fit the window.
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

// noticeTime is how long a notice is shown.
const noticeTime = 6 * time.Second

// notify shows a notice.
func (v *viewer) notify(words string) { v.notice, v.noticeAt = words, v.last }

// notices returns the notice while it is shown.
func (v *viewer) notices() []string {
	if v.notice == "" || v.last.Sub(v.noticeAt) >= noticeTime {
		return nil
	}
	return []string{v.notice}
}
