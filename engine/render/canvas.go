package render

import (
	"image"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Canvas is an offscreen target, larger than the picture by a factor: averaging smooths edges.
type Canvas struct {
	Oversize     int
	color, depth *gpu.Texture
	Target       *gpu.Target
}

// NewCanvas creates a canvas for pictures of a size, and larger by a factor. The error is a
// *gpu.CapacityError.
func NewCanvas(d *gpu.Device, size image.Point, oversize int) (*Canvas, error) {
	c, err := newCanvas(d, "picture", size.Mul(oversize), true)
	if err == nil {
		c.Oversize = oversize
	}
	return c, err
}

// newCanvas creates a canvas of so many pixels.
func newCanvas(d *gpu.Device, label string, size image.Point, depth bool) (*Canvas, error) {
	c := &Canvas{Oversize: 1}
	spec := gpu.TextureSpec{Label: label, Format: gpu.RGBA8, Width: size.X, Height: size.Y}
	var err error
	if c.color, err = gpu.NewTexture(d, spec); err != nil {
		return nil, err
	}
	if spec.Label, spec.Format = label+"'s depth", gpu.Depth32F; depth {
		if c.depth, err = gpu.NewTexture(d, spec); err != nil {
			c.Delete()
			return nil, err
		}
	}
	if c.Target, err = gpu.NewTarget(d, c.color, 0, c.depth); err != nil {
		c.Delete()
		return nil, err
	}
	return c, nil
}

func (c *Canvas) size() image.Point {
	w, h := c.Target.Size()
	return image.Pt(w, h)
}

// Read returns the averaged picture. It waits for the device.
func (c *Canvas) Read() *image.RGBA {
	from, n := c.Target.ReadRGBA(), c.Oversize
	if n == 1 {
		return from
	}
	to := image.NewRGBA(image.Rect(0, 0, from.Rect.Dx()/n, from.Rect.Dy()/n))
	for y := range to.Rect.Dy() {
		for x := range to.Rect.Dx() {
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

// Delete frees the canvas. Deleting none does nothing.
func (c *Canvas) Delete() {
	if c != nil {
		c.Target.Delete()
		c.color.Delete()
		c.depth.Delete()
	}
}
