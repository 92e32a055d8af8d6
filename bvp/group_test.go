package bvp

import (
	"math"
	"slices"
	"testing"
)

// TestClasses: every map has a class, whose strips cover all of its cells, and whose maps fit the shared memory and the
// invocations that OpenGL 4.5 promises.
func TestClasses(t *testing.T) {
	for cells := MinCells; cells <= MaxCells; cells++ {
		c := classes[classOf(cells)]
		if cells > c.edge {
			t.Errorf("a map of %d cells is put among those of %d", cells, c.edge)
		}
		if inner := cells - 2; c.wide*c.columns() < inner || c.rows*c.strips < inner {
			t.Errorf("%d cells: strips cover %d x %d of %d x %d", cells, c.wide*c.columns(), c.rows*c.strips, inner, inner)
		}
	}
	for _, c := range classes {
		// ADI has two floats a cell, and two times 64 bits a row; the cosines are another method's.
		if bytes := c.maps * (2*4*c.edge*c.edge + 16*c.edge); bytes > 32768 {
			t.Errorf("maps of %d cells take %d bytes of shared memory", c.edge, bytes)
		}
		// Strips are padded to whole ones.
		if bytes := c.maps*(4*(c.wide*c.columns()+2)*(c.rows*c.strips+2)+16*c.edge) + 4*c.edge; bytes > 32768 {
			t.Errorf("strips of %d cells take %d bytes of shared memory", c.edge, bytes)
		}
		if c.rows%2 != 0 || c.wide%2 != 0 {
			t.Errorf("strips of %d cells have %d rows of %d: not all begin with the same colour", c.edge, c.rows, c.wide)
		}
		if c.maps*c.crew() > 1024 {
			t.Errorf("maps of %d cells take %d invocations", c.edge, c.maps*c.crew())
		}
	}
	for _, n := range []uint32{0, 1, 2, 3, 5, 64, 65, 1<<15 - 1, 1 << 15, 1<<15 + 1, 1 << 20} {
		x, y := inRows(n)
		if x*y < n || x > math.MaxUint16 || y > math.MaxUint16 || n == 0 && y != 0 {
			t.Errorf("%d groups in %d x %d", n, x, y)
		}
	}
}

// TestArrange lays out maps of several sizes: by class, in order of agents, none over another, and none across the end of a buffer.
func TestArrange(t *testing.T) {
	kinds := []Parameters{{Cells: 21}, {Cells: 5}, {Cells: 63}, {Cells: 20}}
	of := []int{2, 0, NoMap, 1, 3, 0}
	for room, want := range map[int]struct {
		slots []slot
		words []int
	}{
		5000: {
			[]slot{{3, 1, 0, 0, 0}, {1, 0, 2, 0, 25}, {4, 3, 2, 0, 25 + 441}, {5, 0, 2, 0, 25 + 441 + 400}, {0, 2, 5, 1, 0}},
			[]int{25 + 441 + 400 + 441, 3969},
		},
		25 + 441 + 400 + 441 + 3969: {
			[]slot{{3, 1, 0, 0, 0}, {1, 0, 2, 0, 25}, {4, 3, 2, 0, 25 + 441}, {5, 0, 2, 0, 25 + 441 + 400}, {0, 2, 5, 0, 25 + 441 + 400 + 441}},
			[]int{25 + 441 + 400 + 441 + 3969},
		},
	} {
		if slots, words := arrange(kinds, of, room); !slices.Equal(slots, want.slots) || !slices.Equal(words, want.words) {
			t.Errorf("%v of %d words, want %v of %d", slots, words, want.slots, want.words)
		}
	}
	if slots, words := arrange(nil, nil, 5000); len(slots) != 0 || !slices.Equal(words, []int{0}) {
		t.Errorf("nobody has %v of %d words", slots, words)
	}
}
