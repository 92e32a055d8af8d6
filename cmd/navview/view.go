//go:build !headless

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/stage"
	"github.com/wayfront/wayfront/cmd/navview/internal/viewer"
	"github.com/wayfront/wayfront/scenes"
)

// viewerVerbs are the verbs that need a window.
type viewerVerbs struct {
	View viewVerb `cmd:"" default:"withargs" help:"Open the viewer on a scene; this is the verb if none is given."`
}

type viewVerb struct {
	Scene      string `arg:"" optional:"" default:"${scene}" help:"A file, a built-in scene, or - for standard input (default: ${scene})."`
	Paused     bool   `help:"Start paused."`
	stage.Look `embed:""`
}

func (viewVerb) Help() string {
	return `A scene that comes from a file is read again whenever the file changes.

In the window:
  ` + strings.Join(viewer.Keys, "\n  ") + `

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
	defer changes.Close()
	doc, err := stage.Load(v.Scene)
	if err != nil {
		if _, e := os.Stat(v.Scene); errors.Is(e, fs.ErrNotExist) && !strings.ContainsAny(v.Scene, `/\.`) {
			remedy := "see navview --help"
			if verb := nearestVerb(v.Scene, model); verb != "" {
				remedy = "did you mean navview " + verb + "?"
			}
			return fmt.Errorf("%w\nnor is it a verb: %s", err, remedy)
		}
		return err
	}
	return viewer.Run(s, doc, v.Look, v.Paused, changes)
}

// nearestVerb is the verb that a mistyped word probably stands for, or empty.
func nearestVerb(word string, model *kong.Application) string {
	var verbs []string
	for _, node := range model.Children {
		verbs = append(verbs, node.Name)
	}
	return scenes.Nearest(word, verbs)
}
