package studio

import (
	"image"
	"math"
	"testing"

	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
)

// wide moves the wall out of the way.
func wide(to *scenes.Scene) { to.Obstacles[0].Rect = &scenes.Rect{8, 0, 9, 1} }

// TestBranch: a branch without a change stays the same as the run, one with a change does not; both
// are at the same tick, after seeks too; the one that is taken over is where the run comes to.
func TestBranch(t *testing.T) {
	with(t, room, func(s *Studio) {
		same := func(want bool) {
			t.Helper()
			b := s.Branched.View.World
			other, err := b.Hash()
			if err != nil || b.Ticks() != s.World().Ticks() || (other == s.hash(t)) != want {
				t.Errorf("tick %d of %d, the same: %v, want %v; %v", b.Ticks(), s.World().Ticks(), other == s.hash(t), want, err)
			}
		}
		s.ticks(t, 10, nil)
		if err := s.Branch(func(*scenes.Scene) {}, "nothing"); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			s.ticks(t, 1, nil)
			same(true)
		}
		if err := s.Branch(wide, "wide"); err != nil {
			t.Fatal(err)
		}
		same(true)
		s.ticks(t, 60, nil)
		same(false)
		hash, err := s.Branched.View.World.Hash()
		if err != nil {
			t.Fatal(err)
		}
		run := s.hash(t)
		s.seekTo(t, 60)
		same(false)
		s.seekTo(t, 20) // before it began
		if got := s.Branched.View.World.Ticks(); got != 30 {
			t.Errorf("the branch is at tick %d, not at its beginning", got)
		}
		s.ticks(t, 5, nil)
		if got := s.Branched.View.World.Ticks(); got != 30 {
			t.Errorf("the branch goes on before its time: tick %d", got)
		}
		s.seekTo(t, 90)
		if same(false); s.hash(t) != run {
			t.Error("the run is not as it was")
		}
		if err := s.TakeBranch(); err != nil {
			t.Fatal(err)
		}
		s.seekTo(t, 90)
		if s.hash(t) != hash || s.Branched != nil {
			t.Error("the run is not where the branch was")
		}
		if all, _ := s.Doc.History(); len(all) != 1 || all[0].Title != "wide" || s.Scene().Obstacles[0].Rect[3] != 1 {
			t.Errorf("history %v", all)
		}
	})
}

// TestBranchRefused: a change that is not sound makes no branch, and no fault of the document.
func TestBranchRefused(t *testing.T) {
	with(t, room, func(s *Studio) {
		s.ticks(t, 5, nil)
		if err := s.Branch(func(to *scenes.Scene) { to.Goals = nil }, "no goal"); err != nil {
			t.Fatal(err)
		}
		if s.Branched != nil || s.Fault != nil || s.Notice() == "" {
			t.Errorf("branch %v, fault %v, notice %q", s.Branched, s.Fault, s.Notice())
		}
		s.ticks(t, 5, nil)
	})
}

// TestDifferences: both have the same series until the branch begins, and their own from then on.
func TestDifferences(t *testing.T) {
	with(t, room, func(s *Studio) {
		if err := s.Change("measure", door); err != nil {
			t.Fatal(err)
		}
		s.ticks(t, 15, nil)
		if err := s.Branch(func(to *scenes.Scene) { to.Profiles[0].PreferredSpeed.Mean /= 2 }, "slow"); err != nil {
			t.Fatal(err)
		}
		s.ticks(t, 250, nil)
		all, kinds := s.Differences(), map[string]bool{}
		for _, d := range all {
			if len(d.Times) < 10 || len(d.Run) != len(d.Times) || len(d.Branch) != len(d.Times) {
				t.Fatalf("%s %s: %d times, %d and %d values", d.Kind, d.Of, len(d.Times), len(d.Run), len(d.Branch))
			}
			for i, at := range d.Times {
				equal := d.Run[i] == d.Branch[i] || math.IsNaN(d.Run[i]) && math.IsNaN(d.Branch[i])
				if at <= s.Branched.At && !equal {
					t.Errorf("%s %s is %v and %v at %v s", d.Kind, d.Of, d.Run[i], d.Branch[i], at)
				}
				if at > s.Branched.At && !equal {
					kinds[d.Kind] = true
				}
			}
		}
		for _, kind := range []string{"speed", "arrivals", "density", "agents"} {
			if !kinds[kind] {
				t.Errorf("%s does not differ", kind)
			}
		}
	})
}

// TestGhosts: agents of the branch are drawn where the run has none, or in a picture of their own.
func TestGhosts(t *testing.T) {
	with(t, room, func(s *Studio) {
		draw := func() *image.RGBA {
			t.Helper()
			c, err := render.NewCanvas(s.Device, image.Pt(800, 400), 1)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Delete()
			p, _ := s.Picture()
			v := s.View
			if other, own, ok := s.BranchPicture(); ok {
				v, p = other, own
			}
			p.Target = c.Target
			if err := v.Draw(p); err != nil {
				t.Fatal(err)
			}
			return c.Read()
		}
		s.View.Look.Layers = render.Obstacles | render.Agents
		s.ticks(t, 40, nil)
		if err := s.Branch(func(to *scenes.Scene) { to.Profiles[0].PreferredSpeed.Mean /= 2 }, "slow"); err != nil {
			t.Fatal(err)
		}
		s.ticks(t, 40, nil)
		ghosts := draw()
		s.Branched.Ghosts = false
		beside := draw()
		s.DropBranch()
		run := draw()
		if a, b := different(ghosts, run), different(beside, run); a < 100 || b < 100 || different(ghosts, beside) < 100 {
			t.Errorf("ghosts make %d pixels different, the branch beside %d", a, b)
		}
	})
}

// different counts the pixels that differ.
func different(a, b *image.RGBA) (n int) {
	for i := 0; i < len(a.Pix); i += 4 {
		if [4]byte(a.Pix[i:i+4]) != [4]byte(b.Pix[i:i+4]) {
			n++
		}
	}
	return n
}
