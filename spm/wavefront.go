package spm

import (
	"errors"
	"math"
	"slices"
	"unsafe"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// face is a triangle of the ground as windows cross it.
type face struct {
	AX, AY, BX, BY, CX, CY    int32  // lattice, counter-clockwise
	Across0, Across1, Across2 int32  // the half-edge behind each side, 3 * triangle + side; -1 behind walls
	Corner0, Corner1, Corner2 uint32 // the record of the corner at each vertex whose sector holds the triangle, or NoParent
}

// window is light from a generator on its way into a triangle.
type window struct {
	Generator                    uint32
	Distance                     float32 // of the generator when it sent the light, m
	Entry                        int32   // the half-edge it enters by
	Key                          float32 // no point behind it is nearer than that, m
	RightX, RightY, LeftX, LeftY int32   // its bounding rays go through these, lattice
}

// lit is the part of a triangle that a generator lights.
type lit struct {
	Generator                    uint32
	Distance                     float32
	Face                         uint32
	RightX, RightY, LeftX, LeftY int32
}

// offer is a distance that a generator offers to a corner.
type offer struct {
	Corner, Generator uint32
	Bits              uint32 // of the distance, a float32 in m
}

// shard is a lit part as it is drawn, with all that drawing needs.
type shard struct {
	Position                     [2]float32 // of the generator
	Distance                     float32    // of the generator
	Index                        uint32     // of the generator
	X, Y                         int32      // of the generator, lattice
	AX, AY, BX, BY, CX, CY       int32      // the triangle
	RightX, RightY, LeftX, LeftY int32
}

// drawCommand is an indirect draw in OpenGL's layout.
type drawCommand struct{ Count, Instances, First, Base uint32 }

// front is the state of a wavefront, as shaders/include/front.glsl has it.
type front [12]uint32

// Where things are in front.
const (
	frontWindows       = 0 // of either queue
	frontLeastKey      = 2 // of either queue
	frontOffers        = 4 // of either queue
	frontLit           = 6
	frontWindowsNeeded = 7
	frontOffersNeeded  = 8
	frontWindowRoom    = 9
	frontOfferRoom     = 10
	frontLitRoom       = 11
)

// unreachedBits are the bits of the distance of what is not reached.
var unreachedBits = math.Float32bits(float32(math.Inf(1)))

// reachOf is what a record of reach begins with, as shaders/include/light.glsl has it.
var reachOf = [5]uint32{unreachedBits, NoParent, NoParent, unreachedBits, 0}

// batch is how many waves are issued before the counters of the batch before are looked at.
const batch = 16

// Rooms of the queues at first; a build that needs more makes them larger.
const (
	firstWindows = 1 << 12
	firstOffers  = 1 << 12
	firstLit     = 1 << 14
)

// wavefront holds the programs and queues of the method.
type wavefront struct {
	device *gpu.Device

	propagate, ties, expand *gpu.Program
	tally, scan, scatter    *gpu.Program
	shard                   *gpu.Program

	front   *gpu.Buffer[front]
	command *gpu.Buffer[drawCommand]
	mail    *gpu.Mailbox[front]
	groups  uint32

	windows *gpu.Buffer[window] // two queues
	offers  *gpu.Buffer[offer]  // two queues
	lit     *gpu.Buffer[lit]
	sorted  *gpu.Buffer[shard]
	reach   *gpu.Buffer[[5]uint32] // a record of the layer
	counts  *gpu.Buffer[uint32]    // a record of the layer
	rooms   rooms
}

// scanGroup is the number of invocations that add up the tally. Any power of two up to 1024 gives the same map.
const scanGroup = 256

func newWavefront(d *gpu.Device) (*wavefront, error) {
	// A thread takes several windows of a long queue: enough workgroups to fill the device, few where each costs.
	w := &wavefront{device: d, groups: 128}
	if d.Info().Software {
		w.groups = 4
	}
	err := compile(d, map[string]**gpu.Program{
		"propagate": &w.propagate, "ties": &w.ties, "expand": &w.expand,
		"tally": &w.tally, "scan": &w.scan, "scatter": &w.scatter, "shard": &w.shard,
	})
	if err == nil {
		w.front, err = gpu.NewBuffer[front](d, "spm front", 1)
	}
	if err == nil {
		w.command, err = gpu.NewBuffer[drawCommand](d, "spm draw", 1)
	}
	if err == nil {
		w.mail, err = gpu.NewMailbox[front](d, gpu.MailboxSpec{Label: "spm front", Length: 1, Latency: 1})
	}
	if err == nil {
		err = w.grow(rooms{windows: firstWindows, offers: firstOffers, lit: firstLit, records: 1})
	}
	return w, err
}

func (w *wavefront) delete() {
	for _, p := range []*gpu.Program{w.propagate, w.ties, w.expand, w.tally, w.scan, w.scatter, w.shard} {
		p.Delete()
	}
	w.front.Delete()
	w.command.Delete()
	if w.mail != nil {
		w.mail.Delete()
	}
	w.windows.Delete()
	w.offers.Delete()
	w.lit.Delete()
	w.sorted.Delete()
	w.reach.Delete()
	w.counts.Delete()
}

// rooms are the lengths of the queues.
type rooms struct{ windows, offers, lit, records int }

// build makes the map of a layer whose sources are set.
//
// Waves are issued in batches without waiting. How a batch ended is looked at when the next one has been issued, so that the
// GPU always has work; the waves that turn out to have been too many find empty queues.
func (w *wavefront) build(m *Map, layer int) error {
	room := w.rooms
	room.records = max(room.records, m.Stride)
	for {
		if err := w.grow(room); err != nil {
			return err
		}
		end, err := w.waves(m, layer)
		if err != nil {
			return err
		}
		room.windows = max(room.windows, larger(end[frontWindowsNeeded]))
		room.offers = max(room.offers, larger(end[frontOffersNeeded]))
		if int(end[frontLit]) > room.lit {
			room.lit = larger(end[frontLit])
		}
		if room == w.rooms {
			break
		}
	}
	w.draw(m, layer)
	return nil
}

// expect makes the queues as large as maps of a ground mostly need, so that few builds are done twice. Rows of squares, which
// have the most to see, light 23 parts of triangles a corner.
func (w *wavefront) expect(g *geom.Ground) error {
	corners := len(g.Corners)
	most := int(w.device.Info().Limits.MaxStorageBlock) / w.sorted.Stride()
	room := w.rooms
	room.windows = max(room.windows, corners)
	room.lit = max(room.lit, min(24*corners, most))
	return w.grow(room)
}

// larger is the room to make where so much was needed: half as much again, since what is needed grows once there is more.
func larger(needed uint32) int { return int(needed) + int(needed)/2 }

// grow makes the queues as large as asked for.
func (w *wavefront) grow(r rooms) (err error) {
	if r.windows > w.rooms.windows {
		err = errors.Join(err, renew(w.device, &w.windows, "spm windows", 2*r.windows))
	}
	if r.offers > w.rooms.offers {
		err = errors.Join(err, renew(w.device, &w.offers, "spm offers", 2*r.offers))
	}
	if r.lit > w.rooms.lit {
		err = errors.Join(err, renew(w.device, &w.lit, "spm lit", r.lit), renew(w.device, &w.sorted, "spm shards", r.lit))
	}
	if r.records > w.rooms.records {
		err = errors.Join(err, renew(w.device, &w.reach, "spm reach", r.records), renew(w.device, &w.counts, "spm tally", r.records))
	}
	if err == nil {
		w.rooms = r
	} else {
		w.rooms = rooms{} // what there is may have any size
	}
	return err
}

// renew puts a buffer of n elements in the place of an old one. Without room for it the old one stays.
func renew[T any](d *gpu.Device, b **gpu.Buffer[T], label string, n int) error {
	fresh, err := gpu.NewBuffer[T](d, label, n)
	if err != nil {
		return err
	}
	(*b).Delete()
	*b = fresh
	return nil
}

// waves expands the sources of a layer until nothing is left to expand, and returns the state at the end, or one that says
// what there was too little room for.
func (w *wavefront) waves(m *Map, layer int) (front, error) {
	state := w.begin(m, layer)
	if state[frontWindowsNeeded] > 0 || state[frontOffersNeeded] > 0 || state[frontLit] > uint32(w.rooms.lit) {
		return state, nil
	}
	w.bind(m, m.layers[layer].surface)
	for _, p := range []*gpu.Program{w.propagate, w.ties, w.expand} {
		p.Set("base", uint32(layer*m.Stride))
	}
	w.propagate.Set("latticeStep", float32(m.Ground(layer).Lattice.Step))
	w.propagate.Set("waveStep", m.layers[layer].surface.waveStep)
	w.expand.Set("latticeStep", float32(m.Ground(layer).Lattice.Step))
	w.expand.Set("room", uint32(m.Room))
	first := w.mail.Posted()
	for wave := uint32(0); ; wave += batch {
		for i := range uint32(batch) {
			for _, p := range []*gpu.Program{w.propagate, w.ties, w.expand} {
				p.Set("wave", wave+i)
				p.Dispatch(w.groups, 1, 1)
				w.device.Barrier(gpu.BarrierStorage)
			}
		}
		w.device.Barrier(gpu.BarrierUpdate)
		if !w.mail.Post(w.front, 0) {
			return front{}, errors.New("spm: the device has stopped to answer; make a new context")
		}
		var letter [1]front
		for {
			number, ok := w.mail.Take(letter[:])
			if !ok {
				break
			}
			if number < first {
				continue // of an earlier build
			}
			end := letter[0]
			full := end[frontWindowsNeeded] > 0 || end[frontOffersNeeded] > 0 || end[frontLit] > uint32(w.rooms.lit)
			// A batch is an even number of waves: the next reads queue 0.
			if full || end[frontWindows] == 0 && end[frontOffers] == 0 {
				return end, nil
			}
		}
	}
}

// begin writes the state before the first wave: sources light the triangles that they stand in.
func (w *wavefront) begin(m *Map, layer int) front {
	g, sources := m.Ground(layer), m.layers[layer].sources
	records := make([]Generator, m.Stride)
	layerRecords(records[:m.Room+len(g.Corners)], g, sources, m.Room)
	m.Generators.Write(layer*m.Stride, records)
	for i := range sources {
		records[i].Status = statusExpanded
	}

	reach := slices.Repeat([][5]uint32{reachOf}, m.Stride)
	var windows []window
	var offers []offer
	var lights []lit
	give := func(corner, source int) {
		from, to := records[source].Position, records[corner].Position
		d := math.Hypot(float64(to[0])-float64(from[0]), float64(to[1])-float64(from[1]))
		bits := math.Float32bits(float32(d))
		offers = append(offers, offer{uint32(corner), uint32(source), bits})
		reach[corner][0] = min(reach[corner][0], bits)
	}
	corners := g.CornersOfTriangles()
	var in []geom.Entrance
	for i, s := range sources {
		at := s.sector.At
		in = g.Entrances(s.sector, in[:0])
		for _, entrance := range in {
			t := entrance.Triangle
			triangle := &g.Triangles[t]
			lights = append(lights, lit{uint32(i), 0, uint32(t), at.X, at.Y, at.X, at.Y})
			for e := range int32(3) {
				if corner := corners[t][e]; corner >= 0 {
					give(m.Room+int(corner), i)
				}
				if n, entry := g.Across(t, e); entrance.Exits[e] && n >= 0 {
					right, left := g.Vertices[triangle.V[e]], g.Vertices[triangle.V[(e+1)%3]]
					windows = append(windows, window{uint32(i), 0, 3*n + entry, 0, right.X, right.Y, left.X, left.Y})
				}
			}
		}
	}
	state := front{
		frontWindows: uint32(len(windows)), frontOffers: uint32(len(offers)), frontLit: uint32(len(lights)),
		frontLeastKey + 1: unreachedBits,
		frontWindowRoom:   uint32(w.rooms.windows), frontOfferRoom: uint32(w.rooms.offers), frontLitRoom: uint32(w.rooms.lit),
	}
	if len(windows) > w.rooms.windows {
		state[frontWindowsNeeded] = uint32(len(windows))
	}
	if len(offers) > w.rooms.offers {
		state[frontOffersNeeded] = uint32(len(offers))
	}
	if state[frontWindowsNeeded] > 0 || state[frontOffersNeeded] > 0 || len(lights) > w.rooms.lit {
		return state
	}
	w.front.Write(0, []front{state})
	w.reach.Write(0, reach)
	w.windows.Write(0, windows)
	w.offers.Write(0, offers)
	w.lit.Write(0, lights)
	w.device.Barrier(gpu.BarrierUpdate)
	return state
}

// Storage buffer bindings of the method's programs, besides bindGenerators.
const (
	bindOffers  = 1
	bindReach   = 2
	bindFans    = 3 // in expand
	bindTally   = 3 // in tally, scan and scatter
	bindFaces   = 4
	bindFront   = 5
	bindWindows = 6 // in propagate, ties and expand
	bindShards  = 6 // in scatter
	bindLit     = 7
)

func (w *wavefront) bind(m *Map, s *surface) {
	m.Generators.Bind(bindGenerators)
	w.offers.Bind(bindOffers)
	w.reach.Bind(bindReach)
	s.fans.Bind(bindFans)
	s.faces.Bind(bindFaces)
	w.front.Bind(bindFront)
	w.windows.Bind(bindWindows)
	w.lit.Bind(bindLit)
}

// draw sorts what is lit by generator, and draws it all at once.
func (w *wavefront) draw(m *Map, layer int) {
	w.counts.Clear()
	w.counts.Bind(bindTally)
	w.sorted.Bind(bindShards)
	w.command.Bind(bindCommands)
	for _, p := range []*gpu.Program{w.tally, w.scatter} {
		p.Set("base", uint32(layer*m.Stride))
	}
	w.tally.Dispatch(w.groups, 1, 1)
	w.device.Barrier(gpu.BarrierStorage)
	w.scan.Set("count", uint32(m.Stride))
	w.scan.Dispatch(1, 1, 1)
	w.device.Barrier(gpu.BarrierStorage)
	w.scatter.Dispatch(w.groups, 1, 1)
	w.device.Barrier(gpu.BarrierVertex | gpu.BarrierCommand)

	target := m.targets[layer]
	target.ClearColor(0, float64(NoParent))
	target.ClearDepthStencil(1, 0)
	m.setTexels(w.shard)
	m.setPolygons(w.shard)
	w.shard.Set("depthScale", depthScale(m.Ground(layer)))
	shards := recordsOf(w.sorted, 0)
	var part shard
	w.device.Draw(gpu.Draw{
		Program: w.shard, Target: target, Mode: gpu.Points,
		Indirect: &gpu.Indirect{Buffer: w.command.Name()},
		Attributes: []gpu.Attribute{
			shards.field(0, 2, gpu.Float, unsafe.Offsetof(part.Position)),
			shards.field(1, 1, gpu.Float, unsafe.Offsetof(part.Distance)),
			shards.field(2, 1, gpu.Uint, unsafe.Offsetof(part.Index)),
			shards.field(3, 2, gpu.Int, unsafe.Offsetof(part.X)),
			shards.field(4, 4, gpu.Int, unsafe.Offsetof(part.AX)),
			shards.field(5, 2, gpu.Int, unsafe.Offsetof(part.CX)),
			shards.field(6, 4, gpu.Int, unsafe.Offsetof(part.RightX)),
		},
		Depth: gpu.DepthState{Test: gpu.Less, Write: true},
	})
}

// waveStep is how far a wave reaches: the width of a good dozen triangles. Any positive length gives the same map. Longer ones
// take fewer waves and more windows that turn out to have been in vain; of powers of two this took the least time on squares
// and octagons of 1,600 to 20,000 vertices.
func waveStep(g *geom.Ground) float32 {
	area := float64(g.Lattice.Size.X) * float64(g.Lattice.Size.Y)
	return float32(8 * math.Sqrt(area/float64(len(g.Triangles))) * g.Lattice.Step)
}

// faces are the ground's triangles as windows cross them, and the first half-edge of every corner's fan: that along the wall
// at its right border.
func faces(g *geom.Ground, room int) (all []face, fans []int32) {
	all = make([]face, len(g.Triangles))
	fans = slices.Repeat([]int32{-1}, len(g.Corners))
	corners := g.CornersOfTriangles()
	for t := range g.Triangles {
		triangle := &g.Triangles[t]
		a, b, c := g.Vertices[triangle.V[0]], g.Vertices[triangle.V[1]], g.Vertices[triangle.V[2]]
		var across [3]int32
		var corner [3]uint32
		for e := range int32(3) {
			across[e], corner[e] = -1, NoParent
			if !triangle.Free {
				continue
			}
			if n, back := g.Across(int32(t), e); n >= 0 {
				across[e] = 3*n + back
			}
			if k := corners[t][e]; k >= 0 {
				corner[e] = uint32(room) + uint32(k)
				if triangle.Wall[e] {
					fans[k] = 3*int32(t) + e
				}
			}
		}
		all[t] = face{a.X, a.Y, b.X, b.Y, c.X, c.Y, across[0], across[1], across[2], corner[0], corner[1], corner[2]}
	}
	return all, fans
}
