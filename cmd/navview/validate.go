package main

import (
	"fmt"

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

func (v validateVerb) Run(s *session) error {
	defer newProgress(s.stderr, "validate", 0).done()
	failed := false
	for _, name := range v.Scenes {
		file, data, err := scenes.Open(name)
		if err != nil {
			tell(s.stderr, err)
			failed = true
			continue
		}
		scene, problems := scenes.Read(file, data)
		if err := foreign(file); scene == nil && err != nil {
			tell(s.stderr, err)
			failed = true
			continue
		}
		for _, p := range problems {
			fmt.Fprintln(s.stdout, printable(p.String()))
		}
		if scene == nil {
			failed = true
			continue
		}
		refused, err := (&document{scene, file, data}).refusals()
		if err != nil {
			tell(s.stderr, fmt.Errorf("%s: %w", file, err))
		}
		for _, p := range refused {
			fmt.Fprintln(s.stdout, printable(p.String()))
		}
		failed = failed || err != nil || len(refused) > 0
	}
	if failed {
		return errTold
	}
	return nil
}
