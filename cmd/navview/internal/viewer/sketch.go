package viewer

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/render"
)

// Sizes of what a session draws. Unit: nominal pixels.
const (
	outlineWidth = 2.6  // of what it is on
	awayWidth    = 1.6  // of obstacles that are away
	shutWidth    = 1.2  // of doors that are shut
	awayDash     = 5    // of their dashes
	haloRadius   = 12.5 // behind a source
	haloWidth    = 10
	pickRadius   = 10 // how far from a source the pointer may be; half of it from an obstacle
)

// sketches returns sources of other goals, doors, absent obstacles, and the selection.
func (h *editSession) sketches(goal engine.GoalID, shown render.Layers) []render.Sketch {
	var all []render.Sketch
	if shown&render.Sources != 0 {
		for _, g := range h.world.Goals() {
			if g != goal {
				all = append(all, worldview.MarksOf(h.sources(g), worldview.Layer(g)))
			}
		}
	}
	if shown&render.Obstacles != 0 {
		gone := render.Sketch{Color: render.Outline, Width: awayWidth, Dash: awayDash}
		shut := render.Sketch{Color: render.Outline, Width: shutWidth}
		for _, o := range h.world.Obstacles() {
			if state := h.state(o); !state.Present {
				gone.Lines = append(gone.Lines, outlines(state.Polygon)...)
			} else if state.Opens {
				shut.Lines = append(shut.Lines, outlines(state.Polygon)...)
			}
		}
		all = append(all, shut, gone)
	}
	return append(all, h.halo())
}

// halo marks the selection.
func (h *editSession) halo() render.Sketch {
	on := render.Sketch{Color: render.Highlight, Radius: haloRadius, Width: haloWidth}
	t := h.hovered
	switch t.part {
	case nothing:
		return render.Sketch{}
	case body:
		state := h.state(t.obstacle)
		on.Lines, on.Width = outlines(state.Polygon), outlineWidth
		if !state.Present {
			on.Dash = awayDash
		}
		return on
	}
	if points := t.points(h.sources(t.source.Goal)); t.part == middle {
		on.Lines = [][2]mgl64.Vec2{{points[0], points[1]}}
	} else {
		on.Marks = points
	}
	return on
}

// outlines returns the edges of a polygon.
func outlines(p geom.Polygon) [][2]mgl64.Vec2 {
	var all [][2]mgl64.Vec2
	for _, ring := range append([]geom.Ring{p.Outer}, p.Holes...) {
		for i, a := range ring {
			all = append(all, [2]mgl64.Vec2{a, ring[(i+1)%len(ring)]})
		}
	}
	return all
}
