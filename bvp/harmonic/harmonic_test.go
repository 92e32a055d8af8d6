package harmonic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/bvp/grid"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/bvp/reference"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// gridOf is a grid of so many cells with ways between those that are not blocked.
func gridOf(columns, rows int, blocked func(i, j int) bool) *grid.Grid {
	g := &grid.Grid{Columns: columns, Rows: rows, Side: 2, Lattice: geom.Lattice{Step: 0.5}, Ways: make([]uint32, columns*rows)}
	for k := range g.Ways {
		i, j := k%columns, k/columns
		for d, off := range [4][2]int{grid.East: {1, 0}, grid.West: {-1, 0}, grid.North: {0, 1}, grid.South: {0, -1}} {
			x, y := i+off[0], j+off[1]
			if x >= 0 && y >= 0 && x < columns && y < rows && !blocked(i, j) && !blocked(x, y) {
				g.Ways[k] |= 1 << d
			}
		}
	}
	return g
}

// grounds are what global maps are tested with: square, with a goal in the lower left corner.
var grounds = []struct {
	name    string
	blocked func(n int) func(i, j int) bool
}{
	{"room", func(int) func(i, j int) bool { return func(i, j int) bool { return false } }},
	{"rooms", func(n int) func(i, j int) bool {
		return func(i, j int) bool {
			return j%(n/4) == n/4-1 && i%(n/4) > 3 || i%(n/4) == n/4-1 && j%(n/4) > 3
		}
	}},
	{"serpentine", func(n int) func(i, j int) bool {
		lane := n / 8
		return func(i, j int) bool {
			return j%lane == lane-1 && (j/lane%2 == 0 && i <= n-lane || j/lane%2 == 1 && i >= lane-1)
		}
	}},
	{"clutter", func(n int) func(i, j int) bool {
		r := rand.New(rand.NewPCG(uint64(n), 30))
		cells := make([]bool, n*n)
		for k := range cells {
			cells[k] = r.Float64() < 0.15 && k > 2*n+2
		}
		return func(i, j int) bool { return cells[j*n+i] }
	}},
	{"blocks", func(n int) func(i, j int) bool {
		r := rand.New(rand.NewPCG(uint64(n), 31))
		cells := make([]bool, n*n)
		for range 40 {
			a, b, w, h := 2+r.IntN(n), 2+r.IntN(n), 1+r.IntN(n/6), 1+r.IntN(n/6)
			for j := b; j < min(n, b+h); j++ {
				for i := a; i < min(n, a+w); i++ {
					cells[j*n+i] = true
				}
			}
		}
		return func(i, j int) bool { return cells[j*n+i] }
	}},
}

// TestHarmonicSolution compares potentials with direct solutions of the same equation.
func TestHarmonicSolution(t *testing.T) {
	const n = 48
	for _, ground := range grounds {
		blocked := ground.blocked(n)
		r := newRelaxer[float64](newGraphs(gridOf(n, n, blocked), []int{0, 1}))
		for range 30 {
			r.cycle()
		}
		// A local map is a border wider.
		p := reference.NewPotential[float64](n + 2)
		for k := range n * n {
			i, j := k%n, k/n
			at := (j+1)*(n+2) + i + 1
			p.Fixed[at] = blocked(i, j) || k < 2
			if k < 2 {
				p.Q[at] = 1
			}
		}
		even := local.Settings{Weights: [4]float32{0.25, 0.25, 0.25, 0.25}}
		reference.Solve(p, even)
		u := r.height()
		for k := range n * n {
			q := p.Q[(k/n+1)*(n+2)+k%n+1]
			if q == 0 != math.IsInf(u[k], 1) {
				t.Fatalf("%s: cell %d, %d is at height %g, the solution %g", ground.name, k%n, k/n, u[k], q)
			}
			if q > 0 && math.Abs(u[k]+math.Log(q)) > 1e-7*(1+u[k]) {
				t.Fatalf("%s: cell %d, %d is at height %g, want %g", ground.name, k%n, k/n, u[k], -math.Log(q))
			}
		}
	}
}

// TestCycles: a dozen is enough for every ground, however many cells it has.
func TestCycles(t *testing.T) {
	for _, ground := range grounds {
		counts := ""
		for _, n := range []int{32, 64, 128, 256} {
			r := newRelaxer[float32](newGraphs(gridOf(n, n, ground.blocked(n)), []int{0}))
			cycles := 0
			for ; !(r.imbalance() <= 1e-3) && cycles < 40; cycles++ {
				r.cycle()
			}
			if cycles > Cycles {
				t.Errorf("%s of %d cells: %d cycles", ground.name, n, cycles)
			}
			counts += fmt.Sprintf(" %d", cycles)
		}
		t.Logf("%s: cycles for 32, 64, 128, 256 cells along a side:%s", ground.name, counts)
	}
}

// TestNarrowCorridor: in a corridor of w cells the potential is a half wave across and falls by e^k
// a cell, with cosh k = 2 - cos(pi / (w + 1)). At its end it is far below the smallest of floats.
func TestNarrowCorridor(t *testing.T) {
	const length = 4000
	for _, width := range []int{1, 2, 5} {
		r := newRelaxer[float32](newGraphs(gridOf(length, width, func(int, int) bool { return false }), []int{0}))
		for range Cycles {
			r.cycle()
		}
		u := r.height()
		k := math.Acosh(2 - math.Cos(math.Pi/float64(width+1)))
		if width == 1 {
			k = math.Acosh(2)
		}
		// Away from both ends; e^-k is the first of the waves, the next one dies at least twice as
		// fast.
		a, b := 100, length-100
		got := (u[b] - u[a]) / float64(b-a)
		// A cell's ratio to its mean is within a few 2^-24, and the slope follows it in proportion
		// to 1 / sinh k, which is less than 2.
		if math.Abs(got-k) > 1e-5 {
			t.Errorf("%d cells wide: the height rises by %.7f a cell, want %.7f", width, got, k)
		}
		if u[length-1] < 1000 {
			t.Errorf("%d cells wide: the end is at %g", width, u[length-1])
		}
		for i := 20; i < length; i++ { // in the middle, away from where the waves begin
			if d := r.ascent(width/2*length + i); d[0] > -0.9 {
				t.Fatalf("%d cells wide: cell %d leads along %v", width, i, d)
			}
		}
	}
}

// TestHarmonicHasNoExtremum: all potentials lie between those of walls and goals, and from each
// cell with one a way leads uphill to the goal.
func TestHarmonicHasNoExtremum(t *testing.T) {
	const n = 96
	for _, ground := range grounds {
		h := newGraphs(gridOf(n, n, ground.blocked(n)), []int{n*n/2 + n/2, 0})
		r := newRelaxer[float32](h)
		for range Cycles {
			r.cycle()
		}
		for k := range r.x {
			if k >= h.levels[1] {
				break
			}
			if !(r.x[k] >= 1 && r.x[k] < 2 && r.e[k] <= 0) || r.e[k] == 0 && r.x[k] > 1 {
				t.Fatalf("%s: node %d has potential %g 2^%d", ground.name, k, r.x[k], r.e[k])
			}
		}
		u := r.height()
		for cell, node := range h.cells {
			if node < 0 {
				continue
			}
			up, down := false, false // on the way to a goal, and away
			for d := range 4 {
				o, ok := h.grid.Way(cell, d)
				up = up || ok && u[o] < u[cell]
				down = down || !ok || u[o] > u[cell]
			}
			if !up || !down {
				t.Errorf("%s: cell %d, %d is an extremum", ground.name, cell%n, cell/n)
			}
		}
	}
}

// imbalanceOf is the most by which a cell's potential differs from the mean of its neighbors, as a
// share of it.
func imbalanceOf(t testing.TB, m *Map) float32 {
	t.Helper()
	most, err := gpu.NewBuffer[float32](m.Device, "test imbalance", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer most.Delete()
	m.measure(most, 0)
	var value [1]float32
	most.Read(0, value[:])
	return value[0]
}

// TestHarmonicPasses compares the device with the plain form, bit by bit, and its logarithms within
// what they round to.
func TestHarmonicPasses(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		s, err := NewSolver(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, ground := range grounds {
			const n = 50
			g := gridOf(n, n-7, ground.blocked(n))
			goals := []int{0, 1, n * n / 2}
			m, err := s.NewMap(g, goals)
			if err != nil {
				t.Fatal(err)
			}
			r := newRelaxer[float32](newGraphs(g, goals))
			for range 3 {
				m.Relax(1)
				r.cycle()
			}
			states := make([]nodeState, m.graph.states.Len())
			m.graph.states.Read(0, states)
			for k, got := range states {
				want := nodeState{r.x[k], r.e[k], r.base[k], r.b[k], r.d[k]}
				if got != want {
					t.Fatalf("%s: node %d is %+v, want %+v", ground.name, k, got, want)
				}
			}
			heights := make([]float32, m.heights.Len())
			ascents := make([]Ascent, m.ascents.Len())
			m.heights.Read(0, heights)
			m.ascents.Read(0, ascents)
			for cell, u := range r.height() {
				// A product and a sum of numbers up to u, and a logarithm below 1, within 2^-20 of
				// it (llvmpipe has a polynomial).
				if got := float64(heights[cell]); got != u && !(math.Abs(got-u) <= 0x1p-22*u+0x1p-20) {
					t.Errorf("%s: cell %d is at height %g, want %g", ground.name, cell, got, u)
				}
				way := r.ascent(cell)
				want := Ascent{way[0], way[1], g.Ways[cell]}
				if slices.Contains(goals, cell) {
					want.Ways |= GoalCell
				}
				if ascents[cell] != want {
					t.Errorf("%s: cell %d leads along %v, want %v", ground.name, cell, ascents[cell], want)
				}
			}
			if got := imbalanceOf(t, m); got != r.imbalance() {
				t.Errorf("%s: imbalance %g, want %g", ground.name, got, r.imbalance())
			}
			m.Close()
		}
	})
}

// TestConverge: the device stops by itself where the plain form has converged, and that is near
// enough to where many more cycles lead.
func TestConverge(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		s, err := NewSolver(d)
		if err != nil {
			t.Fatal(err)
		}
		counts := map[int]bool{}
		for _, ground := range grounds {
			for _, n := range []int{12, 64, 128} {
				g, goals := gridOf(n, n, ground.blocked(n)), []int{0}
				m, err := s.NewMap(g, goals)
				if err != nil {
					t.Fatal(err)
				}
				r, after := newRelaxer[float32](newGraphs(g, goals)), newRelaxer[float32](newGraphs(g, goals))
				cycles := 0
				for ; cycles == 0 || cycles < Cycles && r.imbalance() > enough; cycles++ {
					r.cycle()
				}
				for range 2 * Cycles {
					after.cycle()
				}
				reads := d.Readbacks()
				m.Converge()
				if d.Readbacks() != reads {
					t.Errorf("%s of %d cells: read back", ground.name, n)
				}
				states := make([]nodeState, m.graph.states.Len())
				m.graph.states.Read(0, states)
				for k, got := range states {
					if want := (nodeState{r.x[k], r.e[k], r.base[k], r.b[k], r.d[k]}); got != want {
						t.Fatalf("%s of %d cells: node %d is %+v, want %+v after %d cycles", ground.name, n, k, got, want, cycles)
					}
				}
				ascents := make([]Ascent, m.ascents.Len())
				m.ascents.Read(0, ascents)
				worst := 0.0
				for cell, a := range ascents {
					if b := after.ascent(cell); b != [2]float32{} {
						worst = max(worst, math.Hypot(float64(a.X-b[0]), float64(a.Y-b[1])))
					}
				}
				if off := imbalanceOf(t, m); off > 1e-3 || worst > math.Pi/180 {
					t.Errorf("%s of %d cells: after %d cycles the imbalance is %g, and ways are %g off", ground.name, n, cycles, off, worst)
				}
				counts[cycles] = true
				m.Close()
			}
		}
		if len(counts) < 3 {
			t.Errorf("grounds take %v cycles", counts)
		}
	})
}

// TestNoWay: a goal shut in, a goal of no cells and a grid of one cell are maps as any.
func TestNoWay(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		s, err := NewSolver(d)
		if err != nil {
			t.Fatal(err)
		}
		open := func(int, int) bool { return false }
		for name, test := range map[string]struct {
			grid  *grid.Grid
			goals []int
			far   int // cells without a way
		}{
			"shut in":  {gridOf(9, 9, func(i, j int) bool { return i == 4 || j == 4 }), []int{0}, 81 - 16},
			"no goal":  {gridOf(5, 5, open), nil, 25},
			"one cell": {gridOf(1, 1, open), []int{0}, 0},
			"all goal": {gridOf(2, 1, open), []int{0, 1}, 0},
			"no grid":  {gridOf(0, 0, open), nil, 0},
		} {
			m, err := s.NewMap(test.grid, test.goals)
			if err != nil {
				t.Fatal(err)
			}
			m.Converge()
			m.Relax(Cycles)
			heights := make([]float32, m.heights.Len())
			m.heights.Read(0, heights)
			far := 0
			for _, u := range heights {
				if math.IsInf(float64(u), 1) {
					far++
				} else if !(u >= 0) {
					t.Errorf("%s: a height of %g", name, u)
				}
			}
			if off := imbalanceOf(t, m); far != test.far || !(off < 1e-5) {
				t.Errorf("%s: %d cells without a way, want %d; imbalance %g", name, far, test.far, off)
			}
			m.Close()
		}
	})
}

// BenchmarkHarmonic is a global map from its walls to the solution: the graphs on the processor,
// then the cycles on the device.
func BenchmarkHarmonic(b *testing.B) {
	for _, n := range []int{64, 128, 256} {
		for _, ground := range grounds {
			g := gridOf(n, n, ground.blocked(n))
			b.Run(fmt.Sprintf("%s/%d cells/graphs", ground.name, n), func(b *testing.B) {
				for b.Loop() {
					newGraphs(g, []int{0})
				}
			})
			b.Run(fmt.Sprintf("%s/%d cells/cycles", ground.name, n), func(b *testing.B) {
				gputest.Run(b, func(d *gpu.Device) {
					s, err := NewSolver(d)
					if err != nil {
						b.Fatal(err)
					}
					var off float32
					for b.Loop() {
						m, err := s.NewMap(g, []int{0})
						if err != nil {
							b.Fatal(err)
						}
						m.Relax(Cycles)
						if off = imbalanceOf(b, m); !(off <= 1e-3) {
							b.Fatalf("imbalance %g", off)
						}
						m.Close()
					}
					b.ReportMetric(float64(off), "imbalance")
				})
			})
		}
	}
}
