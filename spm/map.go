package spm

import (
	"errors"
	"fmt"
	"math"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/spm/exact"
)

// Map is shortest path maps on the GPU, a layer per goal. Each layer has a ground of its own (a
// clearance); layers of one ground share what is uploaded of it.
//
// Readers bind Generators, Parents and Field; the layout is that of shaders.Generator. Record i of
// layer l is Generators[l*Stride+i]. The textures have Extent.Columns x Extent.Rows texels and one
// layer per goal.
type Map struct {
	Extent  Extent
	Layers  int
	Stride  int // records of a layer: Sources first, then those for the ground's corners
	Sources int // records for sources; those that a goal has no source for have infinite distance

	Generators *gpu.Buffer[Generator]
	Parents    *gpu.Texture // R32UI: index of the texel's generator in its layer, or NoParent
	Field      *gpu.Texture // RGBA32F: parent x, y and distance, local meters, +Inf where none; State

	lattice geom.Lattice // of all layers' grounds
	layers  []layer
	epoch   uint64
	deleted bool
	depth   *gpu.Texture
	targets []*gpu.Target // a layer of Parents, with depth
	fields  []*gpu.Target // a layer of Field
}

// layer is what a layer shows, as last built.
type layer struct {
	index   int // in the map
	surface *surface
	sources []exact.Source
	builds  uint64
}

// ErrDeleted says that there is no map to ask: it is nil, or it was deleted. A world deletes its
// map when it is closed.
var ErrDeleted = errors.New("spm: the map is nil or was deleted: ask the map of a world that is open")

// LayerError says that a map has no such layer.
type LayerError struct{ Layer, Layers int }

func (e *LayerError) Error() string {
	return fmt.Sprintf("spm: there is no layer %d; the map has %d, counted from 0", e.Layer, e.Layers)
}

// check returns ErrDeleted or a *LayerError unless the map has the layer.
func (m *Map) check(layer int) error {
	switch {
	case m == nil || m.deleted:
		return ErrDeleted
	case layer < 0 || layer >= m.Layers:
		return &LayerError{layer, m.Layers}
	}
	return nil
}

// mustHave is check for what has no error to return.
func (m *Map) mustHave(layer int) {
	if err := m.check(layer); err != nil {
		panic(err)
	}
}

// MapSpec describes a map.
type MapSpec struct {
	Extent  Extent
	Grounds []*geom.Ground // of each layer, at least one, all on one lattice
	Sources int            // records for sources in each layer, at least one
	Corners int            // records for corners in each layer; at least what the grounds have is made
}

// SourceCount is the number of source records that goals need on a ground: most often the number of
// their sources, more where a source stands on a point in which obstacles touch. Errors are of type
// *SourceError.
func SourceCount(g *geom.Ground, goals ...Goal) (int, error) {
	count := 1
	for _, goal := range goals {
		sources, err := exact.Sources(g, goal)
		if err != nil {
			return 0, err
		}
		count = max(count, len(sources))
	}
	return count, nil
}

// NewMap allocates a map and uploads its grounds. All texels are unreached until Build. It fails
// with a *gpu.CapacityError where the size is more than MaxSize, or where it or the number of
// layers is more than the device allows; round that is a *GroundError where the grounds have more
// corners than the device can hold.
func (b *Builder) NewMap(s MapSpec) (*Map, error) {
	if len(s.Grounds) < 1 || s.Sources < 1 {
		panic("spm: a map needs at least one layer and one record for sources")
	}
	if s.Extent.Size > MaxSize {
		return nil, fmt.Errorf("spm: %w", &gpu.CapacityError{
			What: "the map's longer side", Unit: "texels", Needed: int64(s.Extent.Size), Limit: MaxSize,
		})
	}
	corners := s.Corners
	for _, g := range s.Grounds {
		corners = max(corners, len(g.Corners))
	}
	m := &Map{
		Extent: s.Extent, Layers: len(s.Grounds), Stride: s.Sources + corners, Sources: s.Sources,
		lattice: s.Grounds[0].Lattice, layers: make([]layer, 0, len(s.Grounds)),
	}
	err := b.device.Do(func() error {
		if err := m.allocate(b); err != nil {
			return err
		}
		for _, g := range s.Grounds {
			if err := m.add(b, g); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		m.Delete()
		return nil, fmt.Errorf("spm: a map of %d x %d texels with %d layers: %w", s.Extent.Columns, s.Extent.Rows, m.Layers, err)
	}
	return m, nil
}

// add adds a layer of a ground in which nothing is reached.
func (m *Map) add(b *Builder, g *geom.Ground) error {
	if g.Lattice != m.lattice {
		panic("spm: a map of grounds of several lattices; all cover one domain")
	}
	s, err := b.surface(g, m.Sources, m.layers)
	if err != nil {
		return refused(err, len(g.Corners))
	}
	m.Generators.Write(len(m.layers)*m.Stride, layerRecords(g, nil, m.Sources, m.Stride))
	m.layers = append(m.layers, layer{index: len(m.layers), surface: s})
	return nil
}

func (m *Map) allocate(b *Builder) (err error) {
	d := b.device
	if m.Generators, err = gpu.NewBuffer[Generator](d, "spm generators", m.Layers*m.Stride); err != nil {
		return refused(err, m.Stride-m.Sources)
	}
	texture := func(t **gpu.Texture, label string, format gpu.Format, layers int, fill ...float64) {
		s := gpu.TextureSpec{Label: label, Format: format, Width: m.Extent.Columns, Height: m.Extent.Rows, Layers: layers}
		copy(s.Fill[:], fill)
		if err == nil {
			*t, err = gpu.NewTexture(d, s)
		}
	}
	target := func(all *[]*gpu.Target, color *gpu.Texture, layer int, depth *gpu.Texture) {
		if err == nil {
			var t *gpu.Target
			t, err = gpu.NewTarget(d, color, layer, depth)
			*all = append(*all, t)
		}
	}
	depth := gpu.Depth32F
	if b.sequential != nil {
		depth = gpu.Depth32FStencil8 // shadows
	}
	texture(&m.Parents, "spm parents", gpu.R32UI, m.Layers, float64(NoParent))
	texture(&m.Field, "spm field", gpu.RGBA32F, m.Layers, 0, 0, math.Inf(1), float64(Unreached))
	texture(&m.depth, "spm depth", depth, 0)
	for layer := range m.Layers {
		target(&m.targets, m.Parents, layer, m.depth)
		target(&m.fields, m.Field, layer, nil)
	}
	return err
}

// Delete frees the map's buffers and textures. Deleting none, or twice, does nothing.
func (m *Map) Delete() {
	if m == nil || m.deleted {
		return
	}
	m.deleted = true
	for _, t := range append(m.targets, m.fields...) {
		t.Delete()
	}
	for i := range m.layers {
		m.layers[i].surface.release()
		m.layers[i].surface = nil
	}
	free(m.Generators, m.Parents, m.Field, m.depth)
}

// Ground is the ground that a layer is of, as last built. It panics with ErrDeleted or a
// *LayerError.
func (m *Map) Ground(layer int) *geom.Ground {
	m.mustHave(layer)
	return m.layers[layer].surface.ground
}

// Builds is the number of the build that made a layer, 0 before the first: as long as it stays, so
// does the layer. It panics with ErrDeleted or a *LayerError.
func (m *Map) Builds(layer int) uint64 {
	m.mustHave(layer)
	return m.layers[layer].builds
}

// Epoch changes when Generators, Stride or Sources do: programs that keep those take them anew.
func (m *Map) Epoch() uint64 { return m.epoch }

// Bytes is the memory that the map takes on the device: 20 for each texel of each layer and 4 (by
// method sequential 8) for each texel once, 48 for each record of each layer, and for each ground
// 48 for each triangle, 52 for each corner and 16 for each wall inside the domain. A map that was
// deleted takes none.
func (m *Map) Bytes() int64 {
	if m.deleted {
		return 0
	}
	sum, seen := bytesOf(m.Generators, m.Parents, m.Field, m.depth), map[*surface]bool{}
	for _, l := range m.layers {
		if !seen[l.surface] {
			seen[l.surface] = true
			sum += bytesOf(l.surface.buffers()...)
		}
	}
	return sum
}

// View reads a layer's generators back and returns a view of them. Not for the frame loop: it waits
// for the GPU. Distances are summed anew in float64 along the parents that the GPU chose. It panics
// with ErrDeleted, a *LayerError, and the errors of gpu.Device.Do.
func (m *Map) View(layer int) *View {
	m.mustHave(layer)
	l, records := &m.layers[layer], m.records(layer)
	parents := make([]int, len(l.surface.ground.Corners))
	for i := range parents {
		parents[i] = m.node(layer, records[m.Sources+i].Parent)
	}
	return exact.NewView(l.surface.ground, l.sources, parents)
}

// records reads a layer's generators back.
func (m *Map) records(layer int) []Generator {
	records := make([]Generator, m.Stride)
	m.Generators.Read(layer*m.Stride, records)
	return records
}

// node is the node of a record, by its index in the layer: records have unused ones between the
// sources and the corners, nodes have no such gap. That of NoParent is -1.
func (m *Map) node(layer int, record uint32) int {
	switch i := int(record); {
	case record == NoParent:
		return -1
	case i >= m.Sources:
		return i - m.Sources + len(m.layers[layer].sources)
	default:
		return i
	}
}

// Record is the record of a node in a layer, relative to the layer's first: see exact.Answer.Node.
func (m *Map) Record(layer, node int) int {
	m.mustHave(layer)
	if gap := m.Sources - len(m.layers[layer].sources); node >= len(m.layers[layer].sources) {
		return node + gap
	}
	return node
}
