package reference

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/scenes"
)

func TestZones(t *testing.T) {
	for cells := MinCells; cells <= MaxCells; cells++ {
		count, own := map[Zone]int{}, 0
		for k := range cells * cells {
			i, j := k%cells, k/cells
			count[ZoneOf(cells, i, j)]++
			if Own(cells, i, j) {
				own++
				if ZoneOf(cells, i, j) != Update {
					t.Errorf("%d cells: the agent stands in cell %d, %d, outside of the update zone", cells, i, j)
				}
			}
		}
		ring := func(side int) int { return 4 * (side - 1) }
		if count[Border] != ring(cells) || count[Free] != ring(cells-2) || count[Update] != (cells-4)*(cells-4) {
			t.Errorf("%d cells: zones of %v", cells, count)
		}
		if want := 1 + 3*(1-cells%2); own != want {
			t.Errorf("%d cells: the agent stands in %d, want %d", cells, own, want)
		}
	}
}

// allRound are settings of a map of 25 cm cells with a view in all directions.
func allRound(cells int) local.Settings {
	p := defaults(cells)
	p.ViewAngle = 360
	return local.SettingsAt(p, 0, 0.1)
}

// newWalker stands at a place and heads east.
func newWalker(x, y float32) *local.Walker {
	return &local.Walker{Position: [2]float32{x, y}, Guide: [2]float32{x + 9, y}, Goal: local.NoGoal, Speed: 1}
}

// cellOf is the cell of an offset from the walker, in meters.
func cellOf(cells int, x, y float64) int {
	at := func(v float64) int { return int(math.Floor(v/0.25 + float64(cells)/2)) }
	return at(y)*cells + at(x)
}

func TestStampWalls(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		cells := MinCells + r.IntN(MaxCells-MinCells+1)
		w := newWalker(100*r.Float32(), 100*r.Float32())
		s := allRound(cells)
		spread := 0.25 * float32(cells)
		end := func() [2]float32 {
			return [2]float32{w.Position[0] + spread*(r.Float32()-0.5), w.Position[1] + spread*(r.Float32()-0.5)}
		}
		wall := Wall{end(), end()}
		if seed%10 == 0 {
			wall[1] = wall[0]
		}
		w.Stamped, w.Cells = w.Position, uint32(cells)
		p := Stamp(fullOf(cells), w, s, []Wall{wall}, Disc{}, nil)
		for k := range p.Q {
			i, j := k%cells, k/cells
			x0, y0 := (float64(i)-float64(cells)/2)*0.25, (float64(j)-float64(cells)/2)*0.25
			// Coordinates of up to 200 m carry 2^-17 m each, sums of a few of them: what is nearer
			// than 2^-14 m is not asked.
			const slack = 1.0 / (1 << 14)
			clear := !crosses(w.Position, wall, x0, y0, slack)
			sure := crosses(w.Position, wall, x0, y0, -slack)
			takes := ZoneOf(cells, i, j) == Update && !Own(cells, i, j)
			// A wall that touches the agent's own cells, one or two by two, takes none of those
			// around but the ones behind it.
			ownSide := 0.25 * float64(2-cells%2)
			beside := 0.5 + float64(2-cells%2)/2
			offI, offJ := math.Abs(float64(i)-float64(cells-1)/2), math.Abs(float64(j)-float64(cells-1)/2)
			if max(offI, offJ) <= beside+1 {
				corner := -ownSide / 2
				touched, certain := false, false
				for k := range 4 {
					ox, oy := corner+0.25*float64(k&1), corner+0.25*float64(k>>1)
					if 0.25*float64(k&1) < ownSide && 0.25*float64(k>>1) < ownSide {
						touched = touched || crosses(w.Position, wall, ox, oy, slack)
						certain = certain || crosses(w.Position, wall, ox, oy, -slack)
					}
				}
				if max(offI, offJ) <= beside {
					sure = sure && !touched
					clear = clear || certain
				}
				parts, mayPart := separates(w.Position, wall, x0+0.125, y0+0.125)
				sure = sure || certain && parts
				clear = clear && !(touched && mayPart)
			}
			// All of a cell is taken, but for the slack's part of the local.Shoulder.
			if got := p.Q[k] < slack/(0.25*local.Shoulder) && ZoneOf(cells, i, j) != Border; got && (clear || !takes) || !got && sure && takes {
				t.Fatalf("seed %d: cell %d, %d of %d is taken: %v, by wall %v seen from %v", seed, i, j, cells, got, wall, w.Position)
			}
			// A wall that does not touch a cell takes the less of it the farther off it is: were
			// the cell as much larger, it would touch.
			if !takes || max(offI, offJ) <= beside+1 {
				continue
			}
			off := float64(p.Q[k]) * 0.25 * local.Shoulder
			if p.Fixed[k] && !crosses(w.Position, wall, x0, y0, off+slack) || off > slack && crosses(w.Position, wall, x0, y0, off-slack) {
				t.Fatalf("seed %d: %g of cell %d, %d of %d are left by wall %v seen from %v", seed, p.Q[k], i, j, cells, wall, w.Position)
			}
		}
	}
}

// separates reports whether a wall is surely between an agent and the middle of a cell, relative to
// it, or may be.
func separates(at [2]float32, wall Wall, x, y float64) (surely, maybe bool) {
	a := [2]float64{float64(wall[0][0]) - float64(at[0]), float64(wall[0][1]) - float64(at[1])}
	b := [2]float64{float64(wall[1][0]) - float64(at[0]), float64(wall[1][1]) - float64(at[1])}
	d := [2]float64{b[0] - a[0], b[1] - a[1]}
	length := math.Abs(d[0]) + math.Abs(d[1])
	if length == 0 {
		return false, false
	}
	const (
		edge  = 0.25 / 64
		slack = 1e-4 // rounding, in meters
	)
	here := (d[0]*(0-a[1]) - d[1]*(0-a[0])) / length
	there := (d[0]*(y-a[1]) - d[1]*(x-a[0])) / length
	far := math.Hypot(x, y)
	sideOfA, sideOfB := (x*a[1]-y*a[0])/far, (x*b[1]-y*b[0])/far
	surely = (here > -edge+slack && there < -edge-slack || here < -edge-slack && there > edge+slack) &&
		(sideOfA > slack && sideOfB < -slack || sideOfA < -slack && sideOfB > slack)
	maybe = (here > -edge-slack && there < -edge+slack || here < -edge+slack && there > edge-slack) &&
		!(sideOfA > slack && sideOfB > slack) && !(sideOfA < -slack && sideOfB < -slack)
	return surely, maybe
}

// crosses clips a wall to a cell grown by a slack on all sides (Liang and Barsky 1984).
func crosses(at [2]float32, wall Wall, x0, y0, slack float64) bool {
	a := [2]float64{float64(wall[0][0]) - float64(at[0]), float64(wall[0][1]) - float64(at[1])}
	b := [2]float64{float64(wall[1][0]) - float64(at[0]), float64(wall[1][1]) - float64(at[1])}
	from, to := 0.0, 1.0
	for axis, low := range [2]float64{x0 - slack, y0 - slack} {
		high := low + 0.25 + 2*slack
		d := b[axis] - a[axis]
		if d == 0 {
			if a[axis] < low || a[axis] > high {
				return false
			}
			continue
		}
		t0, t1 := (low-a[axis])/d, (high-a[axis])/d
		from, to = max(from, min(t0, t1)), min(to, max(t0, t1))
	}
	return from <= to
}

// TestWallsSeal closes the update zone off by walls without thickness, and looks for a way through.
func TestWallsSeal(t *testing.T) {
	const cells = 31
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 6))
		w := newWalker(50*r.Float32(), 50*r.Float32())
		// A wall across the whole map, in three pieces: at least a cell's diagonal away from the
		// agent, or through the cell that it stands in, or the agent on it, or at an end of a
		// piece.
		turn := r.Float64() * 2 * math.Pi
		corner := func(u, v float64) [2]float32 {
			s, c := math.Sincos(turn)
			return [2]float32{w.Position[0] + float32(u*c-v*s), w.Position[1] + float32(u*s+v*c)}
		}
		away := func() float64 {
			return []float64{0.4 + 1.5*r.Float64(), 0.3 * r.Float64(), 0, r.Float64() - 0.5}[seed%4]
		}
		points := [4][2]float32{corner(away(), -9), corner(away(), -1), corner(away(), 1), corner(away(), 9)}
		if seed%4 == 3 {
			points[1] = w.Position
		}
		p := Stamp(Potential[float32]{}, w, allRound(cells), []Wall{{points[0], points[1]}, {points[1], points[2]}, {points[2], points[3]}}, Disc{}, nil)
		beyond := make([]bool, cells*cells)
		for k := range beyond {
			i, j := k%cells, k/cells
			s, c := math.Sincos(turn)
			x, y := (float64(i)+0.5-cells/2.0)*0.25, (float64(j)+0.5-cells/2.0)*0.25
			beyond[k] = x*c+y*s > 2.4 // farther than any piece within the map, and a cell
		}
		reached := make([]bool, cells*cells)
		stack := []int{cells/2*cells + cells/2}
		for len(stack) > 0 {
			k := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if reached[k] || p.Fixed[k] || ZoneOf(cells, k%cells, k/cells) != Update {
				continue
			}
			reached[k] = true
			if beyond[k] {
				t.Fatalf("seed %d: cell %d, %d beyond the wall is reached", seed, k%cells, k/cells)
			}
			stack = append(stack, k+1, k-1, k+cells, k-cells)
		}
	}
}

func TestStampDiscs(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		cells := MinCells + r.IntN(40)
		w := newWalker(100*r.Float32(), 100*r.Float32())
		spread := 0.25 * float32(cells)
		d := Disc{Center: [2]float32{w.Position[0] + spread*(r.Float32()-0.5), w.Position[1] + spread*(r.Float32()-0.5)}, Radius: r.Float32()}
		w.Stamped, w.Cells = w.Position, uint32(cells)
		p := Stamp(fullOf(cells), w, allRound(cells), nil, Disc{}, []Disc{d})
		for k := range p.Q {
			i, j := k%cells, k/cells
			if ZoneOf(cells, i, j) != Update || Own(cells, i, j) {
				continue
			}
			nearest := func(axis, i int) float64 {
				low := float64(w.Position[axis]) + (float64(i)-float64(cells)/2)*0.25
				return min(max(float64(d.Center[axis]), low), low+0.25) - float64(d.Center[axis])
			}
			off := math.Hypot(nearest(0, i), nearest(1, j)) - float64(d.Radius)
			// A disc that the agent stands in takes none.
			within := gap(d.Center, w.Position) - float64(d.Radius)
			taken := 0.0
			if within > 0 {
				taken = min(max(1-off/(0.25*local.Shoulder), 0), 1)
			}
			if left := float64(p.Q[k]); math.Abs(within) > 1e-4 && math.Abs(left-(1-taken)) > 1e-3 {
				t.Fatalf("seed %d: cell %d, %d of %d, %g m from disc %v, is left by %g", seed, i, j, cells, off, d, left)
			}
		}
	}
}

// TestBehindWalls: a disc behind an obstacle as thick as its radius takes no cell on this side
// that the wall does not take.
func TestBehindWalls(t *testing.T) {
	const cells, radius = 21, 0.3
	reached := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 17))
		w := newWalker(50*r.Float32(), 50*r.Float32())
		sin, cos := math.Sincos(r.Float64() * 2 * math.Pi)
		at := func(u, v float64) [2]float32 {
			return [2]float32{w.Position[0] + float32(u*cos-v*sin), w.Position[1] + float32(u*sin+v*cos)}
		}
		// At least a cell's diagonal off the cells that the agent stands in, and as thick as a
		// radius, but for rounding.
		face := 0.6 + r.Float64()
		back := face + radius + 1.0/(1<<14)
		walls := []Wall{{at(face, -9), at(face, 9)}, {at(back, -9), at(back, 9)}}
		d := Disc{Center: at(back+0.1*r.Float64(), 2*r.Float64()-1), Radius: radius}
		before := Stamp(Potential[float32]{}, w, allRound(cells), walls, Disc{}, nil)
		after := Stamp(before, w, allRound(cells), walls, Disc{}, []Disc{d})
		for k := range after.Q {
			x, y := (float64(k%cells)+0.5-cells/2.0)*0.25, (float64(k/cells)+0.5-cells/2.0)*0.25
			if taken := after.Fixed[k] && !before.Fixed[k]; taken && x*cos+y*sin < face {
				t.Errorf("seed %d: cell %d, %d on this side is taken by %v behind a wall", seed, k%cells, k/cells, d)
			} else if taken {
				reached++
			}
		}
	}
	if reached == 0 {
		t.Error("no disc takes a cell")
	}
}

// everywhere is discs that touch every cell but that which the agent stands in: they end 5 cm off
// it, on four sides, and are so large that their borders are straight but for 5 mm within any map.
func everywhere(w *local.Walker) []Disc {
	const radius = 1 << 13
	at := func(x, y float32) Disc {
		return Disc{Center: [2]float32{w.Position[0] + x*(radius+0.05), w.Position[1] + y*(radius+0.05)}, Radius: radius}
	}
	return []Disc{at(1, 0), at(-1, 0), at(0, 1), at(0, -1)}
}

// fullOf is a map of 1 everywhere.
func fullOf(cells int) Potential[float32] {
	p := NewPotential[float32](cells)
	for k := range p.Q {
		p.Q[k] = 1
	}
	return p
}

// TestViewCone: the more of a cell the cone covers the more of it is taken.
func TestViewCone(t *testing.T) {
	for _, cells := range []int{20, 21} {
		for _, view := range []float64{1, 60, 90, 179, 180, 181, 270, 359, 360} {
			for heading := float32(-3.1); heading < 3.2; heading += 0.3 {
				s := allRound(cells)
				if view < 360 {
					p := defaults(cells)
					p.ViewAngle = view
					s = local.SettingsAt(p, 0, 0.1)
				}
				w := newWalker(3, 4)
				w.Heading = heading
				w.Guide = w.Position // none, so that the cone is all that it sees
				w.Stamped, w.Cells = w.Position, s.Cells
				p := Stamp(fullOf(cells), w, s, nil, Disc{}, everywhere(w))
				for k := range p.Q {
					i, j := k%cells, k/cells
					if ZoneOf(cells, i, j) != Update || Own(cells, i, j) {
						continue
					}
					// From the edge, inwards: the cells that it comes within half a cell of are
					// taken in part.
					x, y := 0.5*float64(2*i+1-cells), 0.5*float64(2*j+1-cells)
					off := (view/2 - apart(math.Atan2(y, x), float64(heading))) * math.Pi / 180
					inwards := math.Inf(1)
					if view < 360 {
						inwards = math.Hypot(x, y) * math.Sin(min(max(off, -math.Pi/2), math.Pi/2))
					}
					if edge := math.Abs(inwards + 0.5); edge > 1e-4 && p.Fixed[k] != (inwards > -0.5) {
						t.Fatalf("%d cells, view %g, heading %g: cell %d, %d is taken: %v", cells, view, heading, i, j, p.Fixed[k])
					}
					// A map of 1 everywhere before, so that a cell holds what is left of it.
					share := min(max(inwards+0.5, 0), 1)
					if p.Fixed[k] && math.Abs(float64(p.Q[k])-(1-share)) > 1e-4 {
						t.Fatalf("%d cells, view %g, heading %g: cell %d, %d is %g, %g cells inwards", cells, view, heading, i, j, p.Q[k], inwards)
					}
				}
			}
		}
	}
}

// goalsIn is the potential inside the border of a map that has had none before, which is that of
// goals, and where its middle is, relative to the walker, m.
func goalsIn(p Potential[float32]) (sum float64, middle mgl64.Vec2) {
	n := p.Cells
	for k, q := range p.Q {
		if ZoneOf(n, k%n, k/n) != Border {
			sum += float64(q)
			middle = middle.Add(mgl64.Vec2{float64(2*(k%n)+1-n) / 8, float64(2*(k/n)+1-n) / 8}.Mul(float64(q)))
		}
	}
	return sum, middle.Mul(1 / max(sum, 1e-9))
}

// nearTo reports whether places are the same but for rounding, m.
func nearTo(a mgl64.Vec2, b [2]float32) bool {
	return math.Hypot(a[0]-float64(b[0]), a[1]-float64(b[1])) < 1e-4
}

// TestOrderOfWrites puts obstacles everywhere: what is not taken by them is the free ring, the
// cells that the agent stands in, and goals.
func TestOrderOfWrites(t *testing.T) {
	for cells := MinCells; cells <= MaxCells; cells++ {
		r := rand.New(rand.NewPCG(uint64(cells), 8))
		w := newWalker(3, 4)
		w.Guide = [2]float32{3 + 20*(r.Float32()-0.5), 4 + 20*(r.Float32()-0.5)}
		if cells > 8 {
			w.Goal = [2]float32{w.Position[0] + 0.5, w.Position[1] - 0.3}
		}
		p := Stamp(Potential[float32]{}, w, allRound(cells), nil, Disc{}, everywhere(w))
		for k, q := range p.Q {
			zone := ZoneOf(cells, k%cells, k/cells)
			hat := func(i int, goal float64) float64 { return max(1-math.Abs(float64(2*i+1-cells)/8-goal)/0.25, 0) }
			final := hat(k%cells, 0.5) * hat(k/cells, -0.3)
			switch {
			case cells > 8 && final > 1e-4:
				if math.Abs(float64(q)-final) > 1e-4 || !p.Fixed[k] {
					t.Errorf("%d cells: the final goal among obstacles is %g, want %g", cells, q, final)
				}
			case zone == Border:
				if !p.Fixed[k] {
					t.Errorf("%d cells: border cell %d is free", cells, k)
				}
			case zone == Free || Own(cells, k%cells, k/cells):
				if p.Fixed[k] {
					t.Errorf("%d cells: cell %d is taken", cells, k)
				}
			case !p.Fixed[k] || q != 0:
				t.Errorf("%d cells: cell %d is not taken", cells, k)
			}
		}
		if sum := borderSum(p); sum != local.GoalLength {
			t.Errorf("%d cells: the intermediate goal is %g cells long", cells, sum)
		}
	}
}

// borderSum is how long the intermediate goal of a map is, in cells, but for rounding.
func borderSum(p Potential[float32]) float64 {
	sum := 0.0
	for k, q := range p.Q {
		if ZoneOf(p.Cells, k%p.Cells, k/p.Cells) == Border {
			sum += float64(q)
		}
	}
	return math.Round(sum*1000) / 1000
}

// TestExit holds the intermediate goal to the guide's direction: it is as long in every one, and
// its middle is where the ray leaves the border's ring.
func TestExit(t *testing.T) {
	for _, cells := range []int{5, 6, 20, 21, 63} {
		for k := range 360 {
			u := polar(3, float64(k)*math.Pi/180)
			w := newWalker(7, 2)
			w.Guide = [2]float32{7 + float32(u[0]), 2 + float32(u[1])}
			s := allRound(cells)
			f := frameOf(w, &s)
			exit, _ := f.exit(w.Guide)
			far := float64(cells-1) / 2
			on := u.Mul(far / max(math.Abs(u[0]), math.Abs(u[1])))
			// Of places up to 63 cells off that carry 2^-19 each, sums of a few.
			if math.Abs(float64(exit[0])-far-on[0]) > 1e-4 || math.Abs(float64(exit[1])-far-on[1]) > 1e-4 {
				t.Errorf("%d cells, %d degrees: the exit is at %v", cells, k, exit)
			}
			// Of local.GoalLength cells in all, whatever the direction, and about the exit.
			off := mgl64.Vec2{}
			p := Stamp(Potential[float32]{}, w, s, nil, Disc{}, nil)
			for cell, q := range p.Q {
				if ZoneOf(cells, cell%cells, cell/cells) == Border {
					off = off.Add(mgl64.Vec2{float64(cell%cells) - far - on[0], float64(cell/cells) - far - on[1]}.Mul(float64(q)))
				}
			}
			if sum := borderSum(p); sum != local.GoalLength {
				t.Errorf("%d cells, %d degrees: the intermediate goal is %g cells long", cells, k, sum)
			}
			// Along one side of the border it is about the exit; round a corner of it only nearly.
			if inner := min(math.Abs(on[0]), math.Abs(on[1])); far-inner > 0.5*(local.GoalLength+1) && off.Len() > 1e-3 {
				t.Errorf("%d cells, %d degrees: the intermediate goal is off the exit by %v", cells, k, off)
			}
		}
	}
	// At the guide's point the heading leads on.
	w := newWalker(7, 2)
	w.Guide, w.Heading = w.Position, halfPi
	s := allRound(21)
	f := frameOf(w, &s)
	// A right angle is within 1e-6.
	if exit, _ := f.exit(w.Guide); gap(exit, [2]float32{10, 20}) > 1e-4 {
		t.Errorf("without a direction the exit is at %v", exit)
	}
}

// TestGoalInSight: the final goal takes as much as a cell about its place, of the update zone and
// the view cone, and the intermediate goal stays.
func TestGoalInSight(t *testing.T) {
	s := local.SettingsAt(defaults(21), 0, 0.1)
	for _, test := range []struct {
		name string
		x, y float32
		want float64
	}{
		{"ahead", 1, 0.3, 1},
		{"in the middle of a cell", 1, 0.25, 1},
		{"in the last cell of the update zone", 2.1, 0, 0.6},
		{"in the free ring", 2.2, 0, 0.2},
		{"far away", 50, 0, 0},
		{"behind", -1, 0, 0},
		{"where it stands", -0.1, 0, 0.6},
	} {
		w := newWalker(3, 4)
		w.Goal = [2]float32{3 + test.x, 4 + test.y}
		p := Stamp(Potential[float32]{}, w, s, nil, Disc{}, nil)
		sum, middle := goalsIn(p)
		if border := borderSum(p); border != local.GoalLength || math.Abs(sum-test.want) > 1e-4 {
			t.Errorf("%s: goals of %g cells inside, want %g, and of %g on the border", test.name, sum, test.want, border)
		}
		if test.want == 1 && !nearTo(middle, [2]float32{test.x, test.y}) {
			t.Errorf("%s: the goal is at %v", test.name, middle)
		}
	}
}

// TestBarredGuide: in a room smaller than the map, whose walls bar the way to the intermediate
// goal, the guide's point is a goal itself, and leads the walker there. Where the way on is open,
// or leads past a corner that the point is on, it is none.
func TestBarredGuide(t *testing.T) {
	room := loop([2]float32{4, 4}, [2]float32{7, 4}, [2]float32{7, 7}, [2]float32{4, 7})
	past := []Wall{{{5.5, 5.3}, {5.5, 2}}, {{5.5, 5.3}, {6.5, 3}}}
	for _, cells := range []int{20, 21, 63} {
		s := allRound(cells)
		for _, test := range []struct {
			walls []Wall
			guide [2]float32
			goal  bool
		}{
			{room, [2]float32{6.6, 6.2}, true},
			{room, [2]float32{30, 6}, false}, // too far to be in the map
			{nil, [2]float32{6.6, 6.2}, false},
			{past, [2]float32{5.5, 5.3}, false},
		} {
			w := newWalker(5, 5)
			w.Guide = test.guide
			p := Stamp(Potential[float32]{}, w, s, test.walls, Disc{}, nil)
			goals, middle := goalsIn(p)
			if (math.Abs(goals-1) < 1e-4) != test.goal || !test.goal && goals > 0 || borderSum(p) != local.GoalLength {
				t.Errorf("%d cells: goals of %g cells with the guide's point at %v", cells, goals, test.guide)
			}
			if test.goal && !nearTo(middle, [2]float32{test.guide[0] - 5, test.guide[1] - 5}) {
				t.Errorf("%d cells: the goal is at %v", cells, middle)
			}
			if !test.goal {
				continue
			}
			for range 60 {
				p = Stamp(p, w, s, test.walls, Disc{}, nil)
				Relax(p, s, scenes.MethodRedBlack, int(s.Relaxations))
				v, _ := Steer(p, w, s)
				w.Position[0] += 0.1 * v[0]
				w.Position[1] += 0.1 * v[1]
			}
			frame := frameOf(w, &s)
			if _, ok := frame.ownCell(test.guide); !ok {
				t.Errorf("%d cells: after 6 s the walker is %g m from the guide's point", cells, gap(w.Position, test.guide))
			}
		}
	}
}

// TestBarredDirection: in a room smaller than the map a direction leads to a goal a cell before the
// wall that way, in the view cone, and the walker there; where the way is open, or it is there,
// there is none.
func TestBarredDirection(t *testing.T) {
	room := loop([2]float32{4, 4}, [2]float32{7, 4}, [2]float32{7, 7}, [2]float32{4, 7})
	for _, cells := range []int{20, 21, 63} {
		s := allRound(cells)
		slow := defaults(cells)
		slow.SpeedControl = false
		ahead := local.SettingsAt(slow, 0, 0.1)
		for _, test := range []struct {
			walls   []Wall
			at      [2]float32
			degrees float64
			s       local.Settings
			goal    [2]float32 // relative to the walker
		}{
			{room, [2]float32{5, 5.6}, 0, s, [2]float32{2 - 0.25, 0}},
			{room, [2]float32{5, 5.6}, 45, s, [2]float32{1.4 - 0.25, 1.4 - 0.25}},
			{room, [2]float32{5.4, 5.8}, -90, s, [2]float32{0, -1.8 + 0.25}},
			{room, [2]float32{5.4, 5.8}, -90, ahead, [2]float32{0, -1.8 + 0.25}},
			{room, [2]float32{6.5, 5.8}, 0, s, [2]float32{}},     // goal and place are next to each other
			{room[:1], [2]float32{5, 5}, 90, s, [2]float32{}},    // away from the wall
			{room[:1], [2]float32{5, 5}, 0, s, [2]float32{}},     // along it
			{room, [2]float32{5.2, 5}, 180, ahead, [2]float32{}}, // behind: it looks the other way
		} {
			w := newWalker(test.at[0], test.at[1])
			u := polar(local.Afar, test.degrees*math.Pi/180)
			w.Guide = [2]float32{float32(u[0]), float32(u[1])}
			if test.s == ahead && test.goal == [2]float32{} {
				w.Heading = 0
			} else {
				w.Heading = local.NoHeading
			}
			p := Stamp(Potential[float32]{}, w, test.s, test.walls, Disc{}, nil)
			goals, middle := goalsIn(p)
			if goals > 0 && !nearTo(middle, test.goal) {
				t.Errorf("%d cells, from %v to %g degrees: the goal is at %v", cells, test.at, test.degrees, middle)
			}
			if want := map[bool]float64{true: 1}[test.goal != [2]float32{}]; math.Abs(goals-want) > 1e-4 || borderSum(p) != local.GoalLength {
				t.Errorf("%d cells, from %v to %g degrees: goals of %g cells, want %g", cells, test.at, test.degrees, goals, want)
			}
			if goals == 0 {
				continue
			}
			goal := [2]float32{test.at[0] + test.goal[0], test.at[1] + test.goal[1]}
			for range 60 {
				p = Stamp(p, w, test.s, test.walls, Disc{}, nil)
				Relax(p, test.s, scenes.MethodRedBlack, int(test.s.Relaxations))
				v, _ := Steer(p, w, test.s)
				w.Position[0] += 0.1 * v[0]
				w.Position[1] += 0.1 * v[1]
				if gap(w.Position, goal) < 0.75 {
					break
				}
			}
			// Three cells: it may be next to those where it stands then.
			if off := gap(w.Position, goal); off > 0.75 {
				t.Errorf("%d cells, to %g degrees: after 6 s the walker is %g m from the goal", cells, test.degrees, off)
			}
		}
	}
}

// TestDeepPair: two agents so deep in each other that each stands in the other's
// disc come apart.
func TestDeepPair(t *testing.T) {
	for _, cells := range []int{12, 21} {
		s := allRound(cells)
		pair := [2]*local.Walker{newWalker(5, 5), newWalker(5.1, 5.05)}
		pair[1].Guide = [2]float32{-5, 5}
		var maps [2]Potential[float32]
		for range 40 {
			at := [2][2]float32{pair[0].Position, pair[1].Position}
			for i, w := range pair {
				maps[i] = Stamp(maps[i], w, s, nil, Disc{}, []Disc{{Center: at[1-i], Radius: 0.25}})
				Relax(maps[i], s, scenes.MethodRedBlack, int(s.Relaxations))
				v, _ := Steer(maps[i], w, s)
				w.Position[0] += 0.1 * v[0]
				w.Position[1] += 0.1 * v[1]
			}
		}
		if off := gap(pair[0].Position, pair[1].Position); off < 0.5 {
			t.Errorf("%d cells: after 4 s the two are %g m apart", cells, off)
		}
	}
}

// TestWarmStart moves a field that is linear in the ground's coordinates: it has to stay where it
// is, as far as it was known.
func TestWarmStart(t *testing.T) {
	const cells = 21
	field := func(x, y float64) float64 { return 0.4 + 0.05*x - 0.03*y }
	s := allRound(cells)
	for _, move := range [][2]float32{{0, 0}, {0.25, 0}, {-0.5, 0.75}, {0.1, -0.07}, {1.3, 2.2}} {
		w := newWalker(10, 20)
		w.Stamped, w.Cells = w.Position, cells
		before := NewPotential[float32](cells)
		at := func(k int) (x, y float64) {
			return (float64(k%cells) - 10) * 0.25, (float64(k/cells) - 10) * 0.25
		}
		for k := range before.Q {
			before.Q[k] = float32(field(at(k)))
		}
		w.Position = [2]float32{10 + move[0], 20 + move[1]}
		p := Stamp(before, w, s, nil, Disc{}, nil)
		for k := range p.Q {
			if p.Fixed[k] {
				continue
			}
			x, y := at(k)
			edge := 0.25 * 9 // the free ring is as far as the map remembers
			x = min(max(x+float64(move[0]), -edge), edge)
			y = min(max(y+float64(move[1]), -edge), edge)
			if want := field(x, y); math.Abs(float64(p.Q[k])-want) > 1e-5 {
				t.Fatalf("moved by %v: cell %d, %d is %g, want %g", move, k%cells, k/cells, p.Q[k], want)
			}
		}
		if w.Stamped != w.Position {
			t.Error("the walker does not know where its map is from")
		}
	}
	for name, change := range map[string]func(w *local.Walker){
		"far away":     func(w *local.Walker) { w.Position[1] += 6 },
		"another size": func(w *local.Walker) { w.Cells = 20 },
		"none":         func(w *local.Walker) { w.Cells = 0 },
	} {
		w := newWalker(10, 20)
		w.Stamped, w.Cells = w.Position, cells
		change(w)
		before := NewPotential[float32](cells)
		for k := range before.Q {
			before.Q[k] = 0.5
		}
		for k, q := range Stamp(before, w, s, nil, Disc{}, nil).Q {
			if q != 0 && ZoneOf(cells, k%cells, k/cells) != Border {
				t.Fatalf("%s: cell %d begins with %g", name, k, q)
			}
		}
	}
}

// TestWordsGoBack writes maps as the device has them and reads them again.
func TestWordsGoBack(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	p := aimed(NewPotential[float32](12), 1)
	scattered(0.2)(p, r)
	for k := range p.Q {
		if !p.Fixed[k] {
			p.Q[k] = r.Float32()
		}
	}
	if got := local.PotentialOf(12, Words(p)); fmt.Sprint(got) != fmt.Sprint(p) {
		t.Error("a map is not what it was")
	}
}
