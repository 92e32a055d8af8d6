package studio

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// Command is a line for a shell that makes what the studio shows.
type Command struct {
	Name string   // one of CommandNames
	Args []string // of navview
	Note string   // why it makes something else; "": it makes the same
}

// CommandNames are the names of what Studio.Commands returns, in its order.
var CommandNames = []string{"picture", "film", "run", "measures"}

// String returns the line, quoted for a POSIX shell.
func (c Command) String() string {
	line := "navview"
	for _, a := range c.Args {
		if a == "" || strings.Trim(a, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.,/:@%+") != "" {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		line += " " + a
	}
	return line
}

// Commands returns the lines that make what is shown now: the picture, a film until now, the run,
// and the measures of the range.
func (s *Studio) Commands() []Command {
	scene, note := s.source()
	duration := seconds(s.World().Time())
	ranged := []string{"measure", scene, "--json", "--duration", duration, "--from", seconds(s.Measure.From)}
	if s.Measure.To > 0 {
		ranged = append(ranged, "--to", seconds(s.Measure.To))
	}
	return []Command{
		{"picture", s.RenderCommand(scene, "picture.png"), note},
		{"film", s.RecordCommand(scene, "film.mp4"), note},
		{"run", []string{"simulate", scene, "--duration", duration, "--report", "-"}, note},
		{"measures", ranged, note},
	}
}

// source returns the scene as commands name it, and why they make something else.
func (s *Studio) source() (scene, note string) {
	name := s.Scene().Name
	_, text, err := builtin.Open(name)
	switch {
	case s.Doc.Saved():
		scene = s.Doc.File()
	case err == nil && bytes.Equal(text, s.Doc.Text()):
		scene = name
	default:
		scene, note = s.Doc.File(), "save the document first: it is not in its file"
	}
	if len(s.Time.edits)+len(s.Time.pending) > 0 && note == "" {
		note = "the document was changed while it ran: a command has it from the beginning"
	}
	return scene, note
}

// seconds writes a time as flags have it. Unit: s.
func seconds(t float64) string {
	return time.Duration(t * float64(time.Second)).Round(time.Nanosecond).String()
}

// RenderCommand returns the arguments of navview that write what is shown now as a picture: the same
// part of the ground at the same time. Scene is the document as commands name it, or "-".
func (s *Studio) RenderCommand(scene, file string) []string {
	return append([]string{"render", scene, "-o", file, "--at", seconds(s.World().Time() - s.behind)}, s.lookFlags()...)
}

// RecordCommand returns the arguments of navview that write a film of the run from its beginning to
// now, but at least ten seconds. Scene is as in RenderCommand.
func (s *Studio) RecordCommand(scene, file string) []string {
	return append([]string{"record", scene, "-o", file, "--duration", seconds(max(10, s.World().Time()))}, s.lookFlags()...)
}

// lookFlags are the flags of what is shown, and of the part of the ground.
func (s *Studio) lookFlags() []string {
	look := s.View.Look
	layers := look.Layers
	if s.View.Chosen < 0 || s.Camera.Tilt > 0 {
		layers &^= render.Paths | render.LocalMap
	}
	flags := []string{"--layers", layers.String(), "--palette", string(look.Palette)}
	if id := s.World().Scene().Goals[s.View.Goal].ID; id != "" {
		flags = append(flags, "--goal", id)
	}
	if look.Marks > 0 {
		flags = append(flags, "--marks", look.Marks.String())
	}
	if s.Camera.Tilt > 0 { // the eye is in the middle of the window: what panels cover is shown, too
		size := fmt.Sprintf("%dx%d", s.Camera.Width&^1, s.Camera.Height&^1)
		return append(flags, "--view", "street", "--size", size, "--eye", worldview.EyeOf(s.Camera).String())
	}
	if s.View.Chosen >= 0 {
		flags = append(flags, "--agent", fmt.Sprint(s.View.Chosen))
	}
	in := s.Inset
	low := s.Camera.World(in.Left, float64(s.Camera.Height)-in.Bottom)
	high := s.Camera.World(float64(s.Camera.Width)-in.Right, in.Top)
	width, height := int(float64(s.Camera.Width)-in.Left-in.Right), int(float64(s.Camera.Height)-in.Top-in.Bottom)
	return append(flags, "--size", fmt.Sprintf("%dx%d", width&^1, height&^1), "--zoom", fmt.Sprintf("%g,%g,%g,%g", low[0], low[1], high[0], high[1]))
}
