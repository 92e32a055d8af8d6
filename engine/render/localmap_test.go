package render

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/explore"
	"github.com/wayfront/wayfront/bvp/grid"
	"github.com/wayfront/wayfront/bvp/harmonic"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/bvp/reference"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/scenestest"
)

// blend is a color over another one.
func blend(under, over color.RGBA, share float64) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + share*(float64(b)-float64(a)) + 0.5) }
	return color.RGBA{mix(under.R, over.R), mix(under.G, over.G), mix(under.B, over.B), 255}
}

// ofHeight is the color of a potential's negative logarithm.
func ofHeight(height float64) color.RGBA {
	at := height / (height + 7) * float64(len(distances)-1)
	low := min(int(at), len(distances)-2)
	return blend(distances[low], distances[low+1], at-float64(low))
}

// alike says whether two colors differ by so many levels at most.
func alike(a, b color.RGBA, levels float64) bool {
	return math.Abs(float64(a.R)-float64(b.R)) <= levels && math.Abs(float64(a.G)-float64(b.G)) <= levels && math.Abs(float64(a.B)-float64(b.B)) <= levels
}

// bilinear is what is between four values, row by row from the lowest.
func bilinear(v [4]float64, x, y float64) float64 {
	return (v[0]*(1-x)+v[1]*x)*(1-y) + (v[2]*(1-x)+v[3]*x)*y
}

// easel draws the empty scene, 40 pixels a meter, with a meter around the domain.
type easel struct {
	t *testing.T
	r *Renderer
	p Picture
}

const easelSide = 480

func newEasel(t *testing.T, d *gpu.Device) *easel {
	t.Helper()
	scene := scenestest.Read(t, "empty", empty)
	r, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	return &easel{t, r, Picture{
		Target: board(t, d, easelSide, easelSide), Map: builtOf(t, d, scene, 50), Timestep: 0.1,
		Camera: Camera{Center: mgl64.Vec2{5, 5}, Scale: 40, Width: easelSide, Height: easelSide},
	}}
}

func (e *easel) draw(layers Layers) *image.RGBA {
	e.t.Helper()
	e.p.Layers = layers
	if err := e.r.Draw(e.p); err != nil {
		e.t.Fatal(err)
	}
	return e.p.Target.ReadRGBA()
}

// kindOf is a local map of so many cells of a size, with a view angle in degrees.
func kindOf(cells int, size, view float64) scenes.BVP {
	kind := scenes.Default[scenes.BVP]()
	kind.Cells, kind.CellSize, kind.ViewAngle = cells, size, view
	return kind
}

// walkers are agents that walk, with maps of some kinds and random potentials in them.
func (e *easel) walkers(d *gpu.Device, r *rand.Rand, kinds []scenes.BVP, of []int, at [][2]float32) (*local.Maps, *gpu.Buffer[agents.Agent]) {
	e.t.Helper()
	maps, err := local.New(d, kinds, of)
	if err != nil {
		e.t.Fatal(err)
	}
	crowd, err := gpu.NewBuffer[agents.Agent](d, "test agents", len(of))
	if err != nil {
		e.t.Fatal(err)
	}
	state := make([]agents.Agent, len(of))
	walkers := make([]local.Walker, maps.Walkers().Len())
	maps.Walkers().Read(0, walkers)
	for i, w := range walkers {
		state[w.Agent].Status = agents.Walking
		cells := kinds[of[w.Agent]].Cells
		p := reference.NewPotential[float32](cells)
		for k := range p.Q {
			if p.Fixed[k] = p.Fixed[k] || r.IntN(5) == 0; !p.Fixed[k] {
				p.Q[k] = float32(math.Exp(-12 * r.Float64()))
			} else if r.IntN(4) == 0 {
				p.Q[k] = 1
			}
		}
		walkers[i].Body, walkers[i].Cells, walkers[i].Stamped = 0, uint32(cells), at[w.Agent]
		maps.Potentials(i).Write(int(w.First), reference.Words(p))
	}
	maps.Walkers().Write(0, walkers)
	crowd.Write(0, state)
	e.p.LocalMaps, e.p.Crowd = maps, agents.Buffers{Agents: crowd, Count: len(of)}
	return maps, crowd
}

// TestLocalMapShowsItsBuffer compares all pixels of local maps, but those on lines, with what the
// buffers hold: of maps with an odd and with an even number of cells, of which one reaches beyond
// the domain.
func TestLocalMapShowsItsBuffer(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		e := newEasel(t, d)
		defer e.r.Delete()
		kinds := []scenes.BVP{
			kindOf(12, 0.4, 360),
			kindOf(9, 0.35, 360),
		}
		at := [][2]float32{{0, 0}, {6, 5.5}, {0.7, 9.2}, {3.3, 4.1}}
		maps, _ := e.walkers(d, rand.New(rand.NewPCG(1, 1)), kinds, []int{local.NoMap, 0, 1, 0}, at)
		defer maps.Close()
		for agent := 1; agent < 4; agent++ {
			e.p.Agent = agent
			before := d.Readbacks()
			under, picture := e.draw(0), e.draw(LocalMap)
			if n := d.Readbacks() - before; n != 2 { // of the test
				t.Errorf("%d read-backs", n)
			}
			walker, _ := maps.Walker(agent)
			_, p := maps.Read(walker)
			size, half := maps.Parameters(walker).CellSize, float64(p.Cells)/2
			pixels := size * e.p.Camera.Scale // of a cell
			gx, gy := reference.Gradient(p)
			rise := mgl64.Vec2{float64(gx), float64(gy)}.Normalize()
			compared, outside := 0, 0
			for y := range easelSide {
				for x := range easelSide {
					off := e.p.Camera.World(float64(x)+0.5, float64(y)+0.5).Sub(mgl64.Vec2{float64(at[agent][0]), float64(at[agent][1])}).Mul(1 / size)
					u, v := off[0]+half, off[1]+half // in cells
					got, ground := picture.RGBAAt(x, y), under.RGBAAt(x, y)
					i, j := int(math.Floor(u)), int(math.Floor(v))
					if i < 0 || j < 0 || i >= p.Cells || j >= p.Cells {
						if got != ground {
							t.Fatalf("agent %d: pixel %d,%d is outside of the map, and %v where the ground is %v", agent, x, y, got, ground)
						}
						continue
					}
					edge := min(u-float64(i), float64(i+1)-u, v-float64(j), float64(j+1)-v) * pixels
					along, across := off.Dot(rise)*pixels, math.Abs(off[0]*rise[1]-off[1]*rise[0])*pixels
					reach := max(0.3*float64(p.Cells)*pixels, 40)
					if edge < 2 || across < 9 && along > -4 && along < reach+4 {
						continue // a line, or the arrow
					}
					k := j*p.Cells + i
					var want color.RGBA
					switch border := reference.ZoneOf(p.Cells, i, j) == reference.Border; {
					case p.Fixed[k] && p.Q[k] == 1:
						want = source
					case p.Fixed[k] && border:
						want = blend(ground, mapBorder, 0.8)
					case p.Fixed[k]:
						want = blend(ground, outline, 0.95)
					default:
						a, b := int(math.Floor(u-0.5)), int(math.Floor(v-0.5))
						low := b*p.Cells + a
						q := bilinear([4]float64{float64(p.Q[low]), float64(p.Q[low+1]), float64(p.Q[low+p.Cells]), float64(p.Q[low+p.Cells+1])}, u-0.5-float64(a), v-0.5-float64(b))
						want = ofHeight(-math.Log(q))
						if reference.ZoneOf(p.Cells, i, j) == reference.Free {
							want = blend(want, rim, freeShare)
						}
						want = blend(ground, want, 0.92)
					}
					// Two roundings to a level here, two on the device.
					if !alike(got, want, 2) {
						t.Fatalf("agent %d: pixel %d,%d in cell %d,%d is %v, want %v", agent, x, y, i, j, got, want)
					}
					compared++
					if ground == paper {
						outside++
					}
				}
			}
			if compared < 1000 || agent == 2 && outside < 100 {
				t.Errorf("agent %d: %d pixels compared, %d of them outside of the domain", agent, compared, outside)
			}
			// The arrow points to where the potential rises, and nowhere else.
			for _, turn := range []float64{0, math.Pi / 2, math.Pi, -math.Pi / 2} {
				far := 0.2 * float64(p.Cells) * size
				to := mgl64.Rotate2D(turn).Mul2x1(rise).Mul(far)
				x, y := e.p.Camera.Pixel(mgl64.Vec2{float64(at[agent][0]), float64(at[agent][1])}.Add(to))
				dark := false
				for dy := -1; dy <= 1; dy++ {
					for dx := -1; dx <= 1; dx++ {
						dark = dark || alike(picture.RGBAAt(int(x)+dx, int(y)+dy), ink, 8)
					}
				}
				if dark != (turn == 0) {
					t.Errorf("agent %d: at %.0f degrees from where the potential rises there is an arrow: %v", agent, turn*180/math.Pi, dark)
				}
			}
		}
	})
}

// TestViewCone compares the edges of view cones with the rays that they are, which way walkers
// looked before the step that turned them: dashes that end where the update zone does, and none
// where a walker looks all round, as one that has stood for a second.
func TestViewCone(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		e := newEasel(t, d)
		defer e.r.Delete()
		const cells, size = 21, 0.4
		kinds := []scenes.BVP{kindOf(cells, size, 360)}
		for _, degrees := range []float64{30, 180, 290} {
			kinds = append(kinds, kindOf(cells, size, degrees))
		}
		at := [2]float32{5, 5}
		maps, _ := e.walkers(d, rand.New(rand.NewPCG(5, 1)), kinds, []int{0, 1, 2, 3, 3, 1}, [][2]float32{at, at, at, at, at, at})
		defer maps.Close()
		walkers := make([]local.Walker, 6)
		maps.Walkers().Read(0, walkers)
		q := reference.NewPotential[float32](cells) // flat: there is no arrow
		for i := range walkers {
			maps.Potentials(i).Write(int(walkers[i].First), reference.Words(q))
			walkers[i].Heading = float32(walkers[i].Agent) - 1.3
			walkers[i].Stood = 9
			switch walkers[i].Agent {
			case 4:
				walkers[i].Stood = 10
			case 5: // looks towards its guide's point in its first step
				walkers[i].Heading = local.NoHeading
				walkers[i].Guide = [2]float32{at[0] + 3*float32(math.Cos(5-1.3)), at[1] + 3*float32(math.Sin(5-1.3))}
			}
		}
		before, err := gpu.NewBuffer[local.Walker](d, "test before", len(walkers))
		if err != nil {
			t.Fatal(err)
		}
		before.Write(0, walkers)
		for i := range walkers {
			walkers[i].Heading, walkers[i].Stood = 0.4-float32(i), 10-walkers[i].Stood
		}
		maps.Walkers().Write(0, walkers)
		e.p.Agent = 0
		without := e.draw(LocalMap)
		for agent := 1; agent < 6; agent++ {
			e.p.Agent, e.p.Before = agent, nil
			if string(e.draw(LocalMap).Pix) != string(without.Pix) {
				t.Errorf("agent %d: it has edges, and no heading before the step", agent)
			}
			e.p.Before = before
			picture := e.draw(LocalMap)
			if agent == 4 {
				if string(picture.Pix) != string(without.Pix) {
					t.Error("an agent that has stood for a second looks all round, and has edges")
				}
				continue
			}
			drawn := map[int]int{} // by edge
			for y := range easelSide {
				for x := range easelSide {
					if picture.RGBAAt(x, y) == without.RGBAAt(x, y) {
						continue
					}
					off := e.p.Camera.World(float64(x)+0.5, float64(y)+0.5).Sub(mgl64.Vec2{float64(at[0]), float64(at[1])}).Mul(e.p.Camera.Scale)
					if m := max(math.Abs(off[0]), math.Abs(off[1])); m > (cells/2.0-2)*size*e.p.Camera.Scale {
						t.Fatalf("agent %d: pixel %d,%d is outside of the update zone", agent, x, y)
					}
					near := false
					for side, turn := range []float64{-0.5, 0.5} {
						angle := float64(agent) - 1.3 + turn*kinds[[]int{0, 1, 2, 3, 3, 1}[agent]].ViewAngle*math.Pi/180
						u := mgl64.Vec2{math.Cos(angle), math.Sin(angle)}
						// Half of a line with its casing, and a smooth edge, are 2.35 pixels.
						if off.Dot(u) > -2.4 && math.Abs(off[0]*u[1]-off[1]*u[0]) < 2.4 {
							near = true
							drawn[side]++
						}
					}
					if !near {
						t.Fatalf("agent %d: pixel %d,%d differs, %v pixels from the middle", agent, x, y, off)
					}
				}
			}
			// The shortest way to the update zone's side is 136 pixels, of which dashes with their
			// casings cover more than half, 2.7 wide or more.
			for side := range 2 {
				if drawn[side] < 136/2*2 {
					t.Errorf("agent %d: edge %d has %d pixels", agent, side, drawn[side])
				}
			}
		}
		// Records in another order, as after a map has become larger, are not those of the same
		// walkers.
		for i := range walkers {
			walkers[i].Agent = (walkers[i].Agent + 1) % 6
		}
		before.Write(0, walkers)
		if string(e.draw(LocalMap).Pix) != string(without.Pix) {
			t.Error("edges are those of another agent")
		}
	})
}

// TestNoLocalMap: agents that have left, take no part in the step, have not begun or have none show
// none.
func TestNoLocalMap(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		e := newEasel(t, d)
		defer e.r.Delete()
		kinds := []scenes.BVP{kindOf(9, 0.4, 57)}
		maps, crowd := e.walkers(d, rand.New(rand.NewPCG(2, 1)), kinds, []int{0, local.NoMap, 0, 0, 0}, [][2]float32{{5, 5}, {}, {5, 5}, {5, 5}, {5, 5}})
		defer maps.Close()
		state, walkers := make([]agents.Agent, 5), make([]local.Walker, 4)
		crowd.Read(0, state)
		maps.Walkers().Read(0, walkers)
		state[2].Status = agents.Arrived
		walkers[2].Body = local.NotThere // of agent 3
		walkers[3].Cells = 0             // of agent 4
		crowd.Write(0, state)
		maps.Walkers().Write(0, walkers)
		without := e.draw(Obstacles)
		for agent, want := range []bool{true, false, false, false, false} {
			e.p.Agent = agent
			if shown := string(e.draw(Obstacles|LocalMap).Pix) != string(without.Pix); shown != want {
				t.Errorf("agent %d: a map is shown: %v", agent, shown)
			}
		}
	})
}

// TestGlobalPotential compares the ground with the heights of a global map, and isolines with where
// its potential has fallen by a power of two: around an obstacle, along a thin wall, and where no
// path leads.
func TestGlobalPotential(t *testing.T) {
	scene := scenestest.Read(t, "walls", `{"version": 1, "domain": [0, 0, 10, 10], "goals": [{"id": "g", "points": [[1, 1]]}],
		"obstacles": [{"rect": [3.1, 2.1, 4.4, 6.1]}, {"rect": [5.98, 2.9, 6.02, 10]}, {"rect": [6.85, 0, 6.95, 2.9]}, {"rect": [6.85, 2.85, 10, 2.95]}]}`)
	gputest.Run(t, func(d *gpu.Device) {
		r, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Delete()
		const side, cells = 450, 25
		e := &easel{t, r, Picture{Target: board(t, d, side, side), Map: builtOf(t, d, scene, 50), Camera: Fit(scene.Min(), scene.Max(), side, side, 0)}}
		solver, err := harmonic.NewSolver(d)
		if err != nil {
			t.Fatal(err)
		}
		grid := grid.New(e.p.Map.Ground(0), cells)
		m, err := solver.NewMap(grid, grid.Goals(scene.Goals[0].Points, nil))
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		m.Relax(harmonic.Cycles)
		e.p.Potential = m
		plain, lines := e.draw(Potential), e.draw(Potential|Isolines)
		heights := make([]float32, grid.Columns*grid.Rows)
		m.Heights().Read(0, heights)

		// Colors at the middles of cells, which are middles of pixels: a side has 18 of them, and
		// so half a pixel is between.
		const wide = side / cells
		height := func(i, j int) float64 {
			if i < 0 || j < 0 || i >= grid.Columns || j >= grid.Rows {
				return math.Inf(1)
			}
			return float64(heights[j*grid.Columns+i])
		}
		colors, unreachable := 0, 0
		for k := range heights {
			i, j := k%grid.Columns, k/grid.Columns
			got := plain.RGBAAt(i*wide+wide/2, side-1-(j*wide+wide/2))
			switch h := height(i, j); {
			case math.IsInf(h, 1):
				// Less than a cell away from one in reach there is free ground, where the middle is
				// in an obstacle.
				alone := true
				for n := range 9 {
					alone = alone && math.IsInf(height(i+n%3-1, j+n/3-1), 1)
				}
				if alone && got != unreached {
					t.Errorf("cell %d,%d is out of reach, and %v", i, j, got)
				}
				if alone {
					unreachable++
				}
			default:
				// Half a pixel away along both axes the potential is others by up to a factor: (1 -
				// 1/36)^2 where walls are all around, (1 + 3/36)^2 where the neighbors have four
				// times as much.
				low, high := ofHeight(max(h-2*math.Log(1+3.0/36), 0)), ofHeight(h-2*math.Log(1-1.0/36))
				between := func(v, a, b uint8) bool { return v+2 >= min(a, b) && v <= max(a, b)+2 }
				if !between(got.R, low.R, high.R) || !between(got.G, low.G, high.G) || !between(got.B, low.B, high.B) {
					t.Errorf("cell %d,%d of height %g is %v, want %v to %v", i, j, h, got, low, high)
				}
				colors++
			}
		}
		if colors < 400 || unreachable < 40 {
			t.Errorf("%d cells compared, %d out of reach", colors, unreachable)
		}

		// Isolines, between four cells that are not parted by walls.
		drawn, quiet := 0, 0
		for y := range side {
			for x := range side {
				u, v := (float64(x)+0.5)/wide-0.5, (float64(side-y)-0.5)/wide-0.5
				i, j := int(math.Floor(u)), int(math.Floor(v))
				var q [4]float64
				open := true
				base := height(i, j)
				for n := range q {
					h := height(i+n&1, j+n>>1)
					open = open && math.Abs(h-base) < 1.3 // ln 4 is more
					q[n] = math.Exp(base - h)
				}
				if !open {
					continue
				}
				at := func(u, v float64) float64 { return base - math.Log(bilinear(q, u-float64(i), v-float64(j))) }
				h := at(u, v)
				// A pixel.
				growth := math.Hypot(at(u+0.01, v)-at(u-0.01, v), at(u, v+0.01)-at(u, v-0.01)) / 0.02 / wide
				// Pixels from the nearest of lines.
				away := func(step float64) float64 { return math.Abs(h-math.Round(h/step)*step) / growth }
				may := math.Ln2 / 4
				// Lines are 15 pixels apart or more, and every second one is there in full.
				must := may
				for must/growth < 30 {
					must *= 2
				}
				differs := !alike(plain.RGBAAt(x, y), lines.RGBAAt(x, y), 1)
				// They are 0.9 pixels wide and smooth over one.
				switch {
				case differs && away(may) > 0.45+0.5+0.1:
					t.Fatalf("pixel %d,%d is on a line, %.2f pixels from where one may be", x, y, away(may))
				case !differs && away(must) < 0.3 && h > must/2:
					t.Fatalf("pixel %d,%d is not on a line, %.2f pixels from where one has to be", x, y, away(must))
				case differs:
					drawn++
				default:
					quiet++
				}
			}
		}
		if drawn < 5*side || quiet < 5*side {
			t.Errorf("%d pixels of lines, %d between", drawn, quiet)
		}
	})
}

// TestUnknownGround compares the veil with what the second of two teams has seen: nothing is veiled
// where all cells around are known, and all is where none is.
func TestUnknownGround(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		e := newEasel(t, d)
		defer e.r.Delete()
		grid := grid.New(e.p.Map.Ground(0), 20)
		teams, err := explore.New(d, grid, 2)
		if err != nil {
			t.Fatal(err)
		}
		defer teams.Close()
		r := rand.New(rand.NewPCG(4, 1))
		n := grid.Columns * grid.Rows
		words := make([]uint32, n)
		for range 12 { // patches that are known
			x, y := r.IntN(grid.Columns-5), r.IntN(grid.Rows-5)
			for k := range 25 {
				words[(y+k/5)*grid.Columns+x+k%5] = math.Float32bits(r.Float32())
			}
		}
		for k := range words {
			if words[k] == 0 {
				words[k] = math.Float32bits(1) | 1<<31
			}
		}
		teams.Seen().Write(n, words)
		under := e.draw(LocalMap)
		e.p.Teams, e.p.Team = teams, 1
		picture := e.draw(LocalMap)
		clear, veiled := 0, 0
		for y := range easelSide {
			for x := range easelSide {
				p := e.p.Camera.World(float64(x)+0.5, float64(y)+0.5)
				got, ground := picture.RGBAAt(x, y), under.RGBAAt(x, y)
				if p[0] < 0 || p[1] < 0 || p[0] > 10 || p[1] > 10 {
					if got != ground {
						t.Fatalf("pixel %d,%d is outside of the domain, and %v where the ground is %v", x, y, got, ground)
					}
					continue
				}
				known := 0
				i, j := int(math.Floor(p[0]/grid.CellSize())), int(math.Floor(p[1]/grid.CellSize()))
				for k := range 9 {
					u, v := min(max(i+k%3-1, 0), grid.Columns-1), min(max(j+k/3-1, 0), grid.Rows-1)
					if words[v*grid.Columns+u]>>31 == 0 {
						known++
					}
				}
				switch {
				case known == 9:
					if got != ground {
						t.Fatalf("pixel %d,%d is known, and %v where the ground is %v", x, y, got, ground)
					}
					clear++
				case known == 0:
					if want := blend(ground, veil, veilShare); !alike(got, want, 1) {
						t.Fatalf("pixel %d,%d is not known, and %v, want %v", x, y, got, want)
					}
					veiled++
				}
			}
		}
		if clear < 1000 || veiled < 1000 {
			t.Errorf("%d pixels known, %d not", clear, veiled)
		}
		if e.p.Team = 0; alike(e.draw(LocalMap).RGBAAt(easelSide/2, easelSide/2), under.RGBAAt(easelSide/2, easelSide/2), 5) {
			t.Error("the first team knows nothing, and there is no veil")
		}
	})
}
