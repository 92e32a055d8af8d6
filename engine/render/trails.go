package render

import (
	"fmt"
	"image/color"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Sizes of trails.
const (
	trailWidth    = 2.0  // nominal pixels
	trailCasing   = 3.8  // the paler line below
	trailGap      = 0.02 // m between two points of a trail at first
	trailCapacity = 4096 // points of a trail: 80 m, and then half as many for each doubling

	// MostTrails is the most agents that have a trail.
	MostTrails = 64
)

// Trails are the paths that agents have walked, as line strips on the device: of all agents, or of
// MostTrails that are spread evenly.
type Trails struct {
	device *gpu.Device
	colors []color.RGBA
	trails *gpu.Buffer[Trail]
	points *gpu.Buffer[[2]float32] // m, from the domain's corner
	extend *gpu.Pass[trailInput]
}

// Trail is an indirect draw of an agent's path, and the state to extend it. 24 bytes, std430.
type Trail struct {
	Count, Instances, First, Base uint32
	Agent                         uint32
	Gap                           float32 // m between two points, at least
}

// NewTrails starts trails of a crowd in colors by traits. The error is a *gpu.CapacityError or
// *gpu.CompileError.
func NewTrails(d *gpu.Device, crowd agents.Buffers, colorOf func(agents.Traits) color.RGBA) (*Trails, error) {
	n := min(crowd.Count, MostTrails)
	t := &Trails{device: d}
	list := make([]Trail, n)
	err := d.Do(func() (err error) {
		for i := range list {
			agent := i * crowd.Count / n
			list[i] = Trail{Instances: 1, First: uint32(i * trailCapacity), Agent: uint32(agent)}
			var traits [1]agents.Traits
			crowd.Traits.Read(agent, traits[:])
			t.colors = append(t.colors, colorOf(traits[0]))
		}
		if t.trails, err = gpu.NewBuffer[Trail](d, "render trails", n); err != nil {
			return err
		}
		if t.points, err = gpu.NewBuffer[[2]float32](d, "render trails' points", n*trailCapacity); err != nil {
			return err
		}
		if t.extend, err = gpu.NewPass(d, trailPass); err != nil {
			return err
		}
		t.trails.Write(0, list)
		return nil
	})
	if err != nil {
		t.Delete()
		return nil, fmt.Errorf("render: the trails of %d agents: %w", n, err)
	}
	t.Extend(crowd, 0)
	return t, nil
}

// Extend appends agents' positions after a step of so many seconds. Nothing is read back. It panics
// with the errors of gpu.Device.Do.
func (t *Trails) Extend(crowd agents.Buffers, timestep float64) {
	if len(t.colors) == 0 {
		return
	}
	t.device.MustDo(func() {
		t.extend.Run(trailInput{
			agents: crowd.Agents, trails: t.trails, points: t.points, trailCount: uint32(len(t.colors)),
			timestep: float32(timestep), leastGap: trailGap,
		}, gpu.Groups(len(t.colors), group))
	})
}

// Delete frees the trails. Deleting none does nothing.
func (t *Trails) Delete() {
	if t != nil {
		t.trails.Delete()
		t.points.Delete()
	}
}

// drawTrails draws trails, all casings first.
func (r *Renderer) drawTrails(p Picture) {
	t := p.Trails
	draw := func(i int, width float64, color [4]float32) {
		strip := gpu.Indirect{Buffer: t.trails, Offset: i * t.trails.Stride()}
		r.drawLines(p, gpu.Draw{Mode: gpu.LineStrip, Indirect: &strip}, t.points, width, 0, color)
	}
	for i := range t.colors {
		draw(i, trailCasing, vec4(rim, 0.9))
	}
	for i, color := range t.colors {
		draw(i, trailWidth, vec4(color, 1))
	}
}
