package main

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// passesPage is the page that has the table of passes, between two comments.
const passesPage = "../../docs/architecture.md"

// TestPassesPage compares the table of passes with the passes. UPDATE=1 writes it: make docs.
func TestPassesPage(t *testing.T) {
	rows := map[string]string{}
	for _, p := range everyProgram() {
		name := strings.Split(p.Stages[0], ".")[0]
		list := func(names ...string) string { return strings.Join(names, " ") }
		files := make([]string, len(p.Stages))
		for i, stage := range p.Stages {
			files[i] = fmt.Sprintf("[%s](../shaders/%s)", strings.TrimSuffix(path.Base(stage), ".glsl"), stage)
		}
		rows[name] = fmt.Sprintf("| %s | %s | %s | %s |\n", list(files...), list(slices.Concat(p.Reads, p.Textures)...), list(p.Attributes...), list(p.Writes...))
	}
	table := "| shaders | reads | attributes | writes |\n| --- | --- | --- | --- |\n"
	room := ""
	names := make([]string, 0, len(rows))
	for name := range rows {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if at := path.Dir(name); at != room {
			room = at
			table += fmt.Sprintf("| **%s** | | | |\n", room)
		}
		table += rows[name]
	}
	page, err := os.ReadFile(passesPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), "<!-- passes -->\n")
	_, after, end := strings.Cut(rest, "<!-- /passes -->")
	if !ok || !end {
		t.Fatal("the page has no place for the table")
	}
	want := before + "<!-- passes -->\n" + table + "<!-- /passes -->" + after
	if want == string(page) {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatalf("the table of passes in docs/architecture.md is stale: run make docs")
	}
	if err := os.WriteFile(passesPage, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}
