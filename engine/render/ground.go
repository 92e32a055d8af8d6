package render

import (
	"github.com/wayfront/wayfront/engine/gpu"
)

// Cone is the region of points that a generator reaches on the shortest path. 48 bytes, std430.
type Cone struct {
	Position [2]float32 // m from the domain's corner
	Along    [2]float32 // from its parent, a border of the cone; of a light field its segment
	Wall     [2]float32 // along the wall that hides what lies beyond: the direction of the other
	Distance float32    // of the generator from the nearest source, m
	Turn     float32    // of paths: 1 left, -1 right, 0 a source, whose cone is all around, 2 a light field
	Parent   uint32     // in the layer, or spm.NoParent; then the parent's, and that one's
	Second   uint32
	Third    uint32
	Tint     uint32 // number of its color
}

// prepareMap computes cones, and the greatest distance if the picture needs it.
func (r *Renderer) prepareMap(p Picture) {
	if p.Relief || p.Palette == PaletteDistance {
		r.device.Stage("peak", func() {
			r.peak.Clear()
			r.passes.peak.Run(peakInput{peak: r.peak, field: p.Map.Field, mapLayer: int32(p.Layer)},
				gpu.Groups(p.Map.Extent.Columns, 8), gpu.Groups(p.Map.Extent.Rows, 8))
		})
	}
	r.device.Stage("cones", func() {
		r.passes.cones.Run(conesInput{
			generators: p.Map.Generators, cones: r.cones, tree: r.tree, feet: r.feet,
			generatorBase: uint32(p.Layer * p.Map.Stride), generatorCount: uint32(p.Map.Stride),
			latticeStep: float32(r.shown.of.Lattice.Step),
		}, gpu.Groups(p.Map.Stride, group))
	})
}

// fillMapped fills the map's obstacles, so that costlier pixels are free ground only. Where the
// picture shows fewer obstacles, the ground is too near to one or not yet computed.
func (r *Renderer) fillMapped(p Picture) {
	under := unreached
	if p.Margin {
		under = margin
	}
	r.fill(p, r.mapped, under, gpu.DepthState{Test: gpu.Always, Write: true})
}

// drawGround draws the colors of the ground, the map's obstacles first.
func (r *Renderer) drawGround(p Picture) {
	r.fillMapped(p)
	in := groundInput{mapInput: p.mapInput(), colorInput: r.colors(p), window: p.Camera.window(r.shown.of.Lattice.Origin)}
	draw := func(pass *gpu.Pass[groundInput], write bool) {
		pass.Draw(in, gpu.Draw{
			Target: p.Target, Mode: gpu.Triangles, Count: 3, Instances: 1, Depth: gpu.DepthState{Test: gpu.Less, Write: write},
		})
	}
	if p.Draft {
		draw(r.draft, false)
		return
	}
	draw(r.ground, true)
	draw(r.borders, false) // what the first leaves
}

// mapInput reads the layer that the picture shows.
func (p *Picture) mapInput() mapInput {
	return mapInput{field: p.Map.Field, mapLayer: int32(p.Layer), mapCell: float32(p.Map.Extent.Cell), pixelRatio: float32(p.PixelRatio)}
}

// colors returns what the ground is colored from.
func (r *Renderer) colors(p Picture) colorInput {
	step := 0.0
	if p.Layers.has(Isolines) {
		step = p.Camera.isolineStep(isolineGap * p.PixelRatio)
	}
	return colorInput{
		cones: r.cones, peak: r.peak, parents: p.Map.Parents,
		domainSize: r.shown.of.Lattice.Local(r.shown.of.Lattice.Size), palette: p.Palette.number(),
		regionShare: share(p.Layers.has(Regions)), isolineStep: float32(step),
	}
}

const (
	isolineGap = 26  // nominal pixels between isolines, at least
	wallWidth  = 1.3 // nominal pixels
	treeWidth  = 1.2 // nominal pixels
	treeCasing = 2.8
	treeRadius = 2.6 // of the marks on corners
	footRadius = 6.5 // of those on critical points: wider than a segment with its casing
)

func share(on bool) float32 {
	if on {
		return 1
	}
	return 0
}
