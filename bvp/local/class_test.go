package local

import (
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// TestClasses: every map has a class, whose strips cover all of its cells, and whose maps fit the
// shared memory and the invocations that OpenGL 4.5 promises.
func TestClasses(t *testing.T) {
	for cells := 5; cells <= maxCells; cells++ {
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
			t.Errorf("strips of %d cells have %d rows of %d: not all begin with the same color", c.edge, c.rows, c.wide)
		}
		if c.maps*c.tile() > 1024 {
			t.Errorf("maps of %d cells take %d invocations", c.edge, c.maps*c.tile())
		}
	}
}

// TestArrange lays out maps of several sizes: by class, in order of agents, none over another, and
// none across the end of a buffer.
func TestArrange(t *testing.T) {
	kinds := []scenes.BVP{{Cells: 21}, {Cells: 5}, {Cells: 63}, {Cells: 20}}
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
		t.Errorf("without agents there are %v of %d words", slots, words)
	}
}

// TestPortions: the largest maps that a buffer of 128 MiB holds are relaxed in dispatches that are
// within the budget, each map once.
func TestPortions(t *testing.T) {
	for _, cells := range []int{11, maxCells} {
		kinds := []scenes.BVP{{Cells: cells}}
		slots, _ := arrange(kinds, make([]int, 1<<25/(cells*cells)), 1<<25)
		c := classes[slots[0].class]
		for turns, want := range map[int]int{1: 1, relaxedAtOnce + aroundRelaxing: 7, 6*relaxedAtOnce + aroundRelaxing: 38} {
			all, next := (row{0, len(slots)}).portions(nil, c, turns, gpu.Budget), 0
			for _, r := range all {
				if r.first != next || r.count*cells*cells*turns > gpu.Budget {
					t.Errorf("%d cells, %d turns: %d maps from %d on, after %d", cells, turns, r.count, r.first, next)
				}
				next += r.count
			}
			if next != len(slots) || len(all) != want {
				t.Errorf("%d cells, %d turns: %d of %d maps in %d dispatches, want %d", cells, turns, next, len(slots), len(all), want)
			}
		}
	}
}
