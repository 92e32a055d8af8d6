package studio

import (
	"fmt"

	"github.com/wayfront/wayfront/engine/render"
)

// RenderCommand returns the arguments of navview that write what is shown now as a picture: the same
// part of the ground at the same time, of a document on standard input.
func (s *Studio) RenderCommand(file string) []string {
	return append([]string{"render", "-", "-o", file, "--at", fmt.Sprintf("%gs", s.World().Time())}, s.lookFlags()...)
}

// RecordCommand returns the arguments of navview that write a film of the run from its beginning to
// now, but at least ten seconds, of a document on standard input.
func (s *Studio) RecordCommand(file string) []string {
	duration := max(10, s.World().Time())
	return append([]string{"record", "-", "-o", file, "--duration", fmt.Sprintf("%gs", duration)}, s.lookFlags()...)
}

// lookFlags are the flags of what is shown, and of the part of the ground.
func (s *Studio) lookFlags() []string {
	in := s.Inset
	low := s.Camera.World(in.Left, float64(s.Camera.Height)-in.Bottom)
	high := s.Camera.World(float64(s.Camera.Width)-in.Right, in.Top)
	look := s.View.Look
	layers := look.Layers
	if s.View.Chosen < 0 {
		layers &^= render.Paths | render.LocalMap
	}
	width, height := int(float64(s.Camera.Width)-in.Left-in.Right), int(float64(s.Camera.Height)-in.Top-in.Bottom)
	flags := []string{
		"--size", fmt.Sprintf("%dx%d", width&^1, height&^1), "--zoom", fmt.Sprintf("%g,%g,%g,%g", low[0], low[1], high[0], high[1]),
		"--layers", layers.String(), "--palette", string(look.Palette), "--goal", s.World().Scene().Goals[s.View.Goal].ID,
	}
	if s.View.Chosen >= 0 {
		flags = append(flags, "--agent", fmt.Sprint(s.View.Chosen))
	}
	return flags
}
