package agents

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/shaders"
)

// toSegment is the distance of a local place from a segment of a scene.
func (x *trial) toSegment(place [2]float32, s [2]mgl64.Vec2) float64 {
	p := mgl64.Vec2{float64(place[0]), float64(place[1])}
	a, b := s[0].Sub(x.ground.Lattice.Origin), s[1].Sub(x.ground.Lattice.Origin)
	d := b.Sub(a)
	return p.Sub(a.Add(d.Mul(min(max(p.Sub(a).Dot(d)/d.Dot(d), 0), 1)))).Len()
}

// Every agent comes to a segment, on ways as long as the map says, and arrives where the
// radius allows, however small it is: in the open, along slanted walls and walls
// without thickness, in the corner between a wall and the segment.
func TestAllArriveAtSegments(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		for _, radius := range []float64{0.4, 1e-9} {
			x := try(t, d, fmt.Sprintf(`{"version": 1, "domain": [-10, 5, 30, 30],
				"obstacles": [%s, {"polygon": [[-9, 28], [3, 29.5], [3, 29.50000001]]}],
				"goals": [{"id": "out", "arrivalRadius": %v, "segments": [[[29, 29], [25, 8]], [[-9.5, 7], [10, 5]], [[-9, 28], [3, 29.5]]]}],
				"groups": [{"count": 300, "spawn": {"rect": [-9.9, 5.1, 29.9, 29.9]}, "onArrival": "stay"}]}`, clutter, radius), 100)
			n := x.crowd.Count()
			start := make([]float64, n)
			for i, a := range x.after {
				start[i] = x.reference.distance(x.ground, 0, x.reference.onLattice(a.Position))
			}
			walked := make([]float64, n)
			beams := 0
			for step := 0; x.walking() > 0; step++ {
				if step == 400 {
					for i, a := range x.after {
						if a.Status == Walking {
							t.Errorf("radius %v: agent %d has not arrived: %+v", radius, i, a)
						}
					}
					t.FailNow()
				}
				x.step()
				x.checkMove(t, step)
				for i, a := range x.after {
					walked[i] += float64(length(minus(a.Position, x.before[i].Position)))
					if a.Lost > 0 {
						t.Fatalf("step %d: agent %d is lost: %+v", step, i, a)
					}
					if a.Status == Arrived && x.before[i].Status == Walking && x.reference.Generators[a.Target].Kind == uint32(geom.SectorLightField) {
						beams++
					}
				}
			}
			if beams < n/2 {
				t.Errorf("%d of %d agents arrive at the inside of a segment; the scene is no test", beams, n)
			}
			r := x.reference
			for i, a := range x.after {
				// As in TestAllArrive; and an agent that goes to a segment arrives at the latest
				// beamReach steps before it.
				near := max(radius, beamReach*r.Lattice.Step)
				reach := float64(x.traits[i].PreferredSpeed) * 0.1
				rounding := float64(a.First+1) * 2 * 1.5 * math.Sqrt2 * r.Lattice.Step
				if least, most := max(0, start[i]-near), max(0, start[i]-min(near, radius)+reach); walked[i] < least-rounding || walked[i] > most+rounding {
					t.Errorf("radius %v: agent %d walked %v m, want %v to %v", radius, i, walked[i], least, most)
				}
				off := math.Inf(1)
				for _, s := range x.scene.Goals[0].Segments {
					off = min(off, x.toSegment(a.Position, s))
				}
				// Legs keep within SnapSlack and half a step, along either axis, of the segment.
				if off > near+5*r.Lattice.Step {
					t.Errorf("radius %v: agent %d has arrived %v m off", radius, i, off)
				}
			}
		}
	})
}

// An agent that walks straight goes to the nearest point of segments.
func TestDirectToSegments(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, `{"version": 1, "domain": [0, 0, 20, 20],
			"goals": [{"id": "a", "points": [[10, 1]], "segments": [[[2, 18], [18, 14]]]}],
			"profiles": [{"id": "p", "steering": "direct", "radius": 0.01}],
			"groups": [{"count": 200, "spawn": {"rect": [0, 0, 20, 20]}, "onArrival": "stay"}]}`, 20)
		start := append([]Agent(nil), x.after...)
		for range 250 {
			x.step()
		}
		segment, point := x.scene.Goals[0].Segments[0], x.scene.Goals[0].Points[0]
		for i, a := range x.after {
			best := min(x.toSegment(start[i].Position, segment), math.Hypot(float64(start[i].Position[0])-point[0], float64(start[i].Position[1])-point[1]))
			walked := float64(length(minus(a.Position, start[i].Position)))
			// Up to the radius of 0.5 m, and a step further.
			if reach := float64(x.traits[i].PreferredSpeed) * 0.1; a.Status != Arrived || walked > max(0, best-0.5)+reach+1e-3 {
				t.Errorf("agent %d walked %v, want %v less 0.5 and a step: %+v", i, walked, best, a)
			}
		}
	})
}

// Ways over corners lead to the foot of the last one.
func TestWaysToSegments(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, `{"version": 1, "domain": [0, 0, 20, 20], "obstacles": [{"rect": [4, 8, 16, 9]}],
			"goals": [{"id": "a", "segments": [[[1, 15], [19, 15]]]}],
			"groups": [{"spawn": {"points": [[5, 2], [2, 3], [15, 12]]}}]}`, 40)
		x.step()
		ways, err := x.crowd.Follow([]int{0, 1, 2})
		if err != nil {
			t.Fatal(err)
		}
		defer ways.Delete()
		if err := ways.Update(); err != nil {
			t.Fatal(err)
		}
		points := make([][2]float32, ways.Points.Len())
		commands := make([]Command, 3)
		ways.Points.Read(0, points)
		ways.Commands.Read(0, commands)
		for i, want := range [][][2]float32{{{4, 8}, {4, 15}}, {{2, 15}}, {{15, 15}}} {
			c := commands[i]
			got := points[c.First : c.First+c.Count]
			if len(got) != len(want)+1 || got[0] != x.after[i].Position {
				t.Errorf("agent %d goes %v, want %v", i, got, want)
				continue
			}
			for k, p := range want {
				// A lattice step is 2e-5 m.
				if off := length(minus(got[k+1], p)); off > 1e-4 {
					t.Errorf("agent %d goes %v, want %v", i, got, want)
				}
			}
		}
		if x.reference.Generators[x.after[1].Target].Kind != uint32(geom.SectorLightField) || x.reference.Generators[x.after[0].Target].Parent == shaders.NoParent {
			t.Errorf("targets %d and %d", x.after[0].Target, x.after[1].Target)
		}
	})
}
