package main

import (
	"errors"
	"fmt"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/scenes"
)

type validateVerb struct {
	Scenes []string `arg:"" name:"scene" help:"Files, built-in scenes, or - for standard input."`
}

func (validateVerb) Help() string {
	return `Prints a line for every problem, FILE:LINE:COLUMN: PATH: message, and exits with 1 if there is any; too little room
for people to start is one. What is no problem but worth knowing, such as obstacles too small to be there, is a note and does not count.

Examples:
  navview validate hall.json
  navview validate scenes/*.json`
}

func (v validateVerb) Run(s *console.Session) error {
	failed := false
	for _, name := range v.Scenes {
		doc, err := document.Load(name)
		var problems, refused []scenes.Problem
		var invalid *scenes.Invalid
		switch {
		case errors.As(err, &invalid):
			problems = invalid.Problems
		case err == nil:
			placing := console.NewProgress(s.Stderr, "placing agents", 0)
			refused, err = doc.Refusals()
			placing.Done()
			if err != nil {
				err = fmt.Errorf("%s: %w", doc.File, err)
			}
			problems = append(doc.Notes, refused...)
		}
		for _, p := range problems {
			fmt.Fprintln(s.Stdout, console.Printable(p.String()))
		}
		if err != nil && invalid == nil {
			console.Report(s.Stderr, err)
		}
		failed = failed || err != nil || len(refused) > 0
	}
	if failed {
		return console.ErrReported
	}
	return nil
}
