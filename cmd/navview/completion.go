package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes/builtin"
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

// completionScripts ask the program for completions of a word. A first line "/" stands for files,
// which shells complete.
var completionScripts = map[string]string{
	"bash": `# navview's completion for bash: source <(navview completion bash)
_navview() {
  local IFS=$'\n' found cur=${COMP_WORDS[COMP_CWORD]}
  local words=("${COMP_WORDS[@]:1:COMP_CWORD}")
  # Bash takes = for a word of its own.
  if [[ $cur == '=' ]]; then cur=; words[${#words[@]}-1]=; fi
  found=$(navview completion words -- "${words[@]}" 2>/dev/null)
  COMPREPLY=($(compgen -W "${found#/}" -- "$cur"))
  [[ $found != /* ]] || COMPREPLY+=($(compgen -f -- "$cur"))
}
complete -o filenames -F _navview navview
`,
	"zsh": `#compdef navview
# navview's completion for zsh: put this file into a folder of $fpath as _navview.
_navview() {
  local -a found
  found=("${(@f)$(navview completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ $found[1] != / ]] || { shift found; _files }
  compadd -a found
}
if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then _navview "$@"; else compdef _navview navview; fi
`,
	"fish": `# navview's completion for fish: put this file into ~/.config/fish/completions as navview.fish.
function __navview
  set -l found (navview completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if test "$found[1]" = /
    set -e found[1]
    __fish_complete_path (commandline -ct)
  end
  printf '%s\n' $found
end
complete -c navview -f -a '(__navview)'
`,
}

func (v completionVerb) Run(s *console.Session, model *kong.Application) error {
	if v.Shell != "words" {
		_, err := fmt.Fprint(s.Stdout, completionScripts[v.Shell])
		return err
	}
	words := v.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	found, files := completed(model.Node, words)
	if files {
		fmt.Fprintln(s.Stdout, "/")
	}
	for _, word := range found {
		fmt.Fprintln(s.Stdout, word)
	}
	return nil
}

// completed returns the completions of the last word, and whether it may be a file.
func completed(node *kong.Node, words []string) (all []string, files bool) {
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
		words = words[:len(words)-1]
	}
	flags := slices.Clone(node.Flags)
	position := 0
	var open *kong.Flag // waits for its value
	for i, word := range words {
		switch {
		case word == "=" && i > 0: // as bash cuts words
			open = flagOf(flags, words[i-1])
		case open != nil:
			open = nil
		case strings.HasPrefix(word, "-") && word != "-":
			if f := flagOf(flags, word); f != nil && !f.IsBool() && !strings.Contains(word, "=") {
				open = f
			}
		default:
			if child := childOf(node, word); child != nil && position == 0 {
				node = child
				flags = append(flags, node.Flags...)
			} else {
				position++
			}
		}
	}
	take := func(before string, v *kong.Value, begun string) {
		values, any := valuesOf(v, begun)
		for _, value := range values {
			all = append(all, before+value)
		}
		files = any
	}
	switch name, value, cut := strings.Cut(last, "="); {
	case open != nil:
		take("", open.Value, last)
	case strings.HasPrefix(last, "-") && cut:
		if f := flagOf(flags, name); f != nil {
			take(name+"=", f.Value, value)
		}
	case strings.HasPrefix(last, "-"):
		for _, f := range flags {
			if !f.Hidden {
				all = append(all, "--"+f.Name)
			}
		}
	default:
		if position == 0 {
			for _, child := range node.Children {
				if child.Type == kong.CommandNode && !child.Hidden {
					all = append(all, child.Name)
				}
			}
			if child := node.DefaultCmd; child != nil {
				node = child
			}
		}
		if n := len(node.Positional); n > 0 && (position < n || node.Positional[n-1].IsCumulative()) {
			take("", node.Positional[min(position, n-1)], last)
		}
	}
	all = slices.DeleteFunc(all, func(word string) bool { return !strings.HasPrefix(word, last) })
	slices.Sort(all)
	return slices.Compact(all), files
}

func flagOf(flags []*kong.Flag, word string) *kong.Flag {
	name, _, _ := strings.Cut(word, "=")
	for _, f := range flags {
		if name == "--"+f.Name || f.Short != 0 && name == "-"+string(f.Short) {
			return f
		}
	}
	return nil
}

func childOf(node *kong.Node, word string) *kong.Node {
	for _, child := range node.Children {
		if child.Type == kong.CommandNode && child.Name == word {
			return child
		}
	}
	return nil
}

// valuesOf returns the values of a flag or an argument if they can be listed, and whether it may be
// a file. Lists continue after the last comma.
func valuesOf(v *kong.Value, begun string) (values []string, files bool) {
	switch enum := v.EnumSlice(); {
	case v.Name == "layers":
		before := begun[:strings.LastIndexByte(begun, ',')+1]
		for _, name := range render.LayerNames() {
			values = append(values, before+name)
		}
		return values, false
	case v.Name == "scene" || v.Name == "in":
		for _, e := range builtin.List() {
			values = append(values, e.Name)
		}
		return values, true
	case v.Enum != "":
		return slices.DeleteFunc(enum, func(value string) bool { return value == "" || value == "words" }), false
	}
	return nil, v.Target.Kind() == reflect.String || v.Target.Kind() == reflect.Slice
}
