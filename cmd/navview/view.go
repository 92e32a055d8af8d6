//go:build !headless

package main

import (
	"github.com/alecthomas/kong"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/cmd/navview/internal/viewer"
	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
)

// viewerVerbs are the verbs that need a window.
type viewerVerbs struct {
	View viewVerb `cmd:"" default:"withargs" help:"Open the viewer on a scene; this is the verb if none is given."`
}

type viewVerb struct {
	Scene          string `arg:"" optional:"" default:"${scene}" help:"A file, a built-in scene, or - for standard input (default: ${scene})."`
	Paused         bool   `help:"Start paused."`
	worldview.Look `embed:""`
}

func (viewVerb) Help() string {
	return `A scene that comes from a file is read again whenever the file changes.

In the window, Ctrl+P finds every action, and ? lists the keys. Files of scenes and of the formats of navview convert can be
dropped onto it.

Examples:
  navview
  navview profiling3 --palette paper
  navview hall.json --goal exits --verbose`
}

func (v viewVerb) Run(s *console.Session, model *kong.Application) error {
	if s.Context == "headless" {
		return console.Usagef("--context headless: the viewer needs a window; navview render draws without one")
	}
	changes := viewer.Watch(v.Scene)
	doc, err := studio.Load(v.Scene)
	if err != nil {
		if unknown := unknownWord(v.Scene, model); unknown != nil {
			return unknown
		}
		return err
	}
	return viewer.Run(s, doc, v.Look, v.Paused, changes)
}
