package spm

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/gpu"
)

// sightInput is what querysight.comp.glsl takes: it finds out whether points see each other.
type sightInput struct {
	askedInput
	sights *gpu.Buffer[uint32] `gpu:"write"`
}

// DispatchSight finds out for the first count pairs of places in a buffer, x, y, x, y in local
// meters, whether they see each other on a layer's ground: 1 or 0 in another buffer. As Dispatch in
// all else, and as geom.Ground.InSight in what it says.
func (b *Batch) DispatchSight(layer int, pairs *gpu.Buffer[[4]float32], sights *gpu.Buffer[uint32], count int) error {
	return b.do("DispatchSight", layer, count, min(pairs.Len(), sights.Len()), func() error {
		return b.look(layer, count, pairs, false, sights)
	})
}

func (b *Batch) look(layer, count int, pairs gpu.Storage, snapped bool, sights *gpu.Buffer[uint32]) (err error) {
	b.device.Stage("spm sight", func() {
		err = ask(b, layer, count, pairs, snapped, b.sight, b.sight, sightInput{sights: sights})
	})
	return err
}

// InSight reports for each pair of world points whether they see each other on a layer's ground,
// like exact.InSight. It reads back, and so waits for the device, and fails as Query does.
func (b *Batch) InSight(layer int, pairs [][2]mgl64.Vec2) ([]bool, error) {
	seen := make([]bool, len(pairs))
	err := b.do("InSight", layer, len(pairs), len(pairs), func() error {
		l := b.m.layers[layer].surface.ground.Lattice
		return inBatches(b, len(pairs), &b.sights, func(first int, words [][4]uint32) {
			for i := range words {
				words[i][0], words[i][1] = latticeWords(l, pairs[first+i][0])
				words[i][2], words[i][3] = latticeWords(l, pairs[first+i][1])
			}
		}, func(count int) error {
			return b.look(layer, count, b.points, true, b.sights)
		}, func(first int, sights []uint32) {
			for i, s := range sights {
				seen[first+i] = s != 0
			}
		})
	})
	if err != nil {
		return nil, err
	}
	return seen, nil
}
