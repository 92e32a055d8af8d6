package spm

import (
	"unsafe"

	"github.com/wayfront/wayfront/engine/gpu"
)

// cone is the current generator as the passes of an iteration see it: as a storage buffer in compute, as instanced
// attributes where cones and shadows are drawn.
type cone struct {
	Position               [2]float32 // m from the domain's corner
	X, Y                   int32      // lattice
	FromX, FromY, ToX, ToY int32      // free sector
	RightX, RightY         int32      // the taut wedge runs counter-clockwise from the ray to right
	LeftX, LeftY           int32      // to the ray to left
	AheadX, AheadY         int32      // of a beam, where all its rays go; zero where they part
	Kind                   uint32     // geom.SectorKind
	Wedge                  uint32     // one of the wedge constants
	Distance               float32    // m
	Index                  uint32     // of the generator, in its layer
}

// commands are the indirect commands of an iteration's draws and dispatch, in OpenGL's layout.
type commands struct {
	ShadowCount, ShadowInstances, ShadowFirst, ShadowBase uint32
	ConeCount, ConeInstances, ConeFirst, ConeBase         uint32
	GroupsX, GroupsY, GroupsZ                             uint32
}

// Byte offsets in commands.
const (
	shadowCommand   = int(unsafe.Offsetof(commands{}.ShadowCount))
	coneCommand     = int(unsafe.Offsetof(commands{}.ConeCount))
	distanceCommand = int(unsafe.Offsetof(commands{}.GroupsX))
)

// What the taut wedge of a cone is.
const (
	wedgeNone  = 0 // no wedge: all of the free sector
	wedgeTaut  = 1 // between right and left
	wedgeEmpty = 2 // no shortest path turns at this corner
)

// Storage buffer bindings of the method's programs, besides bindGenerators.
const (
	bindCone     = 1 // the current cone
	bindCommands = 2 // indirect commands
	bindWalls    = 3 // walls, ivec4 each
)

// sequential holds the programs of the method.
type sequential struct {
	device *gpu.Device

	search, shadow, cone, distances *gpu.Program

	current  *gpu.Buffer[cone]
	commands *gpu.Buffer[commands]

	walls  int                  // of a ground, at most: mostWalls
	most   int                  // iterations, for Stop; 0: as many as there are generators
	report func(issued, of int) // for Watch; nil: nobody does
}

// mostWalls is how many walls a ground may have for this method. An invocation of distances.comp asks all of them, twice, which
// Mesa's software renderer ends after 65,535 turns without a word, and a dispatch every one for each of about as many corners:
// half a billion tests, well below what a watchdog allows. It is the method to compare with, for some thousand corners: more of
// them take an iteration each, and minutes.
const mostWalls = 1 << 14

func newSequential(d *gpu.Device) (*sequential, error) {
	b := &sequential{device: d, walls: mostWalls}
	err := compile(d, map[string]**gpu.Program{
		"search": &b.search, "shadow": &b.shadow, "cone": &b.cone, "distances": &b.distances,
	})
	if err == nil {
		b.current, err = gpu.NewBuffer[cone](d, "spm cone", 1)
	}
	if err == nil {
		b.commands, err = gpu.NewBuffer[commands](d, "spm commands", 1)
	}
	return b, err
}

func (b *sequential) delete() {
	for _, p := range []*gpu.Program{b.search, b.shadow, b.cone, b.distances} {
		p.Delete()
	}
	b.current.Delete()
	b.commands.Delete()
}

// build makes the map of a layer whose sources are set, one generator an iteration.
func (b *sequential) build(m *Map, layer int) {
	records := make([]Generator, m.Stride)
	l := &m.layers[layer]
	g := l.surface.ground
	layerRecords(records[:m.Room+len(g.Corners)], g, l.sources, m.Room)
	base := layer * m.Stride
	m.Generators.Write(base, records)

	target := m.targets[layer]
	target.ClearColor(0, float64(NoParent))

	for _, p := range []*gpu.Program{b.shadow, b.cone} {
		m.setTexels(p)
		m.setPolygons(p)
	}
	for _, p := range []*gpu.Program{b.search, b.distances} {
		p.Set("base", uint32(base))
		p.Set("count", uint32(m.Stride))
	}
	b.search.Set("walls", uint32(l.surface.wallCount))
	b.distances.Set("wallCount", uint32(l.surface.wallCount))
	b.distances.Set("latticeStep", float32(g.Lattice.Step))
	b.cone.Set("depthScale", depthScale(g))
	b.cone.Set("domain", [2]int32{g.Lattice.Size.X, g.Lattice.Size.Y})
	m.Generators.Bind(bindGenerators)
	b.current.Bind(bindCone)
	b.commands.Bind(bindCommands)
	l.surface.walls.Bind(bindWalls)

	shadow, draw := b.shadowDraw(l.surface, target), b.coneDraw(target)
	iterations := len(l.sources) + len(g.Corners)
	if b.most > 0 {
		iterations = min(iterations, b.most)
	}
	for i := range iterations {
		// Shadows are marked with the iteration's own stencil value, so that the stencil is cleared once in 255.
		mark := uint8(i%255 + 1)
		if mark == 1 {
			if i == 0 {
				target.ClearDepthStencil(1, 0)
			} else {
				target.ClearStencil(0)
			}
		}
		b.search.Dispatch(1, 1, 1)
		b.device.Barrier(gpu.BarrierStorage | gpu.BarrierVertex | gpu.BarrierCommand)
		shadow.Stencil.Ref, draw.Stencil.Ref = mark, mark
		if l.surface.wallCount > 0 {
			b.device.Draw(shadow)
		}
		b.device.Draw(draw)
		b.distances.DispatchIndirect(b.commands.Name(), distanceCommand)
		b.device.Barrier(gpu.BarrierStorage)
		if b.report != nil {
			b.report(i+1, iterations)
		}
	}
}

// shadowDraw is Procedure 2: a point a wall, the cone's attributes once for all.
func (b *sequential) shadowDraw(s *surface, target *gpu.Target) gpu.Draw {
	walls, cones := recordsOf(s.walls, 0), recordsOf(b.current, 1)
	var w wall
	var c cone
	return gpu.Draw{
		Program: b.shadow, Target: target, Mode: gpu.Points,
		Indirect: &gpu.Indirect{Buffer: b.commands, Offset: shadowCommand},
		Attributes: []gpu.Attribute{
			walls.field(0, 4, gpu.Int, unsafe.Offsetof(w.AX)),
			cones.field(1, 2, gpu.Int, unsafe.Offsetof(c.X)),
			cones.field(2, 1, gpu.Uint, unsafe.Offsetof(c.Wedge)),
			cones.field(3, 4, gpu.Int, unsafe.Offsetof(c.RightX)),
			cones.field(4, 2, gpu.Int, unsafe.Offsetof(c.ToX)),
			cones.field(5, 2, gpu.Int, unsafe.Offsetof(c.AheadX)),
		},
		Stencil:   &gpu.StencilState{Test: gpu.NotEqual, Pass: gpu.Replace},
		HideColor: true,
	}
}

// coneDraw is Procedure 3.
func (b *sequential) coneDraw(target *gpu.Target) gpu.Draw {
	cones := recordsOf(b.current, 1)
	var c cone
	return gpu.Draw{
		Program: b.cone, Target: target, Mode: gpu.Points,
		Indirect: &gpu.Indirect{Buffer: b.commands, Offset: coneCommand},
		Attributes: []gpu.Attribute{
			cones.field(0, 2, gpu.Int, unsafe.Offsetof(c.X)),
			cones.field(1, 4, gpu.Int, unsafe.Offsetof(c.FromX)),
			cones.field(2, 1, gpu.Uint, unsafe.Offsetof(c.Kind)),
			cones.field(3, 1, gpu.Uint, unsafe.Offsetof(c.Wedge)),
			cones.field(4, 4, gpu.Int, unsafe.Offsetof(c.RightX)),
			cones.field(5, 2, gpu.Float, unsafe.Offsetof(c.Position)),
			cones.field(6, 1, gpu.Float, unsafe.Offsetof(c.Distance)),
			cones.field(7, 1, gpu.Uint, unsafe.Offsetof(c.Index)),
			cones.field(8, 2, gpu.Int, unsafe.Offsetof(c.AheadX)),
		},
		Depth:   gpu.DepthState{Test: gpu.Less, Write: true},
		Stencil: &gpu.StencilState{Test: gpu.NotEqual, Pass: gpu.Keep},
	}
}
