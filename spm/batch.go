package spm

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Reply is what a map says about a point, on the device. 24 bytes, std430.
type Reply struct {
	Place    [2]float32 // of the point to walk to next, m from the domain's corner. Only if Reached
	Distance float32    // m; +Inf unless Reached
	Parent   uint32     // the record, in its layer, of the generator that Place belongs to; NoParent unless Reached
	State    uint32     // a State
	Windows  uint32     // how many parts of triangles were looked into: what the answer cost
}

// Batch answers questions to the layers of a map about many points at once, on the GPU, exactly at the points asked about and
// whatever the size of the map's texels. It asks 65,536 questions at a time, and those that take long in several passes, so that no dispatch is
// long.
//
// It expands from each point through the triangles of the ground and looks only where a better answer can be: some tens of
// triangles a point. What it keeps on the device of a layer, a grid over the triangles and the places of the sources, is
// renewed by the first question after the layer was built anew. Not for use by several goroutines.
type Batch struct {
	device       *gpu.Device
	m            *Map
	query, sight *gpu.Program
	queryRest    *gpu.Program // for what query has not finished
	layers       []batchLayer

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

// Storage buffer bindings of a batch's programs, besides bindGenerators and bindFaces.
const (
	bindPoints  = 1
	bindReplies = 2
	bindGrid    = 3
	bindHomes   = 5
	bindRests   = 6
	bindPasses  = 7
)

const (
	// queryDepth is how many windows a thread of query.comp keeps for later; one point in a thousand needs more, on the maps
	// with the most to see.
	queryDepth = 16
	// batchLength is how many points Query sends at a time.
	batchLength = 1 << 18
	// passLength is how many questions a pass has at most.
	passLength = 1 << 16
	// restWords is what a question needs in rests that is not answered yet, as keepAll in query.comp.glsl has it.
	restWords = 14 + 6*queryDepth
	// passTurns is how many triangles an invocation goes through in a pass. Most questions take some tens.
	passTurns = gpu.Budget / passLength
	// softwareTurns is passTurns on Mesa's software renderer, which ends loops after 65,535 turns of eight invocations together, some
	// five for a triangle.
	softwareTurns = 1 << 10
)

// NewBatch compiles the programs for questions to a map. Batch and map may be deleted in either order; after the map, questions
// fail with ErrDeleted, and so does NewBatch of a map that is nil or was deleted. Other errors are those of gpu.Device.Do and
// *gpu.CompileError.
func NewBatch(d *gpu.Device, m *Map) (*Batch, error) {
	if m == nil || m.deleted {
		return nil, ErrDeleted
	}
	b := &Batch{device: d, m: m, layers: make([]batchLayer, m.Layers), length: passLength, turns: passTurns}
	err := d.Do(func() error {
		if d.Info().Software {
			b.turns = softwareTurns
		}
		return compile(d, map[string]**gpu.Program{"query": &b.query, "queryrest": &b.queryRest, "sight": &b.sight})
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
	b.query.Delete()
	b.queryRest.Delete()
	b.sight.Delete()
	for i := range b.layers {
		b.layers[i].grid.Delete()
		b.layers[i].homes.Delete()
	}
	b.rests.Delete()
	b.passes.Delete()
	b.none.Delete()
	b.points.Delete()
	b.replies.Delete()
	b.sights.Delete()
}

// Dispatch asks the last complete map of a layer about the first count points of a buffer, local metres from the domain's
// corner, and puts as many replies into another. It only issues commands. What wrote the points must be made visible by a
// barrier before, and the replies by one after.
//
// The answer is that of View.Query at the point, but that a point within half a lattice step of the domain is on its border. It
// fails with a *CountError, *LayerError or ErrDeleted, or a *gpu.CapacityError in the first call after a layer was built anew.
func (b *Batch) Dispatch(layer int, points *gpu.Buffer[[2]float32], replies *gpu.Buffer[Reply], count int) error {
	if err := checkRoom("Dispatch", count, points.Len(), replies.Len()); err != nil {
		return err
	}
	if count == 0 {
		return b.m.check(layer)
	}
	return b.do(layer, func() error {
		points.Bind(bindPoints)
		return b.ask(layer, replies, count, false)
	})
}

// DispatchSight finds out for the first count pairs of places in a buffer, x, y, x, y in local metres, whether they see each
// other on a layer's ground: 1 or 0 in another buffer. As Dispatch in all else, and as geom.Ground.InSight in what it says.
func (b *Batch) DispatchSight(layer int, pairs *gpu.Buffer[[4]float32], sights *gpu.Buffer[uint32], count int) error {
	if err := checkRoom("DispatchSight", count, pairs.Len(), sights.Len()); err != nil {
		return err
	}
	if count == 0 {
		return b.m.check(layer)
	}
	return b.do(layer, func() error {
		pairs.Bind(bindPoints)
		return b.look(layer, sights, count, false)
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
	Call        string // the method
	Count, Room int
}

func (e *CountError) Error() string {
	return fmt.Sprintf("spm: %s of %d questions: give a count from 0 to %d, which the smaller buffer has room for", e.Call, e.Count, e.Room)
}

func checkRoom(call string, count int, rooms ...int) error {
	if room := slices.Min(rooms); count < 0 || count > room {
		return &CountError{call, count, room}
	}
	return nil
}

// ask dispatches questions about the points bound.
func (b *Batch) ask(layer int, replies *gpu.Buffer[Reply], count int, snapped bool) error {
	for _, p := range []*gpu.Program{b.query, b.queryRest} {
		if err := b.bind(p, layer, count, snapped); err != nil {
			return err
		}
		p.Set("base", uint32(layer*b.m.Stride))
	}
	b.m.Generators.Bind(bindGenerators)
	b.layers[layer].homes.Bind(bindHomes)
	replies.Bind(bindReplies)
	b.device.Pass("spm query", func() { b.dispatch(b.query, b.queryRest, layer, count) })
	return nil
}

// look dispatches questions about the pairs bound.
func (b *Batch) look(layer int, sights *gpu.Buffer[uint32], count int, snapped bool) error {
	if err := b.bind(b.sight, layer, count, snapped); err != nil {
		return err
	}
	sights.Bind(bindReplies)
	b.device.Pass("spm sight", func() { b.dispatch(b.sight, b.sight, layer, count) })
	return nil
}

// dispatch asks questions, some at a time, in passes that are short each. A question hardly ever looks into each triangle
// once: where it takes a turn for each, the last pass, which takes as many turns as are left, has nothing to do.
func (b *Batch) dispatch(p, rest *gpu.Program, layer, count int) {
	passes := b.passesOf(layer)
	for first := 0; first < count; first += b.length {
		n := min(b.length, count-first)
		b.none.CopyTo(b.passes, passes+2)
		b.device.Barrier(gpu.BarrierStorage)
		for pass := range passes + 1 {
			p, turns := p, b.turns
			if pass > 0 {
				p = rest
			}
			if pass == passes {
				turns = math.MaxUint32
			}
			p.Set("pass", uint32(pass))
			p.Set("first", uint32(first))
			p.Set("count", uint32(n))
			p.Set("mostTurns", turns)
			if pass == 0 {
				p.Dispatch(gpu.Groups(n, group), 1, 1)
			} else {
				p.DispatchIndirect(b.passes.Name(), pass*b.passes.Stride())
			}
			b.device.Barrier(gpu.BarrierStorage | gpu.BarrierCommand | gpu.BarrierUpdate)
		}
	}
}

// passesOf is how many passes questions about a layer take at most, but for the last.
func (b *Batch) passesOf(layer int) int {
	return 1 + len(b.layers[layer].ground.Triangles)/int(b.turns)
}

// bind brings what is kept of a layer up to date, and binds what both programs need.
func (b *Batch) bind(p *gpu.Program, layer, count int, snapped bool) error {
	if err := b.keep(layer); err != nil {
		return err
	}
	kept := &b.layers[layer]
	l := kept.ground.Lattice
	step := math.Float64bits(l.Step)
	p.Set("latticeStepBits", [2]uint32{uint32(step), uint32(step >> 32)})
	p.Set("latticeSize", [2]int32{l.Size.X, l.Size.Y})
	p.Set("faceGrid", kept.cells)
	p.Set("snapped", snapped)
	n := min(count, b.length)
	if err := enlarge(b.device, &b.rests, "spm rests of questions", restWords*n); err != nil {
		return err
	}
	p.Set("restRoom", uint32(b.rests.Len()/restWords))
	b.rests.Bind(bindRests)
	if passes := b.passesOf(layer) + 2; b.passes == nil || b.passes.Len() < passes {
		if err := renew(b.device, &b.passes, "spm passes", passes); err != nil {
			return err
		}
		if err := renew(b.device, &b.none, "spm passes of no groups", passes); err != nil {
			return err
		}
		b.none.Write(0, slices.Repeat([][3]uint32{{0, 1, 1}}, passes))
	}
	b.passes.Bind(bindPasses)
	kept.grid.Bind(bindGrid)
	b.m.layers[layer].surface.faces.Bind(bindFaces)
	return nil
}

// keep brings what is kept of a layer up to date.
func (b *Batch) keep(layer int) error {
	shown := &b.m.layers[layer]
	g, kept := shown.surface.ground, &b.layers[layer]
	if kept.ground != g {
		words, cells := gridWords(geom.NewFaceGrid(g))
		if err := replace(b.device, &kept.grid, "spm face grid", words); err != nil {
			return err
		}
		kept.ground, kept.cells = g, cells
	}
	if kept.builds != shown.builds+1 {
		if err := replace(b.device, &kept.homes, "spm homes", homeWords(g, shown.sources)); err != nil {
			return err
		}
		kept.builds, kept.view = shown.builds+1, nil
	}
	return nil
}

// replace puts a buffer with these words in the place of an old one.
func replace(d *gpu.Device, buffer **gpu.Buffer[uint32], label string, words []uint32) error {
	if err := renew(d, buffer, label, len(words)); err != nil {
		return err
	}
	(*buffer).Write(0, words)
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

// homeWords are the homes of sources as shaders/spm/query.comp.glsl reads them.
func homeWords(g *geom.Ground, sources []site) []uint32 {
	lists := map[int32][]uint32{}
	var order []int32 // of the triangles, as they come
	for _, h := range homes(g, sources) {
		list, known := lists[h.triangle]
		if !known {
			order = append(order, h.triangle)
		}
		if _, beam := sources[h.source].beam(); beam {
			from, to := math.Float64bits(h.from), math.Float64bits(h.to)
			list = append(list, uint32(h.source)|homeBeam, uint32(from), uint32(from>>32), uint32(to), uint32(to>>32))
		} else {
			list = append(list, uint32(h.source))
		}
		lists[h.triangle] = list
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

// Query answers like View.Query for each of the points, in order. It reads back, and so waits for the device. States are
// always those of View.Query; distances are within Accuracy, and of parents that are equally good to within rounding either may come. It
// fails with a *LayerError, ErrDeleted, a *gpu.CapacityError, or an error of gpu.Device.Do.
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
	if err := b.room(&b.points, "spm points", len(words)); err != nil {
		return nil, err
	}
	if b.replies == nil || b.replies.Len() < len(words) {
		if err := renew(b.device, &b.replies, "spm replies", len(words)); err != nil {
			return nil, err
		}
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
		b.points.Bind(bindPoints)
		if err := b.ask(layer, b.replies, len(some), true); err != nil {
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

// sorted is an order of points, as indices, in which those of a cell of the grid come together: neighbours in a batch then
// take about the same steps and read the same triangles. That saves a third to a half of the time.
func (k *batchLayer) sorted(points []mgl64.Vec2) []int32 {
	l, shift, columns := k.ground.Lattice, k.cells[0], int(k.cells[1])
	none := columns * int(l.Size.Y>>shift+1) // for those that stand nowhere
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

// homeBeam marks the record of a beam in a list of homes.
const homeBeam = 1 << 31

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

// pointWords is a point as shaders/spm/query.comp.glsl reads it.
func pointWords(l geom.Lattice, p mgl64.Vec2) [4]uint32 {
	x, y := latticeWords(l, p)
	local := p.Sub(l.Origin)
	return [4]uint32{math.Float32bits(float32(local[0])), math.Float32bits(float32(local[1])), x, y}
}

func (b *Batch) room(buffer **gpu.Buffer[[4]uint32], label string, n int) error {
	if *buffer != nil && (*buffer).Len() >= n {
		return nil
	}
	return renew(b.device, buffer, label, n)
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
	switch State(r.State) {
	case Obstacle:
		return Answer{State: Obstacle, Distance: math.NaN(), next: -1}
	case Unreached:
		return Answer{State: Unreached, Distance: math.Inf(1), next: -1}
	}
	i := int(r.Parent)
	if i >= b.m.Room {
		i -= b.m.Room - len(b.m.layers[layer].sources)
	}
	d, place := v.over(i, p)
	return Answer{State: Reached, Distance: d, Parent: place, next: i}
}

// InSight reports whether two world points see each other: whether the lattice points that stand for them, as in View.Query,
// do by geom.Ground.InSight. What lies in obstacles, outside the domain, or is no number, sees nothing.
func InSight(g *geom.Ground, a, b mgl64.Vec2) bool {
	p, ok := g.Standing(a)
	if !ok {
		return false
	}
	q, ok := g.Standing(b)
	return ok && g.InSight(p, q)
}

// InSight tells for each pair of world points whether they see each other on a layer's ground, like the function
// InSight. It reads back, and so waits for the device, and fails as Query does.
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
	if err := b.room(&b.points, "spm points", len(words)); err != nil {
		return nil, err
	}
	if b.sights == nil || b.sights.Len() < len(words) {
		if err := renew(b.device, &b.sights, "spm sights", len(words)); err != nil {
			return nil, err
		}
	}
	for first := 0; first < len(pairs); first += batchLength {
		some := pairs[first:min(first+batchLength, len(pairs))]
		l := b.m.layers[layer].surface.ground.Lattice
		for i, pair := range some {
			words[i][0], words[i][1] = latticeWords(l, pair[0])
			words[i][2], words[i][3] = latticeWords(l, pair[1])
		}
		b.points.Write(0, words[:len(some)])
		b.points.Bind(bindPoints)
		if err := b.look(layer, b.sights, len(some), true); err != nil {
			return nil, err
		}
		b.sights.Read(0, sights[:len(some)])
		for i, s := range sights[:len(some)] {
			seen[first+i] = s != 0
		}
	}
	return seen, nil
}
