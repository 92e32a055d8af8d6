package main

import (
	"encoding/json"
	"image"
	_ "image/gif"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
	"github.com/wayfront/wayfront/cmd/navview/internal/measuring"
	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/edit"
)

// TestCommandsOfTheStudio: the lines that the studio copies make the same pixels and numbers.
func TestCommandsOfTheStudio(t *testing.T) {
	file := filepath.Join(t.TempDir(), "it's a passage.json")
	if err := os.WriteFile(file, []byte(passage), 0o600); err != nil {
		t.Fatal(err)
	}
	runtime.LockOSThread() // which the context is of
	defer runtime.UnlockOSThread()
	err := device.With(&console.Session{Stderr: io.Discard, Context: "headless"}, func(h *device.Host) error {
		d := h.Device
		doc := edit.Opened(file, []byte(passage))
		if err := doc.Change("measure", func(to *scenes.Scene) error {
			to.Gates = []scenes.Gate{{ID: "gap", Line: scenes.Segment{{0, -1}, {0, 1}}}}
			to.Areas = []scenes.Area{{ID: "west", Rect: scenes.Rect{-9, -3, -1, 3}}}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		s, err := studio.New(d, doc, worldview.Look{Layers: render.Regions | render.Obstacles | render.Sources | render.Agents, Palette: render.PaletteCalm})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if c := s.Commands()[0]; !strings.Contains(c.Note, "save") || !strings.HasPrefix(c.String(), `navview render '`) || !strings.Contains(c.String(), `it'\''s a passage.json' `) {
			t.Errorf("%q, %s", c.Note, c)
		}
		if err := os.WriteFile(file, doc.Text(), 0o600); err != nil {
			t.Fatal(err)
		}
		doc.Wrote(file)
		s.Camera.Width, s.Camera.Height = 400, 240
		s.Fit()
		s.Camera.Zoom(1.7, 150, 100, [2]float64{1, 1e3})
		for range 70 {
			if err := s.Step(); err != nil {
				t.Fatal(err)
			}
		}
		s.Measure.From, s.Measure.To = 1, 3
		all := s.Commands()
		for _, c := range all {
			if c.Note != "" {
				t.Errorf("%s: %s", c.Name, c.Note)
			}
		}
		sameMeasures(t, s, all[3].Args)
		samePicture(t, d, s, all[0].Args)
		call{args: all[2].Args}.run(t).done(t)
		film := call{args: append(all[1].Args, "--fps", "0")}.run(t)
		if !strings.Contains(film.stderr, "--fps 0") {
			t.Errorf("the film's flags: %s", film.stderr) // all but the wrong one are good
		}
		s.Camera = s.Camera.Tilted()
		s.Camera.Orbit(120, 30)
		all = s.Commands()
		samePicture(t, d, s, all[0].Args)
		sameStreet(t, s, all)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sameMeasures compares what a command prints with the studio's numbers.
func sameMeasures(t *testing.T, s *studio.Studio, args []string) {
	t.Helper()
	want, err := s.Measure.Report()
	if err != nil {
		t.Fatal(err)
	}
	var got measuring.Report
	if err := json.Unmarshal([]byte(call{args: args}.run(t).done(t).stdout), &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) || got.From != 1 || len(got.Areas) != 1 {
		t.Errorf("measured\n%+v\nwant\n%+v", got, want)
	}
}

// sameStreet compares the first frame of a film of a street with a picture of the beginning, as far as a
// GIF has its colors.
func sameStreet(t *testing.T, s *studio.Studio, all []studio.Command) {
	t.Helper()
	folder := t.TempDir()
	film, picture := filepath.Join(folder, "film.gif"), filepath.Join(folder, "picture.png")
	call{args: append(all[1].Args, "-o", film, "--duration", "100ms", "--fps", "10")}.run(t).done(t)
	call{args: append(all[0].Args, "-o", picture, "--at", "0s")}.run(t).done(t)
	var m [2]image.Image
	for i, name := range []string{film, picture} {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if m[i], _, err = image.Decode(f); err != nil {
			t.Fatal(err)
		}
	}
	sum, size := 0.0, m[1].Bounds()
	for y := range size.Dy() {
		for x := range size.Dx() {
			r, g, b, _ := m[0].At(x, y).RGBA()
			R, G, B, _ := m[1].At(x, y).RGBA()
			for _, d := range [3]float64{float64(r) - float64(R), float64(g) - float64(G), float64(b) - float64(B)} {
				sum += math.Abs(d) / 257
			}
		}
	}
	// 256 colors of a picture are nearer to it than 6 of 255 levels; the map from above is not.
	if mean := sum / float64(3*size.Dx()*size.Dy()); mean > 6 || m[0].Bounds() != size {
		t.Errorf("the film differs from the picture by %.1f levels", mean)
	}
}

// samePicture compares what a command draws with what the studio does, twice as fine as commands do.
func samePicture(t *testing.T, d *gpu.Device, s *studio.Studio, args []string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "picture.png")
	call{args: append(args, "-o", out)}.run(t).done(t)
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	c, err := render.NewCanvas(d, got.Bounds().Size(), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Delete()
	p := render.Picture{Target: c.Target, Camera: s.Camera, PixelRatio: 2}
	p.Camera.Width, p.Camera.Height, p.Camera.Scale = 2*p.Camera.Width, 2*p.Camera.Height, 2*p.Camera.Scale
	if err := s.View.Draw(p); err != nil {
		t.Fatal(err)
	}
	want, differ := c.Read(), 0
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			r, g, b, _ := got.At(x, y).RGBA()
			w := want.RGBAAt(x, y)
			if r>>8 != uint32(w.R) || g>>8 != uint32(w.G) || b>>8 != uint32(w.B) {
				differ++
			}
		}
	}
	if differ > 0 || want.Bounds() != got.Bounds() {
		t.Errorf("%d pixels of %v differ", differ, got.Bounds())
	}
}
