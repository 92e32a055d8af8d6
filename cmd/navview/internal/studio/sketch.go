package studio

import (
	"image/color"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine/render"
)

// Colors of what agents do not see.
var (
	spawnColor   = color.RGBA{0x2d, 0x9c, 0x7a, 0xff}
	measureColor = color.RGBA{0x8a, 0x5a, 0xc8, 0xff}
	faultColor   = color.RGBA{0xd0, 0x30, 0x30, 0xff}
)

// sketches returns what the document has and the world does not draw: sources of other goals, doors,
// spawns, gates and areas, and the places of the fault.
func (s *Studio) sketches() (all []render.Sketch) {
	scene, world := s.Scene(), s.World()
	if s.View.Look.Layers&render.Sources != 0 && !s.Hidden[Goals] {
		for i, g := range world.Goals() {
			if sources, err := world.Sources(g); err == nil && i != s.View.Goal {
				all = append(all, worldview.MarksOf(sources, worldview.Layer(g)))
			}
		}
	}
	outline := func(l List, sketch render.Sketch) {
		if s.Hidden[l] {
			return
		}
		for _, r := range All(scene, l) {
			for _, f := range r.Figures(scene) {
				sketch.Lines = append(sketch.Lines, f.Lines()...)
			}
		}
		all = append(all, sketch)
	}
	if !s.Playing { // while agents walk it is theirs to show where they are
		outline(Groups, render.Sketch{Color: spawnColor, Width: 1.2, Dash: 5})
	}
	outline(Areas, render.Sketch{Color: measureColor, Width: 1.2, Dash: 8})
	outline(Gates, render.Sketch{Color: measureColor, Width: 2})
	if !s.Hidden[Obstacles] {
		all = append(all, s.doors()...)
	}
	if at, ok := s.chosenAt(); ok {
		all = append(all, render.Sketch{Marks: []mgl64.Vec2{at}, Color: render.Highlight, Radius: 10})
	}
	if f := s.Fault; f != nil {
		fault := render.Sketch{Color: faultColor, Marks: f.At, Radius: 7, Width: 2.5}
		if !f.Of.IsNone() && f.Of.There(scene) {
			for _, figure := range f.Of.Figures(scene) {
				fault.Lines = append(fault.Lines, figure.Lines()...)
			}
		}
		all = append(all, fault)
	}
	return all
}

// doors outlines obstacles that open: solid while they are there, dashed while they are not.
func (s *Studio) doors() []render.Sketch {
	gone := render.Sketch{Color: render.Outline, Width: 1.6, Dash: 5}
	shut := render.Sketch{Color: render.Outline, Width: 1.2}
	for _, o := range s.World().Obstacles() {
		state, err := s.World().ObstacleState(o)
		if err != nil {
			continue // it went with the last edit
		}
		lines := Figure{Kind: Polygon, Points: state.Polygon.Outer}.Lines()
		if !state.Present {
			gone.Lines = append(gone.Lines, lines...)
		} else if state.Opens {
			shut.Lines = append(shut.Lines, lines...)
		}
	}
	return []render.Sketch{shut, gone}
}

// chosenAt is where the chosen agent is, as it is drawn; false: none is chosen, or it is not there. It
// waits for the device.
func (s *Studio) chosenAt() (mgl64.Vec2, bool) {
	var a [1]agents.Agent
	if s.View.Chosen < 0 {
		return mgl64.Vec2{}, false
	}
	s.World().Buffers().Agents.Agents.Read(s.View.Chosen, a[:])
	if !agents.There(a[0].Status) {
		return mgl64.Vec2{}, false
	}
	at := vec(a[0].Position).Sub(vec(a[0].Velocity).Mul(s.behind))
	return s.World().Ground().Lattice.Origin.Add(at), true
}
