package render

import (
	"image/color"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Sketch is lines and marks of a host, below sources and agents.
type Sketch struct {
	Lines  [][2]mgl64.Vec2 // world meters
	Marks  []mgl64.Vec2    // world meters
	Color  color.RGBA
	Width  float64 // of lines, nominal pixels, without their pale casing
	Dash   float64 // length of dashes and of the gaps between them, nominal pixels; 0: no gaps
	Radius float64 // of marks, nominal pixels, with their pale rim
	Target bool    // marks are rings with a disc in them, as sources are
}

// sketchCasing is the extra width of a line's casing. Unit: nominal pixels.
const sketchCasing = 2.4

// sketched returns the ends of all lines, then the marks.
func (p Picture) sketched() []mgl64.Vec2 {
	var all []mgl64.Vec2
	for _, s := range p.Sketches {
		for _, l := range s.Lines {
			all = append(all, l[0], l[1])
		}
	}
	for _, s := range p.Sketches {
		all = append(all, s.Marks...)
	}
	return all
}

func (r *Renderer) drawSketches(p Picture) {
	if r.sketch == nil {
		return // none has had a point so far
	}
	first := 0
	for _, s := range p.Sketches {
		d := gpu.Draw{Mode: gpu.Lines, First: first, Count: 2 * len(s.Lines), Instances: 1}
		first += d.Count
		r.drawDashes(p, d, r.sketch, float32(s.Width+sketchCasing), float32(s.Dash), vec4(rim, 0.9))
		r.drawDashes(p, d, r.sketch, float32(s.Width), float32(s.Dash), vec4(s.Color, 1))
	}
	for _, s := range p.Sketches {
		d := gpu.Draw{First: first, Count: len(s.Marks), Instances: 1}
		first += d.Count
		r.drawMarks(p, d, r.sketch, float32(s.Radius), s.Color, s.Target)
	}
}
