package spm

import "github.com/wayfront/wayfront/engine/gpu"

// resolveInput is what the stages resolve.* take: they draw Field from Parents.
type resolveInput struct {
	texelInput
	generators  *gpu.Buffer[Generator] `gpu:"read"`
	parents     *gpu.Texture
	base        uint32 // first record of the layer
	layer       int32
	latticeStep float32 // m
}

var resolvePass = gpu.PassSpec[resolveInput]{
	Name: "spm resolve", Stages: []string{"spm/resolve.vert.glsl", "spm/resolve.frag.glsl"}, Defines: defines,
}

// resolveLayer writes Field from Parents.
func (b *Builder) resolveLayer(m *Map, layer int) {
	b.resolve.Draw(resolveInput{
		texelInput: m.Extent.texels(), generators: m.Generators, parents: m.Parents,
		base: uint32(layer * m.Stride), layer: int32(layer), latticeStep: float32(m.lattice.Step),
	}, gpu.Draw{Target: m.fields[layer], Mode: gpu.Triangles, Count: 3, Instances: 1})
	l := &m.layers[layer]
	sources := l.sources
	if b.sequential != nil && b.sequential.most > 0 {
		sources = nil // any place may be out of reach of so few generators
	}
	b.markUnreached(m, layer, l.surface.unreached(sources))
}
