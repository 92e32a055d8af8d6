package spm

import (
	"unsafe"

	"github.com/wayfront/wayfront/engine/gpu"
)

// coneInput is what the stages cone.* take: they draw the current cone where no shadow is marked
// (Procedure 3). Attributes are fields of cone.
type coneInput struct {
	polygonInput
	at, sector, kind, wedge, bounds, position, apexDistance, index, ahead gpu.VertexAttribute

	depthScale float32
	domain     [2]int32 // its upper right corner
}

var conePass = gpu.PassSpec[coneInput]{
	Name: "spm cone", Stages: []string{"spm/cone.vert.glsl", "spm/cone.geom.glsl", "spm/cone.frag.glsl"},
	Defines: defines, Structs: []any{Generator{}},
}

// drawCone draws the current cone where the stencil does not have the iteration's value.
func (b *sequential) drawCone(m *Map, layer int, mark uint8) {
	g := m.Ground(layer)
	var c cone
	b.cone.Draw(coneInput{
		polygonInput: m.Extent.polygons(),
		at:           b.ofCone(unsafe.Offsetof(c.X)),
		sector:       b.ofCone(unsafe.Offsetof(c.FromX)),
		kind:         b.ofCone(unsafe.Offsetof(c.Kind)),
		wedge:        b.ofCone(unsafe.Offsetof(c.Wedge)),
		bounds:       b.ofCone(unsafe.Offsetof(c.RightX)),
		position:     b.ofCone(unsafe.Offsetof(c.Position)),
		apexDistance: b.ofCone(unsafe.Offsetof(c.Distance)),
		index:        b.ofCone(unsafe.Offsetof(c.Index)),
		ahead:        b.ofCone(unsafe.Offsetof(c.AheadX)),
		depthScale:   depthScale(g),
		domain:       [2]int32{g.Lattice.Size.X, g.Lattice.Size.Y},
	}, gpu.Draw{
		Target: m.targets[layer], Mode: gpu.Points, Indirect: &gpu.Indirect{Buffer: b.commands, Offset: coneCommand},
		Depth:   gpu.DepthState{Test: gpu.Less, Write: true},
		Stencil: &gpu.StencilState{Test: gpu.NotEqual, Ref: mark},
	})
}
