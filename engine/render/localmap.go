package render

import (
	"image/color"
	"math"

	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/engine/gpu"
)

// walkerOffset returns byte offsets of a walker's fields.
var walkerOffset = offsets(bvp.Walker{})

// drawLocalMap draws the local map of the picture's agent, if it has one: all but its marks, or its
// marks.
func (r *Renderer) drawLocalMap(p Picture, marks bool) {
	maps := p.LocalMaps
	walker, ok := maps.Walker(p.Agent)
	if !ok {
		return
	}
	parameters := maps.Parameters(walker)
	size, view := parameters.CellSize, float32(-1)
	if parameters.ViewAngle < 2*math.Pi {
		view = float32(parameters.ViewAngle / 2)
	}
	program := r.programs["render local map"]
	r.view(program, p)
	r.setPotential(program, p)
	program.Set("cellSize", float32(size))
	program.Set("pixelsPerCell", float32(size*p.Camera.Scale))
	program.Set("marks", marks)
	program.Set("halfView", view)
	program.Set("patience", bvp.Patience(p.Timestep))
	before, owner := p.Before, uint32(p.Agent)
	if before == nil || walker >= before.Len() {
		before, owner = maps.Walkers(), bvp.NotThere
	}
	program.Set("owner", owner)
	maps.Potentials(walker).Bind(bindPotentials)
	r.device.Barrier(gpu.BarrierStorage | gpu.BarrierVertex)
	field := func(location uint32, components int, kind gpu.Kind, b *gpu.Buffer[bvp.Walker], name string) gpu.Attribute {
		return gpu.Attribute{
			Location: location, Buffer: b.Name(), Components: components, Kind: kind,
			Offset: walker*b.Stride() + walkerOffset(name), Stride: b.Stride(), Divisor: 1,
		}
	}
	crowd, now := p.Crowd.Agents, maps.Walkers()
	r.device.Draw(gpu.Draw{
		Program: program, Target: p.Target, Mode: gpu.TriangleStrip, Count: 4, Instances: 1, Blend: gpu.BlendAlpha,
		Attributes: []gpu.Attribute{
			field(0, 2, gpu.Float, now, "stamped"), field(1, 1, gpu.Uint, now, "body"), field(2, 1, gpu.Uint, now, "cells"), field(3, 1, gpu.Uint, now, "first"),
			{
				Location: 4, Buffer: crowd.Name(), Components: 1, Kind: gpu.Uint,
				Offset: p.Agent*crowd.Stride() + agentOffset("status"), Stride: crowd.Stride(), Divisor: 1,
			},
			field(5, 2, gpu.Float, now, "guide"), field(6, 1, gpu.Float, before, "heading"), field(7, 1, gpu.Uint, before, "stood"), field(8, 1, gpu.Uint, before, "agent"),
		},
	})
}

// drawPotential draws a goal's global potential instead of the ground's colors.
func (r *Renderer) drawPotential(p Picture) {
	r.fillMapped(p)
	program, grid := r.programs["render potential"], p.Potential.Grid()
	r.setPotential(program, p)
	program.Set("window", p.Camera.window(r.shown.of.Lattice.Origin))
	program.Set("domainSize", r.shown.of.Lattice.Local(r.shown.of.Lattice.Size))
	program.Set("cellCount", [2]int32{int32(grid.Columns), int32(grid.Rows)})
	program.Set("cellSize", float32(grid.CellSize()))
	p.Potential.Heights().Bind(bindHeights)
	r.device.Draw(gpu.Draw{
		Program: program, Target: p.Target, Mode: gpu.Triangles, Count: 3, Instances: 1,
		Depth: gpu.DepthState{Test: gpu.Less, Write: true},
	})
}

// drawUnknown veils what the agent's team does not know.
func (r *Renderer) drawUnknown(p Picture) {
	program, grid := r.programs["render unknown"], p.Teams.Grid()
	if grid.Columns*grid.Rows == 0 {
		return
	}
	program.Set("window", p.Camera.window(r.shown.of.Lattice.Origin))
	program.Set("domainSize", r.shown.of.Lattice.Local(r.shown.of.Lattice.Size))
	program.Set("cellCount", [2]int32{int32(grid.Columns), int32(grid.Rows)})
	program.Set("cellSize", float32(grid.CellSize()))
	program.Set("firstCell", uint32(p.Team*grid.Columns*grid.Rows))
	p.Teams.Seen().Bind(bindPotentials)
	r.device.Barrier(gpu.BarrierStorage)
	r.device.Draw(gpu.Draw{Program: program, Target: p.Target, Mode: gpu.Triangles, Count: 3, Instances: 1, Blend: gpu.BlendAlpha})
}

// setPotential sets the uniforms of render/potential.glsl.
func (r *Renderer) setPotential(program *gpu.Program, p Picture) {
	program.Set("pixelRatio", float32(p.PixelRatio))
	program.Set("isolines", p.Layers.has(Isolines))
}

// mixed blends a share of a color into another one.
func mixed(a, b color.RGBA, share float64) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + share*(float64(b)-float64(a)) + 0.5) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// LocalMapKeys is the legend of a local map.
func LocalMapKeys() []Key {
	var free []color.RGBA
	for _, c := range distances {
		free = append(free, mixed(c, rim, freeShare))
	}
	return []Key{
		{Colors: colors(source), Text: "goal"},
		{Colors: colors(mapBorder), Text: "border"},
		{Colors: free, Text: "free zone"},
		{Colors: colors(outline), Text: "seen in the update zone"},
		PotentialKey(),
		{Text: "arrow: its gradient"},
	}
}

// ViewKey is the legend of the edges of a view cone.
func ViewKey() Key { return Key{Text: "dashes: its view"} }

// UnknownKey is the legend of ground that explorers do not know.
func UnknownKey() Key {
	return Key{Colors: colors(mixed(ground, veil, veilShare)), Text: "not known to its team"}
}

// PotentialKey is the legend of potentials.
func PotentialKey() Key {
	return Key{Colors: distances, Text: "potential, light at goals; lines halve it"}
}
