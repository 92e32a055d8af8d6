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
	device           *gpu.Device
	m                *Map
	query, queryRest *gpu.Pass[queryInput] // the first pass, and those of what it has not finished
	sight            *gpu.Pass[sightInput]
	layers           []batchLayer

	rests        *gpu.Buffer[uint32]    // state of questions of a pass that are not answered yet
	passes, none *gpu.Buffer[[3]uint32] // dispatches of those that follow the first; of no work groups
	length       int                    // questions in a pass
	turns        uint32                 // triangles that an invocation goes through in a pass

	points  *gpu.Buffer[[4]uint32] // of Query and InSight
	replies *gpu.Buffer[Reply]
	sights  *gpu.Buffer[uint32]
}

// batchLayer is what a batch keeps of a layer.
type batchLayer struct {
	ground *geom.Ground
	grid   *gpu.Buffer[uint32]
	cells  [3]uint32 // faceGrid in shaders/spm/query.glsl

	builds     uint64 // of the layer when placements and view were made, plus one
	placements *gpu.Buffer[uint32]
	view       *View // made when first needed
}

// askedInput is what all questions take.
type askedInput struct {
	points          gpu.Storage            `gpu:"read"` // see the shaders
	faces           *gpu.Buffer[face]      `gpu:"read"`
	grid            *gpu.Buffer[uint32]    `gpu:"read"` // over the faces
	rests           *gpu.Buffer[uint32]    `gpu:"readwrite"`
	passes          *gpu.Buffer[[3]uint32] `gpu:"readwrite"`
	latticeStepBits [2]uint32
	latticeSize     [2]int32
	faceGrid        [3]uint32
	snapped         bool

	pass, first, count, restCapacity, mostTurns uint32 // see shaders/spm/rest.glsl
}

func (a *askedInput) asked() *askedInput { return a }

const (
	// queryDepth is how many windows a thread of query.comp keeps for later; one point in a thousand
	// needs more, on the maps with the most to see.
	queryDepth = 16
	// batchLength is how many points Query sends at a time.
	batchLength = 1 << 18
	// passLength is how many questions a pass has at most.
	passLength = 1 << 16
	// restWords is the length of a question's state, as keepAll in query.comp.glsl has it.
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
	if err := d.Do(func() error {
		if d.Info().Software {
			b.turns = softwareTurns
		}
		l := loader{device: d}
		b.load(&l)
		return l.err
	}); err != nil {
		return nil, err
	}
	return b, nil
}

func (b *Batch) load(l *loader) {
	l.more = map[string]any{"KEEPS": false}
	load(l, &b.query, "query")
	load(l, &b.sight, "sight", "querysight.comp")
	l.more["KEEPS"] = true
	load(l, &b.queryRest, "queryrest", "query.comp")
}

// Delete frees what the batch has on the device. Deleting none does nothing.
func (b *Batch) Delete() {
	if b == nil {
		return
	}
	for _, l := range b.layers {
		free(l.grid, l.placements)
	}
	free(b.rests, b.passes, b.none, b.points, b.replies, b.sights)
}

// CountError says that a count of questions is negative, or more than a buffer holds.
type CountError struct {
	Call            string // the method
	Count, Capacity int
}

func (e *CountError) Error() string {
	return fmt.Sprintf("spm: %s of %d questions: give a count from 0 to %d, which the smaller buffer holds", e.Call, e.Count, e.Capacity)
}

// do runs f in the device's context, unless the count or the layer is wrong or there is nothing to
// ask.
func (b *Batch) do(call string, layer, count, capacity int, f func() error) error {
	if count < 0 || count > capacity {
		return &CountError{call, count, capacity}
	}
	if err := b.m.check(layer); err != nil || count == 0 {
		return err
	}
	return b.device.Do(f)
}

// ask asks questions of a layer, some at a time, in passes that are short each: the first by one
// program, those that follow by another. A question hardly ever looks into each triangle once:
// where it takes a turn for each, the last pass, which takes as many turns as are left, has nothing
// to do.
func ask[T any, P interface {
	*T
	asked() *askedInput
}](b *Batch, layer, count int, points gpu.Storage, snapped bool, first, rest *gpu.Pass[T], in T) error {
	if err := b.keep(layer); err != nil {
		return err
	}
	kept := &b.layers[layer]
	passes := 1 + len(kept.ground.Triangles)/int(b.turns) // but for the last
	err := enlarge(b.device, &b.rests, "spm rests of questions", restWords*min(count, b.length))
	if err == nil && min(b.passes.Len(), b.none.Len()) < passes+2 {
		err = errors.Join(
			renew(b.device, &b.passes, "spm passes", passes+2),
			upload(b.device, &b.none, "spm passes of no groups", slices.Repeat([][3]uint32{{0, 1, 1}}, passes+2)),
		)
	}
	if err != nil {
		return err
	}
	l, asked := kept.ground.Lattice, P(&in).asked()
	*asked = askedInput{
		points: points, faces: b.m.layers[layer].surface.faces, grid: kept.grid, rests: b.rests, passes: b.passes,
		latticeStepBits: gpu.DoubleBits(l.Step), latticeSize: [2]int32{l.Size.X, l.Size.Y}, faceGrid: kept.cells,
		snapped: snapped, restCapacity: uint32(b.rests.Len() / restWords),
	}
	for from := 0; from < count; from += b.length {
		n := min(b.length, count-from)
		b.none.CopyTo(b.passes, passes+2)
		asked.first, asked.count, asked.mostTurns = uint32(from), uint32(n), b.turns
		asked.pass = 0
		first.Run(in, gpu.Groups(n, group))
		for pass := 1; pass <= passes; pass++ {
			asked.pass = uint32(pass)
			if pass == passes {
				asked.mostTurns = math.MaxUint32
			}
			rest.RunIndirect(in, b.passes, pass*b.passes.Stride())
		}
	}
	return nil
}

// inBatches asks questions from Go: fill writes those from first on as the shaders read them, ask
// dispatches so many, take has the replies.
func inBatches[R any](b *Batch, n int, replies **gpu.Buffer[R],
	fill func(first int, words [][4]uint32), ask func(count int) error, take func(first int, replies []R),
) error {
	length := min(n, batchLength)
	words, got := make([][4]uint32, length), make([]R, length)
	err := errors.Join(enlarge(b.device, &b.points, "spm points", length), enlarge(b.device, replies, "spm replies", length))
	for first := 0; first < n && err == nil; first += length {
		count := min(length, n-first)
		fill(first, words[:count])
		b.points.Write(0, words[:count])
		if err = ask(count); err == nil {
			(*replies).Read(0, got[:count])
			take(first, got[:count])
		}
	}
	return err
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
		if err := upload(b.device, &kept.placements, "spm placements", placementWords(g, shown.sources)); err != nil {
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
