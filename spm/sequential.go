package spm

import (
	"math"

	"github.com/wayfront/wayfront/engine/geom"
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
	shadowCommand   = 0
	coneCommand     = 16
	distanceCommand = 32
)

// What the taut wedge of a cone is.
const (
	wedgeNone  = 0 // no wedge: all of the free sector
	wedgeTaut  = 1 // between right and left
	wedgeEmpty = 2 // no shortest path turns at this corner
)

// Storage buffer bindings, texture units and image units of the package's programs.
const (
	bindGenerators = 0 // Generator records of all layers
	bindCone       = 1 // the current cone
	bindCommands   = 2 // indirect commands
	bindWalls      = 3 // walls, ivec4 each
	unitCover      = 0
	imageParents   = 0
	imageField     = 1
)

// group is the number of invocations of a compute workgroup. Any power of two up to 1024 gives the same map.
const group = 128

// marginTexels is by how many texels drawn polygons reach beyond what they stand for. Half a texel's diagonal, 0.71,
// is what it takes to meet every centre that the polygon touches; the rest is far more than clip coordinates can be
// off, which is 2^-22 of the map's width, or 2^-8 texels at the largest size.
const marginTexels = 1.5

// Builder holds the programs that build maps.
type Builder struct {
	device *gpu.Device

	search, shadow, cone, distances *gpu.Program
	cover, resolve                  *gpu.Program

	current  *gpu.Buffer[cone]
	commands *gpu.Buffer[commands]
}

// Programs are the programs of this package.
func Programs() []gpu.Spec {
	defines := map[string]any{
		"GROUP":           group,
		"BIND_GENERATORS": bindGenerators,
		"BIND_CONE":       bindCone,
		"BIND_COMMANDS":   bindCommands,
		"BIND_WALLS":      bindWalls,
		"UNIT_COVER":      unitCover,
		"IMAGE_PARENTS":   imageParents,
		"IMAGE_FIELD":     imageField,
		"STATUS_SOURCE":   uint32(statusSource),
		"STATUS_OBSTACLE": uint32(statusObstacle),
		"STATUS_EXPANDED": uint32(statusExpanded),
		"WEDGE_NONE":      uint32(wedgeNone),
		"WEDGE_TAUT":      uint32(wedgeTaut),
		"WEDGE_EMPTY":     uint32(wedgeEmpty),
		"STATE_UNREACHED": float32(Unreached),
		"STATE_REACHED":   float32(Reached),
		"STATE_OBSTACLE":  float32(Obstacle),
	}
	structs := []any{Generator{}, cone{}, commands{}}
	spec := func(name string, stages ...string) gpu.Spec {
		return gpu.Spec{Name: name, Stages: stages, Defines: defines, Structs: structs}
	}
	return []gpu.Spec{
		spec("spm search", "spm/search.comp.glsl"),
		spec("spm shadow", "spm/shadow.vert.glsl", "spm/shadow.geom.glsl", "spm/shadow.frag.glsl"),
		spec("spm cone", "spm/cone.vert.glsl", "spm/cone.geom.glsl", "spm/cone.frag.glsl"),
		spec("spm distances", "spm/distances.comp.glsl"),
		spec("spm cover", "spm/cover.vert.glsl", "spm/cover.geom.glsl", "spm/cover.frag.glsl"),
		spec("spm resolve", "spm/resolve.comp.glsl"),
	}
}

// NewBuilder compiles the programs.
func NewBuilder(d *gpu.Device) (*Builder, error) {
	b := &Builder{device: d}
	specs := Programs()
	for i, program := range []**gpu.Program{&b.search, &b.shadow, &b.cone, &b.distances, &b.cover, &b.resolve} {
		p, err := gpu.NewProgram(d, specs[i])
		if err != nil {
			return nil, err
		}
		*program = p
	}
	var err error
	if b.current, err = gpu.NewBuffer[cone](d, "spm cone", 1); err != nil {
		return nil, err
	}
	if b.commands, err = gpu.NewBuffer[commands](d, "spm commands", 1); err != nil {
		return nil, err
	}
	return b, nil
}

// Delete frees the programs. Deleting none does nothing.
func (b *Builder) Delete() {
	if b == nil {
		return
	}
	for _, p := range []*gpu.Program{b.search, b.shadow, b.cone, b.distances, b.cover, b.resolve} {
		p.Delete()
	}
	b.current.Delete()
	b.commands.Delete()
}

// Build makes the map of a goal in a layer by the paper's method, one generator an iteration. It only issues commands and
// does not wait for them. Errors are of type *SourceError or *CapacityError; the layer is then as it was.
func (b *Builder) Build(m *Map, layer int, goal Goal) error {
	sources, err := sourceSites(m.ground, goal)
	if err != nil {
		return err
	}
	if len(sources) > m.Room {
		return &CapacityError{len(sources), m.Room}
	}
	m.sources[layer] = sources
	b.device.Pass("spm sequential", func() { b.sequential(m, layer) })
	return nil
}

func (b *Builder) sequential(m *Map, layer int) {
	records := make([]Generator, m.Stride)
	layerRecords(records, m.ground, m.sources[layer], m.Room)
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
	b.search.Set("walls", uint32(m.wallCount))
	b.distances.Set("wallCount", uint32(m.wallCount))
	b.cone.Set("depthScale", depthScale(m.ground))
	m.Generators.Bind(bindGenerators)
	b.current.Bind(bindCone)
	b.commands.Bind(bindCommands)
	m.walls.Bind(bindWalls)

	shadow, draw := b.shadowDraw(m, target), b.coneDraw(target)
	for i := range len(m.sources[layer]) + len(m.ground.Corners) {
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
		if m.wallCount > 0 {
			b.device.Draw(shadow)
		}
		b.device.Draw(draw)
		b.distances.DispatchIndirect(b.commands.Name(), distanceCommand)
		b.device.Barrier(gpu.BarrierStorage)
	}
	b.device.Barrier(gpu.BarrierTexture | gpu.BarrierImage)

	b.resolve.Set("base", uint32(base))
	m.setTexels(b.resolve)
	m.cover.Bind(unitCover)
	m.Parents.BindImage(imageParents, layer, gpu.ReadWrite)
	m.Field.BindImage(imageField, layer, gpu.WriteOnly)
	b.resolve.Dispatch(uint32(m.Extent.Columns+7)/8, uint32(m.Extent.Rows+7)/8, 1)
	b.device.Barrier(gpu.BarrierTexture | gpu.BarrierImage | gpu.BarrierFramebuffer)
}

// shadowDraw is Procedure 2: a point a wall, the cone's attributes once for all.
func (b *Builder) shadowDraw(m *Map, target *gpu.Target) gpu.Draw {
	const stride = 64
	return gpu.Draw{
		Program: b.shadow, Target: target, Mode: gpu.Points,
		Indirect: &gpu.Indirect{Buffer: b.commands.Name(), Offset: shadowCommand},
		Attributes: []gpu.Attribute{
			{Location: 0, Buffer: m.walls.Name(), Components: 4, Kind: gpu.Int, Stride: 16},
			{Location: 1, Buffer: b.current.Name(), Components: 2, Kind: gpu.Int, Offset: 8, Stride: stride, Divisor: 1},
			{Location: 2, Buffer: b.current.Name(), Components: 1, Kind: gpu.Uint, Offset: 52, Stride: stride, Divisor: 1},
			{Location: 3, Buffer: b.current.Name(), Components: 4, Kind: gpu.Int, Offset: 32, Stride: stride, Divisor: 1},
			{Location: 4, Buffer: b.current.Name(), Components: 2, Kind: gpu.Int, Offset: 24, Stride: stride, Divisor: 1},
		},
		Stencil:   &gpu.StencilState{Test: gpu.NotEqual, Pass: gpu.Replace},
		HideColor: true,
	}
}

// coneDraw is Procedure 3.
func (b *Builder) coneDraw(target *gpu.Target) gpu.Draw {
	const stride = 64
	attribute := func(location uint32, components int, kind gpu.Kind, offset int) gpu.Attribute {
		return gpu.Attribute{
			Location: location, Buffer: b.current.Name(), Components: components, Kind: kind, Offset: offset, Stride: stride, Divisor: 1,
		}
	}
	return gpu.Draw{
		Program: b.cone, Target: target, Mode: gpu.Points,
		Indirect: &gpu.Indirect{Buffer: b.commands.Name(), Offset: coneCommand},
		Attributes: []gpu.Attribute{
			attribute(0, 2, gpu.Int, 8),
			attribute(1, 4, gpu.Int, 16),
			attribute(2, 1, gpu.Uint, 48),
			attribute(3, 1, gpu.Uint, 52),
			attribute(4, 4, gpu.Int, 32),
			attribute(5, 2, gpu.Float, 0),
			attribute(6, 1, gpu.Float, 56),
			attribute(7, 1, gpu.Uint, 60),
		},
		Depth:   gpu.DepthState{Test: gpu.Less, Write: true},
		Stencil: &gpu.StencilState{Test: gpu.NotEqual, Pass: gpu.Keep},
	}
}

// setTexels sets the uniforms that say where texels lie.
func (m *Map) setTexels(p *gpu.Program) {
	p.Set("mapSize", m.Extent.Size)
	p.Set("mapCell", float32(m.Extent.Cell))
}

// setPolygons sets the uniforms of geometry shaders that cover texels.
func (m *Map) setPolygons(p *gpu.Program) {
	width, height := m.Extent.InLattice()
	p.Set("mapExtent", [2]float32{float32(width), float32(height)})
	p.Set("margin", float32(marginTexels*geom.Steps/float64(m.Extent.Size)))
}

// depthScale is a power of two that takes every distance of a map into [0, 1]. A shortest path visits a corner once at
// most, and no leg is longer than the domain's diagonal, at most sqrt(2) of its longer side.
func depthScale(g *geom.Ground) float32 {
	longest := float64(len(g.Corners)+1) * math.Sqrt2 * g.Lattice.Length()
	return float32(math.Exp2(-math.Ceil(math.Log2(longest))))
}

// coverGround marks the texels whose centre is on free ground.
func (b *Builder) coverGround(m *Map) error {
	free := freeTriangles(m.ground)
	m.cover.Clear(0, 0)
	if len(free) == 0 {
		return nil
	}
	buffer, err := gpu.NewBuffer[triangle](b.device, "spm free triangles", len(free))
	if err != nil {
		return err
	}
	defer buffer.Delete()
	buffer.Write(0, free)
	target, err := gpu.NewTarget(b.device, gpu.Attachments{Color: []gpu.Attachment{{Texture: m.cover}}})
	if err != nil {
		return err
	}
	defer target.Delete()
	m.setTexels(b.cover)
	m.setPolygons(b.cover)
	const stride = 24
	b.device.Draw(gpu.Draw{
		Program: b.cover, Target: target, Mode: gpu.Points, Count: len(free), Instances: 1,
		Attributes: []gpu.Attribute{
			{Location: 0, Buffer: buffer.Name(), Components: 2, Kind: gpu.Int, Offset: 0, Stride: stride},
			{Location: 1, Buffer: buffer.Name(), Components: 2, Kind: gpu.Int, Offset: 8, Stride: stride},
			{Location: 2, Buffer: buffer.Name(), Components: 2, Kind: gpu.Int, Offset: 16, Stride: stride},
		},
	})
	b.device.Barrier(gpu.BarrierTexture)
	return nil
}
