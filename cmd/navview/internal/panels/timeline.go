//go:build !headless

package panels

import (
	"fmt"
	"math"

	"github.com/AllenDang/cimgui-go/imgui"

	"github.com/wayfront/wayfront/cmd/navview/internal/gui"
	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/scenes"
)

// timeline is the panel of the run: where it is, what happened when, and the timetables of doors and
// motions as bars.
type timeline struct {
	dragging drag       // of a bar or a keyframe
	at       [4]float64 // of the track, as Panels.Track
	from     float64    // the time where the drag began
	follows  bool       // the run went on when the head was taken
}

// drag is what of a timetable is dragged.
type drag struct {
	obstacle, interval, key int
	ends                    [2]bool // of the interval that move
}

// Track returns where the track of the timeline is: left, top, width and height, pixels. It spans 10 s
// or what is known of the run, and all timetables.
func (p *Panels) Track() (left, top, width, height float64) {
	return p.time.at[0], p.time.at[1], p.time.at[2], p.time.at[3]
}

// axis maps times to pixels.
type axis struct {
	left, width float32
	end         float64 // s
}

func (a axis) x(t float64) float32 { return a.left + a.width*float32(t/a.end) }

func (a axis) t(x float32) float64 {
	return math.Max(0, float64((x-a.left)/a.width)) * a.end
}

// draw draws the panel, and returns the action that was chosen, or nil.
func (l *timeline) draw(s *studio.Studio, actions []studio.Action) (chosen *studio.Action) {
	if imgui.Begin(gui.Timeline) {
		chosen = l.controls(s, actions)
		em := imgui.FontSize()
		a := axis{left: imgui.CursorScreenPos().X + em*6, end: span(s)}
		a.width = imgui.ContentRegionAvail().X - em*7
		if a.width > em*4 {
			l.track(s, a)
			l.tables(s, a)
		}
	}
	imgui.End()
	return chosen
}

// span is the time that the panel shows: what is known, the scene's duration, and all timetables. Unit:
// s.
func span(s *studio.Studio) float64 {
	end := math.Max(10, math.Max(s.Time.End(), s.Scene().Simulation.Duration))
	for i := range s.Scene().Obstacles {
		o := &s.Scene().Obstacles[i]
		if all := intervals(o); len(all) > 0 {
			end = math.Max(end, all[len(all)-1][1])
		}
		if o.Motion != nil && len(o.Motion.Keyframes) > 0 {
			end = math.Max(end, 1.05*o.Motion.Keyframes[len(o.Motion.Keyframes)-1].Time)
		}
	}
	return end
}

// controls draws the buttons of the run and its figures.
func (l *timeline) controls(s *studio.Studio, actions []studio.Action) (chosen *studio.Action) {
	for _, b := range []struct{ name, words string }{
		{"To the beginning", "|<"},
		{"Step back", "<"},
		{"Run", "Run"},
		{"Step", ">"},
		{"To the present", ">|"},
		{"To the event before", "< event"},
		{"To the next event", "event >"},
		{"Slower", "-"},
		{"Faster", "+"},
	} {
		for i, a := range actions {
			if a.Menu != "Run" || a.Name != b.name {
				continue
			}
			words := b.words
			if a.Name == "Run" && a.Checked(s) {
				words = "Pause"
			}
			imgui.BeginDisabledV(!a.Enabled(s))
			if imgui.SmallButton(words + "##" + a.Name) {
				chosen = &actions[i]
			}
			imgui.EndDisabled()
			tooltip(a.Name + "  " + keyWords(a.Key))
			imgui.SameLine()
		}
	}
	l.breaks(s)
	imgui.SameLine()
	words := fmt.Sprintf("%.1f of %.1f s   %gx", s.Time.Now(), s.Time.End(), s.Time.Speed)
	if s.Playing && s.Time.Factor > 0 {
		words += fmt.Sprintf(", reached %.2gx", s.Time.Factor)
	}
	imgui.TextUnformatted(words)
	if s.Time.Seeking() {
		imgui.SameLine()
		imgui.ProgressBarV(float32(s.Time.Progress()), imgui.Vec2{X: imgui.FontSize() * 8, Y: imgui.FrameHeight() * 0.8}, "")
	}
	return chosen
}

// breaks draws what the run pauses at.
func (l *timeline) breaks(s *studio.Studio) {
	if imgui.SmallButton("Pause when") {
		imgui.OpenPopupStr("##breaks")
	}
	if !imgui.BeginPopup("##breaks") {
		return
	}
	b := &s.Breaks
	number := func(v *float64, format string) {
		imgui.SameLine()
		imgui.SetNextItemWidth(imgui.FontSize() * 6)
		f := float32(*v)
		if imgui.DragFloatV("##"+format, &f, 0.05, 0, 100, format, imgui.SliderFlagsAlwaysClamp) {
			*v = float64(f)
		}
	}
	imgui.Checkbox("an agent is stuck for 10 s", &b.Stuck)
	imgui.Checkbox("two agents overlap", &b.Contact)
	imgui.Checkbox("an agent comes into an area", &b.Enters)
	imgui.Checkbox("the density in an area is above", &b.Density)
	number(&b.DensityAbove, "%.2f 1/m²")
	imgui.Checkbox("the flow through a gate is below", &b.Flow)
	number(&b.FlowBelow, "%.2f 1/s")
	imgui.EndPopup()
}

// eventColors are the colors of events that are worth a mark.
var eventColors = []struct {
	kinds engine.EventKinds
	color imgui.Vec4
	words string
}{
	{engine.Stuck | engine.NoRoute, imgui.Vec4{X: 0.87, Y: 0.25, Z: 0.2, W: 1}, "stuck or without a route"},
	{engine.Displaced | engine.Missed, imgui.Vec4{X: 0.9, Y: 0.62, Z: 0, W: 1}, "displaced"},
	{engine.Arrived, imgui.Vec4{X: 0.17, Y: 0.61, Z: 0.48, W: 1}, "arrivals"},
}

// track draws the time that is known with the events, and the head, which is dragged.
func (l *timeline) track(s *studio.Studio, a axis) {
	em := imgui.FontSize()
	list, colors := imgui.WindowDrawList(), imgui.CurrentStyle().Colors()
	top := imgui.CursorScreenPos()
	height := em * 2
	imgui.SetCursorScreenPos(imgui.Vec2{X: a.left, Y: top.Y})
	imgui.InvisibleButton("##track", imgui.Vec2{X: a.width, Y: height})
	l.at = [4]float64{float64(a.left), float64(top.Y), float64(a.width), float64(height)}
	if imgui.IsItemActivated() {
		l.follows, s.Playing = s.Playing, false
	}
	if imgui.IsItemActive() && !s.Time.Seeking() {
		if t := a.t(imgui.MousePos().X); math.Abs(t-s.Time.Now()) >= s.Scene().Simulation.Timestep {
			_ = s.Seek(math.Min(t, a.end)) // a fault of the world is shown by the studio
		}
	}
	hovered := imgui.IsItemHovered()
	bottom := top.Y + height
	imgui.SetCursorScreenPos(imgui.Vec2{X: top.X, Y: bottom + 4})
	imgui.Dummy(imgui.Vec2{})
	list.AddTextVec2(top, color(colors[imgui.ColTextDisabled], 1), "time")
	list.AddRectFilledV(imgui.Vec2{X: a.left, Y: top.Y}, imgui.Vec2{X: a.left + a.width, Y: bottom}, color(colors[imgui.ColFrameBg], 1), 3, 0)
	list.AddRectFilledV(imgui.Vec2{X: a.x(s.Time.Begin()), Y: top.Y}, imgui.Vec2{X: a.x(s.Time.End()), Y: bottom}, color(colors[imgui.ColHeader], 0.35), 3, 0)
	l.events(s, a, top.Y, bottom, hovered)
	l.seconds(a, top.Y, bottom)
	x := a.x(s.Time.Now())
	list.AddLineV(imgui.Vec2{X: x, Y: top.Y - 2}, imgui.Vec2{X: x, Y: bottom + 2}, color(accent(), 1), 2)
	list.AddTriangleFilled(imgui.Vec2{X: x - em*0.35, Y: top.Y - 2}, imgui.Vec2{X: x + em*0.35, Y: top.Y - 2}, imgui.Vec2{X: x, Y: top.Y + em*0.4}, color(accent(), 1))
}

// events draws how many events of each kind there were, as bars from below.
func (l *timeline) events(s *studio.Studio, a axis, top, bottom float32, hovered bool) {
	const wide = 3 // pixels of a bar
	bars := make([][3]int, int(a.width/wide)+1)
	most := 1
	for _, e := range s.Time.Events {
		bar := int((a.x(float64(e.Tick)*s.Scene().Simulation.Timestep) - a.left) / wide)
		if bar < 0 || bar >= len(bars) {
			continue
		}
		for k, kind := range eventColors {
			if e.Kinds&kind.kinds != 0 {
				bars[bar][k]++
				most = max(most, bars[bar][k])
			}
		}
	}
	list := imgui.WindowDrawList()
	for i, bar := range bars {
		for k := len(bar) - 1; k >= 0; k-- {
			if bar[k] == 0 {
				continue
			}
			x := a.left + float32(i*wide)
			high := (bottom - top) * (0.15 + 0.7*float32(bar[k])/float32(most))
			list.AddRectFilled(imgui.Vec2{X: x, Y: bottom - high}, imgui.Vec2{X: x + wide - 1, Y: bottom}, color(eventColors[k].color, 1))
		}
	}
	if hovered {
		bar := int((imgui.MousePos().X - a.left) / wide)
		words := fmt.Sprintf("%.1f s", a.t(imgui.MousePos().X))
		for k, kind := range eventColors {
			if bar >= 0 && bar < len(bars) && bars[bar][k] > 0 {
				words += fmt.Sprintf("\n%d %s", bars[bar][k], kind.words)
			}
		}
		imgui.SetTooltip(words)
	}
}

// seconds writes times at round distances.
func (l *timeline) seconds(a axis, top, bottom float32) {
	step, _ := scaleBar(float64(a.width)/a.end, float64(imgui.FontSize()*5))
	list, colors := imgui.WindowDrawList(), imgui.CurrentStyle().Colors()
	for t := step; t < a.end; t += step {
		x := a.x(t)
		list.AddLine(imgui.Vec2{X: x, Y: top}, imgui.Vec2{X: x, Y: bottom}, color(colors[imgui.ColTextDisabled], 0.25))
		list.AddTextVec2(imgui.Vec2{X: x + 3, Y: top}, color(colors[imgui.ColTextDisabled], 0.9), fmt.Sprintf("%g", t))
	}
}

// tables draws a row for each obstacle with a timetable or keyframes.
func (l *timeline) tables(s *studio.Studio, a axis) {
	for _, r := range studio.All(s.Scene(), studio.Obstacles) {
		o := s.Scene().Obstacles[r.Index]
		if !o.Opens() && (o.Motion == nil || len(o.Motion.Keyframes) == 0) {
			continue
		}
		top := imgui.CursorScreenPos()
		high := imgui.FontSize() * 1.2
		if imgui.SelectableBoolV(r.Name(s.Scene())+"##row"+fmt.Sprint(r.Index), s.IsSelected(r), 0, imgui.Vec2{X: imgui.FontSize() * 5.6, Y: high}) {
			s.Select(r)
		}
		l.bars(s, a, r.Index, top.Y, high)
		l.keys(s, a, r.Index, top.Y, high)
		imgui.SetCursorScreenPos(imgui.Vec2{X: top.X, Y: top.Y + high + 3})
		imgui.Dummy(imgui.Vec2{})
	}
}

// intervals are the times of an obstacle's timetable.
func intervals(o *scenes.Obstacle) []scenes.Interval {
	if len(o.Closed) > 0 {
		return o.Closed
	}
	return o.Open
}

// bars draws the timetable of an obstacle. A bar is dragged as a whole or by its ends.
func (l *timeline) bars(s *studio.Studio, a axis, obstacle int, top, high float32) {
	o := s.Scene().Obstacles[obstacle]
	fill := imgui.Vec4{X: 0.34, Y: 0.7, Z: 0.91, W: 1} // open
	if len(o.Closed) > 0 {
		fill = imgui.Vec4{X: 0.84, Y: 0.37, Z: 0, W: 1}
	}
	for i, v := range intervals(&o) {
		grip := imgui.FontSize() * 0.4
		low, end := a.x(v[0]), a.x(math.Min(v[1], a.end))
		imgui.WindowDrawList().AddRectFilledV(imgui.Vec2{X: low, Y: top}, imgui.Vec2{X: end, Y: top + high}, color(fill, 0.6), 3, 0)
		for k, part := range [3][2]float32{{low - grip, low + grip}, {end - grip, end + grip}, {low + grip, end - grip}} {
			if part[1] <= part[0] {
				continue
			}
			imgui.SetCursorScreenPos(imgui.Vec2{X: part[0], Y: top})
			imgui.InvisibleButton(fmt.Sprintf("##bar%d.%d.%d", obstacle, i, k), imgui.Vec2{X: part[1] - part[0], Y: high})
			if k < 2 && imgui.IsItemHovered() {
				imgui.SetMouseCursor(imgui.MouseCursorResizeEW)
			}
			if imgui.IsItemHovered() {
				words := "open"
				if len(o.Closed) > 0 {
					words = "there"
				}
				imgui.SetTooltip(fmt.Sprintf("%s from %.1f to %.1f s: drag it or its ends", words, v[0], v[1]))
			}
			l.dragged(s, a, drag{obstacle: obstacle, interval: i, key: -1, ends: [2]bool{k != 1, k != 0}})
		}
	}
}

// keys draws the keyframes of an obstacle's motion. Each is dragged between its neighbors.
func (l *timeline) keys(s *studio.Studio, a axis, obstacle int, top, high float32) {
	o := s.Scene().Obstacles[obstacle]
	if o.Motion == nil || len(o.Motion.Keyframes) == 0 {
		return
	}
	list, all := imgui.WindowDrawList(), o.Motion.Keyframes
	middle := top + high/2
	list.AddLineV(imgui.Vec2{X: a.x(all[0].Time), Y: middle}, imgui.Vec2{X: a.x(all[len(all)-1].Time), Y: middle}, color(accent(), 0.6), 2)
	for i, k := range all {
		x, r := a.x(k.Time), imgui.FontSize()*0.4
		list.AddQuadFilled(imgui.Vec2{X: x - r, Y: middle}, imgui.Vec2{X: x, Y: middle - r}, imgui.Vec2{X: x + r, Y: middle}, imgui.Vec2{X: x, Y: middle + r}, color(accent(), 1))
		imgui.SetCursorScreenPos(imgui.Vec2{X: x - r, Y: top})
		imgui.InvisibleButton(fmt.Sprintf("##key%d.%d", obstacle, i), imgui.Vec2{X: 2 * r, Y: high})
		tooltip(fmt.Sprintf("%.1f s: %.2f, %.2f m, %g°", k.Time, k.Offset[0], k.Offset[1], k.Angle))
		l.dragged(s, a, drag{obstacle: obstacle, interval: -1, key: i})
	}
}

// dragged drags what the item before stands for.
func (l *timeline) dragged(s *studio.Studio, a axis, what drag) {
	if imgui.IsItemActivated() {
		l.dragging, l.from = what, a.t(imgui.MousePos().X)
		_ = s.Begin("time of " + studio.Ref{List: studio.Obstacles, Index: what.obstacle, Item: -1}.Name(s.Scene()))
	}
	if imgui.IsItemActive() && l.dragging == what && s.Doc.Dragging() {
		by := a.t(imgui.MousePos().X) - l.from
		_ = s.Drag(func(to *scenes.Scene) { shift(&to.Obstacles[what.obstacle], what, by) })
	}
	if imgui.IsItemDeactivated() && l.dragging == what {
		s.End()
	}
}

// shift moves times of an obstacle by so many seconds, as far as their neighbors let them; tenths of
// seconds come out.
func shift(o *scenes.Obstacle, what drag, by float64) {
	tenths := func(t float64) float64 { return math.Round(t*10) / 10 }
	const least = 0.1 // of an interval
	if what.key >= 0 {
		keys := o.Motion.Keyframes
		low, high := 0.0, math.Inf(1)
		if what.key > 0 {
			low = keys[what.key-1].Time + least
		}
		if what.key+1 < len(keys) {
			high = keys[what.key+1].Time - least
		}
		keys[what.key].Time = math.Min(math.Max(tenths(keys[what.key].Time+by), low), high)
		return
	}
	all := intervals(o)
	v := &all[what.interval]
	low, high := 0.0, math.Inf(1)
	if what.interval > 0 {
		low = all[what.interval-1][1] + least
	}
	if what.interval+1 < len(all) {
		high = all[what.interval+1][0] - least
	}
	switch {
	case what.ends[0] && what.ends[1]:
		by = math.Min(math.Max(by, low-v[0]), high-v[1])
		v[0], v[1] = tenths(v[0]+by), tenths(v[1]+by)
	case what.ends[0]:
		v[0] = math.Min(math.Max(tenths(v[0]+by), low), v[1]-least)
	default:
		v[1] = math.Min(math.Max(tenths(v[1]+by), v[0]+least), high)
	}
}
