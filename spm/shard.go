package spm

import (
	"unsafe"

	"github.com/wayfront/wayfront/engine/gpu"
)

// shard is a lit part of a triangle as it is drawn, with all that drawing needs.
type shard struct {
	Position [2]float32 // of the generator
	Distance float32    // of the generator
	Index    uint32     // of the generator
	X, Y     int32      // of the generator, lattice
	// The triangle. Light came in between C and A; where it began on a source segment C is B.
	AX, AY, BX, BY, CX, CY       int32
	RightX, RightY, LeftX, LeftY int32
	AheadX, AheadY               int32 // direction of a light field; zero where rays part from X, Y
	// Where there are no rays, and Right is X, Y, the box from Left to Ahead holds all that the
	// generator can win.
}

// shardInput is what the stages shard.* take: they draw the lit parts of triangles, one point each.
// Attributes are fields of shard.
type shardInput struct {
	polygonInput
	position, apexDistance, index, at, ab, c, bounds, ahead gpu.VertexAttribute

	depthScale float32
}

// draw draws what a slot's generators light into a layer of a map. The nearest generator of a texel
// wins. Of several at the same distance that of the lowest index does: shards are sorted by
// generator, and the depth test is strict, so that the first one drawn stays.
func (w *wavefront) draw(m *Map, layer int, c *collected, slot int) {
	target := m.targets[layer]
	target.ClearColor(float64(NoParent))
	target.ClearDepthStencil(1, 0)
	var s shard
	for i := range c.pieces.count {
		of := fieldsOf(c.shards[i/c.pieces.inPage], 0)
		w.shard.Draw(shardInput{
			polygonInput: m.Extent.polygons(),
			position:     of(unsafe.Offsetof(s.Position)),
			apexDistance: of(unsafe.Offsetof(s.Distance)),
			index:        of(unsafe.Offsetof(s.Index)),
			at:           of(unsafe.Offsetof(s.X)),
			ab:           of(unsafe.Offsetof(s.AX)),
			c:            of(unsafe.Offsetof(s.CX)),
			bounds:       of(unsafe.Offsetof(s.RightX)),
			ahead:        of(unsafe.Offsetof(s.AheadX)),
			depthScale:   depthScale(m.Ground(layer)),
		}, gpu.Draw{
			Target: target, Mode: gpu.Points, Depth: gpu.DepthState{Test: gpu.Less, Write: true},
			Indirect: &gpu.Indirect{Buffer: c.commands, Offset: (slot*int(c.pieces.count) + int(i)) * c.commands.Stride()},
		})
	}
}
