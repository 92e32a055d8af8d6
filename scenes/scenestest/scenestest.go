// Package scenestest reads the scenes of tests.
package scenestest

import (
	"testing"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
)

// Read returns the scene of a document. Problems that are errors fail the test.
func Read[Text string | []byte](t testing.TB, file string, text Text) *scenes.Scene {
	t.Helper()
	s, problems := scenes.Read(file, []byte(text))
	if s == nil {
		t.Fatal(problems)
	}
	return s
}

// Ground returns the scene of a document, its ground, and the grid of its walls.
func Ground(t testing.TB, text string) (*scenes.Scene, *geom.Ground, *geom.WallGrid) {
	t.Helper()
	s := Read(t, "test", text)
	ground, err := s.Ground()
	if err != nil {
		t.Fatal(err)
	}
	return s, ground, geom.NewWallGrid(ground)
}
