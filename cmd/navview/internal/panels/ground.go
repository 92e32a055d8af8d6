//go:build !headless

package panels

import (
	"fmt"
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/engine/render"
)

// ground draws what lies directly over the ground: labels, the tools, the scale bar, the legend and
// the hints of the first minute.
func (p *Panels) ground(s *studio.Studio, o studio.Overlay) {
	list := imgui.BackgroundDrawListV(imgui.MainViewport())
	for _, l := range o.Labels {
		p.label(list, s.Camera, l.At, l.Words)
	}
	p.branchNames(list, s)
	p.scale(list, s)
	p.tools(s)
	p.legend(s)
	p.firstHints(s)
}

// color packs a color with an opacity.
func color(v imgui.Vec4, opacity float32) uint32 {
	v.W = opacity
	return imgui.ColorConvertFloat4ToU32(v)
}

// label draws words on a plate at a place of the ground.
func (p *Panels) label(list *imgui.DrawList, c render.Camera, at mgl64.Vec2, words string) {
	x, y := c.Pixel(at)
	colors := imgui.CurrentStyle().Colors()
	size, em := imgui.CalcTextSize(words), imgui.FontSize()
	low := imgui.Vec2{X: float32(x) + em*0.8, Y: float32(y) - size.Y - em*0.6}
	high := imgui.Vec2{X: low.X + size.X + em*0.6, Y: low.Y + size.Y + em*0.2}
	list.AddRectFilledV(low, high, color(colors[imgui.ColPopupBg], 0.9), em*0.25, 0)
	list.AddTextVec2(imgui.Vec2{X: low.X + em*0.3, Y: low.Y + em*0.1}, color(colors[imgui.ColText], 1), words)
}

// branchNames names the run and the branch beside it.
func (p *Panels) branchNames(list *imgui.DrawList, s *studio.Studio) {
	if _, _, beside := s.BranchPicture(); !beside {
		return
	}
	in, em := p.settings.inset, float64(imgui.FontSize())
	middle := (in.Left + float64(s.Camera.Width) - in.Right) / 2
	y := float64(s.Camera.Height) - in.Bottom - 3*em
	for _, name := range []struct {
		x     float64
		words string
	}{{(in.Left + middle) / 2, "the run"}, {(middle + float64(s.Camera.Width) - in.Right) / 2, s.Branched.Name}} {
		size := imgui.CalcTextSize(name.words)
		at := vec(name.x-float64(size.X)/2, y)
		ink := imgui.Vec4{X: 0.1, Y: 0.12, Z: 0.15}
		list.AddRectFilledV(imgui.Vec2{X: at.X - 6, Y: at.Y - 2}, imgui.Vec2{X: at.X + size.X + 6, Y: at.Y + size.Y + 2}, color(imgui.Vec4{X: 1, Y: 1, Z: 1}, 0.8), 4, 0)
		list.AddTextVec2(at, color(ink, 1), name.words)
	}
}

// scale draws the scale bar in the lower left corner of the ground.
func (p *Panels) scale(list *imgui.DrawList, s *studio.Studio) {
	em := float64(imgui.FontSize())
	length, long := scaleBar(s.Camera.Scale, 8*em)
	in := p.settings.inset
	x, y := in.Left+em, float64(s.Camera.Height)-in.Bottom-em
	dark := color(imgui.Vec4{X: 0.1, Y: 0.12, Z: 0.15}, 0.85)
	pale := color(imgui.Vec4{X: 1, Y: 1, Z: 1}, 0.8)
	for _, line := range []struct {
		color uint32
		width float32
	}{{pale, 5}, {dark, 2}} {
		ends := []imgui.Vec2{vec(x, y-em*0.35), vec(x, y), vec(x+long, y), vec(x+long, y-em*0.35)}
		for i := range 3 {
			list.AddLineV(ends[i], ends[i+1], line.color, line.width*float32(s.Ratio))
		}
	}
	words := fmt.Sprintf("%g m", length)
	size := imgui.CalcTextSize(words)
	at := vec(x+long/2-float64(size.X)/2, y-em*1.35)
	list.AddRectFilledV(imgui.Vec2{X: at.X - 3, Y: at.Y}, imgui.Vec2{X: at.X + size.X + 3, Y: at.Y + size.Y}, color(imgui.Vec4{X: 1, Y: 1, Z: 1}, 0.6), 3, 0)
	list.AddTextVec2(at, dark, words)
}

func vec(x, y float64) imgui.Vec2 { return imgui.Vec2{X: float32(x), Y: float32(y)} }

// pinned are the flags of a small window at a fixed place over the ground.
const pinned = imgui.WindowFlagsNoDecoration | imgui.WindowFlagsNoDocking | imgui.WindowFlagsAlwaysAutoResize |
	imgui.WindowFlagsNoSavedSettings | imgui.WindowFlagsNoFocusOnAppearing | imgui.WindowFlagsNoNav | imgui.WindowFlagsNoMove

// tools draws the tools, a column in the upper left corner of the ground.
func (p *Panels) tools(s *studio.Studio) {
	in, em := p.settings.inset, float64(imgui.FontSize())
	imgui.SetNextWindowPosV(vec(in.Left+em*0.6, in.Top+em*0.6), imgui.CondAlways, imgui.Vec2{})
	imgui.SetNextWindowBgAlpha(0.92)
	imgui.PushStyleVarVec2(imgui.StyleVarWindowPadding, vec(em*0.25, em*0.25))
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, vec(0, em*0.15))
	row := 0.0
	if imgui.BeginV("##tools", nil, pinned) {
		for i, make := range studio.Tools {
			t := make()
			if t.Name() == s.Tool.Name() {
				row = float64(imgui.CursorScreenPos().Y)
			}
			if p.toolButton(s, i, t) {
				_ = s.Use(t)
			}
		}
	}
	size := imgui.WindowSize()
	imgui.End()
	imgui.PopStyleVarV(2)
	if t, ok := s.Tool.(studio.Sized); ok && len(t.Sizes()) > 0 {
		sizes(t, vec(in.Left+em*0.9+float64(size.X), row))
	}
}

// sizes draws the numbers of a tool at a place.
func sizes(t studio.Sized, at imgui.Vec2) {
	imgui.SetNextWindowPosV(at, imgui.CondAlways, imgui.Vec2{})
	imgui.SetNextWindowBgAlpha(0.92)
	if imgui.BeginV("##sizes", nil, pinned) {
		for _, n := range t.Sizes() {
			v := float32(*n.Value)
			imgui.SetNextItemWidth(imgui.FontSize() * 5)
			if imgui.DragFloatV(n.Name, &v, 0.05, 0.05, 100, "%.2f "+n.Unit, imgui.SliderFlagsAlwaysClamp) {
				*n.Value = math.Round(float64(v)*100) / 100
			}
		}
	}
	imgui.End()
}

// toolButton draws a tool's icon; true: it was clicked.
func (p *Panels) toolButton(s *studio.Studio, i int, t studio.Tool) bool {
	em := imgui.FontSize()
	side := em * 2
	at := imgui.CursorScreenPos()
	clicked := imgui.InvisibleButton("##"+t.Name(), imgui.Vec2{X: side, Y: side})
	list, colors := imgui.WindowDrawList(), imgui.CurrentStyle().Colors()
	on := s.Tool.Name() == t.Name()
	back := color(colors[imgui.ColFrameBg], 0)
	switch {
	case on:
		back = color(colors[imgui.ColCheckMark], 0.35)
	case imgui.IsItemHovered():
		back = color(colors[imgui.ColFrameBgHovered], 1)
	}
	list.AddRectFilledV(at, imgui.Vec2{X: at.X + side, Y: at.Y + side}, back, em*0.25, 0)
	icon(list, t.Name(), at, side, color(colors[imgui.ColText], 1))
	key := ""
	if i < 9 {
		key = fmt.Sprintf("  %d", i+1)
	}
	tooltip(t.Name() + key)
	return clicked
}

// legend explains the colors of the chosen agent's local map and of shading, in the lower right corner.
func (p *Panels) legend(s *studio.Studio) {
	keys := s.View.Keys(render.Picture{Layers: s.View.Look.Layers, Camera: s.Camera, PixelRatio: s.Ratio})
	if len(keys) == 0 {
		return
	}
	in, em := p.settings.inset, float64(imgui.FontSize())
	at := vec(float64(s.Camera.Width)-in.Right-em*0.6, float64(s.Camera.Height)-in.Bottom-em*0.6)
	imgui.SetNextWindowPosV(at, imgui.CondAlways, vec(1, 1))
	imgui.SetNextWindowBgAlpha(0.85)
	if imgui.BeginV("##legend", nil, pinned|imgui.WindowFlagsNoInputs) {
		for _, k := range keys {
			for _, c := range k.Colors {
				v := imgui.Vec4{X: float32(c.R) / 255, Y: float32(c.G) / 255, Z: float32(c.B) / 255, W: 1}
				at, side := imgui.CursorScreenPos(), imgui.FontSize()*0.8
				imgui.WindowDrawList().AddRectFilledV(at, imgui.Vec2{X: at.X + side, Y: at.Y + side}, color(v, 1), 2, 0)
				imgui.Dummy(imgui.Vec2{X: side, Y: side})
				imgui.SameLineV(0, 3)
			}
			imgui.TextUnformatted(k.Text)
		}
	}
	imgui.End()
}

// hints are the first steps that a new user is led to; they go when they are done.
type hints struct {
	history int
}

// firstSteps are the hints on the canvas.
var firstSteps = []string{
	"Drag a wall: the map follows",
	"Drag the exit to another place",
	"Click an agent to see its mind",
}

// firstHints draws the first steps that are left, at the top of the ground.
func (p *Panels) firstHints(s *studio.Studio) {
	h := &p.hints
	all, done := s.Doc.History()
	if done > h.history && done <= len(all) {
		for _, r := range s.Selected {
			switch r.List {
			case studio.Obstacles:
				p.settings.Hints |= 1
			case studio.Goals:
				p.settings.Hints |= 2
			}
		}
	}
	h.history = done
	if s.View.Chosen >= 0 {
		p.settings.Hints |= 4
	}
	if p.settings.Hints == 7 || s.Fault != nil {
		return
	}
	in, em := p.settings.inset, float64(imgui.FontSize())
	middle := (in.Left + float64(s.Camera.Width) - in.Right) / 2
	imgui.SetNextWindowPosV(vec(middle, in.Top+em*0.6), imgui.CondAlways, vec(0.5, 0))
	imgui.SetNextWindowBgAlpha(0.85)
	if imgui.BeginV("##hints", nil, pinned|imgui.WindowFlagsNoInputs) {
		first := true
		for i, words := range firstSteps {
			if p.settings.Hints&(1<<i) != 0 {
				continue
			}
			if !first {
				imgui.SameLineV(0, imgui.FontSize()*1.5)
			}
			first = false
			imgui.TextUnformatted(words)
		}
	}
	imgui.End()
}
