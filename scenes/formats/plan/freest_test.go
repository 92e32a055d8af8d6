package plan

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
	"github.com/wayfront/wayfront/scenes/scenestest"
)

// TestWallDistance compares distances found by cells with those from all walls, also where most
// cells are empty.
func TestWallDistance(t *testing.T) {
	lone := `{"version": 1, "domain": [0, 0, 90, 40], "goals": [{"points": [[1, 1]]}], "obstacles": [{"circle": {"center": [5, 5], "radius": 2, "sides": 3000}}]}`
	s := scenestest.Read(t, "a", lone)
	plaza, err := builtin.Load("plaza")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*scenes.Scene{s, plaza} {
		g, err := s.Ground()
		if err != nil {
			t.Fatal(err)
		}
		grid := geom.NewWallGrid(g)
		r := rand.New(rand.NewPCG(1, 2))
		for range 300 {
			p := mgl64.Vec2{r.Float64() * float64(g.Lattice.Size.X), r.Float64() * float64(g.Lattice.Size.Y)}
			want := math.Inf(1)
			for i := range g.Walls {
				want = min(want, fromWall(g, uint32(i), p))
			}
			if got := wallDistance(g, grid, p, 0); got != want {
				t.Fatalf("%s: %v is %v steps from walls, want %v", s.Name, p, got, want)
			}
			if got, enough := wallDistance(g, grid, p, 1.5*want), 1.5*want; got < want || got >= enough {
				t.Fatalf("%s: %v is %v steps from walls, want %v, or anything below %v", s.Name, p, got, want, enough)
			}
		}
	}
}
