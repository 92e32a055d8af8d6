//go:build !headless

package viewer

import (
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
)

// TestGallery: pictures come one at a time while frames go on, in their colors; one that fails is left
// out; those of the cache are taken without a program; Enter opens the scene that was filtered.
func TestGallery(t *testing.T) {
	with(t, room, func(d *desk) {
		var going, most atomic.Int32
		drawn := make(chan string, 100)
		magenta := image.NewUniform(color.RGBA{0xff, 0, 0xff, 0xff})
		d.v.gallery.draw = func(_ context.Context, scene, file string) error {
			most.Store(max(most.Load(), going.Add(1)))
			defer going.Add(-1)
			drawn <- scene
			if scene == "plaza" {
				return errors.New("it cannot be drawn")
			}
			m := image.NewRGBA(image.Rect(0, 0, cardWidth, cardHeight))
			draw.Draw(m, m.Rect, magenta, image.Point{}, draw.Src)
			writePNG(t, file, m)
			return nil
		}
		d.key("ctrl+g")
		for i := 0; i < 500 && len(drawn) < 7; i++ {
			d.frames(1)
			time.Sleep(time.Millisecond) // other programs have no frames
		}
		d.frames(3)
		if most.Load() != 1 || len(drawn) < 7 {
			t.Fatalf("%d pictures, %d at once", len(drawn), most.Load())
		}
		got := d.drawn.ReadRGBA()
		d.write("gallery.png")
		pink := 0
		for i := 0; i < len(got.Pix); i += 4 {
			if got.Pix[i] == 0xff && got.Pix[i+1] == 0 && got.Pix[i+2] == 0xff {
				pink++
			}
		}
		// Of seven scenes one failed, and the last row may be cut off at the lower edge.
		if pink < 5*cardWidth*cardHeight || len(d.v.gallery.shown) < 7 || d.v.gallery.shown["plaza"] != nil {
			t.Errorf("%d pixels of pictures, %d known", pink, len(d.v.gallery.shown))
		}
		var names []string
		for len(drawn) > 0 {
			names = append(names, <-drawn)
		}
		slices.Sort(names)
		if len(slices.Compact(names)) < 7 {
			t.Errorf("scenes are drawn twice: %v", names)
		}
		again := newGallery(d.v.device, 1)
		again.draw = d.v.gallery.draw
		defer again.close()
		if again.picture("plaza") != nil || again.going != "plaza" {
			t.Error("what failed is not tried again by another program")
		}
		if other := names[0]; again.picture(other) == nil && other != "plaza" {
			t.Errorf("the cache does not have %s", other)
		}
		d.text("scher-1")
		d.key("enter")
		d.frames(2)
		if got := d.v.studio.Scene().Name; got != "fischer-1" {
			t.Errorf("opened %q", got)
		}
	})
}

// TestCopyCommand: the palette copies a line, and a notice says where it makes something else.
func TestCopyCommand(t *testing.T) {
	with(t, room, func(d *desk) {
		s := d.v.studio
		d.key("ctrl+p")
		d.frames(3)
		d.text("nd: film")
		d.key("enter")
		d.frames(2)
		if want := s.Commands()[1].String(); d.clipboard != want || !strings.Contains(want, "record "+s.Doc.File()) {
			t.Errorf("copied %q, want %q", d.clipboard, want)
		}
		for i, c := range s.Commands() {
			if d.v.copyCommand(i); d.clipboard != c.String() || c.Name != studio.CommandNames[i] {
				t.Errorf("%s: copied %q, want %q", studio.CommandNames[i], d.clipboard, c)
			}
		}
		s.Select(studio.Ref{List: studio.Obstacles, Index: 0, Item: -1})
		d.key("delete")
		if d.v.copyCommand(0); !strings.Contains(s.Notice(), "save") {
			t.Errorf("what no file has: %q", s.Notice())
		}
	})
}
