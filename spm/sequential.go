package spm

import (
	"unsafe"

	"github.com/wayfront/wayfront/engine/gpu"
)

// cone is the current generator as the passes of an iteration see it: as a storage buffer in
// compute, as instanced attributes where cones and shadows are drawn.
type cone struct {
	Position               [2]float32 // m from the domain's corner
	X, Y                   int32      // lattice
	FromX, FromY, ToX, ToY int32      // free sector
	RightX, RightY         int32      // the taut wedge runs counter-clockwise from the ray to right
	LeftX, LeftY           int32      // to the ray to left
	AheadX, AheadY         int32      // of a light field, where all its rays go; zero where they part
	Kind                   uint32     // geom.SectorKind
	Wedge                  uint32     // one of the wedge constants
	Distance               float32    // m
	Index                  uint32     // of the generator, in its layer
}

// What the taut wedge of a cone is.
const (
	wedgeNone  uint32 = 0 // no wedge: all of the free sector
	wedgeTaut  uint32 = 1 // between right and left
	wedgeEmpty uint32 = 2 // no shortest path turns at this corner
)

// wall is a wall that may hide things, lattice coordinates.
type wall struct{ AX, AY, BX, BY int32 }

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

// searchInput is what search.comp.glsl takes: it picks the nearest generator that is not expanded
// yet (Procedure 1).
type searchInput struct {
	generators *gpu.Buffer[Generator] `gpu:"readwrite"`
	cone       *gpu.Buffer[cone]      `gpu:"write"`
	commands   *gpu.Buffer[commands]  `gpu:"write"`

	base, count, walls uint32 // first record of the layer, its records, walls that may cast shadows
}

// shadowInput is what the stages shadow.* take: they mark in the stencil what walls hide from the
// current generator (Procedure 2). A wall is a point; the attributes of the cone are the same for
// all.
type shadowInput struct {
	polygonInput
	wall                          gpu.VertexAttribute // fields of wall
	at, wedge, bounds, run, ahead gpu.VertexAttribute // fields of cone
}

// coneInput is what the stages cone.* take: they draw the current cone where no shadow is marked
// (Procedure 3). Attributes are fields of cone.
type coneInput struct {
	polygonInput
	at, sector, kind, wedge, bounds, position, apexDistance, index, ahead gpu.VertexAttribute

	depthScale float32
	domain     [2]int32 // its upper right corner
}

// distancesInput is what distances.comp.glsl takes: it offers the current generator's distance to
// the corners that it sees (Procedure 4).
type distancesInput struct {
	generators *gpu.Buffer[Generator] `gpu:"readwrite"`
	cone       *gpu.Buffer[cone]      `gpu:"read"`
	walls      *gpu.Buffer[wall]      `gpu:"read"`

	base, count, wallCount uint32  // first record of the layer, and its records
	latticeStep            float32 // m
}

// sequential is the method of that name: its passes, and what an iteration's passes hand on.
type sequential struct {
	search    *gpu.Pass[searchInput]
	shadow    *gpu.Pass[shadowInput]
	cone      *gpu.Pass[coneInput]
	distances *gpu.Pass[distancesInput]

	current  *gpu.Buffer[cone]
	commands *gpu.Buffer[commands]

	walls  int                  // of a ground, at most: mostWalls
	most   int                  // iterations, for Stop; 0: as many as there are generators
	report func(issued, of int) // for Watch; may be nil
}

// mostWalls is how many walls a ground may have for this method. An invocation of distances.comp
// tests all of them, twice, which Mesa's software renderer ends after 65,535 turns without a word,
// and a dispatch every one for each of about as many corners: half a billion tests, well below what
// a watchdog allows. It is the method to compare with, for some thousand corners: more of them take
// an iteration each, and minutes.
const mostWalls = 1 << 14

func (s *sequential) load(l *loader) {
	load(l, &s.search, "search")
	load(l, &s.shadow, "shadow", "shadow.vert", "shadow.geom", "shadow.frag")
	load(l, &s.cone, "cone", "cone.vert", "cone.geom", "cone.frag")
	load(l, &s.distances, "distances")
}

func newSequential(l *loader) (*sequential, error) {
	s := &sequential{walls: mostWalls}
	if s.load(l); l.err == nil {
		l.err = enlarge(l.device, &s.current, "spm cone", 1)
	}
	if l.err == nil {
		l.err = enlarge(l.device, &s.commands, "spm commands", 1)
	}
	return s, l.err
}

// Stop has later builds by method sequential end when so many generators, the nearest ones, have
// cast their cones: the steps of figure 2 of the paper. Such a map is no shortest path map yet:
// distances are those over these generators alone, and what none of them lights is unreached. 0 is
// no bound. Method wavefront has no such steps: Stop panics.
func (b *Builder) Stop(after int) {
	if b.sequential == nil || after < 0 {
		panic("spm: Stop is for method sequential, and after so many generators: give 0 or more")
	}
	b.sequential.most = after
}

// Watch has later builds by method sequential call back each time that another generator's commands
// are issued: so many of so many, in every layer anew. nil ends that. Method wavefront has no such
// steps: Watch panics.
func (b *Builder) Watch(report func(issued, of int)) {
	if b.sequential == nil {
		panic("spm: Watch is for method sequential")
	}
	b.sequential.report = report
}

// build makes the map of a layer whose sources are set, one generator an iteration.
func (s *sequential) build(m *Map, layer int) {
	l := &m.layers[layer]
	g := l.surface.ground
	base, walls := layer*m.Stride, uint32(l.surface.walls.Len())
	m.Generators.Write(base, layerRecords(g, l.sources, m.Sources, m.Stride))
	target := m.targets[layer]
	target.ClearColor(float64(NoParent))

	search := searchInput{
		generators: m.Generators, cone: s.current, commands: s.commands, base: uint32(base), count: uint32(m.Stride), walls: walls,
	}
	distances := distancesInput{
		generators: m.Generators, cone: s.current, walls: l.surface.walls,
		base: uint32(base), count: uint32(m.Stride), wallCount: walls, latticeStep: float32(g.Lattice.Step),
	}
	iterations := len(l.sources) + len(g.Corners)
	if s.most > 0 {
		iterations = min(iterations, s.most)
	}
	for i := range iterations {
		// Shadows are marked with the iteration's own stencil value, so that the stencil is cleared once
		// in 255.
		mark := uint8(i%255 + 1)
		if i == 0 {
			target.ClearDepthStencil(1, 0)
		} else if mark == 1 {
			target.ClearStencil(0)
		}
		s.search.Run(search, 1)
		if walls > 0 {
			s.castShadows(m, layer, mark)
		}
		s.drawCone(m, layer, mark)
		s.distances.RunIndirect(distances, s.commands, distanceCommand)
		if s.report != nil {
			s.report(i+1, iterations)
		}
	}
}

// castShadows marks shadows with the iteration's stencil value.
func (s *sequential) castShadows(m *Map, layer int, mark uint8) {
	var c cone
	of := fieldsOf(s.current, 1)
	s.shadow.Draw(shadowInput{
		polygonInput: m.Extent.polygons(),
		wall:         fieldsOf(m.layers[layer].surface.walls, 0)(0),
		at:           of(unsafe.Offsetof(c.X)),
		wedge:        of(unsafe.Offsetof(c.Wedge)),
		bounds:       of(unsafe.Offsetof(c.RightX)),
		run:          of(unsafe.Offsetof(c.ToX)),
		ahead:        of(unsafe.Offsetof(c.AheadX)),
	}, gpu.Draw{
		Target: m.targets[layer], Mode: gpu.Points, Indirect: &gpu.Indirect{Buffer: s.commands, Offset: shadowCommand},
		Stencil: &gpu.StencilState{Test: gpu.NotEqual, Ref: mark, Replace: true}, HideColor: true,
	})
}

// drawCone draws the current cone where the stencil does not have the iteration's value.
func (s *sequential) drawCone(m *Map, layer int, mark uint8) {
	g := m.Ground(layer)
	var c cone
	of := fieldsOf(s.current, 1)
	s.cone.Draw(coneInput{
		polygonInput: m.Extent.polygons(),
		at:           of(unsafe.Offsetof(c.X)),
		sector:       of(unsafe.Offsetof(c.FromX)),
		kind:         of(unsafe.Offsetof(c.Kind)),
		wedge:        of(unsafe.Offsetof(c.Wedge)),
		bounds:       of(unsafe.Offsetof(c.RightX)),
		position:     of(unsafe.Offsetof(c.Position)),
		apexDistance: of(unsafe.Offsetof(c.Distance)),
		index:        of(unsafe.Offsetof(c.Index)),
		ahead:        of(unsafe.Offsetof(c.AheadX)),
		depthScale:   depthScale(g),
		domain:       [2]int32{g.Lattice.Size.X, g.Lattice.Size.Y},
	}, gpu.Draw{
		Target: m.targets[layer], Mode: gpu.Points, Indirect: &gpu.Indirect{Buffer: s.commands, Offset: coneCommand},
		Depth:   gpu.DepthState{Test: gpu.Less, Write: true},
		Stencil: &gpu.StencilState{Test: gpu.NotEqual, Ref: mark},
	})
}
