package spm

import (
	"math"

	"github.com/wayfront/wayfront/engine/geom"
)

// Extent is the grid of texels that a map lays over a domain. Texel (column j, row i) is centered
// (j + 1/2, i + 1/2) cells from the domain's corner; row 0 has the lowest y.
type Extent struct {
	Size          int     // texels along the domain's longer side
	Columns, Rows int     // texels in all
	Cell          float64 // meters
}

// MaxSize is the largest Size that a map is made with: texels are then still 64 lattice steps wide.
// Devices may allow less.
const MaxSize = 1 << 14

// NewExtent returns the texels of a domain of width x height meters with size texels along its
// longer side.
func NewExtent(width, height float64, size int) Extent {
	if size < 1 {
		panic("spm: a map has at least one texel")
	}
	cell := max(width, height) / float64(size)
	return Extent{Size: size, Columns: texels(width, cell), Rows: texels(height, cell), Cell: cell}
}

// texels is the number of cells that cover a side. The quotient of a side that is a whole number of
// cells may come out one rounding above that number: cell and quotient carry a relative error of
// 2^-53 each.
func texels(side, cell float64) int {
	const rounding = 1.0 / (1 << 51)
	return max(1, int(math.Ceil(side/cell*(1-rounding))))
}

// Lattice is the lattice point nearest to a texel's center, the twin of texelLattice in
// shaders/include/texel.glsl.
func (e Extent) Lattice(column, row int) geom.Point {
	snap := func(i int) int32 {
		return int32(math.Floor(float64(2*i+1)*(geom.Steps/2)/float64(e.Size) + 0.5))
	}
	return geom.Point{X: snap(column), Y: snap(row)}
}

// Center is a texel's center in meters from the domain's corner.
func (e Extent) Center(column, row int) (x, y float64) {
	return (float64(column) + 0.5) * e.Cell, (float64(row) + 0.5) * e.Cell
}

// texelInput says where texels lie, for shaders/include/texel.glsl.
type texelInput struct {
	mapSize    int32
	mapCell    float32  // m
	mapSteps   [2]int32 // 2^19 / mapSize, whole part and rest
	mapInverse float32  // 1 / (2 mapSize)
}

func (e Extent) texels() texelInput {
	return texelInput{
		mapSize: int32(e.Size), mapCell: float32(e.Cell), mapInverse: 1 / float32(2*e.Size),
		mapSteps: [2]int32{int32(geom.Steps / 2 / e.Size), int32(geom.Steps / 2 % e.Size)},
	}
}

// polygonInput is what passes take that draw polygons over texels.
type polygonInput struct {
	texelInput
	mapExtent [2]float32 // all texels together, lattice steps
	margin    float32    // lattice steps
}

func (e Extent) polygons() polygonInput {
	cell := float64(geom.Steps) / float64(e.Size)
	extent := [2]float32{float32(float64(e.Columns) * cell), float32(float64(e.Rows) * cell)}
	return polygonInput{e.texels(), extent, float32(marginTexels * geom.Steps / float64(e.Size))}
}

// marginTexels is by how many texels drawn polygons reach beyond what they stand for, so that
// rasterizing meets every center that a fragment then tests exactly. Centers are rounded to the
// lattice, by 2^-7 texels at most since a texel is 64 steps or more; clip coordinates are off by
// 2^-22 of the map's width, 2^-8 texels at the largest size, as much again in the polygon's own
// corners; and a device may round these to 2^-4 texels, by 2^-5 along either axis. That is 0.07
// together.
const marginTexels = 0.125

// depthScale is a power of two that takes every distance of a map into [0, 1]. A shortest path
// visits a corner once at most, and no edge is longer than the domain's diagonal, at most sqrt(2)
// of its longer side.
func depthScale(g *geom.Ground) float32 {
	longest := float64(len(g.Corners)+1) * math.Sqrt2 * g.Lattice.Length()
	return float32(math.Exp2(-math.Ceil(math.Log2(longest))))
}
