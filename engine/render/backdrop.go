package render

import (
	"image"

	"github.com/wayfront/wayfront/bvp/harmonic"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/spm"
)

// backdrop caches the ground from above, while the crowd on it moves: its colors, which cost most
// and change with view only, and those with obstacles on them, which may move before the map
// follows.
type backdrop struct {
	shows  view // on the first canvas
	drawn  int  // how many times so far; 0: shows nothing yet
	ground *Canvas

	obstacles *geom.Ground // that are on the second; nil: it is not of the colors as they are
	built     *Canvas
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
	potential  *harmonic.Map // nil: regions are shown
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
func (b *backdrop) fit(d *gpu.Device, size image.Point) (err error) {
	if b.ground != nil && b.ground.size() == size {
		return nil
	}
	b.delete()
	if b.ground, err = newCanvas(d, "backdrop", size, true); err == nil {
		b.built, err = newCanvas(d, "backdrop with obstacles", size, false)
	}
	return err
}

func (b *backdrop) delete() {
	b.ground.Delete()
	b.built.Delete()
	*b = backdrop{}
}

// drawMap draws the ground from above, or copies the backdrop.
func (r *Renderer) drawMap(p Picture) error {
	b := &r.backdrop
	if !b.holds(p) {
		if err := b.fit(r.device, image.Pt(p.Camera.Width, p.Camera.Height)); err != nil {
			return err
		}
		r.prepareMap(p)
		ground := p
		ground.Target = b.ground.Target
		b.ground.Target.ClearDepthStencil(1, 0)
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
	show := b.ground
	if p.Layers.has(Obstacles) {
		show = b.built
		if b.obstacles != r.shown.of {
			ground := p
			ground.Target = b.built.Target
			b.ground.Target.CopyTo(b.built.Target)
			r.device.Stage("obstacles", func() { r.drawObstacles(ground) })
			r.device.Stage("walls", func() { r.drawWalls(ground) })
			b.obstacles = r.shown.of
		}
	}
	r.device.Stage("backdrop", func() { show.Target.CopyTo(p.Target) })
	return nil
}
