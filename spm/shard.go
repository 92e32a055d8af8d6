package spm

import (
	"unsafe"

	"github.com/wayfront/wayfront/engine/gpu"
)

// shard is a lit part of a triangle as it is drawn, with all that drawing needs.
type shard struct {
	Position                     [2]float32 // of the generator
	Distance                     float32    // of the generator
	Index                        uint32     // of the generator
	X, Y                         int32      // of the generator, lattice
	AX, AY, BX, BY, CX, CY       int32      // the triangle; where there are rays, light came in between C and A; C is B where it began on a leg
	RightX, RightY, LeftX, LeftY int32
	AheadX, AheadY               int32 // of a beam where all its light goes; zero where rays part from X, Y
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

var shardPass = gpu.PassSpec[shardInput]{
	Name: "spm shard", Stages: []string{"spm/shard.vert.glsl", "spm/shard.geom.glsl", "spm/shard.frag.glsl"},
}

// draw draws what a slot's generators light into a layer of a map.
func (w *wavefront) draw(m *Map, layer int, c *collected, slot int) {
	target := m.targets[layer]
	target.ClearColor(float64(NoParent))
	target.ClearDepthStencil(1, 0)
	var part shard
	for i := range c.pieces.count {
		attribute := func(offset uintptr) gpu.VertexAttribute {
			return gpu.VertexAttribute{Buffer: c.shards[i/c.pieces.inPage], Offset: int(offset)}
		}
		w.shard.Draw(shardInput{
			polygonInput: m.Extent.polygons(),
			position:     attribute(unsafe.Offsetof(part.Position)),
			apexDistance: attribute(unsafe.Offsetof(part.Distance)),
			index:        attribute(unsafe.Offsetof(part.Index)),
			at:           attribute(unsafe.Offsetof(part.X)),
			ab:           attribute(unsafe.Offsetof(part.AX)),
			c:            attribute(unsafe.Offsetof(part.CX)),
			bounds:       attribute(unsafe.Offsetof(part.RightX)),
			ahead:        attribute(unsafe.Offsetof(part.AheadX)),
			depthScale:   depthScale(m.Ground(layer)),
		}, gpu.Draw{
			Target: target, Mode: gpu.Points, Depth: gpu.DepthState{Test: gpu.Less, Write: true},
			Indirect: &gpu.Indirect{Buffer: c.commands, Offset: (slot*int(c.pieces.count) + int(i)) * c.commands.Stride()},
		})
	}
}
