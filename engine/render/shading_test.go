package render

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// crowdOf uploads agents of a radius.
func crowdOf(t *testing.T, d *gpu.Device, radius float32, state []agents.Agent) agents.Buffers {
	t.Helper()
	b := agents.Buffers{Count: len(state)}
	var err error
	if b.Agents, err = gpu.NewBuffer[agents.Agent](d, "test agents", len(state)); err != nil {
		t.Fatal(err)
	}
	if b.Traits, err = gpu.NewBuffer[agents.Traits](d, "test traits", len(state)); err != nil {
		t.Fatal(err)
	}
	b.Agents.Write(0, state)
	traits := make([]agents.Traits, len(state))
	for i := range traits {
		traits[i].Radius = radius
	}
	b.Traits.Write(0, traits)
	return b
}

// walking places agents at random on a domain.
func walking(n int, side float64) []agents.Agent {
	random := rand.New(rand.NewPCG(1, 2))
	all := make([]agents.Agent, n)
	for i := range all {
		all[i].Position = [2]float32{float32(side * random.Float64()), float32(side * random.Float64())}
		all[i].Velocity = [2]float32{float32(2 * random.Float64()), 0}
		all[i].Status = agents.Walking
	}
	return all
}

// TestShadingIsAKernelEstimate compares densities and mean speeds in the cells with sums of Gaussians
// over all agents. Cells of two thirds of a standard deviation, and a cut after 3.3 of them, change
// an agent's own by at most a twentieth of its peak.
func TestShadingIsAKernelEstimate(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		const pixels, n = 120, 300
		scene, m := built(t, d, "concave2", 50)
		side := scene.Max().Sub(scene.Min())[0]
		r, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Delete()
		state := walking(n, side)
		state[7].Status = agents.Waiting // is not counted
		p := Picture{
			Target: board(t, d, pixels, pixels), Camera: Fit(scene.Min(), scene.Max(), pixels, pixels, 0), PixelRatio: 1,
			Layers: Density, Map: m, Crowd: crowdOf(t, d, 0.25, state),
		}
		if err := r.Draw(p); err != nil {
			t.Fatal(err)
		}
		// Mixing the cells around a pixel adds a sixth of a cell's square to the variance.
		s, sigma := p.shades(), p.spread()*math.Sqrt(1-1/(6*shadeSpread*shadeSpread))
		words := make([]uint32, 3*s.cells[0]*s.cells[1])
		r.sums.Read(0, words)
		unit := float64(1 << 16)
		meters := s.width / p.Camera.Scale
		low := p.Camera.World(0, pixels).Sub(scene.Min())
		alone := 1 / (2 * math.Pi * sigma * sigma)
		for i := range s.cells[0] * s.cells[1] {
			at := mgl64.Vec2{float64(i%s.cells[0]-shadeMargin) + 0.5, float64(i/s.cells[0]-shadeMargin) + 0.5}.Mul(meters).Add(low)
			if c := p.Camera; math.Min(at[0], at[1]) < low[0] || math.Max(at[0], at[1]) > low[0]+float64(c.Width)/c.Scale {
				continue // beyond the screen, where sums lack agents that are beyond the margin
			}
			density, flow := 0.0, 0.0
			for k, a := range state {
				if k == 7 {
					continue
				}
				away := mgl64.Vec2{float64(a.Position[0]), float64(a.Position[1])}.Sub(at)
				w := alone * math.Exp(-away.Dot(away)/(2*sigma*sigma))
				density += w
				flow += w * float64(a.Velocity[0])
			}
			got := float64(math.Float32frombits(words[3*i])) / (unit * meters * meters)
			if math.Abs(got-density) > 0.05*alone+0.03*density {
				t.Fatalf("the density at %v is %.4f/m2, want %.4f; one agent has %.4f", at, got, density, alone)
			}
			if density > alone {
				speed := float64(math.Float32frombits(words[3*i+1])) / float64(math.Float32frombits(words[3*i])) * speedMost
				if want := flow / density; math.Abs(speed-want) > 0.06 {
					t.Fatalf("the mean speed at %v is %.3f m/s, want %.3f", at, speed, want)
				}
			}
		}
	})
}

// TestShadingReplacesSmallDiscs: discs that are large enough leave no shading; agents that are too
// small for discs have shading alone, and both alike for a while between.
func TestShadingReplacesSmallDiscs(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		const pixels = 100
		scene, m := built(t, d, "concave2", 50)
		side := scene.Max().Sub(scene.Min())[0]
		r, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Delete()
		draw := func(radius float32, layers Layers, least float64) []byte {
			p := Picture{
				Target: board(t, d, pixels, pixels), Camera: Fit(scene.Min(), scene.Max(), pixels, pixels, 0),
				Layers: layers, Map: m, Crowd: crowdOf(t, d, radius, walking(shadeCrowd, side)), LeastRadius: least,
			}
			if err := r.Draw(p); err != nil {
				t.Fatal(err)
			}
			return p.Target.ReadRGBA().Pix
		}
		perPixel := side / pixels
		large, small := float32(discsFull*perPixel*1.01), float32(discsFrom*perPixel*0.99)
		if !bytes.Equal(draw(large, Agents|Density, 0), draw(large, Agents, 0)) {
			t.Error("agents with large discs are shaded")
		}
		if !bytes.Equal(draw(large, Agents|Density, float64(large)), draw(large, Agents, 0)) {
			t.Error("agents with large discs are not drawn as without shading")
		}
		if !bytes.Equal(draw(small, Agents|Density, 0), draw(small, Density, 0)) {
			t.Error("agents that are too small for discs are drawn as discs")
		}
		middle := draw((large+small)/2, Agents|Density, 0)
		if bytes.Equal(middle, draw(large, Agents, 0)) || bytes.Equal(middle, draw(small, Density, 0)) {
			t.Error("between both, only one is drawn")
		}
		if bytes.Equal(draw(small, Density, 0), draw(small, Speed, 0)) || bytes.Equal(draw(small, Density, 0), draw(small, 0, 0)) {
			t.Error("density, speed and nothing look alike")
		}
	})
}
