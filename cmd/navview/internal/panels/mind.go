//go:build !headless

package panels

import (
	"fmt"
	"math"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/cmd/navview/internal/gui"
	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
)

// mind is the panel of why the chosen agent moves as it does.
type mind struct{ follows bool }

// draw draws the panel. The error is that of the device.
func (d *mind) draw(s *studio.Studio) error {
	defer imgui.End()
	if !imgui.Begin(gui.Mind) {
		return nil
	}
	if s.View.Chosen < 0 {
		imgui.PushTextWrapPosV(0)
		imgui.TextDisabled("Click an agent: its goal, its neighbors and what keeps it from walking as it wants come here, in the past as well.")
		imgui.PopTextWrapPos()
		return nil
	}
	m, err := s.Mind()
	if err != nil {
		return err
	}
	if m == nil {
		words := "A few ticks more, and its mind is known."
		if s.Time.Seeking() {
			words = "Going over the last ticks again ..."
		}
		imgui.TextDisabled(words)
		return nil
	}
	if d.follows {
		d.center(s, m.At)
	}
	imgui.TextColored(accent(), fmt.Sprintf("agent %d", s.View.Chosen))
	imgui.SameLine()
	imgui.Checkbox("follow", &d.follows)
	imgui.PushTextWrapPosV(0)
	imgui.TextUnformatted(m.Why + ".")
	imgui.PopTextWrapPos()
	d.facts(m)
	d.plane(m)
	return d.near(s, m)
}

// center keeps a place in the middle of the ground.
func (d *mind) center(s *studio.Studio, at mgl64.Vec2) {
	x, y := s.Camera.Pixel(at)
	in := s.Inset
	s.Camera.Pan((in.Left+float64(s.Camera.Width)-in.Right)/2-x, (in.Top+float64(s.Camera.Height)-in.Bottom)/2-y)
}

// facts draws the figures of the agent.
func (d *mind) facts(m *studio.Mind) {
	goal := m.GoalName
	if goal == "" {
		goal = "a point of its own"
	}
	remaining := "no path leads there"
	if !math.IsInf(m.Remaining, 1) {
		remaining = fmt.Sprintf("%.1f m, %d corners", m.Remaining, max(0, len(m.Route)-2))
	}
	if imgui.BeginTable("##facts", 2) {
		for _, row := range [][2]string{
			{"speed", fmt.Sprintf("%.2f of %.2f m/s", m.Speed, m.PreferredSpeed)},
			{"goal", goal},
			{"remaining", remaining},
			{"place", fmt.Sprintf("%.2f, %.2f m", m.At[0], m.At[1])},
			{"radius", fmt.Sprintf("%.2f m", m.Radius)},
		} {
			imgui.TableNextColumn()
			imgui.TextDisabled(row[0])
			imgui.TableNextColumn()
			imgui.TextUnformatted(row[1])
		}
		imgui.EndTable()
	}
}

// plane draws velocities, y up: the constraints, those that bind strong, the candidates by their cost,
// and the desired, the chosen and the present velocity.
func (d *mind) plane(m *studio.Mind) {
	em := imgui.FontSize()
	side := min(imgui.ContentRegionAvail().X, em*16)
	at := imgui.CursorScreenPos()
	imgui.Dummy(imgui.Vec2{X: side, Y: side})
	list, colors := imgui.WindowDrawList(), imgui.CurrentStyle().Colors()
	end := imgui.Vec2{X: at.X + side, Y: at.Y + side}
	list.AddRectFilledV(at, end, color(colors[imgui.ColFrameBg], 1), 4, 0)
	most := math.Max(0.1, 1.15*m.MaxSpeed)
	place := func(v mgl64.Vec2) imgui.Vec2 {
		return vec(float64(at.X+side/2)+v[0]/most*float64(side/2), float64(at.Y+side/2)-v[1]/most*float64(side/2))
	}
	list.PushClipRectV(at, end, true)
	list.AddCircle(place(mgl64.Vec2{}), float32(m.MaxSpeed/most)*side/2, color(colors[imgui.ColTextDisabled], 0.6))
	least, greatest := math.Inf(1), math.Inf(-1)
	for _, c := range m.Candidates {
		least, greatest = math.Min(least, float64(c.Cost)), math.Max(greatest, float64(c.Cost))
	}
	for _, c := range m.Candidates {
		share := 0.0
		if greatest > least {
			share = (float64(c.Cost) - least) / (greatest - least)
		}
		v := mgl64.Vec2{float64(c.Velocity[0]), float64(c.Velocity[1])}
		list.AddCircleFilled(place(v), em*0.12, color(imgui.Vec4{X: 0.2 + 0.7*float32(share), Y: 0.75 - 0.5*float32(share), Z: 0.4}, 0.9))
	}
	for _, l := range m.Limits {
		d.limit(list, place, l, most)
	}
	for _, v := range []struct {
		v     mgl64.Vec2
		color imgui.Vec4
		width float32
	}{
		{m.Preferred, colors[imgui.ColTextDisabled], 2}, {m.Velocity, colors[imgui.ColText], 2}, {m.Chosen, accent(), 3},
	} {
		list.AddLineV(place(mgl64.Vec2{}), place(v.v), color(v.color, 1), v.width)
		list.AddCircleFilled(place(v.v), em*0.2, color(v.color, 1))
	}
	list.PopClipRect()
	imgui.TextDisabled("velocities: desired, ")
	imgui.SameLineV(0, 0)
	imgui.TextUnformatted("present, ")
	imgui.SameLineV(0, 0)
	imgui.TextColored(accent(), "chosen")
}

// limit draws the border of a constraint: the line of a half plane, or the sides of a cone.
func (d *mind) limit(list *imgui.DrawList, place func(mgl64.Vec2) imgui.Vec2, l studio.Limit, most float64) {
	ink, width, opacity := imgui.Vec4{X: 0.87, Y: 0.45, Z: 0.2}, float32(1), float32(0.45)
	if l.Binds {
		width, opacity = 3, 1
	}
	draw := func(at, along mgl64.Vec2, within ...agents.Plane) {
		low, high := -4*most, 4*most
		for _, plane := range within {
			n := mgl64.Vec2{float64(plane.Normal[0]), float64(plane.Normal[1])}
			slope, over := n.Dot(along), n.Dot(at)-float64(plane.Offset)
			switch {
			case slope > 0:
				low = math.Max(low, -over/slope)
			case slope < 0:
				high = math.Min(high, -over/slope)
			}
		}
		if low < high {
			list.AddLineV(place(at.Add(along.Mul(low))), place(at.Add(along.Mul(high))), color(ink, opacity), width)
		}
	}
	if !l.IsCone() {
		draw(mgl64.Vec2{float64(l.Point[0]), float64(l.Point[1])}, mgl64.Vec2{float64(l.Direction[0]), float64(l.Direction[1])})
		return
	}
	planes := []agents.Plane{l.Cut, l.Left, l.Right}
	for i, plane := range planes {
		n := mgl64.Vec2{float64(plane.Normal[0]), float64(plane.Normal[1])}
		if n.Len() > 0 {
			draw(n.Mul(float64(plane.Offset)), mgl64.Vec2{-n[1], n[0]}, slices.Delete(slices.Clone(planes), i, i+1)...)
		}
	}
}

// near lists the agents and walls that count; an agent is a link to its own mind.
func (d *mind) near(s *studio.Studio, m *studio.Mind) error {
	if len(m.Near) == 0 {
		return nil
	}
	imgui.SeparatorText("near it")
	for i, n := range m.Near {
		words := fmt.Sprintf("wall, %.2f m %s", n.Distance, n.Side)
		if n.Agent != 0 {
			words = fmt.Sprintf("agent %d, %.2f m %s", n.Slot, n.Distance, n.Side)
		}
		if n.Binds {
			words += ", in its way"
		}
		if imgui.SelectableBool(fmt.Sprintf("%s##near%d", words, i)) && n.Agent != 0 {
			return s.ChooseAgent(n.Slot)
		}
	}
	return nil
}
