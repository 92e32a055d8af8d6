package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// unordered are the exported methods of World that read only what never changes.
var unordered = map[string]bool{"Timestep": true, "Scene": true, "Crowd": true, "Sees": true, "NearestFree": true}

// TestMethodsTakeTurns reads the exported methods of World: each locks w.mu first, or is a call of
// what takes the turn.
func TestMethodsTakeTurns(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range file.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if !ok || f.Recv == nil || !f.Name.IsExported() || unordered[f.Name.Name] {
				continue
			}
			star, ok := f.Recv.List[0].Type.(*ast.StarExpr)
			if !ok || star.X.(*ast.Ident).Name != "World" {
				continue
			}
			checked++
			if !takesTurn(f.Body) {
				t.Errorf("World.%s neither locks w.mu nor calls do, read, take, lend, end or Edit", f.Name.Name)
			}
		}
	}
	if checked < 20 {
		t.Errorf("%d methods of World found", checked)
	}
}

// takesTurn reports whether a function calls one of those that order calls.
func takesTurn(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if s, ok := call.Fun.(*ast.SelectorExpr); ok {
			switch s.Sel.Name {
			case "do", "doWith", "read", "readWith", "take", "lend", "end", "Edit":
				found = found || isWorld(s.X)
			case "Lock":
				if of, ok := s.X.(*ast.SelectorExpr); ok && of.Sel.Name == "mu" {
					found = found || isWorld(of.X)
				}
			}
		}
		return true
	})
	return found
}

func isWorld(x ast.Expr) bool {
	name, ok := x.(*ast.Ident)
	return ok && name.Name == "w"
}
