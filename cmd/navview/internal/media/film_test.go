package media

import (
	"bytes"
	"image"
	"image/color"
	stdgif "image/gif"
	"testing"
)

// moving draws frame i of a small film: a red square that steps over a ground of two halves.
func moving(s image.Point, i int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, s.X, s.Y))
	for y := range s.Y {
		for x := range s.X {
			c := color.RGBA{230, 230, 220, 255}
			if x > s.X/2 {
				c = color.RGBA{40, 90, 160, 255}
			}
			if x >= 4*i && x < 4*i+6 && y >= 3 && y < 9 {
				c = color.RGBA{200, 20, 30, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

// TestGIF plays what was written with the standard library's decoder and compares every pixel:
// the film has few colors, so that nothing may be lost.
func TestGIF(t *testing.T) {
	s := image.Pt(37, 23) // odd on purpose: rows and sub-blocks end anywhere
	const frames, fps = 7, 30
	var file bytes.Buffer
	g := NewGIF(&file, s, fps, nil)
	for i := range frames {
		if err := g.Add(moving(s, min(i, 4))); err != nil { // the last frames stand still
			t.Fatal(err)
		}
	}
	if err := g.Finish(); err != nil {
		t.Fatal(err)
	}

	played, err := stdgif.DecodeAll(&file)
	if err != nil {
		t.Fatal(err)
	}
	if len(played.Image) != frames || played.LoopCount != 0 {
		t.Fatalf("%d frames, loop count %d", len(played.Image), played.LoopCount)
	}
	screen := image.NewRGBA(image.Rect(0, 0, s.X, s.Y))
	total := 0
	for i, part := range played.Image {
		total += played.Delay[i]
		for y := part.Rect.Min.Y; y < part.Rect.Max.Y; y++ {
			for x := part.Rect.Min.X; x < part.Rect.Max.X; x++ {
				if part.ColorIndexAt(x, y) != transparent {
					screen.Set(x, y, part.At(x, y))
				}
			}
		}
		if want := moving(s, min(i, 4)); !bytes.Equal(screen.Pix, want.Pix) {
			t.Fatalf("frame %d differs", i)
		}
	}
	if total != frames*100/fps {
		t.Errorf("the film takes %d hundredths of a second, not %d", total, frames*100/fps)
	}
}

// TestFilmSize: the largest frames of H.264 are filmed, one more row or column of blocks is
// refused.
func TestFilmSize(t *testing.T) {
	for _, s := range []image.Point{{8192, 4352}, {4352, 8192}, {16384, 2176}, {2, 2}} {
		if err := Filmable(".mp4", s); err != nil {
			t.Error(err)
		}
	}
	for _, s := range []image.Point{{8192, 4354}, {8194, 4352}, {16384, 2178}} {
		if err := Filmable(".mp4", s); err == nil {
			t.Errorf("%v is said to be filmed", s)
		}
	}
}

// TestMedianCut: swatches are kept, no more colors than asked for, and a smooth picture stays
// close to itself.
func TestMedianCut(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 64, 64))
	for y := range 64 {
		for x := range 64 {
			m.SetRGBA(x, y, color.RGBA{uint8(4 * x), uint8(4 * y), 128, 255})
		}
	}
	swatch := color.RGBA{1, 2, 3, 255}
	palette := medianCut(m, 255, []color.RGBA{swatch, swatch})
	if len(palette) > 255 || palette[0] != swatch || palette[1] == swatch {
		t.Fatalf("%d colors, the first %v and %v", len(palette), palette[0], palette[1])
	}
	// 254 boxes share a square of 252 by 252: none needs to be wider than 252/15 by 252/15, twice
	// that where cuts fall unevenly, and a mean is at most half as far from any color in its box.
	const bound = 252 / 15
	for y := range 64 {
		for x := range 64 {
			want := m.RGBAAt(x, y)
			got := palette.Convert(want).(color.RGBA)
			if d := max(diff(want.R, got.R), diff(want.G, got.G), diff(want.B, got.B)); d > bound {
				t.Fatalf("%v became %v", want, got)
			}
		}
	}
}

func diff(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
