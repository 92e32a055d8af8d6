package geom

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
)

// touchesSquare reports whether the closed segment ab touches the closed square from lo to hi:
// their boxes meet, and the segment's line does not pass the square by.
func touchesSquare(a, b, lo, hi Point) bool {
	if max(a.X, b.X) < lo.X || min(a.X, b.X) > hi.X || max(a.Y, b.Y) < lo.Y || min(a.Y, b.Y) > hi.Y {
		return false
	}
	sides := map[Side]bool{}
	for _, corner := range [...]Point{lo, hi, {X: lo.X, Y: hi.Y}, {X: hi.X, Y: lo.Y}} {
		sides[Orient(a, b, corner)] = true
	}
	return sides[Collinear] || len(sides) == 2
}

func TestWallGridListsWhatTouches(t *testing.T) {
	scenes := fullScenes(t)
	for name, g := range smallScenes(t) {
		scenes[name] = g
	}
	scenes["wide"] = groundOf(t, fullLattice(t, 1000, 250))
	for name, g := range sorted(scenes) {
		grid := NewWallGrid(g)
		if got := grid.Columns; got != g.Lattice.Size.X>>grid.Shift+1 {
			t.Fatalf("%s: %d columns do not cover the domain", name, got)
		}
		if got := grid.Rows; got != g.Lattice.Size.Y>>grid.Shift+1 {
			t.Fatalf("%s: %d rows do not cover the domain", name, got)
		}
		for row := range grid.Rows {
			for column := range grid.Columns {
				lo := Point{X: column << grid.Shift, Y: row << grid.Shift}
				hi := Point{X: (column + 1) << grid.Shift, Y: (row + 1) << grid.Shift}
				var want []uint32
				for i, w := range g.Walls {
					if touchesSquare(g.Vertices[w.A], g.Vertices[w.B], lo, hi) {
						want = append(want, uint32(i))
					}
				}
				if got := grid.Walls(column, row); !slices.Equal(got, want) {
					t.Fatalf("%s: cell (%d, %d) of side 2^%d lists walls %v, want %v", name, column, row, grid.Shift, got, want)
				}
			}
		}
	}
}

// A walk over the cells of a segment's points comes by all walls that it touches.
func TestWallGridOnWalks(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 15))
	touching := 0
	for name, g := range sorted(smallScenes(t)) {
		grid := NewWallGrid(g)
		cell := int64(1) << grid.Shift
		for range 30 {
			point := func() Point {
				if random.IntN(2) == 0 {
					return g.Vertices[random.IntN(len(g.Vertices))]
				}
				return Point{X: random.Int32N(g.Lattice.Size.X + 1), Y: random.Int32N(g.Lattice.Size.Y + 1)}
			}
			a, b := point(), point()
			dx, dy := int64(b.X-a.X), int64(b.Y-a.Y)
			// The points of the segment in one cell, the cells being half open here, lie between
			// crossings of grid lines. All such places have the denominator |dx dy|, or |dx| or
			// |dy| alone; so do their middles, twice that.
			d := 2 * max(lattice.Abs(dx), 1) * max(lattice.Abs(dy), 1)
			places := []int64{0, d}
			for line := int64(0); line <= int64(g.Lattice.Size.X); line += cell {
				if dx != 0 {
					places = append(places, (line-int64(a.X))*(d/dx))
				}
				if dy != 0 {
					places = append(places, (line-int64(a.Y))*(d/dy))
				}
			}
			places = slices.DeleteFunc(places, func(s int64) bool { return s < 0 || s > d })
			slices.Sort(places)
			met := map[uint32]bool{}
			stop := func(s, d int64) {
				x, y := (int64(a.X)*d+dx*s)/d>>grid.Shift, (int64(a.Y)*d+dy*s)/d>>grid.Shift
				for _, w := range grid.Walls(int32(x), int32(y)) {
					met[w] = true
				}
			}
			for i, s := range places {
				stop(s, d)
				if i > 0 {
					stop(places[i-1]+s, 2*d)
				}
			}
			for i, w := range g.Walls {
				u, v := g.Vertices[w.A], g.Vertices[w.B]
				if !segmentsTouch(a, b, u, v) {
					continue
				}
				touching++
				if !met[uint32(i)] {
					t.Fatalf("%s: a walk from %v to %v over cells of side %d does not come by the wall from %v to %v", name, a, b, cell, u, v)
				}
			}
		}
	}
	if touching < 1_000 {
		t.Errorf("only %d walls touched in all", touching)
	}
}

func TestWallGridCells(t *testing.T) {
	for _, n := range []int{1, 4, 20, 70} {
		g := groundOf(t, fullLattice(t, 1000, 1000), rowsOfSquares(n)...)
		grid := NewWallGrid(g)
		cells := len(grid.Start) - 1
		inner := int(grid.Columns-1) * int(grid.Rows-1)
		if inner > maxCells {
			t.Errorf("%d squares: %d cells, more than %d", n*n, inner, maxCells)
		}
		if average := float64(len(grid.Items)) / float64(cells); average > 2 {
			t.Errorf("%d squares: %v walls a cell on average, want 2 or fewer", n*n, average)
		}
		if n > 1 && inner > 16*len(g.Walls) {
			t.Errorf("%d squares: %d cells for %d walls", n*n, inner, len(g.Walls))
		}
	}
}
