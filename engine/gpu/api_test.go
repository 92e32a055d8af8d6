package gpu

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Slots, uniforms by string and barriers are this package's alone: it exports no way to name a
// binding point, to set a uniform or to order commands.
func TestInputsAreNamed(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	functions := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range file.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok {
				functions++
				if slices.Contains([]string{"Bind", "BindImage", "Barrier", "Set", "Dispatch"}, f.Name.Name) {
					t.Errorf("%s exports %s: inputs of a Pass have names, and barriers are derived", name, f.Name.Name)
				}
			}
		}
	}
	if functions < 100 {
		t.Errorf("only %d functions were found", functions)
	}
}
