package agents

import (
	"testing"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/scenestest"
)

type world struct {
	scene  *scenes.Scene
	ground *geom.Ground
	grid   *geom.WallGrid
}

func read(t testing.TB, text string) world {
	t.Helper()
	scene, ground, grid := scenestest.Ground(t, text)
	return world{scene, ground, grid}
}
