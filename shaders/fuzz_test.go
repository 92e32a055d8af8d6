package shaders

import (
	"errors"
	"strings"
	"testing"
)

// Whatever a file holds, Load either refuses it with a place or gives a text whose every line has
// one, and which the rewriting of a log can walk through.
func FuzzLoad(f *testing.F) {
	f.Add(version+"#include \"b.glsl\"\n", "int b;\n", "0:3(1): error: x")
	f.Add(version+"#include <Record>\n#if 1\n#endif\n/* #include \"b.glsl\"", "", "0(2) : error x")
	f.Add(version+"#include \"./b.glsl\"", "#include \"b.glsl\"", "ERROR: 0:1: x")
	f.Add("", "", "")
	f.Add(version+"#include \"", "\\\r\n", "0:99999999999999999999(1): x")
	f.Fuzz(func(t *testing.T, main, other, log string) {
		s, err := Load("a.comp.glsl", Environment{
			Files:   tree("a.comp.glsl", main, "b.glsl", other),
			Structs: []any{record{}},
			Defines: map[string]any{"N": 1},
		})
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.File == "" || e.Line < 0 {
				t.Fatalf("refused without a place: %v", err)
			}
			return
		}
		if lines := strings.Count(s.Text, "\n"); lines != len(s.lines) {
			t.Fatalf("%d lines, %d places:\n%s", lines, len(s.lines), s.Text)
		}
		for i, at := range s.lines {
			if at.file == "" || at.line < 1 {
				t.Fatalf("line %d comes from %+v", i+1, at)
			}
		}
		s.Rewrite(log)
	})
}
