package spm

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/spm/exact"
)

// Validate recomputes a layer from scratch by exact.Solve and compares the map with it: the
// distance of every corner, the state of every texel, and of every every-th texel in both
// directions the distance, that its parent is in sight, and that the path over the parent is a
// shortest one. It reads the map back, and takes seconds on large maps. The error names the first
// place that is wrong.
func (m *Map) Validate(layer, every int) error {
	ground := m.Ground(layer)
	sources := m.layers[layer].sources
	reference := exact.SolveSources(ground, sources)
	wrong := func(at mgl64.Vec2, format string, args ...any) error {
		return fmt.Errorf("spm: layer %d is wrong at (%g, %g): %s", layer, at[0], at[1], fmt.Sprintf(format, args...))
	}
	differ := func(got, want float64) bool {
		return got != want && !(math.Abs(got-want) <= reference.Tolerance(want))
	}
	records := m.records(layer)
	for i := range ground.Corners {
		place, want, _ := reference.Corner(i)
		if got := float64(records[m.Sources+i].Distance); differ(got, want) {
			return wrong(place, "the corner's distance is %v, want %v", got, want)
		}
	}

	texels := m.Extent.Columns * m.Extent.Rows
	field, parents := make([][4]float32, texels), make([]uint32, texels)
	m.Field.Read(layer, field)
	m.Parents.Read(layer, parents)
	for row := range m.Extent.Rows {
		for column := range m.Extent.Columns {
			i := row*m.Extent.Columns + column
			x, y := m.Extent.Center(column, row)
			at := ground.Lattice.Origin.Add(mgl64.Vec2{x, y})
			on := m.Extent.Lattice(column, row)
			state, distance := State(field[i][3]), float64(field[i][2])
			if ground.Free(on) == (state == Obstacle) {
				return wrong(at, "the texel's state is %d, and its center is free: %v", state, ground.Free(on))
			}
			if (state == Reached) != (parents[i] != NoParent) || (state == Reached) == math.IsInf(distance, 1) || math.IsNaN(distance) {
				return wrong(at, "the texel has state %d, distance %v and parent %d", state, distance, parents[i])
			}
			if state == Obstacle || row%every != 0 || column%every != 0 {
				continue
			}
			want := reference.Query(at)
			if state != want.State || differ(distance, want.Distance) {
				return wrong(at, "the texel has state %d and distance %v, want %d and %v", state, distance, want.State, want.Distance)
			}
			if state != Reached {
				continue
			}
			parent, node := records[parents[i]], m.node(layer, parents[i])
			source := exact.Source{}
			if node < len(sources) {
				source = sources[node]
			} else {
				source.Sector = ground.Corners[node-len(sources)]
			}
			place, slack := mgl64.Vec2{float64(parent.Position[0]), float64(parent.Position[1])}, 0.0
			lightField, ok := source.LightField()
			if ok { // its foot point is that of the center rounded to the lattice, in float32
				place, slack = reference.Over(node, at).Parent.Sub(ground.Lattice.Origin), 2*ground.Lattice.Step
			}
			if ok && !ground.LitClosedFrom(lightField, on) || !ok && !ground.LitClosed(source.Sector, on) {
				return wrong(at, "the texel's parent, generator %d, is not in sight", parents[i])
			}
			if over := float64(parent.Distance) + place.Sub(mgl64.Vec2{x, y}).Len(); differ(over, want.Distance) {
				return wrong(at, "over the texel's parent the path is %v, want %v", over, want.Distance)
			}
			if stored := (mgl64.Vec2{float64(field[i][0]), float64(field[i][1])}); stored.Sub(place).Len() > slack {
				return wrong(at, "the texel's parent is at %v, its generator at %v", stored, place)
			}
		}
	}
	return nil
}
