package spm

import (
	"unsafe"

	"github.com/wayfront/wayfront/engine/gpu"
)

// resolveInput is what the stages resolve.* take: they draw Field from Parents.
type resolveInput struct {
	texelInput
	generators  *gpu.Buffer[Generator] `gpu:"read"`
	parents     *gpu.Texture
	base        uint32 // first record of the layer
	layer       int32
	latticeStep float32 // m
}

// coverInput is what the stages cover.* take: they mark texels of free triangles that no source
// reaches. Attributes are fields of triangle.
type coverInput struct {
	polygonInput
	parents *gpu.Texture
	a, b, c gpu.VertexAttribute
	layer   int32
}

// resolveLayer writes Field from Parents: texels without a generator are in obstacles, or in free
// triangles that no source reaches.
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
	unreached := l.surface.unreached(sources)
	if len(unreached) == 0 {
		return
	}
	b.unreached.Write(0, unreached)
	var t triangle
	of := fieldsOf(b.unreached, 0)
	b.cover.Draw(coverInput{
		polygonInput: m.Extent.polygons(), parents: m.Parents, layer: int32(layer),
		a: of(unsafe.Offsetof(t.AX)), b: of(unsafe.Offsetof(t.BX)), c: of(unsafe.Offsetof(t.CX)),
	}, gpu.Draw{Target: m.fields[layer], Mode: gpu.Points, Count: len(unreached), Instances: 1})
}

// fieldsOf gives attributes of the elements of a buffer by their offset. With the divisor 1 all
// vertices have those of the first element.
func fieldsOf(b gpu.Storage, divisor int) func(offset uintptr) gpu.VertexAttribute {
	return func(offset uintptr) gpu.VertexAttribute {
		return gpu.VertexAttribute{Buffer: b, Offset: int(offset), Divisor: divisor}
	}
}
