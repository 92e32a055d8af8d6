package stage

import (
	"image"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Canvas is an offscreen target, larger than the picture by a factor: averaging smooths edges.
type Canvas struct {
	size     image.Point // of the picture
	Oversize int
	color    *gpu.Texture
	depth    *gpu.Texture
	Target   *gpu.Target
}

// NewCanvas creates a canvas of a size, and larger by a factor.
func NewCanvas(d *gpu.Device, s image.Point, oversize int) (*Canvas, error) {
	c := &Canvas{size: s, Oversize: oversize}
	var err error
	w, h := s.X*oversize, s.Y*oversize
	c.color, err = gpu.NewTexture(d, gpu.TextureSpec{Label: "picture", Format: gpu.RGBA8, Width: w, Height: h})
	if err == nil {
		c.depth, err = gpu.NewTexture(d, gpu.TextureSpec{Label: "picture's depth", Format: gpu.Depth32F, Width: w, Height: h})
	}
	if err == nil {
		c.Target, err = gpu.NewTarget(d, gpu.Attachments{Color: []gpu.Attachment{{Texture: c.color}}, Depth: &gpu.Attachment{Texture: c.depth}})
	}
	if err != nil {
		c.Free()
		return nil, err
	}
	return c, nil
}

// Read returns the averaged picture. It waits for the device.
func (c *Canvas) Read() *image.RGBA {
	drawn := c.Target.ReadRGBA()
	if c.Oversize == 1 {
		return drawn
	}
	return shrink(drawn, c.Oversize)
}

// shrink averages squares of n by n pixels.
func shrink(from *image.RGBA, n int) *image.RGBA {
	w, h := from.Rect.Dx()/n, from.Rect.Dy()/n
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			var sum [4]int
			for dy := range n {
				row := from.Pix[(y*n+dy)*from.Stride+4*x*n:]
				for i := range 4 * n {
					sum[i%4] += int(row[i])
				}
			}
			for i := range sum {
				to.Pix[y*to.Stride+4*x+i] = uint8((sum[i] + n*n/2) / (n * n))
			}
		}
	}
	return to
}

// Free frees the canvas.
func (c *Canvas) Free() {
	c.Target.Delete()
	c.color.Delete()
	c.depth.Delete()
}
