//go:build !headless

package panels

import (
	"fmt"
	"math"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/engine/render"
)

// statusLine draws the line at the lower edge: what mouse and keys do now, where the pointer is, the
// agents, and the layers as chips.
func (p *Panels) statusLine(s *studio.Studio, o studio.Overlay) {
	p.ui.Status(func() {
		if words := s.Notice(); words != "" {
			imgui.TextColored(accent(), words)
		} else if len(p.Status.Programs) > 0 {
			imgui.TextColored(accent(), strings.Join(p.Status.Programs, ", ")+" ...")
		} else {
			imgui.TextDisabled(o.Hint)
		}
		right := p.statusWords(s)
		size := imgui.CalcTextSize(right).X
		chips := p.chipsWidth()
		if room := imgui.ContentRegionAvail().X - size - chips; room > 0 {
			imgui.SameLineV(imgui.CursorPosX()+room, 0)
		}
		imgui.TextUnformatted(right)
		p.chips(s)
	})
}

// statusWords says where the pointer is and how the run goes.
func (p *Panels) statusWords(s *studio.Studio) string {
	words := ""
	if !p.Status.Outside && !p.WantsPointer() {
		at := s.Camera.World(p.Status.Pointer[0], p.Status.Pointer[1])
		words = fmt.Sprintf("%.2f, %.2f m", at[0], at[1])
		if d, ok := s.DistanceAt(at); ok {
			words += fmt.Sprintf("   %.2f m to %s", d, console.Legible(s.World().Scene().Goals[s.View.Goal].ID))
		}
		words += "   "
	}
	world := s.World()
	if n := world.Crowd().Count(); n > 0 {
		walking := world.Crowd().Counters().Walking
		if world.Ticks() == 0 {
			walking = n
		}
		words += fmt.Sprintf("%d of %s walking   ", walking, console.Count(n, "agent", "agents"))
	}
	return words + fmt.Sprintf("%3.0f frames/s", p.Status.Frames)
}

// chipWidth is the width of a layer's chip, in font sizes.
const chipWidth = 1.35

func (p *Panels) chipsWidth() float32 {
	return float32(len(render.LayerNames()))*imgui.FontSize()*(chipWidth+0.15) + imgui.FontSize()
}

// chips draws a switch for each layer: its first letter, its name as a tooltip.
func (p *Panels) chips(s *studio.Studio) {
	for i, name := range render.LayerNames() {
		layer := render.Layers(1) << i
		on := s.View.Look.Layers&layer != 0
		imgui.SameLineV(0, imgui.FontSize()*0.15)
		color := imgui.CurrentStyle().Colors()[imgui.ColTextDisabled]
		if on {
			color = accent()
		}
		imgui.PushStyleColorVec4(imgui.ColText, color)
		if imgui.ButtonV(strings.ToUpper(name[:1])+"##chip"+name, imgui.Vec2{X: imgui.FontSize() * chipWidth}) {
			s.View.Look.Layers ^= layer
		}
		imgui.PopStyleColor()
		state := "hidden"
		if on {
			state = "shown"
		}
		tooltip(name + ": " + state)
	}
}

// accent is the color of what is switched on.
func accent() imgui.Vec4 { return imgui.CurrentStyle().Colors()[imgui.ColCheckMark] }

// scaleBar returns a round length of the ground that is about so many pixels long, and its pixels.
func scaleBar(scale, pixels float64) (length, long float64) {
	raw := pixels / scale
	unit := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, k := range []float64{1, 2, 5} {
		if k*unit <= raw {
			length = k * unit
		}
	}
	return length, length * scale
}
