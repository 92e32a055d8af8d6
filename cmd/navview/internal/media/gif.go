package media

import (
	"bufio"
	"compress/lzw"
	"encoding/binary"
	"image"
	"image/color"
	"io"
)

// gif writes an animated GIF frame by frame (image/gif wants all frames at once, and half a minute of film would fill the
// memory). All frames share one palette, taken from the first frame and the colours that are sure to come. Of later
// frames only the rectangle that changes is written, and what stays the same in it is transparent. Nothing is dithered:
// the pictures are flat, and noise would neither look nor compress well.
type gif struct {
	w        *bufio.Writer
	size     image.Point
	fps      int
	swatches []color.RGBA
	count    int
	palette  color.Palette
	nearest  map[uint32]uint8
	last     []uint8 // palette indices on the screen
	next     []uint8
	patch    []uint8
}

// transparent is the palette index of what stays as it is.
const transparent = 255

func NewGIF(w io.Writer, s image.Point, fps int, swatches []color.RGBA) *gif {
	n := s.X * s.Y
	return &gif{
		w: bufio.NewWriter(w), size: s, fps: fps, swatches: swatches, nearest: map[uint32]uint8{},
		last: make([]uint8, n), next: make([]uint8, n), patch: make([]uint8, 0, n),
	}
}

func (g *gif) Add(frame *image.RGBA) error {
	if g.count == 0 {
		g.palette = medianCut(frame, transparent, g.swatches)
		g.start()
	}
	for i := range g.next {
		g.next[i] = g.index(frame.Pix[4*i], frame.Pix[4*i+1], frame.Pix[4*i+2])
	}
	g.image(g.changed())
	g.last, g.next = g.next, g.last
	g.count++
	_, err := g.w.Write(nil) // the buffered writer keeps the first error
	return err
}

func (g *gif) Finish() error {
	g.w.WriteByte(0x3b) // trailer
	return g.w.Flush()
}

// index finds the nearest colour of the palette; asked once a colour.
func (g *gif) index(r, gr, b uint8) uint8 {
	key := uint32(r)<<16 | uint32(gr)<<8 | uint32(b)
	i, ok := g.nearest[key]
	if !ok {
		i = uint8(g.palette.Index(color.RGBA{r, gr, b, 255}))
		g.nearest[key] = i
	}
	return i
}

// start writes the header, the palette as the global colour table, and the extension that makes viewers repeat the film.
func (g *gif) start() {
	h := []byte("GIF89a")
	h = binary.LittleEndian.AppendUint16(h, uint16(g.size.X))
	h = binary.LittleEndian.AppendUint16(h, uint16(g.size.Y))
	h = append(h, 0xf7, 0, 0) // a global table of 256 colours
	for i := range 256 {
		var c color.RGBA
		if i < len(g.palette) {
			c = g.palette[i].(color.RGBA)
		}
		h = append(h, c.R, c.G, c.B)
	}
	h = append(h, 0x21, 0xff, 11)
	h = append(h, "NETSCAPE2.0"...)
	h = append(h, 3, 1, 0, 0, 0)
	g.w.Write(h)
}

// changed is the rectangle in which the next frame differs from the screen; one pixel where nothing does, so that the
// frame's time still passes.
func (g *gif) changed() image.Rectangle {
	if g.count == 0 {
		return image.Rect(0, 0, g.size.X, g.size.Y)
	}
	r := image.Rectangle{Min: image.Pt(g.size.X, g.size.Y)}
	for y := range g.size.Y {
		for x := range g.size.X {
			if i := y*g.size.X + x; g.next[i] != g.last[i] {
				r.Min.X, r.Min.Y = min(r.Min.X, x), min(r.Min.Y, y)
				r.Max.X, r.Max.Y = max(r.Max.X, x+1), max(r.Max.Y, y+1)
			}
		}
	}
	if r.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return r
}

// image writes the rectangle of the next frame.
func (g *gif) image(r image.Rectangle) {
	g.patch = g.patch[:0]
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			i := y*g.size.X + x
			if g.count > 0 && g.next[i] == g.last[i] {
				g.patch = append(g.patch, transparent)
			} else {
				g.patch = append(g.patch, g.next[i])
			}
		}
	}
	// Times are in hundredths of a second. Each frame gets what keeps the film's whole length right.
	delay := (g.count+1)*100/g.fps - g.count*100/g.fps
	h := []byte{0x21, 0xf9, 4, 1<<2 | 1} // leave in place; a transparent colour
	h = binary.LittleEndian.AppendUint16(h, uint16(delay))
	h = append(h, transparent, 0, 0x2c)
	for _, v := range []int{r.Min.X, r.Min.Y, r.Dx(), r.Dy()} {
		h = binary.LittleEndian.AppendUint16(h, uint16(v))
	}
	h = append(h, 0, 8) // no local table; codes start at 8 bits
	g.w.Write(h)
	blocks := &blocks{w: g.w}
	code := lzw.NewWriter(blocks, lzw.LSB, 8)
	_, _ = code.Write(g.patch) // g.w keeps the first error
	_ = code.Close()
	blocks.end()
}

// blocks cuts a stream into sub-blocks of at most 255 bytes, each after its length, with an empty one at the end.
type blocks struct {
	w    *bufio.Writer
	held []byte
}

func (b *blocks) Write(p []byte) (int, error) {
	b.held = append(b.held, p...)
	for len(b.held) >= 255 {
		b.block(255)
	}
	return len(p), nil
}

func (b *blocks) block(n int) {
	b.w.WriteByte(uint8(n))
	b.w.Write(b.held[:n])
	b.held = append(b.held[:0], b.held[n:]...)
}

func (b *blocks) end() {
	if len(b.held) > 0 {
		b.block(len(b.held))
	}
	b.w.WriteByte(0)
}
