// Command ebitengine draws a world by Ebitengine, which gives no access to its context: the world
// has a context of its own, without a display, and what is drawn comes back from the device by
// Latest.
package main

import (
	"context"
	"flag"
	"fmt"
	"image/color"
	"log"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/ebitenutil"
	"github.com/hajimehoshi/ebiten/v2/vector"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/scenes/builtin"
)

const width, height = 960, 600

type game struct {
	world     *engine.World
	crowd     engine.Snapshot
	low, high mgl64.Vec2
	frames    int // to run; below 0: until the window is closed
}

// Update runs the ticks that are due. It never waits for the device.
func (g *game) Update() error {
	if g.frames--; g.frames == -1 {
		return ebiten.Termination
	}
	if _, err := g.world.Advance(time.Second / time.Duration(ebiten.TPS())); err != nil {
		return err
	}
	_, err := g.world.Latest(&g.crowd)
	return err
}

func (g *game) Draw(screen *ebiten.Image) {
	screen.Fill(color.RGBA{32, 35, 45, 255})
	scale := min(width/(g.high[0]-g.low[0]), height/(g.high[1]-g.low[1]))
	for _, p := range g.crowd.Positions {
		x, y := float32((p[0]-g.low[0])*scale), float32((g.high[1]-p[1])*scale)
		vector.DrawFilledCircle(screen, x, y, float32(0.25*scale), color.RGBA{110, 195, 245, 255}, true)
	}
	ebitenutil.DebugPrint(screen, fmt.Sprintf("tick %d: %d agents", g.crowd.Tick, len(g.crowd.IDs)))
}

func (g *game) Layout(int, int) (int, int) { return width, height }

func main() {
	frames := flag.Int("frames", -1, "updates to run; below 0: until the window is closed")
	flag.Parse()
	scene, err := builtin.Load("crosswalk")
	if err != nil {
		log.Fatal(err)
	}
	world, err := engine.Headless(context.Background(), scene, engine.Options{Latest: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer world.Close()
	g := &game{world: world, low: scene.Min(), high: scene.Max(), frames: *frames}
	ebiten.SetWindowSize(width, height)
	ebiten.SetWindowTitle("crosswalk")
	if err := ebiten.RunGame(g); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("tick %d: %d agents\n", g.crowd.Tick, len(g.crowd.IDs))
}
