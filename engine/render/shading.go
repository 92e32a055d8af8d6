package render

import (
	"fmt"
	"image/color"
	"math"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Shading shows densities and mean speeds of agents where discs would be too small to be seen apart.
// Agents are added up in cells over the screen, and spread by a Gaussian. Walls do not hold it up.
const (
	discsFrom = 1.0 // radius at which discs begin to show, nominal pixels
	discsFull = 2.0 // and from which there is no shading

	shadeLeast  = 3.0  // standard deviation of the Gaussian, nominal pixels, or, if that is more,
	shadeMeters = 1.0  // meters
	shadeSpread = 1.5  // and in cells
	shadeMargin = 5    // cells, over three standard deviations: where it is cut; beyond the screen, as many
	shadeShare  = 0.92 // opacity where there are agents

	shadeCrowd = 500 // agents from which discs give way: fewer are seen apart, however small

	densityLow, densityTop = 0.003, 5.0 // ends of the colors, on a scale of logarithms, agents/m2
	speedTop               = 2.0        // m/s; speeds begin at 0
	speedMost              = 16.0       // m/s that an agent counts as, at most
)

// shaded reports whether the picture may have agents that shading shows. Only pictures from straight above have any.
func (p *Picture) shaded() bool {
	if !p.above() || p.Crowd.Count == 0 || p.Layers&(Density|Speed) == 0 {
		return false
	}
	return !p.Layers.has(Agents) || p.Crowd.Count >= shadeCrowd && p.LeastRadius*p.Camera.Scale/p.PixelRatio < discsFull
}

// shades is the grid of cells over a picture.
type shades struct {
	cells [2]int32
	width float64 // of a cell, pixels
}

func (p *Picture) shades() shades {
	s := shades{width: p.spread() * p.Camera.Scale / shadeSpread}
	across := func(pixels int) int32 { return int32(math.Ceil(float64(pixels)/s.width)) + 2*shadeMargin }
	s.cells = [2]int32{across(p.Camera.Width), across(p.Camera.Height)}
	return s
}

// spread is the standard deviation of the Gaussian, m.
func (p *Picture) spread() float64 {
	return max(shadeLeast*p.PixelRatio/p.Camera.Scale, shadeMeters)
}

// fitShading fits the buffers of cells to the picture.
func (r *Renderer) fitShading(p Picture) error {
	c := p.shades().cells
	if err := fit(r.device, &r.sums, "render sums", int(3*c[0]*c[1])); err != nil {
		return err
	}
	return fit(r.device, &r.spread, "render spread", int(3*c[0]*c[1]))
}

// drawShading shades the ground, and draws obstacles anew: what agents spread is not over them.
func (r *Renderer) drawShading(p Picture) {
	s := p.shades()
	// All agents in one cell stay within 32 bits.
	unit := math.Floor(min(1<<16, (1<<31)/float64(p.Crowd.Count)))
	speedUnit := unit / speedMost
	r.sums.Clear()
	r.splat.Run(splatInput{
		agents: p.Crowd.Agents, traits: p.Crowd.Traits, sums: r.sums, agentCount: uint32(p.Crowd.Count),
		viewMatrix: p.Camera.matrix(r.shown.of.Lattice.Origin), viewSize: [2]float32{float32(p.Camera.Width), float32(p.Camera.Height)},
		cells: s.cells, pixelRatio: float32(p.PixelRatio), scale: float32(p.Camera.Scale), behind: float32(p.Behind),
		cellWidth: float32(s.width), unit: float32(unit), speedUnit: float32(speedUnit), discs: p.Layers.has(Agents),
	}, gpu.Groups(p.Crowd.Count, group))
	groups := gpu.Groups(int(s.cells[0]*s.cells[1]), group)
	r.blur.Run(blurInput{sums: r.sums, spread: r.spread, cells: s.cells, rows: true}, groups)
	r.blur.Run(blurInput{sums: r.spread, spread: r.sums, cells: s.cells}, groups)
	meters := s.width / p.Camera.Scale
	r.density.Draw(densityInput{
		spread: r.sums, domainSize: r.shown.of.Lattice.Local(r.shown.of.Lattice.Size), window: p.Camera.window(r.shown.of.Lattice.Origin), cells: s.cells, cellWidth: float32(s.width),
		perUnit: float32(1 / (unit * meters * meters)), perSpeed: float32(unit / speedUnit),
		alone: float32(1 / (2 * math.Pi * p.spread() * p.spread())), speeds: p.Layers.has(Speed),
	}, gpu.Draw{Target: p.Target, Mode: gpu.Triangles, Count: 3, Instances: 1, Blend: gpu.BlendAlpha})
	if p.Layers.has(Obstacles) {
		r.drawObstacles(p)
		r.drawWalls(p)
	}
}

// ShadingKeys returns what the colors of shading mean, for pictures where it is at least half as strong
// as it gets; else none.
func ShadingKeys(p Picture) []Key {
	if p.PixelRatio == 0 {
		p.PixelRatio = 1
	}
	faint := p.Layers.has(Agents) && p.LeastRadius*p.Camera.Scale/p.PixelRatio > (discsFrom+discsFull)/2
	if !p.shaded() || faint {
		return nil
	}
	about := fmt.Sprintf("of agents, each spread by a Gaussian of %.2g m", p.spread())
	if p.Layers.has(Speed) {
		return []Key{{Text: "mean speed " + about + ":", First: true}, {Colors: speeds, Text: fmt.Sprintf("0 to %g m/s and more", speedTop)}}
	}
	keys := []Key{{Text: "density " + about + ":", First: true}}
	for _, density := range []float64{0.01, 0.1, 1, densityTop} {
		k := Key{Colors: colors(between(densities, math.Log(density/densityLow)/math.Log(densityTop/densityLow))), Text: fmt.Sprintf("%g", density)}
		if density == densityTop {
			k.Text += " and more agents/m²"
		}
		keys = append(keys, k)
	}
	return keys
}

// between returns the color at 0 to 1 along a list.
func between(list []color.RGBA, t float64) color.RGBA {
	at := t * float64(len(list)-1)
	low := min(int(at), len(list)-2)
	return mixed(list[low], list[low+1], at-float64(low))
}
