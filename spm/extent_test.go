package spm

import (
	"testing"

	"github.com/wayfront/wayfront/engine/geom"
)

func TestExtent(t *testing.T) {
	for _, c := range []struct {
		width, height float64
		size          int
		columns, rows int
	}{
		{10, 10, 250, 250, 250},
		{20, 10, 250, 250, 125},
		{30, 20, 300, 300, 200},
		{3, 1, 999, 999, 333},
		{1, 3, 999, 333, 999},
		{1, 3, 1000, 334, 1000},
		{0.3, 0.1, 3, 3, 1},
		{7, 1e-9, 100, 100, 1},
		{1e7, 1e7, 1, 1, 1},
	} {
		e := NewExtent(c.width, c.height, c.size)
		if e.Columns != c.columns || e.Rows != c.rows {
			t.Errorf("%v x %v m at %d texels: %d x %d, want %d x %d", c.width, c.height, c.size, e.Columns, e.Rows, c.columns, c.rows)
		}
	}
	e := NewExtent(10, 10, 4)
	if p := e.Lattice(3, 0); p != (geom.Point{X: geom.Steps * 7 / 8, Y: geom.Steps / 8}) {
		t.Errorf("center of texel (3, 0) of 4 is %v", p)
	}
}
