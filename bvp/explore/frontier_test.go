package explore_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/bvp/explore"
	"github.com/wayfront/wayfront/bvp/grid"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/bvp/reference"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// maze is a grid with some of its ways open.
func maze(r *rand.Rand, columns, rows int, open float64) *grid.Grid {
	g := &grid.Grid{Columns: columns, Rows: rows, Side: 2, Lattice: geom.Lattice{Step: 0.25}, Ways: make([]uint32, columns*rows)}
	for k := range g.Ways {
		if k%columns < columns-1 && r.Float64() < open {
			g.Ways[k] |= 1 << grid.East
			g.Ways[k+1] |= 1 << grid.West
		}
		if k/columns < rows-1 && r.Float64() < open {
			g.Ways[k] |= 1 << grid.North
			g.Ways[k+columns] |= 1 << grid.South
		}
	}
	return g
}

// TestFrontiers compares what walkers choose with the plain form, bit by bit, on grids of many
// shapes, as walkers jump about and come to know more, and whatever a dispatch may take.
func TestFrontiers(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		defer d.SetBudget(gpu.Budget)
		var kept, fresh, refused, none int
		for trial, size := range [][2]int{{128, 128}, {128, 3}, {1, 128}, {33, 32}, {80, 120}, {5, 5}, {96, 64}} {
			r := rand.New(rand.NewPCG(32, uint64(trial)))
			g := maze(r, size[0], size[1], []float64{0.55, 1, 1, 0.7, 0.9, 0.8, 0.6}[trial])
			kinds := []scenes.BVP{scenes.Default[scenes.BVP](), scenes.Default[scenes.BVP]()}
			kinds[1].Cells, kinds[1].ViewAngle = 11, 90
			const count = 20
			of, members := make([]int, count), make([]explore.Member, count)
			for i := range of {
				of[i] = i % 2
				members[i] = explore.Member{
					Team: []uint32{0, 1, explore.NoTeam}[min(i%5, 2)*min(i%7, 1)], Frontiers: uint32(min(i%9, 1)),
					Gain: r.Uint32N(200), Apart: r.Uint32N(30), Turn: 256 * r.Uint32N(50),
				}
			}
			m, err := local.New(d, kinds, of)
			if err != nil {
				t.Fatal(err)
			}
			x, err := explore.New(d, g, 2)
			if err != nil {
				t.Fatal(err)
			}
			if err := x.SetMembers(members); err != nil {
				t.Fatal(err)
			}
			walkers := make([]local.Walker, count)
			m.Walkers().Read(0, walkers)
			for i := range walkers {
				walkers[i].Body = uint32(i)
				walkers[i].Position = [2]float32{r.Float32() * float32(size[0]) / 2, r.Float32() * float32(size[1]) / 2}
			}
			walkers[4].Body = local.NotThere
			choices := slices.Repeat([]explore.Choice{{Target: explore.NoCell, Guide: explore.NoCell, Cost: -1, Held: explore.NoCell}}, count)
			seen := slices.Repeat([]uint32{explore.Unknown}, 2*g.Count())
			for step := range 12 {
				m.Walkers().Write(0, walkers)
				d.SetBudget([]int{gpu.Budget, 1}[step%2])
				x.Sense(m, 0, 0.1)
				x.Seek(m, 0, 0.1)
				for _, w := range walkers {
					if team := members[w.Agent].Team; team != explore.NoTeam && w.Body != local.NotThere {
						reference.See(seen[int(team)*g.Count():][:g.Count()], g, &w, local.SettingsAt(kinds[of[w.Agent]], 0, 0.1))
					}
				}
				proposals := slices.Clone(choices)
				for _, w := range walkers {
					e := members[w.Agent]
					var taken []int
					for _, o := range walkers {
						if c := choices[o.Agent]; o.Agent != w.Agent && members[o.Agent].Team == e.Team && c.Held == 1 {
							taken = append(taken, int(c.Target))
						}
					}
					known := seen[min(int(e.Team), 1)*g.Count():][:g.Count()]
					proposals[w.Agent] = reference.Seek(known, g, &w, local.SettingsAt(kinds[of[w.Agent]], 0, 0.1), e, choices[w.Agent], taken)
				}
				before := choices
				choices = reference.Claim(g, members, proposals)
				got := make([]explore.Choice, x.Choices().Len())
				x.Choices().Read(0, got)
				for i, want := range choices {
					if got[i] != want {
						t.Fatalf("%d x %d cells, step %d: agent %d chooses %+v, want %+v", size[0], size[1], step, i, got[i], want)
					}
					switch {
					case want.Target == explore.NoCell:
						none++
					case want.Held == 0:
						refused++
					case want.Target == before[i].Target:
						kept++
					default:
						fresh++
					}
				}
				for i := range walkers {
					walkers[i].Heading = float32(math.Pi * (2*r.Float64() - 1))
					if i%3 == 0 {
						walkers[i].Position = [2]float32{r.Float32() * float32(size[0]) / 2, r.Float32() * float32(size[1]) / 2}
					}
				}
			}
			m.Close()
			x.Close()
		}
		t.Logf("%d choices are kept, %d new, %d refused; %d have none", kept, fresh, refused, none)
		if min(kept, fresh, refused, none) < 10 {
			t.Errorf("%d choices are kept, %d new, %d refused; %d have none: too few to tell", kept, fresh, refused, none)
		}
	})
}
