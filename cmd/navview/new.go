package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/wayfront/wayfront/assets"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/scenes"
)

type newVerb struct {
	Out string `arg:"" name:"file" help:"The scene to write, which is not there yet; - for standard output."`
}

func (newVerb) Help() string {
	return `Writes a scene to begin with: two rooms, a crowd and two exits, with a comment at everything. navview FILE shows it, and each
change of it as soon as the file is saved.

Examples:
  navview new hall.json && navview hall.json`
}

func (v newVerb) Run(s *console.Session) error {
	if v.Out == "-" {
		_, err := fmt.Fprint(s.Stdout, assets.New)
		return err
	}
	out, err := os.OpenFile(v.Out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: name a file that is not", v.Out)
	}
	if err != nil {
		return err
	}
	_, err = out.WriteString(assets.New)
	return errors.Join(err, out.Close())
}

type schemaVerb struct{}

func (schemaVerb) Help() string {
	return `Prints the JSON Schema of scenes (draft 2020-12), for completion and checking in an editor. navview validate checks more.

Examples:
  navview schema > scene.schema.json`
}

func (schemaVerb) Run(s *console.Session) error {
	_, err := s.Stdout.Write(scenes.Schema)
	return err
}
