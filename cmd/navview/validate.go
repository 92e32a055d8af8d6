package main

import (
	"fmt"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
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
	defer console.NewProgress(s.Stderr, "validate", 0).Done()
	failed := false
	for _, name := range v.Scenes {
		file, data, err := builtin.Open(name)
		if err != nil {
			console.Report(s.Stderr, err)
			failed = true
			continue
		}
		scene, problems := scenes.Read(file, data)
		if err := document.Foreign(file); scene == nil && err != nil {
			console.Report(s.Stderr, err)
			failed = true
			continue
		}
		for _, p := range problems {
			fmt.Fprintln(s.Stdout, console.Printable(p.String()))
		}
		if scene == nil {
			failed = true
			continue
		}
		refused, err := document.New(scene, file, data).Refusals()
		if err != nil {
			console.Report(s.Stderr, fmt.Errorf("%s: %w", file, err))
		}
		for _, p := range refused {
			fmt.Fprintln(s.Stdout, console.Printable(p.String()))
		}
		failed = failed || err != nil || len(refused) > 0
	}
	if failed {
		return console.ErrReported
	}
	return nil
}
