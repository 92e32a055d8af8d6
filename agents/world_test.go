package agents

import (
	"testing"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
)

type world struct {
	scene  *scenes.Scene
	ground *geom.Ground
	grid   *geom.WallGrid
}

func read(t testing.TB, text string) world {
	t.Helper()
	scene, problems := scenes.Read("test", []byte(text))
	if scene == nil {
		t.Fatal(problems)
	}
	ground, err := scene.Ground()
	if err != nil {
		t.Fatal(err)
	}
	return world{scene, ground, geom.NewWallGrid(ground)}
}
