// Command raylib runs a world in the window of raylib, on raylib's context and thread, and draws
// the crowd by raylib. It ends after so many frames where -frames says so.
package main

import (
	"flag"
	"fmt"
	"log"
	"runtime"
	"time"

	rl "github.com/gen2brain/raylib-go/raylib"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes/builtin"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	frames := flag.Int("frames", -1, "frames to draw; below 0: until the window is closed")
	flag.Parse()
	runtime.LockOSThread()
	rl.SetTraceLogLevel(rl.LogWarning)
	rl.InitWindow(960, 600, "crosswalk")
	defer rl.CloseWindow()
	rl.SetTargetFPS(60)
	scene := must(builtin.Load("crosswalk"))
	world := must(engine.New(must(gpu.New(gpu.Options{})), scene, engine.Options{Latest: 1})) // after the window
	defer world.Close()
	low, high := scene.Min(), scene.Max()
	scale := min(960/(high[0]-low[0]), 600/(high[1]-low[1]))
	var crowd engine.Snapshot
	for ; *frames != 0 && !rl.WindowShouldClose(); *frames-- {
		must(world.Advance(time.Duration(rl.GetFrameTime() * 1e9)))
		must(world.Latest(&crowd))
		rl.BeginDrawing() // raylib batches what follows: call the world before, or end the batch
		rl.ClearBackground(rl.NewColor(32, 35, 45, 255))
		for i, p := range crowd.Positions {
			x, y := float32((p[0]-low[0])*scale), float32((high[1]-p[1])*scale)
			hue := float32(crowd.IDs[i]%4) * 90
			rl.DrawCircleV(rl.NewVector2(x, y), float32(0.25*scale), rl.ColorFromHSV(hue, 0.5, 0.95))
		}
		rl.DrawText(fmt.Sprintf("tick %d: %d agents", crowd.Tick, len(crowd.IDs)), 12, 12, 20, rl.RayWhite)
		rl.EndDrawing()
	}
	fmt.Printf("tick %d: %d agents\n", crowd.Tick, len(crowd.IDs))
}
