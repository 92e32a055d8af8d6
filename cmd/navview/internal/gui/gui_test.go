//go:build !headless

package gui

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/AllenDang/cimgui-go/implot"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/window"
)

var update = flag.Bool("update", false, "write the pictures in testdata anew; look at them before they are committed")

// bench is a UI with a target of its own and panels for tests.
type bench struct {
	t             testing.TB
	ui            *UI
	target        *gpu.Target
	width, height int
	elapsed       time.Duration // between frames
	panels        func()
}

// ground is the color below the panels.
var ground = color.RGBA{0xF4, 0xF1, 0xEA, 255}

// on runs f with a UI on a target of a size.
func on(t testing.TB, width, height int, o Options, f func(b *bench)) {
	t.Helper()
	gputest.Run(t, func(d *gpu.Device) {
		texture, err := gpu.NewTexture(d, gpu.TextureSpec{Label: "gui", Format: gpu.RGBA8, Width: width, Height: height})
		if err != nil {
			t.Fatal(err)
		}
		defer texture.Delete()
		target, err := gpu.NewTarget(d, texture, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer target.Delete()
		ui, err := New(d, o)
		if err != nil {
			t.Fatal(err)
		}
		defer ui.Delete()
		f(&bench{t: t, ui: ui, target: target, width: width, height: height, elapsed: time.Second / 60, panels: func() {}})
	})
}

// frame handles events and draws a frame.
func (b *bench) frame(events ...window.Event) {
	b.t.Helper()
	for _, e := range events {
		b.ui.Handle(e)
	}
	b.target.ClearColor(float64(ground.R)/255, float64(ground.G)/255, float64(ground.B)/255, 1)
	b.ui.Begin(b.width, b.height, b.elapsed)
	b.panels()
	if err := b.ui.End(b.target); err != nil {
		b.t.Fatal(err)
	}
}

// draw draws frames until windows have their places.
func (b *bench) draw(frames int) {
	b.t.Helper()
	for range frames {
		b.frame()
	}
}

// named draws the windows of the default layout.
func named() {
	for _, name := range []string{Outline, Inspector, Mind, History, Timeline, Plots} {
		imgui.Begin(name)
		imgui.Text(name)
		imgui.End()
	}
}

// sample draws panels with what a viewer has of each: a menu, a tree, fields, a table, a slider, a
// plot and a status line.
func sample(name *string) func() {
	radius, on, when := float32(0.25), true, float32(12.5)
	return func() {
		if imgui.BeginMainMenuBar() {
			for _, menu := range []string{"File", "Edit", "View", "Run"} {
				if imgui.BeginMenu(menu) {
					imgui.EndMenu()
				}
			}
			imgui.EndMainMenuBar()
		}
		imgui.Begin(Outline)
		imgui.SetNextItemOpen(true)
		if imgui.TreeNodeStr("Obstacles") {
			imgui.SelectableBoolV("hall", true, 0, imgui.Vec2{})
			imgui.SelectableBool("kiosk")
			imgui.TreePop()
		}
		imgui.End()
		imgui.Begin(Inspector)
		imgui.InputTextWithHint("name", "", name, 0, nil)
		imgui.SliderFloat("radius", &radius, 0, 1)
		imgui.Checkbox("closed", &on)
		imgui.Button("Duplicate")
		imgui.SameLine()
		imgui.TextDisabled("0.25 m")
		imgui.End()
		for _, name := range []string{Mind, History} {
			imgui.Begin(name)
			imgui.End()
		}
		imgui.Begin(Timeline)
		imgui.SliderFloat("time", &when, 0, 60)
		imgui.End()
		imgui.Begin(Plots)
		if implot.BeginPlotV("flow", imgui.Vec2{X: -1, Y: -1}, 0) {
			ys := []float64{0, 1, 3, 2, 4, 4, 3}
			implot.PlotLinedoublePtrInt("door", &ys[0], int32(len(ys)))
			implot.EndPlot()
		}
		imgui.End()
	}
}

func TestGolden(t *testing.T) {
	for picture, o := range map[string]Options{"dark": {}, "light": {Light: true}, "scaled": {Scale: 1.5}} {
		t.Run(picture, func(t *testing.T) {
			on(t, 640, 400, o, func(b *bench) {
				name := "hall"
				panels := sample(&name)
				b.panels = func() {
					panels()
					b.ui.Status(func() { imgui.Text("x 12.50 m   y 4.00 m") })
				}
				b.draw(6)
				golden(t, picture, b.target.ReadRGBA())
			})
		})
	}
}

// golden compares a picture with the one in testdata. Drivers round edges of glyphs and corners
// differently: a mean difference of one level of 255 is far less than a word drawn wrong makes.
func golden(t *testing.T, name string, got *image.RGBA) {
	t.Helper()
	file := filepath.Join("testdata", name+".png")
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, got); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, encoded.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := png.Decode(bytes.NewReader(data))
	if err != nil || want.Bounds() != got.Rect {
		t.Fatalf("%s: %v, bounds %v", file, err, want.Bounds())
	}
	if mean := meanDifference(want, got); mean > 1 {
		failed := filepath.Join("testdata", "failed")
		_ = os.MkdirAll(failed, 0o755)
		_ = os.WriteFile(filepath.Join(failed, name+".png"), encoded.Bytes(), 0o644)
		t.Errorf("the picture differs by %.2f levels in the mean; see %s", mean, failed)
	}
}

// meanDifference returns how far colors of two pictures of one size are apart, in levels of 255.
func meanDifference(a, b image.Image) float64 {
	sum, size := 0, a.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			p, q := color.RGBAModel.Convert(a.At(x, y)).(color.RGBA), color.RGBAModel.Convert(b.At(x, y)).(color.RGBA)
			for _, pair := range [][2]uint8{{p.R, q.R}, {p.G, q.G}, {p.B, q.B}} {
				sum += int(max(pair[0], pair[1]) - min(pair[0], pair[1]))
			}
		}
	}
	return float64(sum) / float64(3*size.X*size.Y)
}
