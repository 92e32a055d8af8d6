package bvp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// TestTeams compares the passes of exploring with their plain forms, bit by bit, as walkers go about, and walls change.
func TestTeams(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		defer d.SetBudget(gpu.Budget)
		r := rand.New(rand.NewPCG(31, 1))
		kinds := mixture(RedBlack)
		of := make([]int, 20)
		teams := make([]uint32, len(of))
		for agent := range of {
			of[agent] = agent % len(kinds)
			teams[agent] = []uint32{0, 1, 2, NoTeam}[agent%4]
		}
		c := newCrowd(kinds, of, r)
		m, w, _ := c.begin(t, d)
		defer m.Close()
		ground := func(salt uint64) *Grid {
			r := rand.New(rand.NewPCG(31, salt))
			g := gridOf(64, 64, func(int, int) bool { return false })
			for k := range 64 * 64 {
				g.open[0][k] = g.open[0][k] && r.IntN(9) > 0
				g.open[1][k] = g.open[1][k] && r.IntN(9) > 0
			}
			return g
		}
		g := ground(1)
		x, err := NewTeams(d, g, 3)
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		of32 := buffer(t, d, teams)
		want := slices.Repeat([]uint32{math.Float32bits(1) | fixedBit}, 3*64*64)
		count := 0
		for step := range 4 {
			if step == 2 {
				g = ground(2)
				x.SetGrid(g)
			}
			// Something comes to every third cell, be it known or not.
			var come []int
			for k := step; k < 64*64; k += 3 {
				come = append(come, k)
			}
			if err := x.Doubt(come); err != nil {
				t.Fatal(err)
			}
			for k := range want {
				if (k%(64*64)-step)%3 == 0 && k%(64*64) >= step && want[k]&fixedBit == 0 {
					want[k] |= Doubted
				}
			}
			c.told(m)
			d.SetBudget([]int{gpu.Budget, 1}[step%2]) // all at once, and each walker alone
			x.Sense(m, float64(step)*0.1, 0.1, of32)
			x.Relax(7)
			for i, s := range m.slots {
				var read [1]Walker
				m.walkers.Read(i, read[:])
				if team := teams[s.agent]; team != NoTeam {
					See(want[team*64*64:(team+1)*64*64], g, &read[0], kinds[s.kind].At(float64(step)*0.1, 0.1))
				}
			}
			for team := range 3 {
				Explore(want[team*64*64:(team+1)*64*64], g, 7)
			}
			got := make([]uint32, len(want))
			x.Seen().Read(0, got)
			known := 0
			for k := range got {
				if got[k] != want[k] {
					t.Fatalf("step %d: cell %d, %d of team %d is %08x, want %08x", step, k%64, k/64%64, k/64/64, got[k], want[k])
				}
				if got[k]&fixedBit == 0 {
					known++
				}
			}
			if known <= count {
				t.Errorf("step %d: %d cells are known, before %d", step, known, count)
			}
			count = known
			if step > 0 {
				sure, doubted := 0, 0
				for _, word := range got {
					if word&(fixedBit|Doubted) == 0 {
						sure++
					}
					if word&Doubted != 0 {
						doubted++
					}
				}
				if sure == 0 || doubted == 0 {
					t.Errorf("step %d: %d cells are known for sure, %d doubted", step, sure, doubted)
				}
			}
			m.Step(float64(step)*0.1, 0.1, w)
			for agent := range of {
				at := c.walkers[agent].Position
				c.tell(agent, [2]float32{at[0] + r.Float32() - 0.5, at[1] + r.Float32() - 0.5}, r)
			}
		}
	})
}

// TestInSight holds sight between cells against the line between their middles, past walls without ends: straight ones between rows or
// columns, with a gap.
func TestInSight(t *testing.T) {
	const n = 15
	for gap := range n {
		g := gridOf(n, n, func(int, int) bool { return false })
		for i := range n {
			g.open[1][7*n+i] = i == gap // between the rows 7 and 8
		}
		for from := range 8 * n {
			for to := 8 * n; to < n*n; to++ {
				// Where the line passes from row 7 to row 8, in columns.
				fx, fy, tx, ty := float64(from%n), float64(from/n), float64(to%n), float64(to/n)
				x := fx + (tx-fx)*(7.5-fy)/(ty-fy)
				if off := math.Abs(x - float64(gap)); off != 0.5 && g.inSight(from, to) != (off < 0.5) {
					t.Fatalf("from %d, %d to %d, %d past a gap in column %d: seen %v", from%n, from/n, to%n, to/n, gap, off >= 0.5)
				}
			}
		}
	}
}
