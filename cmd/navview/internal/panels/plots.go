//go:build !headless

package panels

import (
	"fmt"
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/AllenDang/cimgui-go/implot"

	"github.com/wayfront/wayfront/cmd/navview/internal/gui"
	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
)

// plots is the panel of what is measured: series over time by their kind, and fundamental diagrams.
type plots struct {
	ranged   bool // only a part of the time is shown
	from, to float64
	diagrams bool
	alone    bool                         // the branch is not plotted beside the run
	probe    func(kind string, line line) // called for each line, by tests; nil: not
}

// line is a quantity over time in a plot.
type line struct {
	name, unit    string
	times, values []float64 // at least two
}

// draw draws the panel.
func (l *plots) draw(s *studio.Studio) {
	if imgui.Begin(gui.Plots) {
		l.controls(s)
		if l.diagrams {
			l.fundamental(s)
		} else {
			l.series(s)
		}
	}
	imgui.End()
}

// controls draws what is chosen: the kind of plots, the range of time, and copying.
func (l *plots) controls(s *studio.Studio) {
	imgui.Checkbox("fundamental diagrams", &l.diagrams)
	imgui.SameLine()
	if imgui.Checkbox("part of the time", &l.ranged); l.ranged && l.to == 0 {
		l.from, l.to = 0, math.Max(1, s.Time.Now())
	}
	s.Measure.From, s.Measure.To = 0, 0
	if l.ranged {
		from, to := float32(l.from), float32(l.to)
		imgui.SameLine()
		imgui.SetNextItemWidth(imgui.FontSize() * 10)
		imgui.DragFloatRange2V("s", &from, &to, 0.1, 0, float32(math.Max(s.Time.End(), l.to)), "from %.1f", "to %.1f", imgui.SliderFlagsAlwaysClamp)
		l.from, l.to = float64(from), math.Max(float64(to), float64(from)+0.1)
		s.Measure.From, s.Measure.To = l.from, l.to
	}
	imgui.SameLine()
	if imgui.SmallButton("Copy as CSV") {
		imgui.SetClipboardText(string(s.Measure.CSV()))
		s.Notify("the series are in the clipboard, as CSV")
	}
	if s.Branched != nil {
		imgui.SameLine()
		beside := !l.alone
		imgui.Checkbox("with the branch", &beside)
		l.alone = !beside
	}
	if len(s.Scene().Gates)+len(s.Scene().Areas) == 0 {
		imgui.SameLine()
		imgui.TextDisabled("draw a gate or an area to measure flow, density and speed there")
	}
}

// lines returns what is plotted by kinds, in their order: the run, and the branch beside it.
func (l *plots) lines(s *studio.Studio) (kinds []string, of map[string][]line) {
	of = map[string][]line{}
	add := func(kind string, n line) {
		if len(n.times) < 2 {
			return
		}
		if of[kind] == nil {
			kinds = append(kinds, kind)
		}
		of[kind] = append(of[kind], n)
	}
	if s.Branched != nil && !l.alone {
		for _, d := range s.Differences() {
			name := d.Of
			if name != "" {
				name += ", "
			}
			add(d.Kind, line{name + "the run", d.Unit, d.Times, d.Run})
			add(d.Kind, line{name + s.Branched.Name, d.Unit, d.Times, d.Branch})
		}
		return kinds, of
	}
	for _, one := range s.Measure.Series() {
		name := one.Of
		if name == "" {
			name = "all"
		}
		add(one.Kind, line{name, one.Unit, one.Times, one.Values})
	}
	return kinds, of
}

// series draws a plot for each kind, beside each other.
func (l *plots) series(s *studio.Studio) {
	kinds, of := l.lines(s)
	if len(kinds) == 0 {
		imgui.TextDisabled("run the scene: what is measured is plotted here")
		return
	}
	room := imgui.ContentRegionAvail()
	width := room.X/float32(len(kinds)) - imgui.FontSize()*0.5
	for i, kind := range kinds {
		if i > 0 {
			imgui.SameLine()
		}
		imgui.BeginGroup()
		label := kind
		if unit := of[kind][0].unit; unit != "" && unit != "1" {
			label += ", " + unit
		}
		imgui.TextDisabled(label)
		flags := implot.FlagsNoTitle | implot.FlagsNoMouseText
		if len(of[kind]) == 1 {
			flags |= implot.FlagsNoLegend
		}
		if implot.BeginPlotV("##"+kind, imgui.Vec2{X: width, Y: room.Y - imgui.FontSize() - 6}, flags) {
			implot.SetupAxesV("", "", implot.AxisFlagsAutoFit, implot.AxisFlagsAutoFit)
			for _, one := range of[kind] {
				implot.PlotLinedoublePtrdoublePtr(one.name, &one.times[0], &one.values[0], int32(len(one.times)))
				if l.probe != nil {
					l.probe(kind, one)
				}
			}
			l.head(s)
			implot.EndPlot()
		}
		imgui.EndGroup()
	}
}

// head draws where the run is.
func (l *plots) head(s *studio.Studio) {
	now := s.Time.Now()
	implot.PlotInfLinesdoublePtr("##now", &now, 1)
}

// fundamental draws density against speed for each area.
func (l *plots) fundamental(s *studio.Studio) {
	all := s.Measure.Diagrams()
	if len(all) == 0 {
		imgui.TextDisabled("draw an area: its fundamental diagram comes here")
		return
	}
	room := imgui.ContentRegionAvail()
	width := room.X/float32(len(all)) - imgui.FontSize()*0.5
	for i, d := range all {
		if i > 0 {
			imgui.SameLine()
		}
		if implot.BeginPlotV(fmt.Sprintf("%s##diagram%d", d.Area, i), imgui.Vec2{X: width, Y: room.Y}, 0) {
			implot.SetupAxesV("density, 1/m²", "speed, m/s", implot.AxisFlagsAutoFit, implot.AxisFlagsAutoFit)
			if n := min(len(d.Density), len(d.Speed)); n > 0 {
				implot.PlotScatterdoublePtrdoublePtr("samples", &d.Density[0], &d.Speed[0], int32(n))
			}
			l.curves(d)
			implot.EndPlot()
		}
	}
}

// curves draws the means of a diagram, and the curve of Weidmann (1993) beside them.
func (l *plots) curves(d studio.Diagram) {
	n := len(d.Curve)
	if n == 0 {
		return
	}
	density, speed, weidmann := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, bin := range d.Curve {
		density[i], speed[i], weidmann[i] = bin.Density, bin.Speed, bin.Weidmann
	}
	implot.PlotLinedoublePtrdoublePtr("mean", &density[0], &speed[0], int32(n))
	implot.PlotLinedoublePtrdoublePtr("Weidmann", &density[0], &weidmann[0], int32(n))
}
