package spm

import (
	"errors"
	"maps"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/spm/exact"
)

// Reply is what a map says about a point, on the device. 24 bytes, std430.
type Reply struct {
	Place    [2]float32 // of the point to walk to next, m from the domain's corner. Only if Reached
	Distance float32    // m; +Inf unless Reached
	Parent   uint32     // the record, in its layer, of the generator that Place belongs to; NoParent unless Reached
	State    uint32     // a State
	Windows  uint32     // how many parts of triangles were looked into: what the answer cost
}

// queryInput is what query.comp.glsl takes: it finds the distance and the parent of points.
type queryInput struct {
	askedInput
	generators *gpu.Buffer[Generator] `gpu:"read"`
	homes      *gpu.Buffer[uint32]    `gpu:"read"` // of the sources
	replies    *gpu.Buffer[Reply]     `gpu:"write"`
	base       uint32                 // first record of the layer
}

// queryPass is the first pass of questions or, with rest, those that follow. A thread keeps so many
// windows for later.
func queryPass(depth int, rest bool) gpu.PassSpec[queryInput] {
	s := gpu.PassSpec[queryInput]{Name: "spm query", Stages: []string{"spm/query.comp.glsl"}, Defines: maps.Clone(askedDefines)}
	s.Defines["QUERY_DEPTH"], s.Defines["KEEPS"] = depth, rest
	if rest {
		s.Name = "spm queryrest"
	}
	return s
}

// homeBeam marks the record of a beam in a list of homes.
const homeBeam = 1 << 31

// ask dispatches questions about points.
func (b *Batch) ask(layer int, points gpu.Storage, replies *gpu.Buffer[Reply], count int, snapped bool) error {
	asked, err := b.asked(layer, points, count, snapped)
	if err != nil {
		return err
	}
	in := queryInput{
		askedInput: asked, generators: b.m.Generators, homes: b.layers[layer].homes, replies: replies, base: uint32(layer * b.m.Stride),
	}
	b.device.Stage("spm query", func() { run(b, layer, count, b.query, b.queryRest, &in, &in.askedInput) })
	return nil
}

// Query answers like View.Query for each of the points, in order. It reads back, and so waits for
// the device. States are always those of View.Query; distances are within Accuracy, and of parents
// that are equally good to within rounding either may come. It fails with a *LayerError,
// ErrDeleted, a *gpu.CapacityError, or an error of gpu.Device.Do.
func (b *Batch) Query(layer int, points []mgl64.Vec2) (answers []Answer, err error) {
	err = b.do(layer, func() error {
		answers, err = b.answers(layer, points)
		return err
	})
	return answers, err
}

func (b *Batch) answers(layer int, points []mgl64.Vec2) ([]Answer, error) {
	answers := make([]Answer, len(points))
	words, replies := make([][4]uint32, min(len(points), batchLength)), make([]Reply, min(len(points), batchLength))
	err := errors.Join(enlarge(b.device, &b.points, "spm points", len(words)), enlarge(b.device, &b.replies, "spm replies", len(words)))
	if err != nil {
		return nil, err
	}
	for first := 0; first < len(points); first += batchLength {
		some := points[first:min(first+batchLength, len(points))]
		if err := b.keep(layer); err != nil {
			return nil, err
		}
		order := b.layers[layer].sorted(some)
		l := b.layers[layer].ground.Lattice
		for i, k := range order {
			words[i] = pointWords(l, some[k])
		}
		b.points.Write(0, words[:len(some)])
		if err := b.ask(layer, b.points, b.replies, len(some), true); err != nil {
			return nil, err
		}
		b.replies.Read(0, replies[:len(some)])
		view := b.view(layer)
		for i, k := range order {
			answers[first+int(k)] = b.answer(view, layer, some[k], replies[i])
		}
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
	next := make([]int32, none+2)
	for i, p := range points {
		cell := none
		if l.Contains(p) { // false for NaN too
			at := l.Snap(p)
			cell = int(at.Y>>shift)*columns + int(at.X>>shift)
		}
		cells[i] = int32(cell)
		next[cell+1]++
	}
	for i := 1; i < len(next); i++ {
		next[i] += next[i-1]
	}
	order := make([]int32, len(points))
	for i, cell := range cells {
		order[next[cell]] = int32(i)
		next[cell]++
	}
	return order
}

// pointWords is a point as shaders/spm/query.comp.glsl reads it.
func pointWords(l geom.Lattice, p mgl64.Vec2) [4]uint32 {
	x, y := latticeWords(l, p)
	local := p.Sub(l.Origin)
	return [4]uint32{math.Float32bits(float32(local[0])), math.Float32bits(float32(local[1])), x, y}
}

// homeWords are the homes of sources as shaders/spm/query.comp.glsl reads them.
func homeWords(g *geom.Ground, sources []exact.Source) []uint32 {
	lists := map[int32][]uint32{}
	var order []int32 // of the triangles, as they come
	for _, h := range exact.Homes(g, sources) {
		list, known := lists[h.Triangle]
		if !known {
			order = append(order, h.Triangle)
		}
		if _, beam := sources[h.Source].Beam(); beam {
			from, to := math.Float64bits(h.From), math.Float64bits(h.To)
			list = append(list, uint32(h.Source)|homeBeam, uint32(from), uint32(from>>32), uint32(to), uint32(to>>32))
		} else {
			list = append(list, uint32(h.Source))
		}
		lists[h.Triangle] = list
	}
	// At most half of the slots are taken, so that most searches end at once.
	bits := 1
	for 1<<bits < 2*len(order) {
		bits++
	}
	words := make([]uint32, 1+2<<bits)
	words[0] = uint32(bits)
	slots := words[1:]
	for i := range 1 << bits {
		slots[2*i] = NoParent
	}
	for _, t := range order {
		slot := uint32(t) * 2654435761 >> (32 - bits)
		for slots[2*slot] != NoParent {
			slot = (slot + 1) & (1<<bits - 1)
		}
		slots[2*slot], slots[2*slot+1] = uint32(t), uint32(len(words))
		words = append(append(words, lists[t]...), NoParent)
		slots = words[1:]
	}
	return words
}

// view is the layer's view as of its last build.
func (b *Batch) view(layer int) *View {
	kept := &b.layers[layer]
	if kept.view == nil {
		kept.view = b.m.View(layer)
	}
	return kept.view
}

// answer makes an answer of a reply: the device chose the parent, lengths are summed in float64.
func (b *Batch) answer(v *View, layer int, p mgl64.Vec2, r Reply) Answer {
	if state := State(r.State); state != Reached {
		return exact.Nowhere(state)
	}
	return v.Over(b.m.node(layer, r.Parent), p)
}
