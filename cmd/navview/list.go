package main

import (
	"fmt"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/scenes/builtin"
)

type listVerb struct {
	JSON bool `name:"json" help:"Print a JSON array instead of a table."`
}

func (listVerb) Help() string {
	return `Examples:
  navview list
  navview list --json | jq -r '.[].name'`
}

func (v listVerb) Run(s *console.Session) error {
	entries := builtin.List()
	if v.JSON {
		return console.WriteJSON(s.Stdout, entries)
	}
	width := 0
	for _, e := range entries {
		width = max(width, len(e.Name))
	}
	fmt.Fprintf(s.Stdout, "%-*s %9s %9s %6s %7s  %s\n", width, "name", "obstacles", "vertices", "goals", "agents", "what it is, and its source")
	for _, e := range entries {
		what := e.Source
		if e.Description != "" {
			what = e.Description + " (" + e.Source + ")"
		}
		fmt.Fprintf(s.Stdout, "%-*s %9d %9d %6d %7d  %s\n", width, e.Name, e.Obstacles, e.Vertices, e.Goals, e.Agents, what)
	}
	return nil
}
