package reference

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/bvp/grid"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/scenes"
)

// stage is a small ground on which walkers go by the plain passes, and nothing else: no avoidance,
// and walkers are not stopped at walls.
type stage struct {
	walls    []Wall
	goals    [][2]float32 // of each walker
	walkers  []*local.Walker
	maps     []Potential[float32]
	kinds    []scenes.BVP
	guide    func(walker int, at [2]float32) [2]float32
	radius   float32
	time     float64
	timestep float64
	hits     int // moves that walls have stopped
}

// loop is a closed wall through points.
func loop(points ...[2]float32) []Wall {
	var walls []Wall
	for i, p := range points {
		walls = append(walls, Wall{p, points[(i+1)%len(points)]})
	}
	return walls
}

// line is an open one.
func line(points ...[2]float32) []Wall {
	walls := loop(points...)
	return walls[:len(walls)-1]
}

func (s *stage) add(kind scenes.BVP, at, goal [2]float32, speed float32) {
	s.kinds = append(s.kinds, kind)
	s.goals = append(s.goals, goal)
	s.maps = append(s.maps, Potential[float32]{})
	s.walkers = append(s.walkers, &local.Walker{Position: at, Goal: goal, Speed: speed, Heading: local.NoHeading})
}

func gap(a, b [2]float32) float64 {
	return math.Hypot(float64(a[0]-b[0]), float64(a[1]-b[1]))
}

// step moves all walkers from the places that they had before, and fails if one would pass through
// a wall.
func (s *stage) step(t *testing.T) {
	t.Helper()
	if s.stepQuiet(); s.hits > 0 {
		t.Fatalf("at %.1f s a walker passes through a wall", s.time)
	}
}

// stepQuiet likewise, but walls stop walkers, and it is counted.
func (s *stage) stepQuiet() {
	before := make([][2]float32, len(s.walkers))
	for i, w := range s.walkers {
		before[i] = w.Position
	}
	for i, w := range s.walkers {
		if gap(before[i], s.goals[i]) < 0.1 {
			continue // has arrived
		}
		var others []Disc
		for o := range s.walkers {
			if o != i {
				others = append(others, Disc{Center: before[o], Radius: s.radius})
			}
		}
		w.Guide = s.goals[i]
		if s.guide != nil {
			w.Guide = s.guide(i, w.Position)
		}
		settings := local.SettingsAt(s.kinds[i], s.time, s.timestep)
		s.maps[i] = Stamp(s.maps[i], w, settings, s.walls, Disc{}, others)
		Relax(s.maps[i], settings, s.kinds[i].Method, int(settings.Relaxations))
		v, _ := Steer(s.maps[i], w, settings)
		w.Position[0] += v[0] * float32(s.timestep)
		w.Position[1] += v[1] * float32(s.timestep)
		for _, wall := range s.walls {
			if through(wall, before[i], w.Position) {
				w.Position = before[i]
				s.hits++
			}
		}
	}
	s.time += s.timestep
}

// through reports whether two open segments cross.
func through(w Wall, p, q [2]float32) bool {
	side := func(a, b, c [2]float32) float64 {
		return float64(b[0]-a[0])*float64(c[1]-a[1]) - float64(b[1]-a[1])*float64(c[0]-a[0])
	}
	return side(w[0], w[1], p)*side(w[0], w[1], q) < 0 && side(p, q, w[0])*side(p, q, w[1]) < 0
}

// run steps until all walkers have arrived, and reports whether they did in so many seconds.
func (s *stage) run(t *testing.T, seconds float64) bool {
	t.Helper()
	for s.time < seconds {
		s.step(t)
		arrived := true
		for i, w := range s.walkers {
			arrived = arrived && gap(w.Position, s.goals[i]) < 0.1
		}
		if arrived {
			return true
		}
	}
	return false
}

// harmonicGuide guides by the harmonic potential of a ground that reaches from 0, 0, with some
// walls, as elimination solves for it.
func harmonicGuide(size, cell float64, walls []Wall, goal [2]float32) func(int, [2]float32) [2]float32 {
	n := int(size / cell)
	middle := func(k int) [2]float32 {
		return [2]float32{float32((float64(k%n) + 0.5) * cell), float32((float64(k/n) + 0.5) * cell)}
	}
	ways := waysOf(n, n, func(k, to int) bool {
		return !slices.ContainsFunc(walls, func(w Wall) bool { return through(w, middle(k), middle(to)) })
	})
	at := func(p [2]float32) int { return int(float64(p[1])/cell)*n + int(float64(p[0])/cell) }
	q := harmonic(ways, n, at(goal))
	return func(_ int, p [2]float32) [2]float32 {
		if at(p) == at(goal) {
			return goal
		}
		place := [2]float32{float32(float64(p[0]) / cell), float32(float64(p[1]) / cell)}
		d := AscentAt(place, n, n, func(cell int) uint32 { return ways[cell] }, func(cell int) [2]float32 {
			beside := func(d, step int) float64 {
				if ways[cell]>>d&1 == 0 {
					return 0
				}
				return q[cell+step]
			}
			x, y := beside(grid.East, 1)-beside(grid.West, -1), beside(grid.North, n)-beside(grid.South, -n)
			length := max(math.Hypot(x, y), math.SmallestNonzeroFloat64)
			return [2]float32{float32(x / length), float32(y / length)}
		})
		return [2]float32{p[0] + d[0], p[1] + d[1]}
	}
}

// harmonic relaxes 4 q = the sum of q beside, over n x n cells, 1 in the goal, 0 beyond what ways
// lead to, until the ratios of neighbors are right.
func harmonic(ways []uint32, n, goal int) []float64 {
	q := make([]float64, n*n)
	for off := 1.0; off > 1e-6; {
		off = 0
		for k := range q {
			sum := 0.0
			for d, step := range []int{1, -1, n, -n} {
				if ways[k]>>d&1 != 0 {
					sum += q[k+step]
				}
			}
			if k == goal {
				sum = 4
			}
			off = max(off, math.Abs(sum/4-q[k])/max(sum, 1e-300))
			q[k] += 1.9 * (sum/4 - q[k])
		}
	}
	return q
}

// TestNoLocalMinima: out of a trap that opens away from the goal, a dead end, and a spiral, with a
// guide that the papers have.
func TestNoLocalMinima(t *testing.T) {
	border := loop([2]float32{0, 0}, [2]float32{20, 0}, [2]float32{20, 20}, [2]float32{0, 20})
	for _, test := range []struct {
		name     string
		walls    []Wall
		at, goal [2]float32
	}{
		{"trap", line([2]float32{6, 4}, [2]float32{14, 4}, [2]float32{14, 16}, [2]float32{6, 16}), [2]float32{12, 10}, [2]float32{18, 10}},
		{"dead end", append(line([2]float32{0, 9}, [2]float32{12, 9}), line([2]float32{0, 11}, [2]float32{12, 11})...), [2]float32{1, 10}, [2]float32{1, 3}},
		{"spiral", line([2]float32{12, 9}, [2]float32{12, 12}, [2]float32{8, 12}, [2]float32{8, 6}, [2]float32{15, 6}, [2]float32{15, 15}, [2]float32{4, 15}, [2]float32{4, 3}, [2]float32{17, 3}), [2]float32{10, 10}, [2]float32{18, 18}},
	} {
		walls := append(append([]Wall(nil), border...), test.walls...)
		s := &stage{walls: walls, timestep: 0.1, guide: harmonicGuide(20, 0.5, walls, test.goal)}
		s.add(defaults(21), test.at, test.goal, 1.3)
		if !s.run(t, 120) {
			t.Errorf("%s: after 120 s the walker is at %v", test.name, s.walkers[0].Position)
		}
		t.Logf("%s: %.1f s", test.name, s.time)
	}
}

// corridor is a corridor from 0, 0 eastwards.
func corridor(length, width float32) []Wall {
	return loop([2]float32{0, 0}, [2]float32{length, 0}, [2]float32{length, width}, [2]float32{0, width})
}

// TestBiasBendsThePath: in the middle of a corridor, a strength to the left leads to the left, the
// more the stronger (Dapper et al. 2007, figure 1).
func TestBiasBendsThePath(t *testing.T) {
	last := -1.0
	for _, strength := range []float64{-0.8, -0.4, 0, 0.4, 0.8} {
		s := &stage{walls: corridor(20, 4), timestep: 0.1}
		p := defaults(21)
		p.Bias = scenes.Bias{Direction: mgl64.Vec2{0, 1}, Strength: strength}
		s.add(p, [2]float32{2, 2}, [2]float32{18, 2}, 1.3)
		offset := 0.0
		for s.walkers[0].Position[0] < 10 && s.time < 40 {
			s.step(t)
			offset = float64(s.walkers[0].Position[1])
		}
		t.Logf("strength %g: %.2f m from the right wall", strength, offset)
		if offset < last+0.1 && strength > -0.8 {
			t.Errorf("strength %g leads to %.2f m, less strength to %.2f m", strength, offset, last)
		}
		last = offset
		if !s.run(t, 60) {
			t.Errorf("strength %g: the goal is not reached, at %v", strength, s.walkers[0].Position)
		}
	}
}
