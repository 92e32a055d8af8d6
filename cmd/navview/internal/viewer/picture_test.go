//go:build !headless

package viewer

import (
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/image/draw"

	"github.com/wayfront/wayfront/engine/window"
)

var (
	pictures = flag.String("pictures", "", "a folder that the README's pictures of the window are written to")
	update   = flag.Bool("update", false, "write the picture in testdata anew; look at it before it is committed")
)

// TestPicture: the window looks as it did when its picture was last looked at, with an agent's mind, and
// with plots of a gate and an area.
func TestPicture(t *testing.T) {
	with(t, "plaza", func(d *desk) {
		s := d.v.studio
		s.Playing = true
		d.run(4)
		got := d.drawn.ReadRGBA()
		d.write("studio.png")
		golden(t, got)
		d.run(5)
		d.key("n")
		d.pressAt(1172, 35) // the tab Mind
		d.do(window.MoveEvent{X: 470, Y: 300})
		for range 6 {
			d.do(window.ScrollEvent{DY: 1, X: 470, Y: 300})
		}
		d.run(1)
		if m, err := s.Mind(); err != nil || m == nil || m.Why == "" {
			t.Fatalf("the agent has no mind: %v, %v", m, err)
		}
		d.write("mind.png")
		d.key("f")
		d.key("escape")
		d.tool("Gate")
		d.drag([2]float64{55, 15}, [2]float64{55, 30}, [2]float64{55, 46})
		d.tool("Area")
		d.drag([2]float64{30, 18}, [2]float64{40, 30}, [2]float64{43, 40})
		d.tool("Select")
		d.pressAt(310, 597) // the tab Plots
		d.run(16)
		if len(s.Scene().Gates) != 1 || len(s.Scene().Areas) != 1 || s.Fault != nil {
			t.Fatalf("%d gates, %d areas, %v", len(s.Scene().Gates), len(s.Scene().Areas), s.Fault)
		}
		d.write("plots.png")
	})
}

// run lets so many seconds pass, ten frames each.
func (d *desk) run(seconds int) {
	d.t.Helper()
	for range 10 * seconds {
		d.now = d.now.Add(100*time.Millisecond - time.Second/60)
		d.frames(1)
	}
}

// write writes what the window shows, if that is wanted.
func (d *desk) write(name string) {
	d.t.Helper()
	if *pictures == "" {
		return
	}
	writePNG(d.t, filepath.Join(*pictures, name), d.drawn.ReadRGBA())
}

func writePNG(t testing.TB, name string, m image.Image) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
}

// golden compares a quarter of a picture's size with testdata. Drivers round edges differently: a mean
// difference of two levels of 255 is less than a panel, or a tenth of the regions, drawn wrong makes.
func golden(t testing.TB, m *image.RGBA) {
	t.Helper()
	small := image.NewRGBA(image.Rect(0, 0, width/4, height/4))
	draw.BiLinear.Scale(small, small.Rect, m, m.Rect, draw.Src, nil)
	const file = "testdata/studio.png"
	if *update {
		writePNG(t, file, small)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			r, g, b, _ := want.At(x, y).RGBA()
			c := small.RGBAAt(x, y)
			for _, pair := range [3][2]int{{int(c.R), int(r >> 8)}, {int(c.G), int(g >> 8)}, {int(c.B), int(b >> 8)}} {
				sum += max(pair[0]-pair[1], pair[1]-pair[0])
			}
		}
	}
	if mean := float64(sum) / float64(3*small.Rect.Dx()*small.Rect.Dy()); mean > 2 {
		writePNG(t, filepath.Join(t.ArtifactDir(), "studio.png"), small)
		t.Errorf("the window differs from %s by %.2f levels in the mean; it is in the test's artifacts", file, mean)
	}
}
