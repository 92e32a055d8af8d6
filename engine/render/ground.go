package render

import (
	"github.com/wayfront/wayfront/engine/gpu"
)

// Cone is the region of points that a generator reaches on the shortest path. 48 bytes, std430.
type Cone struct {
	Position [2]float32 // m from the domain's corner
	Along    [2]float32 // from its parent to it: the direction of one border of the cone; of a beam the leg from end to end
	Wall     [2]float32 // along the wall that hides what lies beyond: the direction of the other
	Distance float32    // of the generator from the nearest source, m
	Turn     float32    // which way paths turn at it: 1 left, -1 right, 0 a source, whose cone is all around, 2 a beam
	Parent   uint32     // index in the layer, or spm.NoParent; then the parent's parent, and that one's
	Second   uint32
	Third    uint32
	Tint     uint32 // number of its color
}

// prepareMap computes cones, and the greatest distance if the picture needs it.
func (r *Renderer) prepareMap(p Picture) {
	r.peak.Bind(bindPeak)
	if p.Relief || p.Palette == PaletteDistance {
		r.device.Pass("peak", func() {
			r.device.Barrier(gpu.BarrierUpdate)
			r.peak.Clear()
			p.Map.Field.Bind(unitField)
			peak := r.programs["render peak"]
			peak.Set("mapLayer", p.Layer)
			peak.Dispatch(gpu.Groups(p.Map.Extent.Columns, 8), gpu.Groups(p.Map.Extent.Rows, 8), 1)
			r.device.Barrier(gpu.BarrierVertex | gpu.BarrierStorage)
		})
	}
	r.device.Pass("cones", func() {
		p.Map.Generators.Bind(bindGenerators)
		r.cones.Bind(bindCones)
		r.tree.Bind(bindTree)
		cones := r.programs["render cones"]
		cones.Set("latticeStep", float32(r.shown.of.Lattice.Step))
		cones.Set("generatorBase", p.Layer*p.Map.Stride)
		cones.Set("generatorCount", p.Map.Stride)
		cones.Dispatch(gpu.Groups(p.Map.Stride, group), 1, 1)
		r.device.Barrier(gpu.BarrierStorage | gpu.BarrierVertex)
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
	r.bindMap(p)
	window := p.Camera.window(r.shown.of.Lattice.Origin)
	draw := func(name string, write bool) {
		program := r.programs[name]
		r.setGround(program, p)
		program.Set("window", window)
		r.device.Draw(gpu.Draw{
			Program: program, Target: p.Target, Mode: gpu.Triangles, Count: 3, Instances: 1,
			Depth: gpu.DepthState{Test: gpu.Less, Write: write},
		})
	}
	if p.Draft {
		draw("render draft", false)
		return
	}
	draw("render ground", true)
	draw("render borders", false) // what the first leaves
}

// bindMap binds the inputs of the ground's programs.
func (r *Renderer) bindMap(p Picture) {
	r.cones.Bind(bindCones)
	p.Map.Parents.Bind(unitParents)
	p.Map.Field.Bind(unitField)
}

// setGround sets the uniforms of render/ground.frag.glsl.
func (r *Renderer) setGround(program *gpu.Program, p Picture) {
	size := r.shown.of.Lattice.Local(r.shown.of.Lattice.Size)
	program.Set("mapLayer", p.Layer)
	program.Set("mapCell", float32(p.Map.Extent.Cell))
	program.Set("domainSize", size)
	program.Set("palette", p.Palette.number())
	program.Set("regionShare", share(p.Layers.has(Regions)))
	step := 0.0
	if p.Layers.has(Isolines) {
		step = p.Camera.isolineStep(isolineGap * p.PixelRatio)
	}
	program.Set("isolineStep", float32(step))
	program.Set("pixelRatio", float32(p.PixelRatio))
}

const (
	isolineGap = 26  // nominal pixels between isolines, at least
	wallWidth  = 1.3 // nominal pixels
	treeWidth  = 1.2 // nominal pixels
	treeCasing = 2.8
	treeRadius = 2.6 // of the marks on corners
)

func share(on bool) float32 {
	if on {
		return 1
	}
	return 0
}
