package spm

import (
	"unsafe"

	"github.com/wayfront/wayfront/engine/gpu"
)

// triangle is a free triangle, lattice coordinates, counter-clockwise.
type triangle struct{ AX, AY, BX, BY, CX, CY int32 }

// coverInput is what the stages cover.* take: they mark texels of free triangles that no source
// reaches. Attributes are fields of triangle.
type coverInput struct {
	polygonInput
	parents *gpu.Texture
	a, b, c gpu.VertexAttribute
	layer   int32
}

var coverPass = gpu.PassSpec[coverInput]{
	Name: "spm cover", Stages: []string{"spm/cover.vert.glsl", "spm/cover.geom.glsl", "spm/cover.frag.glsl"}, Defines: defines,
}

// markUnreached marks free texels that no source reaches. Resolving has taken all texels without a
// generator for obstacles.
func (b *Builder) markUnreached(m *Map, layer int, all []triangle) {
	if len(all) == 0 {
		return
	}
	b.unreached.Write(0, all)
	var t triangle
	attribute := func(offset uintptr) gpu.VertexAttribute {
		return gpu.VertexAttribute{Buffer: b.unreached, Offset: int(offset)}
	}
	b.cover.Draw(coverInput{
		polygonInput: m.Extent.polygons(), parents: m.Parents, layer: int32(layer),
		a: attribute(unsafe.Offsetof(t.AX)), b: attribute(unsafe.Offsetof(t.BX)), c: attribute(unsafe.Offsetof(t.CX)),
	}, gpu.Draw{Target: m.fields[layer], Mode: gpu.Points, Count: len(all), Instances: 1})
}
