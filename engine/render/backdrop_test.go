package render

import (
	"bytes"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/spm"
)

// TestBackdrop draws one picture after another with one renderer, each with a part changed, and
// wants what a fresh renderer draws, to the last byte: nothing that the ground's looks depend on is
// missed, and it is drawn anew only when it has to.
func TestBackdrop(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		scene, m := built(t, d, "simple1", 100)
		other := builtOf(t, d, scene, 60)
		builder, err := spm.NewBuilder(d, spm.Wavefront)
		if err != nil {
			t.Fatal(err)
		}
		defer builder.Delete()
		r, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Delete()
		p := Picture{
			Target: board(t, d, 90, 80), Camera: Fit(scene.Min(), scene.Max(), 90, 80, 6),
			Map: m, Layers: Regions | Isolines | Obstacles | Sources, Sources: scene.Goals[0].Points,
		}
		for _, step := range []struct {
			name   string
			anew   bool
			change func()
		}{
			{"first", true, func() {}},
			{"the same", false, func() {}},
			{"sources hidden", false, func() { p.Layers &^= Sources }},
			{"another target", false, func() { p.Target = board(t, d, 90, 80) }},
			{"obstacles hidden", false, func() { p.Layers &^= Obstacles }},
			{"obstacles shown", false, func() { p.Layers |= Obstacles }},
			{"isolines hidden", true, func() { p.Layers &^= Isolines }},
			{"a draft", true, func() { p.Draft = true }},
			{"no draft", true, func() { p.Draft = false }},
			{"zoomed", true, func() { p.Camera.Scale *= 2 }},
			{"palette", true, func() { p.Palette = PaletteDistance }},
			{"double density", true, func() { p.PixelRatio = 2 }},
			{"another size", true, func() {
				p.Target, p.Camera = board(t, d, 60, 70), Fit(scene.Min(), scene.Max(), 60, 70, 6)
			}},
			{"goal moved", true, func() {
				if err := builder.Build(m, spm.Change{Goal: spm.Goal{Points: []mgl64.Vec2{{2, 3}}}}); err != nil {
					t.Fatal(err)
				}
			}},
			{"an obstacle gone", false, func() {
				scene.Obstacles = scene.Obstacles[1:]
				var err error
				if p.Ground, err = scene.Ground(); err != nil {
					t.Fatal(err)
				}
			}},
			{"another map", true, func() { p.Map = other }},
		} {
			step.change()
			before := r.backdrop.drawn
			if err := r.Draw(p); err != nil {
				t.Fatal(err)
			}
			if (r.backdrop.drawn != before) != step.anew {
				t.Errorf("%s: the ground was drawn anew: %v", step.name, !step.anew)
			}
			got := p.Target.ReadRGBA()
			fresh, err := New(d)
			if err != nil {
				t.Fatal(err)
			}
			if err := fresh.Draw(p); err != nil {
				t.Fatal(err)
			}
			if want := p.Target.ReadRGBA(); !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("%s: the picture is not what a fresh renderer draws", step.name)
			}
			fresh.Delete()
		}
	})
}
