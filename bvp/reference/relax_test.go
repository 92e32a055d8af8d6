package reference

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/scenes"
)

// defaults are the default parameters of maps of so many cells.
func defaults(cells int) scenes.BVP {
	p := scenes.Default[scenes.BVP]()
	p.Cells = cells
	return p
}

// settings are those of a pull on maps of so many cells.
func settings(cells int, pull mgl64.Vec2) local.Settings {
	p := defaults(cells)
	p.Bias = scenes.Bias{Direction: pull, Strength: 1}
	return local.SettingsAt(p, 0, 0.1)
}

// polar is a vector.
func polar(length, angle float64) mgl64.Vec2 {
	s, c := math.Sincos(angle)
	return mgl64.Vec2{length * c, length * s}
}

// aimed puts a goal on a map's border, in a direction.
func aimed(p Potential[float32], angle float64) Potential[float32] {
	to := polar(1, angle)
	far := float64(p.Cells-1) / 2
	to = to.Mul(far / max(math.Abs(to[0]), math.Abs(to[1])))
	x, y := int(math.Round(far+to[0])), int(math.Round(far+to[1]))
	for k := range p.Q {
		i, j := k%p.Cells, k/p.Cells
		if ZoneOf(p.Cells, i, j) == Border && max(i-x, x-i)+max(j-y, y-j) <= 1 {
			p.Q[k] = 1
		}
	}
	return p
}

// clutters are what maps are tested with: none, cells here and there, and walls. Figure is the
// corridors of Dapper et al. 2007, figure 2: walls on two sides of the agent, with a gap in one of
// them.
var clutters = []struct {
	name   string
	fill   func(p Potential[float32], r *rand.Rand)
	random bool
}{
	{"open", func(Potential[float32], *rand.Rand) {}, false},
	{"cells 5%", scattered(0.05), true},
	{"cells 15%", scattered(0.15), true},
	{"cells 30%", scattered(0.3), true},
	{"walls", func(p Potential[float32], r *rand.Rand) {
		for range p.Cells / 3 {
			i, j, length, upright := r.IntN(p.Cells), r.IntN(p.Cells), 2+r.IntN(p.Cells/2), r.IntN(2)
			for k := range length {
				block(p, i+k*(1-upright), j+k*upright)
			}
		}
	}, true},
	{"figure", func(p Potential[float32], _ *rand.Rand) {
		for j := range p.Cells {
			block(p, p.Cells/4, j)
			if j < p.Cells/2 || j > p.Cells*2/3 {
				block(p, p.Cells*3/4, j)
			}
		}
	}, false},
}

func scattered(share float64) func(p Potential[float32], r *rand.Rand) {
	return func(p Potential[float32], r *rand.Rand) {
		for k := range p.Q {
			if r.Float64() < share {
				block(p, k%p.Cells, k/p.Cells)
			}
		}
	}
}

// block makes a cell of the update zone an obstacle, unless the agent stands there.
func block(p Potential[float32], i, j int) {
	if i >= 0 && j >= 0 && i < p.Cells && j < p.Cells && ZoneOf(p.Cells, i, j) == Update && !Own(p.Cells, i, j) {
		p.Fixed[j*p.Cells+i] = true
	}
}

// ascent is the angle of a map's gradient at the agent, and false where it is flat.
func ascent[F Real](p Potential[F]) (float64, bool) {
	x, y := Gradient(p)
	return math.Atan2(float64(y), float64(x)), x != 0 || y != 0
}

// apart is the difference of two angles, in degrees.
func apart(a, b float64) float64 {
	return math.Abs(math.Remainder(a-b, 2*math.Pi)) * 180 / math.Pi
}

func distance(a, b Potential[float64]) float64 {
	most := 0.0
	for k := range a.Q {
		most = max(most, math.Abs(a.Q[k]-b.Q[k]))
	}
	return most
}

// TestThirtyRelaxations is what a walker relies on: from nothing, in one step. A map of n cells
// takes about n relaxations, a quarter more where a long way round and a strong bias make the
// gradient small.
func TestThirtyRelaxations(t *testing.T) {
	for _, size := range []struct{ cells, relaxations, maps int }{{21, 30, 40}, {11, 15, 20}, {32, 40, 5}, {MaxCells, 79, 2}} {
		for _, clutter := range clutters {
			var worst, turned float64
			for seed := range uint64(size.maps) {
				r := rand.New(rand.NewPCG(seed, 1))
				for _, strength := range []float64{0, 0.36, 1, 1.9} {
					p := aimed(NewPotential[float32](size.cells), r.Float64()*2*math.Pi)
					clutter.fill(p, r)
					s := settings(size.cells, polar(strength, r.Float64()*2*math.Pi))
					exact := wide(p)
					Solve(exact, s)
					Relax(p, s, scenes.MethodRedBlack, size.relaxations)
					worst = max(worst, distance(wide(p), exact))
					want, ok := ascent(exact)
					if got, also := ascent(p); ok && also {
						turned = max(turned, apart(got, want))
					} else if ok && exact.Q[len(exact.Q)/2] > 1e-20 {
						t.Errorf("%d cells, %s, seed %d, strength %g: the gradient is flat", size.cells, clutter.name, seed, strength)
					}
				}
			}
			if worst > 1e-3 || turned > 5 {
				t.Errorf("%d cells, %s: %d relaxations leave an error of %.1e and turn the agent by %.1f degrees", size.cells, clutter.name, size.relaxations, worst, turned)
			}
			t.Logf("%d cells, %s: error %.1e, turned %.2g degrees", size.cells, clutter.name, worst, turned)
		}
	}
}

// TestMethodsConverge compares what each method ends at with the direct solution, in both
// precisions.
func TestMethodsConverge(t *testing.T) {
	for _, cells := range []int{5, 6, 11, 24} {
		for _, clutter := range clutters {
			r := rand.New(rand.NewPCG(uint64(cells), 2))
			for _, strength := range []float64{0, 1, 5} { // the last one is shortened to MaxStrength
				p := aimed(NewPotential[float32](cells), r.Float64()*2*math.Pi)
				clutter.fill(p, r)
				s := settings(cells, polar(strength, r.Float64()*2*math.Pi))
				exact := wide(p)
				Solve(exact, s)
				if got := Residual(exact, s); got > 1e-14 {
					t.Errorf("%d cells, %s: the direct solution has a residual of %g", cells, clutter.name, got)
				}
				for _, m := range []scenes.Method{scenes.MethodRedBlack, scenes.MethodJacobiGS, scenes.MethodADI} {
					name := fmt.Sprintf("%d cells, %s, strength %g, method %s", cells, clutter.name, strength, m)
					// scenes.MethodJacobiGS has to go the whole way: its error shrinks by cos^2(pi
					// / cells) each time.
					times := 60 + 4*cells
					if m == scenes.MethodJacobiGS {
						times = 4 * cells * cells
					}
					q := wide(p)
					Relax(q, s, m, times)
					if off := distance(q, exact); off > 1e-9 {
						t.Errorf("%s: %g from the solution", name, off)
					}
					q32 := clone(p)
					Relax(q32, s, m, times)
					// A relaxation rounds a few times by 2^-24 relative to 1; errors of single
					// cells add up as the means do over cells^2 / 8 steps of a walk to the border.
					if off, bound := distance(wide(q32), exact), 4*0x1p-24*(4+float64(cells*cells)/8); off > bound {
						t.Errorf("%s in float32: %g from the solution, allowed %g", name, off, bound)
					}
				}
			}
		}
	}
}

// TestPotentialsStayWithin holds every method to [0, 1] after each relaxation, whatever it starts
// from.
func TestPotentialsStayWithin(t *testing.T) {
	for _, clutter := range clutters {
		for _, strength := range []float64{0.5, 1.5, 1.99, 100} {
			for _, m := range []scenes.Method{scenes.MethodRedBlack, scenes.MethodJacobiGS, scenes.MethodADI} {
				r := rand.New(rand.NewPCG(3, uint64(len(m))))
				p := aimed(NewPotential[float32](16), r.Float64()*2*math.Pi)
				clutter.fill(p, r)
				for k := range p.Q {
					if !p.Fixed[k] {
						p.Q[k] = r.Float32()
					}
				}
				s := settings(16, polar(strength, r.Float64()*2*math.Pi))
				for range 20 {
					Relax(p, s, m, 1)
					for k, q := range p.Q {
						if !(q >= 0 && q <= 1) || q != 0 && q < Tiny {
							t.Fatalf("%s, strength %g, method %s: cell %d is %g", clutter.name, strength, m, k, q)
						}
					}
				}
			}
		}
	}
}

// TestNoExtremumInside looks for free cells that are higher, or lower, than all beside them: in
// direct solutions, and in what red-black, whose bits are those of the device, converges to. In
// float32 a cell is the mean of its neighbours but for the roundings of weights, products and sums,
// 2^-22 in all, and where relaxation moves it by less than a rounding it stays: by as much again.
func TestNoExtremumInside(t *testing.T) {
	for _, clutter := range clutters {
		for seed := range uint64(10) {
			r := rand.New(rand.NewPCG(seed, 4))
			p := aimed(NewPotential[float32](21), r.Float64()*2*math.Pi)
			clutter.fill(p, r)
			s := settings(21, polar(1.9*r.Float64(), r.Float64()*2*math.Pi))
			exact, relaxed := wide(p), clone(p)
			Solve(exact, s)
			Relax(relaxed, s, scenes.MethodRedBlack, 400)
			for name, of := range map[string]struct {
				q       Potential[float64]
				rounded float64
			}{"direct": {exact, 0}, "red-black": {wide(relaxed), 0x1p-21}} {
				q := of.q
				for k := range q.Q {
					if q.Fixed[k] || q.Q[k] == 0 {
						continue
					}
					beside := []float64{q.Q[k+1], q.Q[k-1], q.Q[k+q.Cells], q.Q[k-q.Cells]}
					highest, lowest := slices.Max(beside), slices.Min(beside)
					if off := of.rounded * q.Q[k]; !(highest > q.Q[k]-off && lowest < q.Q[k]+off) || of.rounded == 0 && highest == lowest {
						t.Fatalf("%s, seed %d, %s: cell %d, %g, is an extremum of %g", clutter.name, seed, name, k, q.Q[k], beside)
					}
				}
			}
		}
	}
}

// TestFactor compares the factor with that of a rectangle without obstacles as the eigenvalues give
// it.
func TestFactor(t *testing.T) {
	for cells := MinCells; cells <= MaxCells; cells++ {
		pull := polar(1.2, float64(cells))
		r := 0.0
		for _, v := range pull {
			r += math.Sqrt(1-v*v/4) / 2 * math.Cos(math.Pi/float64(cells-1))
		}
		want := 2 / (1 + math.Sqrt(1-r*r))
		got := factor(NewPotential[float32](cells), settings(cells, pull), cells+1)
		// 1 - r^2 is at least 1e-3, of which 2^-24 is 6e-5.
		if math.Abs(float64(got)/want-1) > 1e-4 {
			t.Errorf("%d cells: %g, want %g", cells, got, want)
		}
	}
	// A free cell among fixed ones is its neighbours' mean at once.
	p := NewPotential[float32](7)
	for k := range p.Fixed {
		p.Fixed[k] = k != 24
	}
	if got := factor(p, settings(7, mgl64.Vec2{}), 24); math.Abs(float64(got)-1) > 1e-6 {
		t.Errorf("a cell alone has factor %g, want 1", got)
	}
}

// wide is the same map in float64.
func wide(p Potential[float32]) Potential[float64] {
	w := Potential[float64]{Cells: p.Cells, Q: make([]float64, len(p.Q)), Fixed: slices.Clone(p.Fixed)}
	for k, q := range p.Q {
		w.Q[k] = float64(q)
	}
	return w
}

// TestPositiveStrengthPulls is the corridor of 21 cells, walls included, that leads to a goal 30
// cells ahead: the valley of p, the ridge of q, has to move towards the bias as its strength grows,
// and against it where that is negative.
func TestPositiveStrengthPulls(t *testing.T) {
	const cells, width = 63, 21
	first := (cells - width) / 2
	ridge := func(strength float64) int {
		p := NewPotential[float64](cells)
		for k := range p.Q {
			i, j := k%cells, k/cells
			p.Fixed[k] = p.Fixed[k] || i <= first || i >= first+width-1
			if j == cells-1 && i > first && i < first+width-1 {
				p.Q[k] = 1
			}
		}
		Solve(p, settings(cells, mgl64.Vec2{strength, 0}))
		row, best := cells-1-30, first+1
		for i := first; i < first+width; i++ {
			if p.Q[row*cells+i] > p.Q[row*cells+best] {
				best = i
			}
		}
		return best - first
	}
	// Found once by plain relaxation of such a corridor, apart from this package.
	for strength, want := range map[float64]int{0: 10, 0.3: 15, 0.8: 18, -0.3: 5, -0.8: 2} {
		if got := ridge(strength); got != want {
			t.Errorf("strength %g: the ridge is in column %d, want %d", strength, got, want)
		}
	}
	last := -1
	for strength := -1.8; strength <= 1.8; strength += 0.2 {
		at := ridge(strength)
		if at < last {
			t.Errorf("strength %g moves the ridge back to %d from %d", strength, at, last)
		}
		last = at
	}
}
