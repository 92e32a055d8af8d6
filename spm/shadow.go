package spm

import (
	"unsafe"

	"github.com/wayfront/wayfront/engine/gpu"
)

// wall is a wall that may hide things, lattice coordinates.
type wall struct{ AX, AY, BX, BY int32 }

// shadowInput is what the stages shadow.* take: they mark in the stencil what walls hide from the
// current generator (Procedure 2). A wall is a point; the attributes of the cone are the same for
// all.
type shadowInput struct {
	polygonInput
	wall                          gpu.VertexAttribute // fields of wall
	at, wedge, bounds, run, ahead gpu.VertexAttribute // fields of cone
}

var shadowPass = gpu.PassSpec[shadowInput]{
	Name: "spm shadow", Stages: []string{"spm/shadow.vert.glsl", "spm/shadow.geom.glsl", "spm/shadow.frag.glsl"},
	Defines: defines, Structs: []any{Generator{}},
}

// castShadows marks shadows with the iteration's stencil value.
func (b *sequential) castShadows(m *Map, layer int, mark uint8) {
	var c cone
	b.shadow.Draw(shadowInput{
		polygonInput: m.Extent.polygons(),
		wall:         gpu.VertexAttribute{Buffer: m.layers[layer].surface.walls},
		at:           b.ofCone(unsafe.Offsetof(c.X)),
		wedge:        b.ofCone(unsafe.Offsetof(c.Wedge)),
		bounds:       b.ofCone(unsafe.Offsetof(c.RightX)),
		run:          b.ofCone(unsafe.Offsetof(c.ToX)),
		ahead:        b.ofCone(unsafe.Offsetof(c.AheadX)),
	}, gpu.Draw{
		Target: m.targets[layer], Mode: gpu.Points, Indirect: &gpu.Indirect{Buffer: b.commands, Offset: shadowCommand},
		Stencil: &gpu.StencilState{Test: gpu.NotEqual, Ref: mark, Replace: true}, HideColor: true,
	})
}

// ofCone is a field of the current cone, the same for all vertices.
func (b *sequential) ofCone(offset uintptr) gpu.VertexAttribute {
	return gpu.VertexAttribute{Buffer: b.current, Offset: int(offset), Divisor: 1}
}
