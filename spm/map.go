package spm

import (
	"fmt"
	"math"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Map is the shortest path maps of one ground on the GPU, a layer per goal.
//
// Readers bind Generators, Parents and Field; the layout is that of shaders.Generator. Record i of layer l is
// Generators[l*Stride+i]. The textures have Extent.Columns x Extent.Rows texels and one layer per goal.
type Map struct {
	Extent Extent
	Layers int
	Stride int // records of a layer: Room for sources first, then the ground's corners
	Room   int // records for sources; those that a goal has no source for have infinite distance

	Generators *gpu.Buffer[Generator]
	Parents    *gpu.Texture // R32UI: index of the texel's generator in its layer, NoParent where it has none
	Field      *gpu.Texture // RGBA32F: parent x, y (m from the domain's corner), distance (m, +Inf where none, in obstacles too), State

	ground  *geom.Ground
	sources [][]site // of each layer, as last built
	builds  []uint64 // of each layer, how many

	walls        *gpu.Buffer[wall] // for method sequential
	wallCount    int
	faces        *gpu.Buffer[face]  // for method wavefront, as fans
	fans         *gpu.Buffer[int32] // by corner, its first half-edge
	waveStep     float32            // how far a wave reaches beyond the nearest window, m
	cover        *gpu.Texture       // R32UI: 1 where a texel's centre is on free ground
	depthStencil *gpu.Texture
	targets      []*gpu.Target // a layer of Parents with depthStencil
}

// wall is a wall that may hide things, lattice coordinates.
type wall struct{ AX, AY, BX, BY int32 }

// triangle is a free triangle, lattice coordinates, counter-clockwise.
type triangle struct{ AX, AY, BX, BY, CX, CY int32 }

// CapacityError says that a goal has more sources than the map was made for.
type CapacityError struct{ Needed, Limit int }

func (e *CapacityError) Error() string {
	return fmt.Sprintf("spm: the goal needs room for %d sources, the map has room for %d; make a new map", e.Needed, e.Limit)
}

// SourceRoom is the number of source records that goals need on a ground: most often the number of their sources, more
// where a source stands on a point in which obstacles touch. Errors are of type *SourceError.
func SourceRoom(g *geom.Ground, goals ...Goal) (int, error) {
	room := 1
	for _, goal := range goals {
		sources, err := sourceSites(g, goal)
		if err != nil {
			return 0, err
		}
		room = max(room, len(sources))
	}
	return room, nil
}

// NewMap allocates a map of a ground with room for sources sources in each of its layers, and uploads the ground. All
// texels are unreached until Build. It fails with a *gpu.CapacityError where that size is more than MaxSize or than the
// device's limits allow.
func (b *Builder) NewMap(g *geom.Ground, extent Extent, layers, sources int) (*Map, error) {
	if layers < 1 || sources < 1 {
		panic("spm: a map needs at least one layer and room for one source")
	}
	if extent.Size > MaxSize {
		return nil, fmt.Errorf("spm: %w", &gpu.CapacityError{
			What: "the map's longer side", Unit: "texels", Needed: int64(extent.Size), Limit: MaxSize,
		})
	}
	m := &Map{
		Extent: extent, Layers: layers, Stride: sources + len(g.Corners),
		ground: g, sources: make([][]site, layers), builds: make([]uint64, layers), Room: sources,
	}
	err := m.allocate(b.device)
	if err == nil && b.wavefront != nil {
		err = b.wavefront.expect(g)
	}
	if err != nil {
		m.Delete()
		return nil, fmt.Errorf("spm: a map of %d x %d texels with %d layers: %w", extent.Columns, extent.Rows, layers, err)
	}
	for layer := range layers {
		m.forget(layer)
	}
	m.Field.Clear(gpu.AllLayers, 0, 0, math.Inf(1), float64(Unreached))
	b.device.Pass("spm ground", func() { err = b.coverGround(m) })
	if err != nil {
		m.Delete()
		return nil, err
	}
	return m, nil
}

func (m *Map) allocate(d *gpu.Device) (err error) {
	if m.Generators, err = gpu.NewBuffer[Generator](d, "spm generators", m.Layers*m.Stride); err != nil {
		return err
	}
	walls := shadowCasters(m.ground)
	m.wallCount = len(walls)
	if m.walls, err = gpu.NewBuffer[wall](d, "spm walls", max(1, len(walls))); err != nil {
		return err
	}
	m.walls.Write(0, walls)
	all, fans := faces(m.ground, m.Room)
	if m.faces, err = gpu.NewBuffer[face](d, "spm faces", len(all)); err != nil {
		return err
	}
	m.faces.Write(0, all)
	if m.fans, err = gpu.NewBuffer[int32](d, "spm fans", len(fans)); err != nil {
		return err
	}
	m.fans.Write(0, fans)
	m.waveStep = waveStep(m.ground)
	texture := func(label string, format gpu.Format, layers int) (*gpu.Texture, error) {
		return gpu.NewTexture(d, gpu.TextureSpec{
			Label: label, Format: format, Width: m.Extent.Columns, Height: m.Extent.Rows, Layers: layers,
		})
	}
	if m.Parents, err = texture("spm parents", gpu.R32UI, m.Layers); err != nil {
		return err
	}
	if m.Field, err = texture("spm field", gpu.RGBA32F, m.Layers); err != nil {
		return err
	}
	if m.cover, err = texture("spm cover", gpu.R32UI, 0); err != nil {
		return err
	}
	if m.depthStencil, err = texture("spm depth", gpu.Depth32FStencil8, 0); err != nil {
		return err
	}
	for layer := range m.Layers {
		target, err := gpu.NewTarget(d, gpu.Attachments{
			Color: []gpu.Attachment{{Texture: m.Parents, Layer: layer}},
			Depth: &gpu.Attachment{Texture: m.depthStencil},
		})
		if err != nil {
			return err
		}
		m.targets = append(m.targets, target)
	}
	return nil
}

// forget takes a layer's sources away and leaves nothing reached in it.
func (m *Map) forget(layer int) {
	records := make([]Generator, m.Stride)
	layerRecords(records, m.ground, nil, m.Room)
	m.sources[layer] = nil
	m.Generators.Write(layer*m.Stride, records)
	m.targets[layer].ClearColor(0, float64(NoParent))
}

// Delete frees the map's buffers and textures. Deleting none does nothing.
func (m *Map) Delete() {
	if m == nil {
		return
	}
	for _, t := range m.targets {
		t.Delete()
	}
	m.Generators.Delete()
	m.walls.Delete()
	m.faces.Delete()
	m.fans.Delete()
	m.Parents.Delete()
	m.Field.Delete()
	m.cover.Delete()
	m.depthStencil.Delete()
}

// Ground is the ground that the map is built on.
func (m *Map) Ground() *geom.Ground { return m.ground }

// Builds is how often a layer was built: as long as it stays, so does the layer.
func (m *Map) Builds(layer int) uint64 { return m.builds[layer] }

// View reads a layer's generators back and returns a view of them. Not for the frame loop: it waits for the GPU.
// Distances are summed anew in float64 along the parents that the GPU chose.
func (m *Map) View(layer int) *View {
	records := make([]Generator, m.Stride)
	m.Generators.Read(layer*m.Stride, records)
	sources := m.sources[layer]
	v := newView(m.ground, sources)
	// Parents count records, with unused ones between the sources and the corners; nodes have no such gap.
	gap := m.Room - len(sources)
	for i := range m.ground.Corners {
		if parent := records[m.Room+i].Parent; parent != NoParent {
			p := int(parent)
			if p >= m.Room {
				p -= gap
			}
			v.nodes[len(sources)+i].parent = p
		}
	}
	v.sumDistances()
	return v
}

// sumDistances fills the distances of all reached nodes along their parents.
func (v *View) sumDistances() {
	var chain []int
	for i := range v.nodes {
		chain = chain[:0]
		for n := i; v.nodes[n].parent >= 0 && v.nodes[n].parent != n && math.IsInf(v.nodes[n].distance, 1); n = v.nodes[n].parent {
			chain = append(chain, n)
		}
		for k := len(chain) - 1; k >= 0; k-- {
			n := &v.nodes[chain[k]]
			parent := v.nodes[n.parent]
			n.distance = parent.distance + n.position.Sub(parent.position).Len()
		}
	}
}

// shadowCasters are the walls that can hide one point of the ground from another: all but those on the domain's border.
func shadowCasters(g *geom.Ground) []wall {
	var walls []wall
	for _, w := range g.Walls {
		if !w.Border {
			a, b := g.Vertices[w.A], g.Vertices[w.B]
			walls = append(walls, wall{a.X, a.Y, b.X, b.Y})
		}
	}
	return walls
}

// freeTriangles are the triangles of free ground.
func freeTriangles(g *geom.Ground) []triangle {
	var free []triangle
	for _, t := range g.Triangles {
		if t.Free {
			a, b, c := g.Vertices[t.V[0]], g.Vertices[t.V[1]], g.Vertices[t.V[2]]
			free = append(free, triangle{a.X, a.Y, b.X, b.Y, c.X, c.Y})
		}
	}
	return free
}
