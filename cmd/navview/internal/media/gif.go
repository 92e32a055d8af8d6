package media

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"io"
)

// animation encodes a GIF frame by frame. gif.EncodeAll needs all frames in memory, which half a
// minute of film would fill: each frame is encoded alone, and its blocks are copied.
//
// All frames share the palette of the first frame and the swatches. Of later frames only the
// rectangle that changes is written; equal pixels in it are transparent. There is no dithering: the
// pictures are flat, and noise compresses badly.
type animation struct {
	w        io.Writer
	size     image.Point
	fps      int
	swatches []color.RGBA
	count    int
	palette  color.Palette // 256 colors, the last one transparent
	used     int           // colors of it
	nearest  map[[3]uint8]uint8
	last     []uint8 // palette indices on the screen
	next     []uint8
}

const (
	transparent = 255                                           // index of what stays as it is
	gifHeader   = 13 + 3*256                                    // bytes: signature, screen descriptor, palette
	gifLoop     = "\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00" // the extension that repeats the film
	gifTrailer  = "\x3b"
)

// NewGIF starts a film of frames of one size. Swatches are colors that the palette contains in any
// case.
func NewGIF(w io.Writer, s image.Point, fps int, swatches []color.RGBA) *animation {
	n := s.X * s.Y
	return &animation{
		w: w, size: s, fps: fps, swatches: swatches, nearest: map[[3]uint8]uint8{},
		last: make([]uint8, n), next: make([]uint8, n),
	}
}

// Add adds a frame.
func (g *animation) Add(frame *image.RGBA) error {
	if g.count == 0 {
		g.palette = medianCut(frame, transparent, g.swatches)
		g.used = len(g.palette)
		for len(g.palette) < transparent {
			g.palette = append(g.palette, color.RGBA{A: 255})
		}
		g.palette = append(g.palette, color.RGBA{})
	}
	for i := range g.next {
		g.next[i] = g.index([3]uint8(frame.Pix[4*i:]))
	}
	err := g.write(g.changed())
	g.last, g.next = g.next, g.last
	g.count++
	return err
}

// Finish ends the film.
func (g *animation) Finish() error {
	_, err := io.WriteString(g.w, gifTrailer)
	return err
}

// index returns the nearest color of the palette, which is searched once for each color.
func (g *animation) index(c [3]uint8) uint8 {
	i, ok := g.nearest[c]
	if !ok {
		i = uint8(g.palette[:g.used].Index(color.RGBA{c[0], c[1], c[2], 255}))
		g.nearest[c] = i
	}
	return i
}

// changed returns the rectangle in which the next frame differs; at least one pixel, as an empty
// frame has no duration.
func (g *animation) changed() image.Rectangle {
	if g.count == 0 {
		return image.Rectangle{Max: g.size}
	}
	r := image.Rectangle{Min: g.size}
	for i, v := range g.next {
		if x, y := i%g.size.X, i/g.size.X; v != g.last[i] {
			r.Min.X, r.Min.Y = min(r.Min.X, x), min(r.Min.Y, y)
			r.Max.X, r.Max.Y = max(r.Max.X, x+1), max(r.Max.Y, y+1)
		}
	}
	if r.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return r
}

// write writes a rectangle of the next frame.
func (g *animation) write(r image.Rectangle) error {
	patch := image.NewPaletted(r, g.palette)
	for i := range patch.Pix {
		k := (r.Min.Y+i/r.Dx())*g.size.X + r.Min.X + i%r.Dx()
		if patch.Pix[i] = g.next[k]; g.count > 0 && g.next[k] == g.last[k] {
			patch.Pix[i] = transparent
		}
	}
	// Times are in hundredths of a second; roundings cancel over the whole film.
	delay := (g.count+1)*100/g.fps - g.count*100/g.fps
	var alone bytes.Buffer
	err := gif.EncodeAll(&alone, &gif.GIF{
		Image: []*image.Paletted{patch}, Delay: []int{delay}, Disposal: []byte{gif.DisposalNone},
		Config: image.Config{ColorModel: g.palette, Width: g.size.X, Height: g.size.Y},
	})
	if err != nil {
		return err
	}
	header, blocks := alone.Bytes()[:gifHeader], alone.Bytes()[gifHeader:alone.Len()-len(gifTrailer)]
	if g.count == 0 {
		blocks = append(append(bytes.Clone(header), gifLoop...), blocks...)
	}
	_, err = g.w.Write(blocks)
	return err
}
