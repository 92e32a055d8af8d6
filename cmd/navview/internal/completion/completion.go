// Package completion completes unfinished command lines, and has the scripts for shells.
package completion

import (
	"embed"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes/builtin"
)

//go:embed navview.*
var scripts embed.FS

// Script returns the script of bash, zsh or fish.
func Script(shell string) string {
	text, err := scripts.ReadFile("navview." + shell)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Print prints the completions of the last of some words, a line each. A first line "/" stands for
// files, which shells complete.
func Print(w io.Writer, model *kong.Application, words []string) error {
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	found, files := completed(model.Node, words)
	if files {
		found = slices.Insert(found, 0, "/")
	}
	for _, word := range found {
		if _, err := fmt.Fprintln(w, word); err != nil {
			return err
		}
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
			child := slices.IndexFunc(node.Children, func(c *kong.Node) bool { return c.Type == kong.CommandNode && c.Name == word })
			if child < 0 || position > 0 {
				position++
				break
			}
			node = node.Children[child]
			flags = append(flags, node.Flags...)
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
	i := slices.IndexFunc(flags, func(f *kong.Flag) bool {
		return name == "--"+f.Name || f.Short != 0 && name == "-"+string(f.Short)
	})
	if i < 0 {
		return nil
	}
	return flags[i]
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
