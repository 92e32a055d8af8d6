//go:build !headless

package worldview

import (
	"math"
	"testing"

	"github.com/wayfront/wayfront/scenes"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/bvp/reference"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/render"
)

// TestNothingIsSeenBehindTheDashes: which way walkers are remembered to have looked is which way
// their maps were stamped, so that obstacles in the update zone lie in the view cone, in part at
// least. What they looked when the step was over is another way. By robust rules walkers keep agents
// in mind besides, which lie anywhere.
func TestNothingIsSeenBehindTheDashes(t *testing.T) {
	doc, err := document.Load("dapper-6")
	if err != nil {
		t.Fatal(err)
	}
	for i := range doc.Profiles {
		doc.Profiles[i].BVP.ViewAngle, doc.Profiles[i].BVP.Rules = scenes.Exactly(180), scenes.RulesPaper
	}
	agent := 10 // walks round a group
	gputest.Fresh(t, func(d *gpu.Device) {
		v, err := New(d, doc, Look{Agent: &agent, Palette: render.PaletteCalm})
		if err != nil {
			t.Fatal(err)
		}
		defer v.Delete()
		maps := v.World.LocalMaps()
		i, _ := maps.Walker(agent)
		half := maps.Parameters(i).ViewAngle / 2 * math.Pi / 180
		cells, behindNow, steps := 0, 0, 0
		for range 120 {
			if err := v.Step(); err != nil {
				t.Fatal(err)
			}
			walkers := make([]local.Walker, v.walkersBefore.Len())
			v.walkersBefore.Read(0, walkers)
			before := walkers[i]
			now, p := maps.Read(i)
			if before.Stood >= local.Patience(scenes.BVP{}, v.World.Scene().Simulation.Timestep) || before.Heading == local.NoHeading {
				continue
			}
			steps++
			for k := range p.Q {
				x, y := k%p.Cells, k/p.Cells
				if !p.Fixed[k] || p.Q[k] != 0 || reference.ZoneOf(p.Cells, x, y) != reference.Update {
					continue
				}
				cells++
				off := mgl64.Vec2{float64(2*x + 1 - p.Cells), float64(2*y + 1 - p.Cells)}.Mul(0.5)
				// A cell counts in part as far as its middle is less than half a cell outside the
				// cone. The device has float32: to 2^-23 of two products of at most 11 cells.
				behind := func(heading float32) bool {
					look := mgl64.Vec2{math.Cos(float64(heading)), math.Sin(float64(heading))}
					ahead, side := off.Dot(look), off[1]*look[0]-off[0]*look[1]
					return ahead*math.Sin(half)-math.Abs(side)*math.Cos(half) < -0.5-1e-5
				}
				if behind(before.Heading) {
					t.Fatalf("step %d: cell %d,%d is an obstacle, and not in the view cone of heading %v", steps, x, y, before.Heading)
				}
				if behind(now.Heading) {
					behindNow++
				}
			}
		}
		if steps < 50 || cells < 1000 || behindNow == 0 {
			t.Errorf("%d steps, %d cells that are obstacles, %d of them behind the view of the step to come", steps, cells, behindNow)
		}
	})
}
