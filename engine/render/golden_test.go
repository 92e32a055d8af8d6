package render

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

var update = flag.Bool("update", false, "write the pictures in testdata anew; look at them before they are committed")

// TestGolden compares small pictures with those in testdata.
func TestGolden(t *testing.T) {
	const side = 128
	for name, p := range map[string]Picture{
		"calm":     {Layers: Regions | Isolines | Obstacles | Sources},
		"paper":    {Layers: Regions | Isolines | Obstacles, Palette: PalettePaper},
		"distance": {Layers: Regions | Obstacles, Palette: PaletteDistance},
		"plain":    {Layers: Isolines | Obstacles},
		"parents":  {Layers: Isolines | Obstacles | Parents | Sources},
		"relief":   {Layers: Regions | Isolines | Obstacles | Sources, Relief: true},
		"text": {Panels: []Panel{
			{Corner: TopLeft, Lines: []string{"wayfront", "0123456789"}}, {Corner: BottomRight, Lines: []string{"alarm"}, Alarm: true, Mono: true},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			gputest.Run(t, func(d *gpu.Device) {
				scene, m := built(t, d, "concave2", 200)
				r, err := New(d)
				if err != nil {
					t.Fatal(err)
				}
				defer r.Delete()
				p.Target, p.Camera = board(t, d, side, side), Fit(scene.Min(), scene.Max(), side, side, 6)
				p.Map, p.Sources = m, scene.Goals[0].Points
				before := d.Readbacks()
				if err := r.Draw(p); err != nil {
					t.Fatal(err)
				}
				if n := d.Readbacks() - before; n != 0 {
					t.Errorf("%d read-backs", n)
				}
				golden(t, name, p.Target.ReadRGBA())
			})
		})
	}
}

// golden compares a picture with the one in testdata. Devices round differently along edges: a mean
// difference of one level of 255 is far less than any line drawn wrong makes here.
func golden(t *testing.T, name string, got *image.RGBA) {
	t.Helper()
	file := filepath.Join("testdata", name+".png")
	if *update {
		write(t, file, got)
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := png.Decode(bytes.NewReader(data))
	if err != nil || decoded.Bounds() != got.Rect {
		t.Fatalf("%s: %v, bounds %v", file, err, decoded.Bounds())
	}
	want, difference := image.NewRGBA(got.Rect), image.NewRGBA(got.Rect)
	sum := 0
	for y := range got.Rect.Dy() {
		for x := range got.Rect.Dx() {
			want.Set(x, y, decoded.At(x, y))
			i := got.PixOffset(x, y)
			for c := range 3 {
				d := max(got.Pix[i+c], want.Pix[i+c]) - min(got.Pix[i+c], want.Pix[i+c])
				difference.Pix[i+c] = d
				sum += int(d)
			}
			difference.Pix[i+3] = 255
		}
	}
	if mean := float64(sum) / float64(3*got.Rect.Dx()*got.Rect.Dy()); mean > 1 {
		folder := filepath.Join("testdata", "failed")
		write(t, filepath.Join(folder, name+"-got.png"), got)
		write(t, filepath.Join(folder, name+"-want.png"), want)
		write(t, filepath.Join(folder, name+"-diff.png"), difference)
		t.Errorf("the picture differs by %.2f levels in the mean; see %s", mean, folder)
	}
}

func write(t *testing.T, file string, m image.Image) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
