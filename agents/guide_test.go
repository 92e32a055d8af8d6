package agents

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/shaders"
)

const testUnreached = 0

// plainMap makes the shortest path maps of a world's goals by asking every pair
// of points and every texel about every wall: slow, short, and independent of
// package spm.
func plainMap(t testing.TB, w world, size int) *Reference {
	t.Helper()
	lattice := w.ground.Lattice
	cell := lattice.Length() / float64(size)
	span := func(steps int32) int { return int(math.Ceil(float64(float64(steps)*lattice.Step/cell) - 1e-9)) }
	r := &Reference{
		Lattice: lattice, Columns: span(lattice.Size.X), Cell: cell,
		Unreached: testUnreached, Timestep: float32(w.scene.Simulation.Timestep),
	}
	r.Walls = WallsOf(w.ground)
	sources := make([][]geom.Sector, len(w.scene.Goals))
	room := 0
	for i, goal := range w.scene.Goals {
		for _, p := range goal.Points {
			at, ok := w.ground.NearestFree(lattice.Snap(p), geom.SnapSlack)
			if !ok {
				t.Fatalf("source %v of goal %q is not free", p, goal.ID)
			}
			sources[i] = append(sources[i], w.ground.Sectors(at)...)
		}
		room = max(room, len(sources[i]))
	}
	r.Stride = room + len(w.ground.Corners)
	rows := span(lattice.Size.Y)
	for _, of := range sources {
		layer := plainLayer(w.ground, of, room)
		r.Generators = append(r.Generators, layer...)
		parents := make([]uint32, r.Columns*rows)
		states := make([]float32, r.Columns*rows)
		for i := range parents {
			centre := geom.Point{
				X: int32(math.Floor((float64(i%r.Columns)+0.5)*cell/lattice.Step + 0.5)),
				Y: int32(math.Floor((float64(i/r.Columns)+0.5)*cell/lattice.Step + 0.5)),
			}
			parents[i], states[i] = plainTexel(r, w.ground, layer, centre)
		}
		r.Parents = append(r.Parents, parents)
		r.States = append(r.States, states)
	}
	return r
}

// plainLayer is Dijkstra's algorithm over sources and corners.
func plainLayer(ground *geom.Ground, sources []geom.Sector, room int) []shaders.Generator {
	sectors := append(slices.Clone(sources), make([]geom.Sector, room-len(sources))...)
	sectors = append(sectors, ground.Corners...)
	distance := make([]float64, len(sectors))
	generators := make([]shaders.Generator, len(sectors))
	done := make([]bool, len(sectors))
	for i, s := range sectors {
		distance[i] = math.Inf(1)
		if i < len(sources) {
			distance[i] = 0
		}
		done[i] = i >= len(sources) && i < room
		generators[i] = shaders.Generator{
			Position: ground.Lattice.Local(s.At),
			X:        s.At.X, Y: s.At.Y, FromX: s.From.X, FromY: s.From.Y, ToX: s.To.X, ToY: s.To.Y,
			Kind: uint32(s.Kind), Parent: shaders.NoParent,
		}
		if i < len(sources) {
			generators[i].Parent = uint32(i)
		}
	}
	for {
		nearest := -1
		for i := range sectors {
			if !done[i] && !math.IsInf(distance[i], 1) && (nearest < 0 || distance[i] < distance[nearest]) {
				nearest = i
			}
		}
		if nearest < 0 {
			break
		}
		done[nearest] = true
		for i := room; i < len(sectors); i++ {
			if done[i] {
				continue
			}
			a, b := sectors[nearest], sectors[i]
			d := distance[nearest] + math.Hypot(float64(a.At.X-b.At.X), float64(a.At.Y-b.At.Y))*ground.Lattice.Step
			if d < distance[i] && ground.Sees(a, b) {
				distance[i] = d
				generators[i].Parent = uint32(nearest)
			}
		}
	}
	for i := range generators {
		generators[i].Distance = float32(distance[i])
	}
	return generators
}

// plainTexel is the generator with the shortest way from a texel's centre.
func plainTexel(r *Reference, ground *geom.Ground, layer []shaders.Generator, centre geom.Point) (parent uint32, state float32) {
	const reached, obstacle = 1, 2
	if !ground.Lattice.Holds(centre) || !ground.Free(centre) {
		return shaders.NoParent, obstacle
	}
	order := make([]int, len(layer))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(r.lengthOver(centre, layer[a]), r.lengthOver(centre, layer[b])), cmp.Compare(a, b))
	})
	for _, i := range order {
		if math.IsInf(float64(layer[i].Distance), 1) {
			break
		}
		if ground.LitClosed(sectorOf(layer[i]), centre) {
			return uint32(i), reached
		}
	}
	return shaders.NoParent, testUnreached
}

// distance is the length of the shortest way from a point, by every generator.
func (r *Reference) distance(ground *geom.Ground, layer int, at geom.Point) float64 {
	best := math.Inf(1)
	for _, g := range r.Generators[layer*r.Stride:][:r.Stride] {
		if d := r.lengthOver(at, g); d < best && ground.LitClosed(sectorOf(g), at) {
			best = d
		}
	}
	return best
}

// upload puts the maps on the device.
func (r *Reference) upload(t testing.TB, d *gpu.Device, sources int) Guide {
	t.Helper()
	layers := len(r.Parents)
	g := Guide{Stride: r.Stride, Sources: sources, Unreached: r.Unreached, Cell: r.Cell}
	g.PointsOnly = !slices.ContainsFunc(r.Generators, func(g shaders.Generator) bool { return g.Kind == sectorBeam })
	var err error
	if g.Generators, err = gpu.NewBuffer[shaders.Generator](d, "test generators", len(r.Generators)); err != nil {
		t.Fatal(err)
	}
	g.Generators.Write(0, r.Generators)
	rows := len(r.Parents[0]) / r.Columns
	if g.Parents, err = gpu.NewTexture(d, gpu.TextureSpec{Label: "test parents", Format: gpu.R32UI, Width: r.Columns, Height: rows, Layers: layers}); err != nil {
		t.Fatal(err)
	}
	if g.Field, err = gpu.NewTexture(d, gpu.TextureSpec{Label: "test field", Format: gpu.RGBA32F, Width: r.Columns, Height: rows, Layers: layers}); err != nil {
		t.Fatal(err)
	}
	for layer := range layers {
		field := make([][4]float32, len(r.States[layer]))
		for i, state := range r.States[layer] {
			field[i][3] = state
		}
		g.Parents.Write(layer, r.Parents[layer])
		g.Field.Write(layer, field)
	}
	return g
}

// trial is a crowd on the device with its reference.
type trial struct {
	world
	reference *Reference
	guide     Guide
	crowd     *Crowd
	traits    []Traits
	before    []Agent // of the newest step
	after     []Agent
	guidance  []Guidance
}

// try makes a crowd of a scene, with maps of so many texels along the longer
// side.
func try(t testing.TB, d *gpu.Device, text string, size int) *trial {
	t.Helper()
	w := read(t, text)
	r := plainMap(t, w, size)
	sources := r.Stride - len(w.ground.Corners)
	x := &trial{world: w, reference: r, guide: r.upload(t, d, sources)}
	crowd, err := New(d, w.scene, w.ground, w.grid, x.guide)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, b := range []interface{ Delete() }{crowd, x.guide.Generators, x.guide.Parents, x.guide.Field} {
			b.Delete()
		}
	})
	x.crowd = crowd
	r.Stages = crowd.itineraries
	n := crowd.Count()
	x.traits, x.before, x.after, x.guidance = make([]Traits, n), make([]Agent, n), make([]Agent, n), make([]Guidance, n)
	crowd.traits.Read(0, x.traits)
	crowd.Snapshot(x.after)
	return x
}

// step moves the crowd and reads it back.
func (x *trial) step() {
	x.before, x.after = x.after, x.before
	x.crowd.Step()
	x.crowd.Snapshot(x.after)
	x.crowd.guidance.Read(0, x.guidance)
}

// walking counts the agents that wait or walk.
func (x *trial) walking() int {
	n := 0
	for _, a := range x.after {
		if a.Status <= Walking {
			n++
		}
	}
	return n
}
