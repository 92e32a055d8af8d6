package spm

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Batch answers questions to the layers of a map about many points at once, on the GPU, exactly at
// the points asked about and whatever the size of the map's texels. It asks 65,536 questions at a
// time, and those that take long in several passes, so that no dispatch is long.
//
// It expands from each point through the triangles of the ground and looks only where a better
// answer can be: some tens of triangles a point. What it keeps on the device of a layer, a grid
// over the triangles and the places of the sources, is renewed by the first question after the
// layer was built anew. Not for use by several goroutines.
type Batch struct {
	device    *gpu.Device
	m         *Map
	query     *gpu.Pass[queryInput]
	queryRest *gpu.Pass[queryInput] // of what query has not finished
	sight     *gpu.Pass[sightInput]
	layers    []batchLayer

	rests  *gpu.Buffer[uint32]    // what questions of a pass need that are not answered yet
	passes *gpu.Buffer[[3]uint32] // dispatches of those that follow the first
	none   *gpu.Buffer[[3]uint32] // dispatches of no work groups
	length int                    // questions in a pass
	turns  uint32                 // triangles that an invocation goes through in a pass

	points  *gpu.Buffer[[4]uint32] // of Query and InSight
	replies *gpu.Buffer[Reply]
	sights  *gpu.Buffer[uint32]
}

// batchLayer is what a batch keeps of a layer.
type batchLayer struct {
	ground *geom.Ground
	grid   *gpu.Buffer[uint32]
	cells  [3]uint32 // faceGrid in shaders/spm/query.glsl

	builds uint64 // of the layer when homes and view were made, plus one
	homes  *gpu.Buffer[uint32]
	view   *View // made when first needed
}

// askedInput is what all questions take.
type askedInput struct {
	points          gpu.Storage            `gpu:"read"` // places, local meters; lattice points where snapped (see the shaders)
	faces           *gpu.Buffer[face]      `gpu:"read"`
	grid            *gpu.Buffer[uint32]    `gpu:"read"` // over the faces
	rests           *gpu.Buffer[uint32]    `gpu:"readwrite"`
	passes          *gpu.Buffer[[3]uint32] `gpu:"readwrite"`
	latticeStepBits [2]uint32
	latticeSize     [2]int32
	faceGrid        [3]uint32
	snapped         bool
	pass            uint32
	first           uint32 // question of the pass
	count           uint32 // of questions in the pass
	restCapacity    uint32 // questions that rests holds
	mostTurns       uint32 // of an invocation in the pass
}

// askedDefines are the constants that the shaders of questions share with Go.
var askedDefines = map[string]any{
	"GROUP":           group,
	"REPLY_UNREACHED": uint32(Unreached),
	"REPLY_REACHED":   uint32(Reached),
	"REPLY_OBSTACLE":  uint32(Obstacle),
	"HOME_BEAM":       uint32(homeBeam),
	"SECTOR_BEAM":     uint32(geom.SectorLightField),
	"FACE_SPLIT":      geom.FaceSplit,
	"SNAP_SLACK":      geom.SnapSlack,
}

const (
	// queryDepth is how many windows a thread of query.comp keeps for later; one point in a thousand
	// needs more, on the maps with the most to see.
	queryDepth = 16
	// batchLength is how many points Query sends at a time.
	batchLength = 1 << 18
	// passLength is how many questions a pass has at most.
	passLength = 1 << 16
	// restWords is what a question needs in rests that is not answered yet, as keepAll in
	// query.comp.glsl has it.
	restWords = 14 + 6*queryDepth
	// passTurns is how many triangles an invocation goes through in a pass. Most questions take some
	// tens.
	passTurns = gpu.Budget / passLength
	// softwareTurns is passTurns on Mesa's software renderer, which ends loops after 65,535 turns of
	// eight invocations together, some five for a triangle.
	softwareTurns = 1 << 10
)

// NewBatch compiles the programs for questions to a map. Batch and map may be deleted in either
// order; after the map, questions fail with ErrDeleted, and so does NewBatch of a map that is nil
// or was deleted. Other errors are those of gpu.Device.Do and *gpu.CompileError.
func NewBatch(d *gpu.Device, m *Map) (*Batch, error) {
	if m == nil || m.deleted {
		return nil, ErrDeleted
	}
	b := &Batch{device: d, m: m, layers: make([]batchLayer, m.Layers), length: passLength, turns: passTurns}
	err := d.Do(func() error {
		if d.Info().Software {
			b.turns = softwareTurns
		}
		return errors.Join(
			compile(d, queryPass(queryDepth, false), &b.query), compile(d, queryPass(queryDepth, true), &b.queryRest), compile(d, sightPass, &b.sight),
		)
	})
	if err != nil {
		b.Delete()
		return nil, err
	}
	return b, nil
}

// Delete frees what the batch has on the device. Deleting none does nothing.
func (b *Batch) Delete() {
	if b == nil {
		return
	}
	for i := range b.layers {
		free(b.layers[i].grid, b.layers[i].homes)
	}
	free(b.rests, b.passes, b.none, b.points, b.replies, b.sights)
}

// Dispatch asks the last complete map of a layer about the first count points of a buffer, local
// meters from the domain's corner, and puts as many replies into another. It only issues commands;
// passes and transfers of the device are ordered with it.
//
// The answer is that of View.Query at the point, but that a point within half a lattice step of the
// domain is on its border. It fails with a *CountError, *LayerError or ErrDeleted, or a
// *gpu.CapacityError in the first call after a layer was built anew.
func (b *Batch) Dispatch(layer int, points *gpu.Buffer[[2]float32], replies *gpu.Buffer[Reply], count int) error {
	if err := checkCount("Dispatch", count, points.Len(), replies.Len()); err != nil {
		return err
	}
	if count == 0 {
		return b.m.check(layer)
	}
	return b.do(layer, func() error {
		return b.ask(layer, points, replies, count, false)
	})
}

// DispatchSight finds out for the first count pairs of places in a buffer, x, y, x, y in local
// meters, whether they see each other on a layer's ground: 1 or 0 in another buffer. As Dispatch in
// all else, and as geom.Ground.InSight in what it says.
func (b *Batch) DispatchSight(layer int, pairs *gpu.Buffer[[4]float32], sights *gpu.Buffer[uint32], count int) error {
	if err := checkCount("DispatchSight", count, pairs.Len(), sights.Len()); err != nil {
		return err
	}
	if count == 0 {
		return b.m.check(layer)
	}
	return b.do(layer, func() error {
		return b.look(layer, pairs, sights, count, false)
	})
}

// do runs f in the device's context, if the map has the layer.
func (b *Batch) do(layer int, f func() error) error {
	if err := b.m.check(layer); err != nil {
		return err
	}
	return b.device.Do(f)
}

// CountError says that a count of questions is negative, or more than a buffer holds.
type CountError struct {
	Call            string // the method
	Count, Capacity int
}

func (e *CountError) Error() string {
	return fmt.Sprintf("spm: %s of %d questions: give a count from 0 to %d, which the smaller buffer holds", e.Call, e.Count, e.Capacity)
}

func checkCount(call string, count int, capacities ...int) error {
	if capacity := slices.Min(capacities); count < 0 || count > capacity {
		return &CountError{call, count, capacity}
	}
	return nil
}

// run asks questions, some at a time, in passes that are short each: the first by one program,
// those that follow by another. A question hardly ever looks into each triangle once: where it
// takes a turn for each, the last pass, which takes as many turns as are left, has nothing to do.
// asked is a part of in.
func run[T any](b *Batch, layer, count int, first, rest *gpu.Pass[T], in *T, asked *askedInput) {
	passes := b.passesOf(layer)
	for from := 0; from < count; from += b.length {
		n := min(b.length, count-from)
		b.none.CopyTo(b.passes, passes+2)
		asked.first, asked.count, asked.mostTurns = uint32(from), uint32(n), b.turns
		for pass := range passes + 1 {
			asked.pass = uint32(pass)
			if pass == passes {
				asked.mostTurns = math.MaxUint32
			}
			if pass == 0 {
				first.Run(*in, gpu.Groups(n, group))
			} else {
				rest.RunIndirect(*in, b.passes, pass*b.passes.Stride())
			}
		}
	}
}

// passesOf is how many passes questions about a layer take at most, but for the last.
func (b *Batch) passesOf(layer int) int {
	return 1 + len(b.layers[layer].ground.Triangles)/int(b.turns)
}

// asked brings what is kept of a layer up to date, and returns what questions about it take.
func (b *Batch) asked(layer int, points gpu.Storage, count int, snapped bool) (in askedInput, err error) {
	if err := b.keep(layer); err != nil {
		return in, err
	}
	if err := enlarge(b.device, &b.rests, "spm rests of questions", restWords*min(count, b.length)); err != nil {
		return in, err
	}
	if passes := b.passesOf(layer) + 2; b.passes == nil || b.passes.Len() < passes {
		if err := renew(b.device, &b.passes, "spm passes", passes); err != nil {
			return in, err
		}
		if err := renew(b.device, &b.none, "spm passes of no groups", passes); err != nil {
			return in, err
		}
		b.none.Write(0, slices.Repeat([][3]uint32{{0, 1, 1}}, passes))
	}
	kept := &b.layers[layer]
	l := kept.ground.Lattice
	return askedInput{
		points: points, faces: b.m.layers[layer].surface.faces, grid: kept.grid, rests: b.rests, passes: b.passes,
		latticeStepBits: gpu.DoubleBits(l.Step), latticeSize: [2]int32{l.Size.X, l.Size.Y}, faceGrid: kept.cells, snapped: snapped,
		restCapacity: uint32(b.rests.Len() / restWords),
	}, nil
}

// keep brings what is kept of a layer up to date.
func (b *Batch) keep(layer int) error {
	shown := &b.m.layers[layer]
	g, kept := shown.surface.ground, &b.layers[layer]
	if kept.ground != g {
		words, cells := gridWords(geom.NewFaceGrid(g))
		if err := upload(b.device, &kept.grid, "spm face grid", words); err != nil {
			return err
		}
		kept.ground, kept.cells = g, cells
	}
	if kept.builds != shown.builds+1 {
		if err := upload(b.device, &kept.homes, "spm homes", homeWords(g, shown.sources)); err != nil {
			return err
		}
		kept.builds, kept.view = shown.builds+1, nil
	}
	return nil
}

// gridWords is a face grid as shaders/spm/query.glsl reads it, and its faceGrid.
func gridWords(f *geom.FaceGrid) ([]uint32, [3]uint32) {
	words := make([]uint32, 0, 2*len(f.Cells)+len(f.Items))
	for _, c := range f.Cells {
		words = append(words, c.First, c.Count)
	}
	return append(words, f.Items...), [3]uint32{f.Shift, uint32(f.Columns), uint32(2 * len(f.Cells))}
}

// nowhere are the coordinates of what is no lattice point, as in shaders/spm/query.glsl.
const nowhere = -1

// latticeWords are the coordinates of the lattice point that is nearest to p.
func latticeWords(l geom.Lattice, p mgl64.Vec2) (x, y uint32) {
	at := geom.Point{X: nowhere, Y: nowhere}
	if l.Contains(p) { // false for NaN too
		at = l.Snap(p)
	}
	return uint32(at.X), uint32(at.Y)
}
