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

func (m Method) String() string {
	if m < 0 || int(m) >= len(Methods) {
		return fmt.Sprintf("method %d", int(m))
	}
	return Methods[m]
}

// MethodError says that there is no such method.
type MethodError struct{ Method Method }

func (e *MethodError) Error() string {
	return fmt.Sprintf("spm: there is no %v; use Wavefront or Sequential", e.Method)
}

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
	unitParents    = 0 // texture
)

// group is the number of invocations of a compute workgroup. Any power of two up to 1024 gives the same map.
const group = 64

// marginTexels is by how many texels drawn polygons reach beyond what they stand for, so that rasterising meets every centre
// that a fragment then tests exactly. Centres are rounded to the lattice, by 2^-7 texels at most since a texel is 64 steps
// or more; clip coordinates are off by 2^-22 of the map's width, 2^-8 texels at the largest size, as much again in the
// polygon's own corners; and a device may round these to 2^-4 texels, by 2^-5 along either axis. That is 0.07 together.
const marginTexels = 0.125

// Builder holds the programs of a method, and with wavefront its queues. They take what the layers built together needed most
// so far, until Delete: 104 bytes for each part of a triangle that a layer lights, mostly 10 to 25 parts a corner, 80 for each record,
// and 88 for each window of a wave, of which there is room for one a corner. Bytes says how much that is.
//
// Parts are kept in as many buffers as they take. All else is in one buffer each, as large as the device lets shaders see: 128 MiB
// hold 100,000 corners many times over. What is more is refused with a *GroundError.
type Builder struct {
	device         *gpu.Device
	method         Method
	cover, resolve *gpu.Program
	sequential     *sequential
	wavefront      *wavefront
	unreached      *gpu.Buffer[triangle] // of the layer that is drawn
	building       *building             // nil: none is under way
	undrawn        bool                  // see SkipFields
	stats          Stats
}

// stages are the programs of this package, by name, with their stage files.
var stages = map[string][]string{
	"cover":     {"spm/cover.vert.glsl", "spm/cover.geom.glsl", "spm/cover.frag.glsl"},
	"resolve":   {"spm/resolve.vert.glsl", "spm/resolve.frag.glsl"},
	"search":    {"spm/search.comp.glsl"},
	"shadow":    {"spm/shadow.vert.glsl", "spm/shadow.geom.glsl", "spm/shadow.frag.glsl"},
	"cone":      {"spm/cone.vert.glsl", "spm/cone.geom.glsl", "spm/cone.frag.glsl"},
	"distances": {"spm/distances.comp.glsl"},
	"start":     {"spm/start.comp.glsl"},
	"seed":      {"spm/seed.comp.glsl"},
	"propagate": {"spm/propagate.comp.glsl"},
	"ties":      {"spm/ties.comp.glsl"},
	"expand":    {"spm/expand.comp.glsl"},
	"tally":     {"spm/tally.comp.glsl"},
	"scan":      {"spm/scan.comp.glsl"},
	"scatter":   {"spm/scatter.comp.glsl"},
	"shard":     {"spm/shard.vert.glsl", "spm/shard.geom.glsl", "spm/shard.frag.glsl"},
	"query":     {"spm/query.comp.glsl"},
	"queryrest": {"spm/query.comp.glsl"},
	"sight":     {"spm/querysight.comp.glsl"},
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
	keeps := 0
	if name == "queryrest" {
		keeps = 1
	}
	return gpu.Spec{
		Name:   "spm " + name,
		Stages: stages[name],
		Defines: map[string]any{
			"GROUP":           group,
			"MOST_TURNS":      uint32(mostTurns),
			"SCAN":            uint32(scanGroup),
			"BIND_GENERATORS": bindGenerators,
			"BIND_CONE":       bindCone,
			"BIND_COMMANDS":   bindCommands,
			"BIND_WALLS":      bindWalls,
			"BIND_OFFERS":     bindOffers,
			"BIND_REACH":      bindReach,
			"BIND_FANS":       bindFans,
			"BIND_RIVALS":     bindRivals,
			"BIND_CORNERS":    bindCorners,
			"BIND_TALLY":      bindTally,
			"BIND_FACES":      bindFaces,
			"BIND_FRONT":      bindFront,
			"BIND_WINDOWS":    bindWindows,
			"BIND_SHARDS":     bindShards,
			"BIND_LIT":        bindLit,
			"BIND_POINTS":     bindPoints,
			"BIND_REPLIES":    bindReplies,
			"BIND_GRID":       bindGrid,
			"BIND_HOMES":      bindHomes,
			"BIND_RESTS":      bindRests,
			"BIND_PASSES":     bindPasses,
			"UNIT_PARENTS":    unitParents,
			"STATUS_UNUSED":   uint32(statusUnused),
			"STATUS_SOURCE":   uint32(statusSource),
			"STATUS_OBSTACLE": uint32(statusObstacle),
			"STATUS_EXPANDED": uint32(statusExpanded),
			"WEDGE_NONE":      uint32(wedgeNone),
			"WEDGE_TAUT":      uint32(wedgeTaut),
			"WEDGE_EMPTY":     uint32(wedgeEmpty),
			"STATE_UNREACHED": float32(Unreached),
			"STATE_REACHED":   float32(Reached),
			"STATE_OBSTACLE":  float32(Obstacle),
			"REPLY_UNREACHED": uint32(Unreached),
			"REPLY_REACHED":   uint32(Reached),
			"REPLY_OBSTACLE":  uint32(Obstacle),
			"FOOTING":         uint32(footing),
			"WHOLE_FACE":      uint32(wholeFace),
			"HOME_BEAM":       uint32(homeBeam),
			"SECTOR_BEAM":     uint32(geom.SectorBeam),
			"QUERY_DEPTH":     queryDepth,
			"KEEPS":           keeps,
			"FACE_SPLIT":      geom.FaceSplit,
			"SNAP_SLACK":      geom.SnapSlack,
		},
		Structs: []any{Generator{}, cone{}, commands{}, face{}, window{}, lit{}, offer{}, shard{}, drawCommand{}, Reply{}},
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

// NewBuilder compiles the programs of a method. The error is a *MethodError, *gpu.CompileError or *gpu.CapacityError, or one of
// gpu.Device.Do, as of all functions of this package that use the device.
func NewBuilder(d *gpu.Device, method Method) (*Builder, error) {
	if method != Wavefront && method != Sequential {
		return nil, &MethodError{method}
	}
	b := &Builder{device: d, method: method}
	if err := d.Do(b.open); err != nil {
		b.Delete()
		return nil, err
	}
	return b, nil
}

func (b *Builder) open() error {
	err := compile(b.device, map[string]**gpu.Program{"cover": &b.cover, "resolve": &b.resolve})
	switch {
	case err != nil:
	case b.method == Sequential:
		b.sequential, err = newSequential(b.device)
	default:
		b.wavefront, err = newWavefront(b.device)
	}
	return err
}

// Delete frees the programs. Deleting none does nothing.
func (b *Builder) Delete() {
	if b == nil {
		return
	}
	if b.building != nil {
		b.drop(b.building)
	}
	b.cover.Delete()
	b.resolve.Delete()
	b.unreached.Delete()
	if b.sequential != nil {
		b.sequential.delete()
	}
	if b.wavefront != nil {
		b.wavefront.delete()
	}
}

// Bytes is the memory that the builder takes on the device for its queues, besides that of maps.
func (b *Builder) Bytes() int64 {
	sum := b.unreached.Bytes()
	if b.wavefront != nil {
		sum += b.wavefront.bytes()
	}
	return sum
}

// resolveLayer writes Field from Parents.
func (b *Builder) resolveLayer(m *Map, layer int) {
	b.device.Barrier(gpu.BarrierStorage | gpu.BarrierTexture | gpu.BarrierFramebuffer)
	b.resolve.Set("base", uint32(layer*m.Stride))
	b.resolve.Set("layer", layer)
	b.resolve.Set("latticeStep", float32(m.lattice.Step))
	m.setTexels(b.resolve)
	m.Generators.Bind(bindGenerators)
	m.Parents.Bind(unitParents)
	b.device.Draw(gpu.Draw{Program: b.resolve, Target: m.fields[layer], Mode: gpu.Triangles, Count: 3, Instances: 1})
	l := &m.layers[layer]
	sources := l.sources
	if b.sequential != nil && b.sequential.most > 0 {
		sources = nil // any place may be out of reach of so few generators
	}
	b.markUnreached(m, layer, l.surface.unreached(sources))
	b.device.Barrier(gpu.BarrierTexture | gpu.BarrierImage | gpu.BarrierFramebuffer | gpu.BarrierUpdate)
}

// setTexels sets the uniforms that say where texels lie.
func (m *Map) setTexels(p *gpu.Program) {
	p.Set("mapSize", m.Extent.Size)
	p.Set("mapCell", float32(m.Extent.Cell))
	p.Set("mapSteps", [2]int32{int32(geom.Steps / 2 / m.Extent.Size), int32(geom.Steps / 2 % m.Extent.Size)})
	p.Set("mapInverse", 1/float32(2*m.Extent.Size))
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

// markUnreached tells free texels that no source reaches from those in obstacles, which is what resolve takes all for that have
// no generator.
func (b *Builder) markUnreached(m *Map, layer int, all []triangle) {
	if len(all) == 0 {
		return
	}
	b.unreached.Write(0, all)
	b.cover.Set("layer", layer)
	m.setTexels(b.cover)
	m.setPolygons(b.cover)
	triangles := recordsOf(b.unreached, 0)
	var t triangle
	b.device.Draw(gpu.Draw{
		Program: b.cover, Target: m.fields[layer], Mode: gpu.Points, Count: len(all), Instances: 1,
		Attributes: []gpu.Attribute{
			triangles.field(0, 2, gpu.Int, unsafe.Offsetof(t.AX)),
			triangles.field(1, 2, gpu.Int, unsafe.Offsetof(t.BX)),
			triangles.field(2, 2, gpu.Int, unsafe.Offsetof(t.CX)),
		},
	})
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
