package spm

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unsafe"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Method is a way to build maps. Both fill the same structures, and what reads a map does not know which built it.
type Method int

// The methods.
const (
	Wavefront  Method = iota // all generators at once, in waves
	Sequential               // the paper's: one generator an iteration, nearest first
)

// Methods are the names of the methods, by Method.
var Methods = []string{"wavefront", "sequential"}

func (m Method) String() string { return Methods[m] }

// ParseMethod finds a method by its name.
func ParseMethod(name string) (Method, error) {
	for i, n := range Methods {
		if n == name {
			return Method(i), nil
		}
	}
	return 0, fmt.Errorf("spm: no method is called %q; there are %q", name, Methods)
}

// Bindings that several programs share.
const (
	bindGenerators = 0 // Generator records of all layers
	unitCover      = 0 // texture
	imageParents   = 0
	imageField     = 1
)

// group is the number of invocations of a compute workgroup. Any power of two up to 1024 gives the same map.
const group = 64

// marginTexels is by how many texels drawn polygons reach beyond what they stand for. Half a texel's diagonal, 0.71,
// is what it takes to meet every centre that the polygon touches; the rest is far more than clip coordinates can be
// off, which is 2^-22 of the map's width, or 2^-8 texels at the largest size.
const marginTexels = 1.5

// Builder holds the programs of a method, and with wavefront its queues: some 100 bytes for each part of a triangle that a map
// lights, 10 to 25 parts a corner, as much as the largest map so far took and until Delete.
type Builder struct {
	device         *gpu.Device
	method         Method
	cover, resolve *gpu.Program
	sequential     *sequential
	wavefront      *wavefront
}

// stages are the programs of this package, by name, with their stage files.
var stages = map[string][]string{
	"cover":     {"spm/cover.vert.glsl", "spm/cover.geom.glsl", "spm/cover.frag.glsl"},
	"resolve":   {"spm/resolve.comp.glsl"},
	"search":    {"spm/search.comp.glsl"},
	"shadow":    {"spm/shadow.vert.glsl", "spm/shadow.geom.glsl", "spm/shadow.frag.glsl"},
	"cone":      {"spm/cone.vert.glsl", "spm/cone.geom.glsl", "spm/cone.frag.glsl"},
	"distances": {"spm/distances.comp.glsl"},
	"propagate": {"spm/propagate.comp.glsl"},
	"ties":      {"spm/ties.comp.glsl"},
	"expand":    {"spm/expand.comp.glsl"},
	"tally":     {"spm/tally.comp.glsl"},
	"scan":      {"spm/scan.comp.glsl"},
	"scatter":   {"spm/scatter.comp.glsl"},
	"shard":     {"spm/shard.vert.glsl", "spm/shard.geom.glsl", "spm/shard.frag.glsl"},
}

// Programs are the programs of this package, of all methods.
func Programs() []gpu.Spec {
	var all []gpu.Spec
	for name := range stages {
		all = append(all, spec(name))
	}
	slices.SortFunc(all, func(a, b gpu.Spec) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func spec(name string) gpu.Spec {
	return gpu.Spec{
		Name:   "spm " + name,
		Stages: stages[name],
		Defines: map[string]any{
			"GROUP":           group,
			"SCAN":            uint32(scanGroup),
			"BIND_GENERATORS": bindGenerators,
			"BIND_CONE":       bindCone,
			"BIND_COMMANDS":   bindCommands,
			"BIND_WALLS":      bindWalls,
			"BIND_OFFERS":     bindOffers,
			"BIND_REACH":      bindReach,
			"BIND_FANS":       bindFans,
			"BIND_TALLY":      bindTally,
			"BIND_FACES":      bindFaces,
			"BIND_FRONT":      bindFront,
			"BIND_WINDOWS":    bindWindows,
			"BIND_SHARDS":     bindShards,
			"BIND_LIT":        bindLit,
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
		},
		Structs: []any{Generator{}, cone{}, commands{}, face{}, window{}, lit{}, offer{}, shard{}, drawCommand{}},
	}
}

// compile makes programs by name.
func compile(d *gpu.Device, programs map[string]**gpu.Program) error {
	for name, program := range programs {
		p, err := gpu.NewProgram(d, spec(name))
		if err != nil {
			return err
		}
		*program = p
	}
	return nil
}

// NewBuilder compiles the programs of a method.
func NewBuilder(d *gpu.Device, method Method) (*Builder, error) {
	b := &Builder{device: d, method: method}
	err := compile(d, map[string]**gpu.Program{"cover": &b.cover, "resolve": &b.resolve})
	switch {
	case err != nil:
	case method == Sequential:
		b.sequential, err = newSequential(d)
	default:
		b.wavefront, err = newWavefront(d)
	}
	if err != nil {
		b.Delete()
		return nil, err
	}
	return b, nil
}

// Delete frees the programs. Deleting none does nothing.
func (b *Builder) Delete() {
	if b == nil {
		return
	}
	b.cover.Delete()
	b.resolve.Delete()
	if b.sequential != nil {
		b.sequential.delete()
	}
	if b.wavefront != nil {
		b.wavefront.delete()
	}
}

// Build makes the map of a goal in a layer. Method sequential only issues commands; wavefront waits until the device has
// finished all waves but the last batch, and leaves the drawing to it.
//
// After a *SourceError or a *CapacityError the layer is as it was. After any other error, a *gpu.CapacityError or that of a
// device that was lost, nothing in the layer is reached.
func (b *Builder) Build(m *Map, layer int, goal Goal) (err error) {
	sources, err := sourceSites(m.ground, goal)
	if err != nil {
		return err
	}
	if len(sources) > m.Room {
		return &CapacityError{len(sources), m.Room}
	}
	m.sources[layer] = sources
	m.builds[layer]++
	b.device.Pass("spm "+b.method.String(), func() {
		if b.sequential != nil {
			b.sequential.build(m, layer)
		} else {
			err = b.wavefront.build(m, layer)
		}
		if err != nil {
			m.forget(layer)
		}
		b.resolveLayer(m, layer)
	})
	return err
}

// resolveLayer writes Field from Parents.
func (b *Builder) resolveLayer(m *Map, layer int) {
	b.device.Barrier(gpu.BarrierStorage | gpu.BarrierTexture | gpu.BarrierImage)
	b.resolve.Set("base", uint32(layer*m.Stride))
	m.setTexels(b.resolve)
	m.Generators.Bind(bindGenerators)
	m.cover.Bind(unitCover)
	m.Parents.BindImage(imageParents, layer, gpu.ReadWrite)
	m.Field.BindImage(imageField, layer, gpu.WriteOnly)
	b.resolve.Dispatch(gpu.Groups(m.Extent.Columns, 8), gpu.Groups(m.Extent.Rows, 8), 1)
	b.device.Barrier(gpu.BarrierTexture | gpu.BarrierImage | gpu.BarrierFramebuffer | gpu.BarrierUpdate)
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
	triangles := recordsOf(buffer, 0)
	var t triangle
	b.device.Draw(gpu.Draw{
		Program: b.cover, Target: target, Mode: gpu.Points, Count: len(free), Instances: 1,
		Attributes: []gpu.Attribute{
			triangles.field(0, 2, gpu.Int, unsafe.Offsetof(t.AX)),
			triangles.field(1, 2, gpu.Int, unsafe.Offsetof(t.BX)),
			triangles.field(2, 2, gpu.Int, unsafe.Offsetof(t.CX)),
		},
	})
	b.device.Barrier(gpu.BarrierTexture)
	return nil
}

// records are a buffer's elements as draws read them: one a vertex, or one for all with divisor 1 and one instance.
type records struct {
	buffer  uint32
	stride  int
	divisor uint32
}

func recordsOf[T any](b *gpu.Buffer[T], divisor uint32) records {
	return records{b.Name(), b.Stride(), divisor}
}

// field is an attribute that begins at a field's offset in the records.
func (r records) field(location uint32, components int, kind gpu.Kind, offset uintptr) gpu.Attribute {
	return gpu.Attribute{
		Location: location, Buffer: r.buffer, Components: components, Kind: kind, Offset: int(offset), Stride: r.stride, Divisor: r.divisor,
	}
}
