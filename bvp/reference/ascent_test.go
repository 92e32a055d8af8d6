package reference

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/wayfront/wayfront/bvp/grid"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/engine/geom"
)

// waysOf is the ways between cells side by side that are open to each other: see grid.Grid.
func waysOf(columns, rows int, open func(k, to int) bool) []uint32 {
	ways := make([]uint32, columns*rows)
	for k := range ways {
		if to := k + 1; k%columns < columns-1 && open(k, to) {
			ways[k] |= 1 << grid.East
			ways[to] |= 1 << grid.West
		}
		if to := k + columns; k/columns < rows-1 && open(k, to) {
			ways[k] |= 1 << grid.North
			ways[to] |= 1 << grid.South
		}
	}
	return ways
}

// gridOf is a grid of cells with ways where they are open to each other.
func gridOf(columns, rows int, open func(k, to int) bool) *grid.Grid {
	return &grid.Grid{Columns: columns, Rows: rows, Side: 2, Lattice: geom.Lattice{Step: 0.5}, Ways: waysOf(columns, rows, open)}
}

// everyWay is a grid of so many cells with all ways between them.
func everyWay(columns, rows int) []uint32 {
	return waysOf(columns, rows, func(int, int) bool { return true })
}

// TestAscentBetweenCells: a field that is linear in both coordinates is found everywhere between
// the middles of cells, and at the middle of a cell any field is that of the cell. Beyond the
// outermost middles it is that of the border's cells.
func TestAscentBetweenCells(t *testing.T) {
	const columns, rows = 7, 5
	ways := everyWay(columns, rows)
	field := func(x, y float64) [2]float32 {
		return [2]float32{float32(0.3 + 0.1*x - 0.07*y + 0.02*x*y), float32(-0.2 - 0.05*x + 0.11*y + 0.01*x*y)}
	}
	r := rand.New(rand.NewPCG(1, 41))
	for range 2000 {
		place := [2]float32{float32(1.4*r.Float64()-0.2) * columns, float32(1.4*r.Float64()-0.2) * rows}
		got := AscentAt(place, columns, rows, func(cell int) uint32 { return ways[cell] }, func(cell int) [2]float32 {
			return field(float64(cell%columns), float64(cell/columns))
		})
		want := field(min(max(float64(place[0])-0.5, 0), columns-1), min(max(float64(place[1])-0.5, 0), rows-1))
		// Beside the border the cells that there are count what they do between themselves, so that
		// the direction is the same.
		for axis, count := range []float32{columns, rows} {
			if place[axis] < 0.5 || place[axis] > count-0.5 {
				k := float32(math.Hypot(float64(want[0]), float64(want[1])) / math.Hypot(float64(got[0]), float64(got[1])))
				got = [2]float32{k * got[0], k * got[1]}
			}
		}
		// Four products and sums of numbers below 2 in float32, and at the border at least a
		// quarter of them.
		if !(gap(got, want) <= 1e-5) {
			t.Fatalf("at %v the ascent is %v, want %v", place, got, want)
		}
	}
	wild := make([][2]float32, columns*rows)
	for k := range wild {
		wild[k] = [2]float32{r.Float32() - 0.5, r.Float32() - 0.5}
	}
	for k := range wild {
		place := [2]float32{float32(k%columns) + 0.5, float32(k/columns) + 0.5}
		if got := AscentAt(place, columns, rows, func(cell int) uint32 { return ways[cell] }, func(cell int) [2]float32 { return wild[cell] }); got != wild[k] {
			t.Errorf("in the middle of cell %d the ascent is %v, want %v", k, got, wild[k])
		}
	}
}

// TestAscentStopsAtWalls: nothing is read of a cell that no two ways lead to, whatever the walls,
// and mirrored and turned grounds give mirrored and turned ascents.
func TestAscentStopsAtWalls(t *testing.T) {
	const n = 6
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 42))
		field := make([][2]float32, n*n)
		for k := range field {
			field[k] = [2]float32{r.Float32() - 0.5, r.Float32() - 0.5}
		}
		g := gridOf(n, n, func(int, int) bool { return r.IntN(3) > 0 })
		// as is the ground that has the ways of g between the cells that from has for its own.
		as := func(from func(i, j int) int) []uint32 {
			return waysOf(n, n, func(k, to int) bool {
				a, b := from(k%n, k/n), from(to%n, to/n)
				for d := range 4 {
					if o, ok := g.Way(a, d); ok && o == b {
						return true
					}
				}
				return false
			})
		}
		for range 50 {
			place := [2]float32{n * r.Float32(), n * r.Float32()}
			i, j := int(place[0]), int(place[1])
			reached := map[int]bool{j*n + i: true}
			for range 2 { // two ways
				for cell := range maps.Clone(reached) {
					for d := range 4 {
						if to, ok := g.Way(cell, d); ok {
							reached[to] = true
						}
					}
				}
			}
			got := AscentAt(place, n, n, func(cell int) uint32 { return g.Ways[cell] }, func(cell int) [2]float32 {
				if !reached[cell] {
					t.Fatalf("seed %d: at %v the ascent of cell %d is read", seed, place, cell)
				}
				return field[cell]
			})
			for name, other := range map[string]struct {
				place [2]float32
				from  func(i, j int) int
				want  [2]float32
				sign  float32
				swap  bool
			}{
				"turned":   {[2]float32{place[1], place[0]}, func(i, j int) int { return i*n + j }, [2]float32{got[1], got[0]}, 1, true},
				"mirrored": {[2]float32{n - place[0], place[1]}, func(i, j int) int { return j*n + n - 1 - i }, [2]float32{-got[0], got[1]}, -1, false},
			} {
				theirs := as(other.from)
				a := AscentAt(other.place, n, n, func(cell int) uint32 { return theirs[cell] }, func(cell int) [2]float32 {
					v := field[other.from(cell%n, cell/n)]
					if other.swap {
						return [2]float32{v[1], v[0]}
					}
					return [2]float32{other.sign * v[0], v[1]}
				})
				if !(gap(a, other.want) <= 1e-6) {
					t.Errorf("seed %d, %s: at %v the ascent is %v, want %v", seed, name, place, a, other.want)
				}
			}
		}
	}
}

// TestAlong: a direction alone counts, however short the ascent, and where there is none the guide
// is the walker's place.
func TestAlong(t *testing.T) {
	from := [2]float32{3, -4}
	for _, size := range []float32{1, 0x1p-30, 0x1p-99, 0x1p60} {
		for degrees := 0.0; degrees < 360; degrees += 15 {
			u := polar(1, degrees*math.Pi/180)
			guide, ok := Along(from, [2]float32{float32(u[0]) * size, float32(u[1]) * size})
			if off := apart(math.Atan2(float64(guide[1]-from[1]), float64(guide[0]-from[0])), degrees*math.Pi/180); !ok || off > 1e-4 {
				t.Errorf("an ascent of %g along %g degrees leads %g beside it, %v", size, degrees, off, ok)
			}
			if far := max(math.Abs(float64(guide[0])), math.Abs(float64(guide[1]))); far < local.Afar/2 {
				t.Errorf("an ascent of %g along %g degrees leads %g m far", size, degrees, far)
			}
		}
	}
	for _, none := range [][2]float32{{}, {0x1p-120, 0}, {0, -0x1p-126}} {
		if guide, ok := Along(from, none); ok || guide != from {
			t.Errorf("an ascent of %v leads to %v, %v", none, guide, ok)
		}
	}
}
