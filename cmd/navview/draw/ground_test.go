package draw

import (
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// built is the map of a built-in scene's first goal.
func built(t testing.TB, d *gpu.Device, name string, size int) (*scenes.Scene, *spm.Map) {
	t.Helper()
	scene, err := scenes.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return scene, builtOf(t, d, scene, size)
}

func builtOf(t testing.TB, d *gpu.Device, scene *scenes.Scene, size int) *spm.Map {
	t.Helper()
	ground, err := scene.Ground()
	if err != nil {
		t.Fatal(err)
	}
	b, err := spm.NewBuilder(d)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Delete()
	goal := spm.Goal{Sources: scene.Goals[0].Points}
	room, err := spm.SourceRoom(ground, goal)
	if err != nil {
		t.Fatal(err)
	}
	side := scene.Max().Sub(scene.Min())
	m, err := b.NewMap(ground, spm.NewExtent(side[0], side[1], size), 1, room)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Build(m, 0, goal); err != nil {
		t.Fatal(err)
	}
	return m
}

// board is a target of a size, with its colour.
func board(t testing.TB, d *gpu.Device, width, height int) *gpu.Target {
	t.Helper()
	colour, err := gpu.NewTexture(d, gpu.TextureSpec{Label: "test picture", Format: gpu.RGBA8, Width: width, Height: height})
	if err != nil {
		t.Fatal(err)
	}
	depth, err := gpu.NewTexture(d, gpu.TextureSpec{Label: "test depth", Format: gpu.Depth32F, Width: width, Height: height})
	if err != nil {
		t.Fatal(err)
	}
	target, err := gpu.NewTarget(d, gpu.Attachments{Color: []gpu.Attachment{{Texture: colour}}, Depth: &gpu.Attachment{Texture: depth}})
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func BenchmarkGround(b *testing.B) {
	for _, name := range []string{"plaza", "profiling6"} {
		b.Run(name, func(b *testing.B) {
			gputest.Run(b, func(d *gpu.Device) {
				const width, height = 1280, 720
				scene, m := built(b, d, name, scene1000)
				r, err := New(d)
				if err != nil {
					b.Fatal(err)
				}
				p := Picture{
					Target: board(b, d, width, height), Camera: Fit(scene.Min(), scene.Max(), width, height, 24),
					Layers: Regions | Isolines | Obstacles, Map: m,
				}
				for b.Loop() {
					if err := r.Draw(p); err != nil {
						b.Fatal(err)
					}
					d.Finish()
				}
				b.ReportMetric(float64(width*height)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpixels/s")
			})
		})
	}
}

const scene1000 = 1000 // texels, the size that the paper's figures are of
