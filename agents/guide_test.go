package agents

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/shaders"
)

const testUnreached = 0

// plainMap makes the shortest path maps of a world's goals by asking every pair of points and
// every texel about every wall: slow, short, and independent of package spm. It also returns the
// ground of each layer, and the records for sources.
func plainMap(t testing.TB, w world, size int) (r *Reference, grounds []*geom.Ground, room int) {
	t.Helper()
	lattice := w.ground.Lattice
	cell := lattice.Length() / float64(size)
	span := func(steps int32) int { return int(math.Ceil(float64(float64(steps)*lattice.Step/cell) - 1e-9)) }
	r = &Reference{
		Lattice: lattice, Columns: span(lattice.Size.X), Cell: cell,
		Unreached: testUnreached, Timestep: float32(w.scene.Simulation.Timestep),
		Walls: WallsOf(w.ground), Terrains: make([][]Wall, len(w.scene.Goals)),
	}
	sources := make([][]geom.Sector, len(w.scene.Goals))
	corners := 0
	for i, goal := range w.scene.Goals {
		ground := w.ground
		if goal.Clearance > 0 {
			var err error
			if ground, err = w.scene.GroundFor(0, goal.Passage()); err != nil {
				t.Fatal(err)
			}
			r.Terrains[i] = WallsOf(ground)
		}
		grounds = append(grounds, ground)
		sources[i] = plainSources(t, goal, w.ground, ground)
		room, corners = max(room, len(sources[i])), max(corners, len(ground.Corners))
	}
	r.Stride = room + corners
	rows := span(lattice.Size.Y)
	for l, of := range sources {
		layer := plainLayer(grounds[l], of, room, r.Stride)
		r.Generators = append(r.Generators, layer...)
		parents := make([]uint32, r.Columns*rows)
		states := make([]float32, r.Columns*rows)
		for i := range parents {
			center := geom.Point{
				X: int32(math.Floor((float64(i%r.Columns)+0.5)*cell/lattice.Step + 0.5)),
				Y: int32(math.Floor((float64(i/r.Columns)+0.5)*cell/lattice.Step + 0.5)),
			}
			parents[i], states[i] = plainTexel(r, grounds[l], layer, center)
		}
		r.Parents = append(r.Parents, parents)
		r.States = append(r.States, states)
	}
	return r, grounds, room
}

// plainSources are the sectors at a goal's sources, and the beams of its segments.
func plainSources(t testing.TB, goal scenes.Goal, open, ground *geom.Ground) (points []geom.Sector) {
	t.Helper()
	free := goal.SourcesOn(open, ground)
	if len(free.Blocked) > 0 {
		t.Fatalf("sources %v of goal %q are not free", free.Blocked, goal.ID)
	}
	for _, p := range free.Points {
		at, _ := ground.Standing(p)
		points = append(points, ground.Sectors(at)...)
	}
	var beams []geom.Sector
	for _, segment := range free.Segments {
		for _, leg := range ground.SourceSegments(segment[0], segment[1]) {
			points = append(points, ground.Sectors(leg.A)...)
			points = append(points, ground.Sectors(leg.B)...)
			for _, l := range leg.LightFields() {
				beams = append(beams, geom.Sector{At: l.A, From: l.A, To: l.B, Kind: geom.SectorLightField})
			}
		}
	}
	return append(points, beams...)
}

func beamIn(s geom.Sector) (geom.LightField, bool) {
	return geom.LightField{A: s.At, B: s.To}, s.Kind == geom.SectorLightField
}

// plainSees reports whether a source or corner lights a point within a sector there.
func plainSees(ground *geom.Ground, s, at geom.Sector) bool {
	if l, ok := beamIn(s); ok {
		return ground.SeesFrom(l, at)
	}
	return ground.Sees(s, at)
}

// plainLit is the same in closed sight, in any sector.
func plainLit(ground *geom.Ground, g shaders.Generator, at geom.Point) bool {
	s := sectorOf(g)
	if l, ok := beamIn(s); ok {
		return ground.LitClosedFrom(l, at)
	}
	return ground.LitClosed(s, at)
}

// plainLayer is Dijkstra's algorithm over sources and corners.
func plainLayer(ground *geom.Ground, sources []geom.Sector, room, stride int) []shaders.Generator {
	sectors := append(slices.Clone(sources), make([]geom.Sector, room-len(sources))...)
	sectors = append(sectors, ground.Corners...)
	sectors = append(sectors, make([]geom.Sector, stride-len(sectors))...)
	used := func(i int) bool { return i < len(sources) || i >= room && i < room+len(ground.Corners) }
	distance := make([]float64, len(sectors))
	generators := make([]shaders.Generator, len(sectors))
	done := make([]bool, len(sectors))
	for i, s := range sectors {
		distance[i] = math.Inf(1)
		if i < len(sources) {
			distance[i] = 0
		}
		done[i] = !used(i)
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
			straight := math.Hypot(float64(a.At.X-b.At.X), float64(a.At.Y-b.At.Y))
			if l, ok := beamIn(a); ok {
				straight = float64(l.Above(b.At)) / math.Sqrt(float64(l.Length2()))
			}
			d := distance[nearest] + straight*ground.Lattice.Step
			if d < distance[i] && plainSees(ground, a, b) {
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

// plainTexel is the generator with the shortest way from a texel's center.
func plainTexel(r *Reference, ground *geom.Ground, layer []shaders.Generator, center geom.Point) (parent uint32, state float32) {
	const reached, obstacle = 1, 2
	if !ground.Lattice.Holds(center) || !ground.Free(center) {
		return shaders.NoParent, obstacle
	}
	order := make([]int, len(layer))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(r.lengthOver(center, layer[a]), r.lengthOver(center, layer[b])), cmp.Compare(a, b))
	})
	for _, i := range order {
		if math.IsInf(r.lengthOver(center, layer[i]), 1) {
			break
		}
		if plainLit(ground, layer[i], center) {
			return uint32(i), reached
		}
	}
	return shaders.NoParent, testUnreached
}

// distance is the length of the shortest way from a point, by every generator.
func (r *Reference) distance(ground *geom.Ground, layer int, at geom.Point) float64 {
	best := math.Inf(1)
	for _, g := range r.Generators[layer*r.Stride:][:r.Stride] {
		if d := r.lengthOver(at, g); d < best && plainLit(ground, g, at) {
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
	g.PointsOnly = !slices.ContainsFunc(r.Generators, func(g shaders.Generator) bool { return g.Kind == uint32(geom.SectorLightField) })
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
	grounds   []*geom.Ground // of each layer
	guide     Guide
	crowd     *Crowd
	traits    []Traits
	before    []Agent // of the newest step
	after     []Agent
	guidance  []Guidance
}

// try makes a crowd of a scene, with maps of so many texels along the longer
// side. People walk as if alone where the text does not say how they avoid others.
func try(t testing.TB, d *gpu.Device, text string, size int) *trial {
	t.Helper()
	w := read(t, text)
	if !strings.Contains(text, `"avoidance"`) {
		for i := range w.scene.Profiles {
			w.scene.Profiles[i].Avoidance = scenes.AvoidanceNone
		}
	}
	r, grounds, sources := plainMap(t, w, size)
	x := &trial{world: w, reference: r, grounds: grounds, guide: r.upload(t, d, sources)}
	for _, g := range grounds {
		terrain := Terrain{}
		if g != w.ground {
			terrain = Terrain{g, geom.NewWallGrid(g)}
		}
		x.guide.Terrains = append(x.guide.Terrains, terrain)
	}
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

// stepCrowd runs the stages of engine/frame.go, but for local maps, or what is given in their
// place.
func stepCrowd(c *Crowd, local ...func()) {
	c.device.MustDo(func() {
		for _, stage := range []func(){c.Begin, c.Displace, c.Enter, c.Escape, c.Guide, c.Sort, c.FindNeighbors, c.FindWalls} {
			stage()
		}
		for _, stage := range local {
			stage()
		}
		for _, stage := range []func(){c.Avoid, c.Integrate, c.Separate, c.CountStatuses, c.CompareStates, c.MeasureContacts, c.End} {
			stage()
		}
	})
}

// step moves the crowd and reads it back.
func (x *trial) step(local ...func()) {
	x.before, x.after = x.after, x.before
	stepCrowd(x.crowd, local...)
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
