package spm

import (
	"math"

	"github.com/wayfront/wayfront/engine/geom"
)

// Extent is the grid of texels that a map lays over a domain. Texel (column j, row i) is centred (j + 1/2, i + 1/2) cells
// from the domain's corner; row 0 has the lowest y.
type Extent struct {
	Size          int     // texels along the domain's longer side
	Columns, Rows int     // texels in all
	Cell          float64 // metres
}

// MaxSize is the largest Size that a map is made with: texels are then still 64 lattice steps wide. Devices may allow less.
const MaxSize = 1 << 14

// NewExtent returns the texels of a domain of width x height metres with size texels along its longer side.
func NewExtent(width, height float64, size int) Extent {
	if size < 1 {
		panic("spm: a map has at least one texel")
	}
	cell := max(width, height) / float64(size)
	return Extent{Size: size, Columns: texels(width, cell), Rows: texels(height, cell), Cell: cell}
}

// texels is the number of cells that cover a side. The quotient of a side that is a whole number of cells may come out
// one rounding above that number: cell and quotient carry a relative error of 2^-53 each.
func texels(side, cell float64) int {
	const rounding = 1.0 / (1 << 51)
	return max(1, int(math.Ceil(side/cell*(1-rounding))))
}

// Lattice is the lattice point nearest to a texel's centre, the twin of texelLattice in shaders/include/texel.glsl.
func (e Extent) Lattice(column, row int) geom.Point {
	snap := func(i int) int32 {
		return int32(math.Floor(float64(2*i+1)*(geom.Steps/2)/float64(e.Size) + 0.5))
	}
	return geom.Point{X: snap(column), Y: snap(row)}
}

// Centre is a texel's centre in metres from the domain's corner.
func (e Extent) Centre(column, row int) (x, y float64) {
	return (float64(column) + 0.5) * e.Cell, (float64(row) + 0.5) * e.Cell
}

// InLattice is the width and height of all texels together in lattice steps.
func (e Extent) InLattice() (width, height float64) {
	cell := float64(geom.Steps) / float64(e.Size)
	return float64(e.Columns) * cell, float64(e.Rows) * cell
}
