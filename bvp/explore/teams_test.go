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

const side = 64 // cells of the tests' grids, half a meter each

// randomGrid is a grid with eight of nine ways open.
func randomGrid(salt uint64) *grid.Grid {
	r := rand.New(rand.NewPCG(31, salt))
	g := &grid.Grid{Columns: side, Rows: side, Side: 2, Lattice: geom.Lattice{Step: 0.25}, Ways: make([]uint32, side*side)}
	for k := range g.Ways {
		if k%side < side-1 && r.IntN(9) > 0 {
			g.Ways[k] |= 1 << grid.East
			g.Ways[k+1] |= 1 << grid.West
		}
		if k/side < side-1 && r.IntN(9) > 0 {
			g.Ways[k] |= 1 << grid.North
			g.Ways[k+side] |= 1 << grid.South
		}
	}
	return g
}

// TestTeams compares the passes of exploring with their plain forms, bit by bit, as walkers go
// about, and walls change.
func TestTeams(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		defer d.SetBudget(gpu.Budget)
		r := rand.New(rand.NewPCG(31, 1))
		var kinds []scenes.BVP
		for i, cells := range []int{5, 6, 11, 16, 21, 33, 46, 63} {
			kind := scenes.Default[scenes.BVP]()
			kind.Cells, kind.ViewAngle = cells, min(30+45*float64(i), 360)
			kinds = append(kinds, kind)
		}
		of := make([]int, 20)
		teams := make([]uint32, len(of))
		for agent := range of {
			of[agent] = agent % len(kinds)
			teams[agent] = []uint32{0, 1, 2, explore.NoTeam}[agent%4]
		}
		m, err := local.New(d, kinds, of)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		walkers := make([]local.Walker, len(of))
		m.Walkers().Read(0, walkers)
		for i := range walkers {
			walkers[i].Position = [2]float32{32 * r.Float32(), 32 * r.Float32()}
			walkers[i].Guide = [2]float32{32 * r.Float32(), 32 * r.Float32()}
			walkers[i].Body = uint32(i)
		}
		walkers[3].Body = local.NotThere
		g := randomGrid(1)
		x, err := explore.New(d, g, 2)
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		if err := x.Add(1); err != nil {
			t.Fatal(err)
		}
		members := make([]explore.Member, len(teams))
		for i, team := range teams {
			members[i].Team = team
		}
		if err := x.SetMembers(members); err != nil {
			t.Fatal(err)
		}
		want := slices.Repeat([]uint32{explore.Unknown}, 3*side*side)
		known := 0
		for step := range 4 {
			if step == 2 {
				g = randomGrid(2)
				x.SetGrid(g)
			}
			// Something comes to every third cell, be it known or not.
			var come []int
			for k := step; k < side*side; k += 3 {
				come = append(come, k)
				for team := range 3 {
					if at := team*side*side + k; want[at]&local.FixedBit == 0 {
						want[at] |= explore.Stale
					}
				}
			}
			if err := x.MarkStale(come); err != nil {
				t.Fatal(err)
			}
			time := float64(step) * 0.1
			m.Walkers().Write(0, walkers)
			d.SetBudget([]int{gpu.Budget, 1}[step%2]) // all at once, and each walker alone
			x.Sense(m, time, 0.1)
			x.Relax(7)
			for _, w := range walkers {
				if team := teams[w.Agent]; team != explore.NoTeam && w.Body != local.NotThere {
					settings := local.SettingsAt(kinds[of[w.Agent]], time, 0.1)
					reference.See(want[team*side*side:(team+1)*side*side], g, &w, settings)
				}
			}
			for team := range 3 {
				reference.Explore(want[team*side*side:(team+1)*side*side], g, 7)
			}
			known = compare(t, x, want, step, known)
			for i := range walkers {
				walkers[i].Position[0] += r.Float32() - 0.5
				walkers[i].Position[1] += r.Float32() - 0.5
				if i%5 > 0 { // the others have no heading yet
					walkers[i].Heading = float32(math.Pi * (2*r.Float64() - 1))
				}
				walkers[i].Stood = r.Uint32N(20) // from 10 on they look all round
			}
		}
	})
}

// compare compares teams' maps with what is wanted of them after a step, and returns how many cells
// are known: more than before.
func compare(t *testing.T, x *explore.Teams, want []uint32, step, before int) (known int) {
	t.Helper()
	got := make([]uint32, len(want))
	x.Seen().Read(0, got)
	stale := 0
	for k := range got {
		if got[k] != want[k] {
			t.Fatalf("step %d: cell %d, %d of team %d is %08x, want %08x", step, k%side, k/side%side, k/side/side, got[k], want[k])
		}
		if got[k]&local.FixedBit == 0 {
			known++
		}
		if got[k]&explore.Stale != 0 {
			stale++
		}
	}
	if known <= before || step > 0 && (stale == 0 || stale == known) {
		t.Errorf("step %d: %d cells are known, before %d; %d are stale", step, known, before, stale)
	}
	return known
}

// TestManyTeams: the maps of more teams than one dispatch has work groups for are relaxed as those
// of one.
func TestManyTeams(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		const most, n = 65535 * 64, 1024 * 1024
		g := &grid.Grid{Columns: 1024, Rows: 1024, Side: 2, Lattice: geom.Lattice{Step: 0.25}, Ways: make([]uint32, n)}
		const teams = most/n + 1
		x, err := explore.New(d, g, teams)
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		x.Seen().Fill(math.Float32bits(0.5)) // all known, without ways
		if err := x.SetMembers([]explore.Member{{}}); err != nil {
			t.Fatal(err)
		}
		x.Relax(1)
		got := make([]uint32, teams*n)
		x.Seen().Read(0, got)
		for k := range got {
			if got[k] != got[0] {
				t.Fatalf("cell %d of team %d is %08x, want %08x", k%n, k/n, got[k], got[0])
			}
		}
		if got[0] == math.Float32bits(0.5) {
			t.Error("maps are not relaxed")
		}
	})
}
