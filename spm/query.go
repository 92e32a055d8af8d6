package spm

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/spm/exact"
)

// Reply is what a map says about a point, on the device. 24 bytes, std430.
type Reply struct {
	Place    [2]float32 // of the point to walk to next, m from the domain's corner. Only if Reached
	Distance float32    // m; +Inf unless Reached
	Parent   uint32     // the record of its generator in the layer; NoParent unless Reached
	State    uint32     // a State
	Windows  uint32     // how many parts of triangles were looked into: what the answer cost
}

// queryInput is what query.comp.glsl takes: it finds the distance and the parent of points.
type queryInput struct {
	askedInput
	generators *gpu.Buffer[Generator] `gpu:"read"`
	placements *gpu.Buffer[uint32]    `gpu:"read"` // of the sources
	replies    *gpu.Buffer[Reply]     `gpu:"write"`
	base       uint32                 // first record of the layer
}

// ofLightField marks the record of a light field in a list of placements.
const ofLightField = 1 << 31

// Dispatch asks the last complete map of a layer about the first count points of a buffer, local
// meters from the domain's corner, and puts as many replies into another. It only issues commands;
// passes and transfers of the device are ordered with it.
//
// The answer is that of View.Query at the point, but that a point within half a lattice step of the
// domain is on its border. It fails with a *CountError, *LayerError or ErrDeleted, or a
// *gpu.CapacityError in the first call after a layer was built anew.
func (b *Batch) Dispatch(layer int, points *gpu.Buffer[[2]float32], replies *gpu.Buffer[Reply], count int) error {
	return b.do("Dispatch", layer, count, min(points.Len(), replies.Len()), func() error {
		return b.ask(layer, count, points, false, replies)
	})
}

func (b *Batch) ask(layer, count int, points gpu.Storage, snapped bool, replies *gpu.Buffer[Reply]) (err error) {
	if err := b.keep(layer); err != nil {
		return err
	}
	in := queryInput{
		generators: b.m.Generators, placements: b.layers[layer].placements, replies: replies, base: uint32(layer * b.m.Stride),
	}
	b.device.Stage("spm query", func() { err = ask(b, layer, count, points, snapped, b.query, b.queryRest, in) })
	return err
}

// Query answers like View.Query for each of the points, in order. It reads back, and so waits for
// the device. States are always those of View.Query; distances are within Accuracy, and of parents
// that are equally good to within rounding either may come. It fails with a *LayerError,
// ErrDeleted, a *gpu.CapacityError, or an error of gpu.Device.Do.
func (b *Batch) Query(layer int, points []mgl64.Vec2) ([]Answer, error) {
	answers := make([]Answer, len(points))
	err := b.do("Query", layer, len(points), len(points), func() error {
		if err := b.keep(layer); err != nil {
			return err
		}
		kept := &b.layers[layer]
		if kept.view == nil {
			kept.view = b.m.View(layer)
		}
		l := kept.ground.Lattice
		var order []int32
		return inBatches(b, len(points), &b.replies, func(first int, words [][4]uint32) {
			some := points[first : first+len(words)]
			order = kept.sorted(some)
			for i, k := range order {
				x, y := latticeWords(l, some[k])
				local := some[k].Sub(l.Origin)
				words[i] = [4]uint32{math.Float32bits(float32(local[0])), math.Float32bits(float32(local[1])), x, y}
			}
		}, func(count int) error {
			return b.ask(layer, count, b.points, true, b.replies)
		}, func(first int, replies []Reply) {
			for i, k := range order {
				at, r := first+int(k), replies[i]
				if State(r.State) == Reached { // the device chose the parent, lengths are summed in float64
					answers[at] = kept.view.Over(b.m.node(layer, r.Parent), points[at])
				} else {
					answers[at] = exact.Nowhere(State(r.State))
				}
			}
		})
	})
	if err != nil {
		return nil, err
	}
	return answers, nil
}

// sorted is an order of points, as indices, in which those of a cell of the grid come together:
// neighbors in a batch then take about the same steps and read the same triangles. That saves a
// third to a half of the time.
func (k *batchLayer) sorted(points []mgl64.Vec2) []int32 {
	l, shift, columns := k.ground.Lattice, k.cells[0], int(k.cells[1])
	none := columns * int(l.Size.Y>>shift+1) // of points that are on no lattice point
	cells := make([]int32, len(points))
	for i, p := range points {
		cells[i] = int32(none)
		if l.Contains(p) { // false for NaN too
			at := l.Snap(p)
			cells[i] = int32(int(at.Y>>shift)*columns + int(at.X>>shift))
		}
	}
	order, _ := exact.ByKey(cells, none+1)
	return order
}

// placementWords are the placements of sources as shaders/spm/query.comp.glsl reads them.
func placementWords(g *geom.Ground, sources []exact.Source) []uint32 {
	all := exact.Placements(g, sources)
	slices.SortStableFunc(all, func(a, b exact.Placement) int { return cmp.Compare(a.Triangle, b.Triangle) })
	first := func(i int) bool { return i == 0 || i == len(all) || all[i].Triangle != all[i-1].Triangle }
	triangles := 0
	for i := range all {
		if first(i) {
			triangles++
		}
	}
	// At most half of the slots are taken, so that most searches end at once.
	size := max(1, bits.Len(uint(2*triangles)))
	words := slices.Repeat([]uint32{NoParent}, 1+2<<size)
	words[0] = uint32(size)
	for i, p := range all {
		if first(i) {
			slot := uint32(p.Triangle) * 2654435761 >> (32 - size)
			for words[1+2*slot] != NoParent {
				slot = (slot + 1) & (1<<size - 1)
			}
			words[1+2*slot], words[2+2*slot] = uint32(p.Triangle), uint32(len(words))
		}
		if _, ok := sources[p.Source].LightField(); ok {
			from, to := gpu.DoubleBits(p.From), gpu.DoubleBits(p.To)
			words = append(words, uint32(p.Source)|ofLightField, from[0], from[1], to[0], to[1])
		} else {
			words = append(words, uint32(p.Source))
		}
		if first(i + 1) {
			words = append(words, NoParent)
		}
	}
	return words
}
