package spm

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Accuracy is what maps and queries promise: |d - exact| <= Accuracy (d + L), with L the domain's longer side.
const Accuracy = 1e-5

// Tolerance is Accuracy in metres for a distance on the map's ground.
func (v *View) Tolerance(distance float64) float64 {
	return Accuracy * (distance + v.ground.Lattice.Length())
}

// ValidationError names the first place at which a map is wrong.
type ValidationError struct {
	Layer int
	Place mgl64.Vec2 // world, metres
	What  string
}

func (e *ValidationError) Error() string {
	return fmt.Sprintf("spm: layer %d is wrong at (%g, %g): %s", e.Layer, e.Place[0], e.Place[1], e.What)
}

// Validate recomputes a layer from scratch by Solve and holds the map against it: the distance of every corner, the state of
// every texel, and of every every-th texel in both directions the distance, that its parent is in sight, and that the way
// over the parent is a shortest one. It reads the map back, and takes seconds on large maps. Errors are of type
// *ValidationError.
func (m *Map) Validate(layer, every int) error {
	ground := m.Ground(layer)
	reference := solve(ground, m.layers[layer].sources)
	wrong := func(at mgl64.Vec2, format string, args ...any) error {
		return &ValidationError{Layer: layer, Place: at, What: fmt.Sprintf(format, args...)}
	}
	differ := func(got, want float64) bool {
		return got != want && !(math.Abs(got-want) <= reference.Tolerance(want)) // infinities are equal or differ
	}
	records := make([]Generator, m.Stride)
	m.Generators.Read(layer*m.Stride, records)
	for i := range ground.Corners {
		want := reference.nodes[len(reference.sources)+i]
		if got := float64(records[m.Room+i].Distance); differ(got, want.distance) {
			return wrong(want.position, "the corner's distance is %v, want %v", got, want.distance)
		}
	}

	texels := m.Extent.Columns * m.Extent.Rows
	field, parents := make([][4]float32, texels), make([]uint32, texels)
	m.Field.Read(layer, field)
	m.Parents.Read(layer, parents)
	for row := range m.Extent.Rows {
		for column := range m.Extent.Columns {
			i := row*m.Extent.Columns + column
			x, y := m.Extent.Centre(column, row)
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
			parent := records[parents[i]]
			place := mgl64.Vec2{float64(parent.Position[0]), float64(parent.Position[1])}
			var seen bool
			slack := 0.0
			if beam, ok := beamOf(sectorOf(parent)); ok {
				seen = ground.LitClosedFrom(beam, on)
				slack = 2 * ground.Lattice.Step // its foot is that of the centre rounded to the lattice, in float32
				place = foot(ground.Lattice, beam, at).Sub(ground.Lattice.Origin)
			} else {
				seen = ground.LitClosed(sectorOf(parent), on)
			}
			if !seen {
				return wrong(at, "the texel's parent, generator %d, is not in sight", parents[i])
			}
			if over := float64(parent.Distance) + place.Sub(mgl64.Vec2{x, y}).Len(); differ(over, want.Distance) {
				return wrong(at, "over the texel's parent the way is %v, want %v", over, want.Distance)
			}
			stored := mgl64.Vec2{float64(field[i][0]), float64(field[i][1])}
			if stored.Sub(place).Len() > slack {
				return wrong(at, "the texel's parent is at %v, its generator at %v", stored, place)
			}
		}
	}
	return nil
}
