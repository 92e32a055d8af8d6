package spm

import (
	"errors"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/gpu"
)

// sightInput is what querysight.comp.glsl takes: it finds out whether points see each other.
type sightInput struct {
	askedInput
	sights *gpu.Buffer[uint32] `gpu:"write"`
}

var sightPass = gpu.PassSpec[sightInput]{Name: "spm sight", Stages: []string{"spm/querysight.comp.glsl"}, Defines: askedDefines}

// look dispatches questions about pairs of points.
func (b *Batch) look(layer int, pairs gpu.Storage, sights *gpu.Buffer[uint32], count int, snapped bool) error {
	asked, err := b.asked(layer, pairs, count, snapped)
	if err != nil {
		return err
	}
	in := sightInput{askedInput: asked, sights: sights}
	b.device.Stage("spm sight", func() { run(b, layer, count, b.sight, b.sight, &in, &in.askedInput) })
	return nil
}

// InSight reports for each pair of world points whether they see each other on a layer's ground,
// like exact.InSight. It reads back, and so waits for the device, and fails as Query does.
func (b *Batch) InSight(layer int, pairs [][2]mgl64.Vec2) (seen []bool, err error) {
	err = b.do(layer, func() error {
		seen, err = b.seen(layer, pairs)
		return err
	})
	return seen, err
}

func (b *Batch) seen(layer int, pairs [][2]mgl64.Vec2) ([]bool, error) {
	seen := make([]bool, len(pairs))
	words, sights := make([][4]uint32, min(len(pairs), batchLength)), make([]uint32, min(len(pairs), batchLength))
	err := errors.Join(enlarge(b.device, &b.points, "spm points", len(words)), enlarge(b.device, &b.sights, "spm sights", len(words)))
	if err != nil {
		return nil, err
	}
	for first := 0; first < len(pairs); first += batchLength {
		some := pairs[first:min(first+batchLength, len(pairs))]
		l := b.m.layers[layer].surface.ground.Lattice
		for i, pair := range some {
			words[i][0], words[i][1] = latticeWords(l, pair[0])
			words[i][2], words[i][3] = latticeWords(l, pair[1])
		}
		b.points.Write(0, words[:len(some)])
		if err := b.look(layer, b.points, b.sights, len(some), true); err != nil {
			return nil, err
		}
		b.sights.Read(0, sights[:len(some)])
		for i, s := range sights[:len(some)] {
			seen[first+i] = s != 0
		}
	}
	return seen, nil
}
