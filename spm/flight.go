package spm

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"unsafe"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Waves are issued in batches. A batch is an even number of waves, so that the next one reads queue 0. The first are short,
// for maps that are done after a few waves; waves that come after the end find empty queues.
const (
	firstBatch   = 4
	longestBatch = 16
	mostUnderWay = 2 // batches that were issued and not answered
)

// flight is layers that spread in the same waves.
type flight struct {
	layers   []int // as counted in the build's plan: slot i is of layers[i]
	need     rooms // what it turned out to need
	lit      []int // by page: how many parts are lit; until the flight has landed only of pages that are full
	wave     uint32
	batch    uint32
	first    int64 // number of its first letter
	underWay int
	*harvest
}

// seeds is what light begins with: what sources light of the triangles that they stand in.
type seeds struct {
	sources [][]Generator // by slot
	windows []window
	offers  []offer
	lit     []lit
	rivals  [][2]uint32 // see shaders/spm/rivals.glsl
}

// fly starts a flight and issues its first waves. It reports false where the queues of all its layers together would be more
// than shaders can see, and those of a part of them need not be.
func (w *wavefront) fly(b *building, f *flight) (bool, error) {
	layers := make([]layer, len(f.layers))
	for i, l := range f.layers {
		layers[i] = b.plan[l]
	}
	s := sow(layers, b.stride, b.room, w.slack)
	r := w.expected(b.stride, layers)
	r.rivals = len(s.rivals)
	if len(layers) > 1 && !w.fits(r) {
		return false, nil
	}
	r.windows = max(min(r.windows, w.mostIn(sizeOf[window](2))), f.need.windows, len(s.windows))
	r.offers = max(min(r.offers, w.mostIn(sizeOf[offer](2))), f.need.offers, len(s.offers))
	r.lit = max(r.lit, len(s.lit))
	if len(layers) > 1 && !w.fits(r) {
		return false, nil
	}
	if err := w.grow(r); err != nil {
		return false, err
	}
	if f.harvest == nil {
		h, err := w.harvest(b.stride * len(layers))
		if err != nil {
			return false, err
		}
		f.harvest = h
	}
	w.set(b)
	w.device.Barrier(gpu.BarrierUpdate)
	for i, l := range layers {
		w.bind(f, l.surface.faces)
		l.surface.corners.Bind(bindCorners)
		l.surface.fans.Bind(bindFans)
		w.start.Set("slot", uint32(i))
		w.start.Set("cornerCount", uint32(len(l.surface.ground.Corners)))
		w.start.Dispatch(gpu.Groups(b.stride, group), 1, 1)
	}
	w.device.Barrier(gpu.BarrierUpdate)
	for i, sources := range s.sources {
		f.records.Write(i*b.stride, sources)
	}
	w.windows.Write(0, s.windows)
	w.offers.Write(w.rooms.offers, s.offers)
	f.lit = nil
	for room := w.lit[0].Len(); len(s.lit) > room; room = w.lit[len(f.lit)].Len() {
		w.lit[len(f.lit)].Write(0, s.lit[:room])
		s.lit = s.lit[room:]
		if err := w.turn(f); err != nil {
			return false, err
		}
	}
	w.lit[len(f.lit)].Write(0, s.lit)
	w.rivals.Write(0, s.rivals)
	w.writeFront(f, layers, s)
	w.device.Barrier(gpu.BarrierStorage)
	w.gather(layers)
	w.bind(f, w.facesIn(layers))
	w.ties.Set("slotCount", uint32(len(layers)))
	w.seed.Set("count", uint32(len(s.offers)))
	w.seed.Dispatch(gpu.Groups(len(s.offers), group), 1, 1)
	w.device.Barrier(gpu.BarrierStorage)
	f.wave, f.batch, f.first, f.underWay = 0, firstBatch, w.mail.Posted(), 0
	return true, w.issue(f, w.facesIn(layers))
}

// set gives the uniforms that are the same for all of a build.
func (w *wavefront) set(b *building) {
	for _, p := range []*gpu.Program{w.start, w.seed, w.propagate, w.ties, w.expand, w.tally, w.scan, w.scatter} {
		p.Set("stride", uint32(b.stride))
	}
	step := float32(b.m.lattice.Step)
	w.start.Set("room", uint32(b.room))
	w.propagate.Set("latticeStep", step)
	w.propagate.Set("slackOfAll", float32(w.slack*onPlane(b.m.lattice.Size).Len()))
	w.expand.Set("latticeStep", step)
}

// writeFront writes the state before the first wave.
func (w *wavefront) writeFront(f *flight, layers []layer, s *seeds) {
	state := make([]front, 1+(len(layers)+slotsPerFront-1)/slotsPerFront)
	head := &state[0]
	head[frontWindows], head[frontLit] = uint32(len(s.windows)), uint32(len(s.lit))
	head[frontWindowRoom], head[frontOfferRoom] = uint32(w.rooms.windows), uint32(w.rooms.offers)
	head[frontLitRoom], head[frontLitPage] = uint32(w.lit[len(f.lit)].Len()), uint32(len(f.lit))
	first := firstFaces(layers)
	for i, l := range layers {
		slot := state[1+i/slotsPerFront][i%slotsPerFront*slotWords:]
		slot[0], slot[1] = 0, unreachedBits // sources are at distance 0
		slot[2], slot[3] = math.Float32bits(l.surface.waveStep), uint32(first[i])
	}
	w.front.Write(0, state)
}

// firstFaces says where the faces of each layer's ground begin among those of all.
func firstFaces(layers []layer) []int {
	all := make([]int, len(layers))
	at, next := map[*surface]int{}, 0
	for i, l := range layers {
		first, ok := at[l.surface]
		if !ok {
			first = next
			at[l.surface] = first
			next += l.surface.faces.Len()
		}
		all[i] = first
	}
	return all
}

// gather puts the faces of several grounds into one buffer.
func (w *wavefront) gather(layers []layer) {
	if w.facesIn(layers) != w.faces {
		return
	}
	w.device.Barrier(gpu.BarrierUpdate)
	for i, first := range firstFaces(layers) {
		faces := layers[i].surface.faces
		faces.CopyRange(0, w.faces, first, faces.Len())
	}
	w.device.Barrier(gpu.BarrierStorage)
}

// facesIn is where the faces of all layers' grounds are: those of one ground are read where it has them.
func (w *wavefront) facesIn(layers []layer) *gpu.Buffer[face] {
	for _, l := range layers {
		if l.surface != layers[0].surface {
			return w.faces
		}
	}
	return layers[0].surface.faces
}

// bind binds what the waves read and write, but for the page of what is lit.
func (w *wavefront) bind(f *flight, faces *gpu.Buffer[face]) {
	f.records.Bind(bindGenerators)
	w.offers.Bind(bindOffers)
	w.reach.Bind(bindReach)
	faces.Bind(bindFaces)
	w.front.Bind(bindFront)
	w.windows.Bind(bindWindows)
	w.rivals.Bind(bindRivals)
}

// issue sends a batch of waves on its way, and a letter that tells how it ended.
func (w *wavefront) issue(f *flight, faces *gpu.Buffer[face]) error {
	w.bind(f, faces)
	w.lit[len(f.lit)].Bind(bindLit)
	w.device.Barrier(gpu.BarrierStorage)
	w.ties.Set("litPage", uint32(len(f.lit)))
	w.ties.Set("litRoom", uint32(w.lit[len(f.lit)].Len()))
	for range f.batch {
		for _, p := range []*gpu.Program{w.propagate, w.ties, w.expand} {
			p.Set("wave", f.wave)
			p.Dispatch(w.groups, 1, 1)
			w.device.Barrier(gpu.BarrierStorage)
		}
		f.wave++
	}
	if !w.mail.Post(w.front, 0) {
		return errLost
	}
	f.underWay++
	f.batch = min(2*f.batch, longestBatch)
	return nil
}

// errLost is what a build ends with where a device was lost.
var errLost = errors.New("spm: the device has stopped to answer; make a new context")

// outcome is how a flight stands.
type outcome int

const (
	flying outcome = iota
	full           // a queue had too little room: flight.need says how much it takes
	landed         // nothing is left to expand
)

// look takes the letters that have come, and issues the next batch where too few are under way: the device always has work. It
// does not wait.
func (w *wavefront) look(f *flight, faces *gpu.Buffer[face]) (outcome, error) {
	var letter [1]front
	for {
		number, ok := w.mail.Take(letter[:])
		if !ok {
			break
		}
		if number < f.first {
			continue // of a flight before, whose last waves were too many
		}
		f.underWay--
		end := &letter[0]
		if windows, offers := end[frontWindowsNeeded], end[frontOffersNeeded]; windows > 0 || offers > 0 {
			f.need.windows = max(f.need.windows, int(windows), min(larger(windows), w.mostIn(sizeOf[window](2))))
			f.need.offers = max(f.need.offers, int(offers), min(larger(offers), w.mostIn(sizeOf[offer](2))))
			return full, nil
		}
		if end[frontWindows] == 0 && end[frontOffers] == 0 {
			if int(end[frontLitPage]) == len(f.lit) { // otherwise the page turned to was not begun
				f.lit = append(f.lit, int(min(end[frontLit], end[frontLitRoom])))
			}
			return landed, nil
		}
		if end[frontLit] > end[frontLitRoom] && int(end[frontLitPage]) == len(f.lit) {
			if err := w.turn(f); err != nil {
				return flying, err
			}
		}
	}
	for f.underWay < mostUnderWay {
		if err := w.issue(f, faces); err != nil {
			return flying, err
		}
	}
	return flying, nil
}

// sort sorts what a flight lit by layer and generator, for drawing.
func (w *wavefront) sort(f *flight, faces *gpu.Buffer[face]) error {
	if err := w.makeRoom(f); err != nil {
		return err
	}
	w.bind(f, faces)
	w.device.Barrier(gpu.BarrierUpdate)
	w.counts.Clear()
	w.counts.Bind(bindTally)
	f.commands.Bind(bindCommands)
	w.device.Barrier(gpu.BarrierStorage)
	w.eachLit(f, w.tally)
	w.device.Barrier(gpu.BarrierStorage)
	w.scan.Set("pieces", f.pieces.count)
	w.scan.Set("pieceLength", f.pieces.length)
	w.scan.Set("piecesInPage", f.pieces.inPage)
	w.scan.Dispatch(uint32(len(f.layers)), 1, 1)
	w.device.Barrier(gpu.BarrierStorage)
	for i, page := range f.shards {
		page.Bind(bindShards)
		w.scatter.Set("first", uint32(i)*f.pieces.inPage*f.pieces.length)
		w.scatter.Set("room", f.pieces.inPage*f.pieces.length)
		w.eachLit(f, w.scatter)
	}
	w.device.Barrier(gpu.BarrierUpdate | gpu.BarrierVertex | gpu.BarrierCommand)
	return nil
}

// makeRoom makes room for the shards of a flight and the commands that draw them.
func (w *wavefront) makeRoom(f *flight) error {
	shards := 0
	for _, n := range f.lit {
		shards += n
	}
	f.pieces = w.cut(shards)
	err := enlarge(w.device, &f.commands, "spm draws", len(f.layers)*int(f.pieces.count))
	page := int(f.pieces.inPage * f.pieces.length)
	for i := 0; i*page < shards && err == nil; i++ {
		if i == len(f.shards) {
			f.shards = append(f.shards, nil)
		}
		err = enlarge(w.device, &f.shards[i], "spm shards", min(larger(uint32(shards-i*page)), page))
	}
	return err
}

// eachLit dispatches a program on each page of what a flight lit.
func (w *wavefront) eachLit(f *flight, p *gpu.Program) {
	for i, n := range f.lit {
		w.lit[i].Bind(bindLit)
		p.Set("litCount", uint32(n))
		p.Dispatch(w.groups, 1, 1)
	}
}

// draw draws what a slot's generators light into a layer of a map.
func (w *wavefront) draw(m *Map, layer int, h *harvest, slot int) {
	target := m.targets[layer]
	target.ClearColor(0, float64(NoParent))
	target.ClearDepthStencil(1, 0)
	m.setTexels(w.shard)
	m.setPolygons(w.shard)
	w.shard.Set("depthScale", depthScale(m.Ground(layer)))
	var part shard
	for i := range h.pieces.count {
		shards := recordsOf(h.shards[i/h.pieces.inPage], 0)
		w.device.Draw(gpu.Draw{
			Program: w.shard, Target: target, Mode: gpu.Points,
			Indirect: &gpu.Indirect{Buffer: h.commands, Offset: (slot*int(h.pieces.count) + int(i)) * h.commands.Stride()},
			Attributes: []gpu.Attribute{
				shards.field(0, 2, gpu.Float, unsafe.Offsetof(part.Position)),
				shards.field(1, 1, gpu.Float, unsafe.Offsetof(part.Distance)),
				shards.field(2, 1, gpu.Uint, unsafe.Offsetof(part.Index)),
				shards.field(3, 2, gpu.Int, unsafe.Offsetof(part.X)),
				shards.field(4, 4, gpu.Int, unsafe.Offsetof(part.AX)),
				shards.field(5, 2, gpu.Int, unsafe.Offsetof(part.CX)),
				shards.field(6, 4, gpu.Int, unsafe.Offsetof(part.RightX)),
				shards.field(7, 2, gpu.Int, unsafe.Offsetof(part.AheadX)),
			},
			Depth: gpu.DepthState{Test: gpu.Less, Write: true},
		})
	}
}

// sow finds what the sources of layers light first, the layers' records in slots one after the other.
func sow(layers []layer, stride, room int, slack float64) *seeds {
	s := &seeds{rivals: make([][2]uint32, len(layers))}
	firsts := firstFaces(layers)
	for slot, l := range layers {
		g := l.surface.ground
		f := field{
			seeds: s, slot: slot, ground: g, slack: slack * onPlane(g.Lattice.Size).Len(), corners: g.CornersOfTriangles(),
			firstFace: uint32(firsts[slot]), firstCorner: uint32(slot*stride + room),
		}
		records := make([]Generator, len(l.sources))
		for i, source := range l.sources {
			records[i] = sourceRecord(g, source, i)
			if b, ok := source.beam(); ok {
				f.sowBeam(b, uint32(slot*stride+i))
			}
		}
		f.sowPoints(l.sources, uint32(slot*stride))
		s.sources = append(s.sources, records)
	}
	return s
}

// field is the ground of a slot while it is sown.
type field struct {
	*seeds
	slot                   int
	slack                  float64 // lattice steps
	ground                 *geom.Ground
	corners                [][3]int32 // of the ground's triangles
	firstFace, firstCorner uint32     // of the slot
	footings               []geom.Footing
}

// standing is a point source in a triangle that it lights.
type standing struct {
	geom.Entrance
	rival
	generator uint32
}

// sowPoints sows the point sources, the first of which has the index `first`. Of those that stand in the same triangle each lights
// the part that it can win.
func (f *field) sowPoints(sources []site, first uint32) {
	var all []standing
	var entrances []geom.Entrance
	sown := map[site]bool{}
	for i, s := range sources {
		if _, ok := s.beam(); ok {
			continue
		}
		// Of equal sources the first wins everywhere.
		same := s
		same.of = 0
		if sown[same] {
			continue
		}
		sown[same] = true
		entrances = f.ground.Entrances(s.sector, entrances[:0])
		for _, in := range entrances {
			all = append(all, standing{in, newRival(f.ground.Lattice, s), first + uint32(i)})
		}
	}
	slices.SortStableFunc(all, func(a, b standing) int { return cmp.Compare(a.Triangle, b.Triangle) })
	begin := len(f.rivals)
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(s standing) bool { return s.Triangle != all[0].Triangle })
		if n < 0 {
			n = len(all)
		}
		f.sowTriangle(all[:n])
		all = all[n:]
	}
	if len(sown) < 2 { // nobody to be a rival of
		f.rivals = f.rivals[:begin]
	}
	f.rivals[f.slot] = [2]uint32{uint32(begin), uint32(len(f.rivals))}
}

// sowTriangle sows the sources of a triangle.
func (f *field) sowTriangle(sources []standing) {
	t := sources[0].Triangle
	begin := len(f.rivals)
	var triangle [3]geom.Point
	for i, v := range f.ground.Triangles[t].V {
		triangle[i] = f.ground.Vertices[v]
	}
	v := newVoronoi(triangle, sources, f.slack)
	for i, s := range sources {
		v.find(i)
		low, high := v.box()
		f.lit = append(f.lit, lit{s.generator, 0, f.firstFace + uint32(t), wholeFace, low.X, low.Y, high.X, high.Y})
		for e := range int32(3) {
			f.offer(s.generator, f.corners[t][e])
			exit := v.exit(s.rival, int(e))
			if !exit.Open() {
				continue
			}
			f.rivals = append(f.rivals, [2]uint32{uint32(3*t + e), s.generator})
			if s.Exits[e] {
				f.window(s.generator, t, e, exit)
			}
		}
	}
	slices.SortStableFunc(f.rivals[begin:], func(a, b [2]uint32) int { return cmp.Compare(a[0], b[0]) })
}

func (f *field) sowBeam(b geom.Beam, generator uint32) {
	f.footings = f.ground.Footings(b, f.footings[:0])
	for _, in := range f.footings {
		for e, exit := range in.Exits {
			if in.Sees[e] {
				f.offer(generator, f.corners[in.Triangle][e])
			}
			if exit.Open() {
				f.lit = append(f.lit, lit{
					generator, 0, f.firstFace + uint32(in.Triangle), footing + uint32(e),
					exit.Right.X, exit.Right.Y, exit.Left.X, exit.Left.Y,
				})
				f.window(generator, in.Triangle, int32(e), exit)
			}
		}
	}
}

// offer offers a source to a corner that it sees, if it is one.
func (f *field) offer(generator uint32, corner int32) {
	if corner >= 0 {
		f.offers = append(f.offers, offer{f.firstCorner + uint32(corner), generator, 0})
	}
}

// window sends the light of a source out of a triangle, if its side is no wall.
func (f *field) window(generator uint32, triangle, side int32, x geom.Exit) {
	if n, entry := f.ground.Across(triangle, side); n >= 0 {
		f.windows = append(f.windows, window{generator, 0, 3*n + entry, 0, x.Right.X, x.Right.Y, x.Left.X, x.Left.Y})
	}
}
