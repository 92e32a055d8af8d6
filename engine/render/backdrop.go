package render

import (
	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/spm"
)

// backdrop caches the ground from above, while the crowd on it moves: its colors, which cost most
// and change with view only, and those with obstacles on them, which may move before the map
// follows.
type backdrop struct {
	shows  view
	drawn  int // how many times so far; 0: shows nothing yet
	color  *gpu.Texture
	depth  *gpu.Texture
	target *gpu.Target

	obstacles *geom.Ground // that are on the second; nil: it is not of the colors as they are
	built     *gpu.Texture
	above     *gpu.Target
}

// view is all that the ground's colors depend on.
type view struct {
	shown      *spm.Map
	builds     uint64 // of the layer: how often its map was made anew
	layer      int
	camera     Camera
	pixelRatio float64
	palette    Palette
	layers     Layers
	draft      bool
	potential  *bvp.Harmonic // nil: regions are shown
}

// viewOf is the view of a picture.
func viewOf(p Picture) view {
	v := view{
		shown: p.Map, builds: p.Map.Builds(p.Layer), layer: p.Layer, camera: p.Camera, pixelRatio: p.PixelRatio, palette: p.Palette,
		layers: p.Layers & (Regions | Isolines), draft: p.Draft,
	}
	if p.Layers.has(Potential) {
		v.potential = p.Potential
	}
	return v
}

// holds reports whether the backdrop shows what the picture needs.
func (b *backdrop) holds(p Picture) bool { return b.drawn > 0 && b.shows == viewOf(p) }

// fit resizes the backdrop to the picture.
func (b *backdrop) fit(d *gpu.Device, width, height int) error {
	if b.target != nil {
		if w, h := b.target.Size(); w == width && h == height {
			return nil
		}
	}
	b.delete()
	for _, t := range []struct {
		texture **gpu.Texture
		label   string
		format  gpu.Format
	}{{&b.color, "backdrop", gpu.RGBA8}, {&b.depth, "backdrop's depth", gpu.Depth32F}, {&b.built, "backdrop with obstacles", gpu.RGBA8}} {
		var err error
		if *t.texture, err = gpu.NewTexture(d, gpu.TextureSpec{Label: t.label, Format: t.format, Width: width, Height: height}); err != nil {
			return err
		}
	}
	var err error
	if b.target, err = gpu.NewTarget(d, gpu.Attachments{Color: []gpu.Attachment{{Texture: b.color}}, Depth: &gpu.Attachment{Texture: b.depth}}); err != nil {
		return err
	}
	b.above, err = gpu.NewTarget(d, gpu.Attachments{Color: []gpu.Attachment{{Texture: b.built}}})
	return err
}

func (b *backdrop) delete() {
	b.target.Delete()
	b.above.Delete()
	b.color.Delete()
	b.depth.Delete()
	b.built.Delete()
	*b = backdrop{}
}

// drawMap draws the ground from above, or copies the backdrop.
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
		pass := "ground"
		if p.Draft {
			pass = "draft"
		}
		b.shows = viewOf(p)
		if b.shows.potential != nil {
			r.device.Stage("potential", func() { r.drawPotential(ground) })
		} else {
			r.device.Stage(pass, func() { r.drawGround(ground) })
		}
		b.drawn++
		b.obstacles = nil
	}
	show := b.target
	if p.Layers.has(Obstacles) {
		show = b.above
		if b.obstacles != r.shown.of {
			ground := p
			ground.Target = b.above
			b.target.CopyTo(b.above)
			r.device.Stage("obstacles", func() { r.drawObstacles(ground) })
			r.device.Stage("walls", func() { r.drawWalls(ground) })
			b.obstacles = r.shown.of
		}
	}
	r.device.Stage("backdrop", func() { show.CopyTo(p.Target) })
	return nil
}
