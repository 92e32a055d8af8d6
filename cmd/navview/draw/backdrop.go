package draw

import (
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/spm"
)

// backdrop keeps what is drawn of the ground from above. That is most of a picture's cost and changes only with what view
// says, while the crowd on it moves in every frame.
type backdrop struct {
	shows  view
	drawn  int // how many times so far; 0: shows nothing yet
	colour *gpu.Texture
	depth  *gpu.Texture
	target *gpu.Target
}

// view is all that the ground's looks depend on.
type view struct {
	shown      *spm.Map
	ground     *geom.Ground
	builds     uint64 // of the layer: how often its map was made anew
	layer      int
	camera     Camera
	pixelRatio float64
	palette    Palette
	layers     Layers
}

// viewOf is what a picture shows of the ground.
func viewOf(p Picture) view {
	return view{
		shown: p.Map, ground: p.ground(), builds: p.Map.Builds(p.Layer), layer: p.Layer, camera: p.Camera, pixelRatio: p.PixelRatio, palette: p.Palette,
		layers: p.Layers & (Regions | Isolines | Obstacles),
	}
}

// holds says whether the backdrop shows what the picture wants.
func (b *backdrop) holds(p Picture) bool { return b.drawn > 0 && b.shows == viewOf(p) }

// fit makes the backdrop as large as the picture.
func (b *backdrop) fit(d *gpu.Device, width, height int) error {
	if b.target != nil {
		if w, h := b.target.Size(); w == width && h == height {
			return nil
		}
	}
	b.delete()
	var err error
	if b.colour, err = gpu.NewTexture(d, gpu.TextureSpec{Label: "backdrop", Format: gpu.RGBA8, Width: width, Height: height}); err != nil {
		return err
	}
	if b.depth, err = gpu.NewTexture(d, gpu.TextureSpec{Label: "backdrop's depth", Format: gpu.Depth32F, Width: width, Height: height}); err != nil {
		return err
	}
	b.target, err = gpu.NewTarget(d, gpu.Attachments{Color: []gpu.Attachment{{Texture: b.colour}}, Depth: &gpu.Attachment{Texture: b.depth}})
	return err
}

func (b *backdrop) delete() {
	b.target.Delete()
	b.colour.Delete()
	b.depth.Delete()
	*b = backdrop{}
}

// drawMap draws the ground from above, if the picture before did not show the same.
func (r *Renderer) drawMap(p Picture) error {
	b := &r.backdrop
	if !b.holds(p) {
		if err := b.fit(r.device, p.Camera.Width, p.Camera.Height); err != nil {
			return err
		}
		r.prepareMap(p)
		ground := p
		ground.Target = b.target
		b.target.ClearDepthStencil(1, 0)
		r.drawGroundFromAbove(ground)
		b.shows = viewOf(p)
		b.drawn++
	}
	r.device.Pass("backdrop", func() { b.target.CopyTo(p.Target) })
	return nil
}
