package render

import (
	"image/color"
	"math"
	"unsafe"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/engine/gpu"
)

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
	if angle := parameters.ViewAngle * math.Pi / 180; angle < 2*math.Pi {
		view = float32(angle / 2)
	}
	before, owner := p.Before, uint32(p.Agent)
	if before == nil || walker >= before.Len() {
		before, owner = maps.Walkers(), local.NotThere
	}
	var w local.Walker
	field := func(b *gpu.Buffer[local.Walker], offset uintptr) gpu.VertexAttribute {
		return attribute(b, walker, offset)
	}
	now := maps.Walkers()
	r.localMap.Draw(localMapInput{
		viewInput: r.view(p), potentials: maps.Potentials(walker), isolines: p.Layers.has(Isolines), marks: marks,
		stamped: field(now, unsafe.Offsetof(w.Stamped)), body: field(now, unsafe.Offsetof(w.Body)),
		cellsAcross: field(now, unsafe.Offsetof(w.Cells)), firstPotential: field(now, unsafe.Offsetof(w.First)),
		guide: field(now, unsafe.Offsetof(w.Guide)), heading: field(before, unsafe.Offsetof(w.Heading)),
		stood: field(before, unsafe.Offsetof(w.Stood)), ownerBefore: field(before, unsafe.Offsetof(w.Agent)),
		status:   attribute(p.Crowd.Agents, p.Agent, unsafe.Offsetof(agents.Agent{}.Status)),
		cellSize: float32(size), pixelsPerCell: float32(size * p.Camera.Scale), halfView: view,
		patience: local.Patience(parameters, p.Timestep), owner: owner,
	}, gpu.Draw{Target: p.Target, Mode: gpu.TriangleStrip, Count: 4, Instances: 1, Blend: gpu.BlendAlpha})
}

// drawPotential draws a goal's global potential instead of the ground's colors.
func (r *Renderer) drawPotential(p Picture) {
	r.fillMapped(p)
	grid := p.Potential.Grid()
	r.potential.Draw(potentialInput{
		gridInput: r.grid(p, grid.Columns, grid.Rows, grid.CellSize()), heights: p.Potential.Heights(),
		pixelRatio: float32(p.PixelRatio), isolines: p.Layers.has(Isolines),
	}, gpu.Draw{Target: p.Target, Mode: gpu.Triangles, Count: 3, Instances: 1, Depth: gpu.DepthState{Test: gpu.Less, Write: true}})
}

// drawUnknown veils what the agent's team does not know.
func (r *Renderer) drawUnknown(p Picture) {
	grid := p.Teams.Grid()
	if grid.Count() == 0 {
		return
	}
	r.unknown.Draw(unknownInput{
		gridInput: r.grid(p, grid.Columns, grid.Rows, grid.CellSize()), seen: p.Teams.Seen(), firstCell: uint32(p.Team * grid.Count()),
	}, gpu.Draw{Target: p.Target, Mode: gpu.Triangles, Count: 3, Instances: 1, Blend: gpu.BlendAlpha})
}

// grid describes a grid of cells over the domain.
func (r *Renderer) grid(p Picture, columns, rows int, cell float64) gridInput {
	l := r.shown.of.Lattice
	return gridInput{
		window: p.Camera.window(l.Origin), domainSize: l.Local(l.Size), cellCount: [2]int32{int32(columns), int32(rows)}, cellSize: float32(cell),
	}
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
