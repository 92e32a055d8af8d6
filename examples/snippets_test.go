// Package examples_test builds and runs the programs that the documentation prints.
package examples_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// block is a fenced block of a page: its language and its text.
var block = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// TestSnippets builds every block of Go in the pages, as printed, in a module of its own that
// replaces this one, and runs it beside the page's scene. A block of text that follows is what it
// prints. Programs with a window print nothing, and are closed by escape.
func TestSnippets(t *testing.T) {
	for _, page := range []string{"README.md", "docs/embedding.md"} {
		text, err := os.ReadFile(filepath.Join("..", page))
		if err != nil {
			t.Fatal(err)
		}
		folder, programs := module(t), 0
		blocks := block.FindAllSubmatch(text, -1)
		for i, b := range blocks {
			switch string(b[1]) {
			case "jsonc":
				if bytes.Contains(b[2], []byte(`"version"`)) {
					write(t, filepath.Join(folder, "hall.json"), b[2])
				}
			case "go":
				programs++
				want := ""
				if i+1 < len(blocks) && string(blocks[i+1][1]) == "text" {
					want = string(blocks[i+1][2])
				}
				t.Run(fmt.Sprintf("%s:%d", page, 1+bytes.Count(text[:bytes.Index(text, b[0])], []byte("\n"))), func(t *testing.T) {
					runSnippet(t, folder, b[2], want)
				})
			}
		}
		if page == "README.md" && programs < 2 {
			t.Errorf("%s has %d programs", page, programs)
		}
	}
}

// runSnippet builds a program and compares what it prints.
func runSnippet(t *testing.T, folder string, text []byte, want string) {
	if formatted, err := format.Source(text); err != nil || !bytes.Equal(formatted, text) {
		t.Errorf("not formatted by gofmt: %v", err)
	}
	write(t, filepath.Join(folder, "main.go"), text)
	windowed, tags := bytes.Contains(text, []byte("engine/window")), "headless,egl"
	if windowed {
		tags = ""
	}
	build := exec.Command("go", "build", "-mod=mod", "-tags", tags, "-o", "program", ".")
	build.Dir, build.Env = folder, append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program := exec.CommandContext(t.Context(), "./program")
	program.Dir, program.Env = folder, os.Environ()
	if !windowed {
		program.Env = append(program.Env, "DISPLAY=")
	}
	var out bytes.Buffer
	program.Stdout, program.Stderr = &out, &out
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	overdue := time.AfterFunc(2*time.Minute, func() { _ = program.Process.Kill() })
	defer overdue.Stop()
	if windowed {
		closeWindow(t)
	}
	if err := program.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	if (want == "") != windowed || out.String() != want {
		t.Errorf("it printed:\n%s\nwant:\n%s", &out, want)
	}
}

// closeWindow waits until the program's window has counted a crowd, and presses escape.
func closeWindow(t *testing.T) {
	const script = `set -e
id=$(timeout 60 xdotool search --sync --onlyvisible --name '^[1-9][0-9]* agents$' | head -1)
xdotool windowfocus "$id" sleep 0.5 key Escape`
	if out, err := exec.Command("bash", "-c", script).CombinedOutput(); err != nil {
		t.Errorf("xdotool: %v\n%s", err, out)
	}
}

// module makes a module in a folder of its own, with the requirements of this one.
func module(t *testing.T) string {
	folder := t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Replace(string(mod), "module github.com/wayfront/wayfront", "module hall", 1)
	lines += "\nrequire github.com/wayfront/wayfront v0.0.0\nreplace github.com/wayfront/wayfront => " + root + "\n"
	write(t, filepath.Join(folder, "go.mod"), []byte(lines))
	sums, err := os.ReadFile("../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "go.sum"), sums)
	return folder
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestEveryCallIsDocumented wants each exported name of package engine, and of methods of what it
// exports, in the page about embedding, as code, or in the package's comment.
func TestEveryCallIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/embedding.md")
	if err != nil {
		t.Fatal(err)
	}
	comment, err := os.ReadFile("../engine/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	documented, exported := string(page)+string(comment), 0
	check := func(name string) {
		exported++
		if found := regexp.MustCompile(`\b` + name + `\b`).MatchString(documented); !found {
			t.Errorf("docs/embedding.md does not name %s", name)
		}
	}
	files, err := filepath.Glob("../engine/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			for _, name := range exportedBy(d) {
				check(name)
			}
		}
	}
	if exported < 100 {
		t.Errorf("%d names were found: is package engine still there?", exported)
	}
}

// exportedBy are the exported names that a declaration makes, but values of types and the
// methods that errors and fmt.Stringer ask for.
func exportedBy(d ast.Decl) (names []string) {
	var idents []*ast.Ident
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.Name != "Error" && d.Name.Name != "Unwrap" && d.Name.Name != "String" {
			idents = append(idents, d.Name)
		}
	case *ast.GenDecl:
		if d.Tok == token.CONST {
			break // values: their type is named
		}
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				idents = append(idents, s.Name)
			case *ast.ValueSpec:
				idents = append(idents, s.Names...)
			}
		}
	}
	for _, i := range idents {
		if i.IsExported() {
			names = append(names, i.Name)
		}
	}
	return names
}
