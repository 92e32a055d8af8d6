package render

import (
	"image/color"
	"slices"

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

// Sizes of sketches and sources. Unit: nominal pixels.
const (
	sketchCasing = 2.4 // how much wider than a line its casing is
	sourceRadius = 8
	sourceWidth  = 4.5 // of segments
	sourceCasing = 3
)

// sources returns sketches of the goal's sources.
func (p Picture) sources() []Sketch { return SketchSources(p.Sources, p.Segments, p.Blocked) }

// SketchSources returns sketches of a goal's sources: those that are free, and those that are
// blocked, by index among points and then segments.
func SketchSources(points []mgl64.Vec2, segments [][2]mgl64.Vec2, covered []int) []Sketch {
	s := Sketch{Color: source, Width: sourceWidth, Radius: sourceRadius, Target: true}
	sketches := []Sketch{s, s}
	sketches[1].Color = blocked
	state := func(i int) *Sketch {
		if slices.Contains(covered, i) {
			return &sketches[1]
		}
		return &sketches[0]
	}
	for i, point := range points {
		s := state(i)
		s.Marks = append(s.Marks, point)
	}
	for i, segment := range segments {
		s := state(len(points) + i)
		s.Lines = append(s.Lines, segment)
	}
	return sketches
}

// sketched returns the ends of all lines, then the marks.
func sketched(sketches []Sketch) []mgl64.Vec2 {
	var all []mgl64.Vec2
	for _, s := range sketches {
		for _, l := range s.Lines {
			all = append(all, l[0], l[1])
		}
	}
	for _, s := range sketches {
		all = append(all, s.Marks...)
	}
	return all
}

// drawSketches draws sketches whose points are in a buffer: all lines, then all marks.
func (r *Renderer) drawSketches(p Picture, sketches []Sketch, points *gpu.Buffer[[2]float32], casing float64, opacity float32) {
	if points == nil {
		return // none has had a point so far
	}
	first := 0
	for _, s := range sketches {
		d := gpu.Draw{Mode: gpu.Lines, First: first, Count: 2 * len(s.Lines), Instances: 1}
		first += d.Count
		r.drawLines(p, d, points, s.Width+casing, s.Dash, vec4(rim, opacity))
		r.drawLines(p, d, points, s.Width, s.Dash, vec4(s.Color, 1))
	}
	for _, s := range sketches {
		d := gpu.Draw{First: first, Count: len(s.Marks), Instances: 1}
		first += d.Count
		r.drawMarks(p, d, points, s.Radius, s.Color, s.Target)
	}
}
