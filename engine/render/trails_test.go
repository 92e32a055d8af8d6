package render

import (
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// strip is the trail of an agent as it lies on the device.
func (t *Trails) strip(i int) (Trail, [][2]float32) {
	var trail [1]Trail
	t.trails.Read(i, trail[:])
	points := make([][2]float32, trail[0].Count)
	t.points.Read(int(trail[0].First), points)
	return trail[0], points
}

func apart(a, b [2]float32) float64 {
	return math.Hypot(float64(a[0])-float64(b[0]), float64(a[1])-float64(b[1]))
}

// TestTrails holds trails against the ways that agents were led: one that turns at random, one so
// far that points are left out, one that is there late and then leaves, one that begins again
// elsewhere, and one that never comes.
func TestTrails(t *testing.T) {
	const step, speed, ticks = 0.1, 1.3, 2500
	gputest.Run(t, func(d *gpu.Device) {
		n := 5
		state := make([]agents.Agent, n)
		traits := make([]agents.Traits, n)
		crowd := agents.Buffers{Count: n}
		var err error
		if crowd.Agents, err = gpu.NewBuffer[agents.Agent](d, "test agents", n); err != nil {
			t.Fatal(err)
		}
		if crowd.Traits, err = gpu.NewBuffer[agents.Traits](d, "test traits", n); err != nil {
			t.Fatal(err)
		}
		for i := range traits {
			traits[i].Group = uint32(i)
			state[i] = agents.Agent{Position: [2]float32{float32(i), 5}, Status: agents.Walking}
		}
		state[2].Status, state[4].Status = agents.Waiting, agents.Waiting
		crowd.Agents.Write(0, state)
		crowd.Traits.Write(0, traits)
		trails, err := NewTrails(d, crowd, func(t agents.Traits) color.RGBA { return GoalColor(int(t.Group)) })
		if err != nil {
			t.Fatal(err)
		}
		defer trails.Delete()
		led := make([][][2]float32, n)
		led[0], led[1], led[3] = [][2]float32{state[0].Position}, [][2]float32{state[1].Position}, [][2]float32{state[3].Position}
		r := rand.New(rand.NewPCG(6, 1))
		heading := 0.0
		before := d.Readbacks()
		for tick := range ticks {
			heading += r.NormFloat64() * 0.2
			for i := range n {
				a := &state[i]
				angle := []float64{heading, float64(tick) / 300, 1, 2, 0}[i]
				v := [2]float32{float32(speed * math.Cos(angle)), float32(speed * math.Sin(angle))}
				switch {
				case i == 2 && tick == 1000:
					a.Status = agents.Walking
				case i == 2 && tick == 1100:
					a.Status = agents.Left
				case i == 3 && tick == 2000: // as an agent that loops
					a.Position = [2]float32{500, -3}
					led[i] = nil
				}
				if a.Status != agents.Walking {
					continue
				}
				if i == 0 && tick%50 < 10 {
					v = [2]float32{} // it stands
				}
				a.Velocity = v
				a.Position = [2]float32{a.Position[0] + v[0]*step, a.Position[1] + v[1]*step}
				led[i] = append(led[i], a.Position)
			}
			crowd.Agents.Write(0, state)
			trails.Extend(crowd, step)
		}
		if got := d.Readbacks() - before; got != 0 {
			t.Errorf("%d read-backs", got)
		}
		for i, way := range led {
			trail, points := trails.strip(i)
			if len(way) == 0 {
				if trail.Count != 0 {
					t.Errorf("agent %d was never there, and has %d points", i, trail.Count)
				}
				continue
			}
			if trail.Count > trailCapacity || points[0] != way[0] || points[len(points)-1] != way[len(way)-1] {
				t.Errorf("agent %d: %d points from %v to %v, want those from %v to %v", i, trail.Count, points[0], points[len(points)-1], way[0], way[len(way)-1])
			}
			// Points of the way in order, none of which is farther from the one before than the
			// first gap and a step, doubled as often.
			k := 0
			for j, p := range points {
				for k < len(way) && way[k] != p {
					k++
				}
				if k == len(way) {
					t.Fatalf("agent %d: point %d is not on its way, or not in order", i, j)
				}
				if j > 0 && apart(points[j-1], p) > float64(trail.Gap)*(1+speed*step/trailGap)+1e-3 {
					t.Errorf("agent %d: points %d and %d are %g m apart, the gap is %g", i, j-1, j, apart(points[j-1], p), trail.Gap)
				}
			}
		}
	})
}

// TestTrailsThin: of a trail that has no more room every second point goes, again and again.
func TestTrailsThin(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		crowd := agents.Buffers{Count: 1}
		var err error
		if crowd.Agents, err = gpu.NewBuffer[agents.Agent](d, "test agents", 1); err != nil {
			t.Fatal(err)
		}
		if crowd.Traits, err = gpu.NewBuffer[agents.Traits](d, "test traits", 1); err != nil {
			t.Fatal(err)
		}
		at := func(tick int) [2]float32 { return [2]float32{float32(tick) / 32, 1} }
		state := []agents.Agent{{Position: at(0), Velocity: [2]float32{1, 0}, Status: agents.Walking}}
		crowd.Agents.Write(0, state)
		trails, err := NewTrails(d, crowd, func(agents.Traits) color.RGBA { return source })
		if err != nil {
			t.Fatal(err)
		}
		defer trails.Delete()
		const ticks = 3 * trailCapacity
		for tick := 1; tick <= ticks; tick++ {
			state[0].Position = at(tick)
			crowd.Agents.Write(0, state)
			trails.Extend(crowd, 1.0/32)
		}
		trail, points := trails.strip(0)
		if trail.Count > trailCapacity || trail.Count < trailCapacity/4 || trail.Gap < 2*trailGap {
			t.Errorf("%+v", trail)
		}
		if points[0] != at(0) || points[len(points)-1] != at(ticks) {
			t.Errorf("the trail is from %v to %v", points[0], points[len(points)-1])
		}
		for i := 1; i < len(points); i++ {
			if gap := points[i][0] - points[i-1][0]; gap < 0 || gap > trail.Gap*(1+1.0/32/trailGap) || gap < trail.Gap/2 && i < len(points)-1 {
				t.Fatalf("points %d and %d are %g m apart, the gap is %g", i-1, i, gap, trail.Gap)
			}
		}

		e := newEasel(t, d)
		defer e.r.Delete()
		e.p.Trails = trails
		under, picture := e.draw(0), e.draw(Walked)
		for x := range easelSide {
			place := e.p.Camera.World(float64(x)+0.5, 0)
			_, y := e.p.Camera.Pixel(mgl64.Vec2{0, 1})
			on := picture.RGBAAt(x, int(y)) != under.RGBAAt(x, int(y))
			if place[0] > 0.1 && !on || place[0] < -0.1 && on {
				t.Errorf("pixel %d, at x = %.2f, is on the trail: %v", x, place[0], on)
			}
		}
	})
}
