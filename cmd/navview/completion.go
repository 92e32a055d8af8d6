package main

import (
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/wayfront/wayfront/cmd/navview/internal/completion"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
)

type completionVerb struct {
	Shell string   `arg:"" enum:"bash,zsh,fish,words" help:"${enum}; words is what the scripts of the others ask."`
	Words []string `arg:"" optional:"" hidden:"" passthrough:"" help:"Those of a command line, the last one unfinished."`
}

func (completionVerb) Help() string {
	return `Prints a script that has a shell complete verbs, flags, their values, and the names of built-in scenes.

Examples:
  source <(navview completion bash)
  navview completion zsh > "${fpath[1]}/_navview"
  navview completion fish > ~/.config/fish/completions/navview.fish`
}

func (v completionVerb) Run(s *console.Session, model *kong.Application) error {
	if v.Shell == "words" {
		return completion.Print(s.Stdout, model, v.Words)
	}
	_, err := fmt.Fprint(s.Stdout, completion.Script(v.Shell))
	return err
}
