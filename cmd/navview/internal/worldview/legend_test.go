//go:build !headless

package worldview

import (
	"image"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
)

// TestLegendHidesNothing: in pictures the domain ends above the legend, which is no wider than the
// picture.
func TestLegendHidesNothing(t *testing.T) {
	doc, err := document.Load("dapper-6")
	if err != nil {
		t.Fatal(err)
	}
	agent := 10
	gputest.Fresh(t, func(d *gpu.Device) {
		v, err := New(d, doc, Look{Agent: &agent, Palette: render.PaletteCalm})
		if err != nil {
			t.Fatal(err)
		}
		defer v.Delete()
		for _, ratio := range []float64{1, 2} {
			for _, s := range []image.Point{{1280, 800}, {800, 800}, {640, 500}} {
				s = image.Pt(int(ratio)*s.X, int(ratio)*s.Y)
				p := render.Picture{Layers: render.LocalMap, PixelRatio: ratio, Camera: v.Fit(s, ratio, v.LegendHeight(s, ratio))}
				panels := v.Legend(p)
				if len(panels) != 1 {
					t.Fatalf("%d panels", len(panels))
				}
				panel := panels[0].Size(ratio)
				if _, low := p.Camera.Pixel(doc.Min()); low > float64(s.Y)-legendMargin*ratio-float64(panel.Y) || low < float64(s.Y)/3 {
					t.Errorf("%v: the domain's lower edge is at %.1f, the legend is %v", s, low, panel)
				}
				if panel.X > s.X-int(2*legendMargin*ratio) {
					t.Errorf("%v: the legend is %v", s, panel)
				}
			}
		}
	})
}

func TestMannerInWords(t *testing.T) {
	plain := scenes.BVP{ViewAngle: 180, Inertia: 0.5, InertiaTime: 0.1, SpeedControl: true, Guide: scenes.GuideSPM}
	pulled, waved, sampled := plain, plain, plain
	pulled.SpeedControl, pulled.Rules, pulled.Guide = false, scenes.RulesPaper, scenes.GuideHarmonic
	pulled.InertiaForm = scenes.InertiaVector
	pulled.Bias = scenes.Bias{Direction: [2]float64{0, 1}, Strength: 0.3}
	waved.Bias = scenes.Bias{Direction: [2]float64{1, 0}, Strength: 0.8, Wave: scenes.WaveOf[float64]{Amplitude: 1, Frequency: 0.0955}}
	sampled.Table = []scenes.Sample{{0, 1, 0, 0.5}, {2, 0, 1, 0.5}}
	for want, b := range map[string]scenes.BVP{
		"view 180°, no bias, inertia 0.5 in 0.1 s, speed control, guide spm":                                             plain,
		"view 180°, bias 0.3 towards (0, 1), inertia 0.5 in 0.1 s, of vectors, the papers' rules, guide harmonic":        pulled,
		"view 180°, bias 0.8 towards (1, 0), 1 to the side at 0.0955 Hz, inertia 0.5 in 0.1 s, speed control, guide spm": waved,
		"view 180°, bias by a table of 2 rows, inertia 0.5 in 0.1 s, speed control, guide spm":                           sampled,
	} {
		if got := strings.Join(describeLocalMap(b), ", "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestLegendOfViews: dashes are explained where there are any.
func TestLegendOfViews(t *testing.T) {
	for _, view := range []float64{180, 360} {
		doc, err := document.Load("dapper-6")
		if err != nil {
			t.Fatal(err)
		}
		for i := range doc.Profiles {
			doc.Profiles[i].BVP.ViewAngle = scenes.Exactly(view)
		}
		agent := 0
		gputest.Fresh(t, func(d *gpu.Device) {
			v, err := New(d, doc, Look{Agent: &agent, Palette: render.PaletteCalm})
			if err != nil {
				t.Fatal(err)
			}
			defer v.Delete()
			keys := v.Legend(render.Picture{Layers: render.LocalMap})[0].Keys
			if got := slices.ContainsFunc(keys, func(k render.Key) bool { return strings.HasPrefix(k.Text, "dashes") }); got != (view < 360) {
				t.Errorf("view %v: dashes are explained: %v", view, got)
			}
		})
	}
}

// TestLocalMapIsWhole: the camera shows all of the chosen agent's local map, which reaches beyond
// the domain on two sides; without that map, or before it is there, it is that of the domain.
func TestLocalMapIsWhole(t *testing.T) {
	doc, err := document.Load("../../testdata/walkers.json")
	doc.Groups[0].Spawn.Points[0] = mgl64.Vec2{15.5, 7.5}
	if err != nil {
		t.Fatal(err)
	}
	agent, pixels := 0, image.Pt(800, 500)
	gputest.Fresh(t, func(d *gpu.Device) {
		v, err := New(d, doc, Look{Agent: &agent, Palette: render.PaletteCalm})
		if err != nil {
			t.Fatal(err)
		}
		defer v.Delete()
		domain := render.Fit(doc.Min(), doc.Max(), pixels.X, pixels.Y, 24)
		if got := v.Fit(pixels, 1, 0); got != domain {
			t.Errorf("before the first step the camera is %v, want %v", got, domain)
		}
		if err := v.Step(); err != nil {
			t.Fatal(err)
		}
		camera := v.Fit(pixels, 1, 0)
		i, _ := v.World.LocalMaps().Walker(agent)
		w, p := v.World.LocalMaps().Read(i)
		for k := range 4 {
			side := func(bit int) float64 { return (float64(k>>bit&1) - 0.5) * float64(p.Cells) * 0.3 }
			x, y := camera.Pixel(mgl64.Vec2{float64(w.Stamped[0]) + side(0), float64(w.Stamped[1]) + side(1)})
			if x < 24 || y < 24 || x > 776 || y > 476 {
				t.Errorf("corner %d of the map is at pixel %.1f, %.1f of %v", k, x, y, pixels)
			}
		}
		v.Look.Layers &^= render.LocalMap
		if got := v.Fit(pixels, 1, 0); got != domain {
			t.Errorf("without the map the camera is %v, want %v", got, domain)
		}
	})
}
