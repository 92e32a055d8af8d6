package render

import (
	"unsafe"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Sizes of paths. Unit: nominal pixels.
const (
	pathWidth  = 1.8
	pathCasing = 4.2 // the paler line below
	turnRadius = 3.2 // of the marks where a path turns

	agentForward = 6 // how far in front of the relief's surface agents are drawn
)

// attribute returns a field of a record from an index on, by its offset, an instance a record.
func attribute[T any](b *gpu.Buffer[T], index int, offset uintptr) gpu.VertexAttribute {
	return gpu.VertexAttribute{Buffer: b, Offset: index*b.Stride() + int(offset), Divisor: 1}
}

// ghostShare is how much agents of another world have the color of ghosts.
const ghostShare = 0.85

// drawGhosts draws the crowd of another world.
func (r *Renderer) drawGhosts(p Picture) {
	p.Crowd = p.Ghosts
	r.drawCrowd(p, vec4(Ghost, ghostShare))
}

func (r *Renderer) drawAgents(p Picture) { r.drawCrowd(p, [4]float32{}) }

// drawCrowd draws the crowd from its own buffers, with a color in place of its own by the alpha.
func (r *Renderer) drawCrowd(p Picture, tint [4]float32) {
	if p.Camera.Tilt > 0 {
		r.drawWalkers(p, tint)
		return
	}
	var agent agents.Agent
	var traits agents.Traits
	color := attribute(p.Crowd.Agents, 0, unsafe.Offsetof(agent.Layer))
	if p.ByGroup {
		color = attribute(p.Crowd.Traits, 0, unsafe.Offsetof(traits.Group))
	}
	r.agent.of(p).Draw(agentInput{
		standInput: r.stand(p, agentForward), behind: float32(p.Behind), scale: r.scale(p), shaded: p.shaded(), tint: tint, colorNumber: color,
		place:       attribute(p.Crowd.Agents, 0, unsafe.Offsetof(agent.Position)),
		velocity:    attribute(p.Crowd.Agents, 0, unsafe.Offsetof(agent.Velocity)),
		status:      attribute(p.Crowd.Agents, 0, unsafe.Offsetof(agent.Status)),
		agentRadius: attribute(p.Crowd.Traits, 0, unsafe.Offsetof(traits.Radius)),
	}, p.standing(gpu.Draw{Mode: gpu.TriangleStrip, Count: 4, Instances: p.Crowd.Count, Blend: gpu.BlendAlpha}))
}

// drawPaths draws paths of agents, with a mark at each turn.
func (r *Renderer) drawPaths(p Picture) {
	w := p.Paths
	each := func(draw func(gpu.Draw)) {
		for i := range w.Commands.Len() {
			draw(gpu.Draw{Mode: gpu.LineStrip, Indirect: &gpu.Indirect{Buffer: w.Commands, Offset: i * w.Commands.Stride()}})
		}
	}
	// All casings first, so that no path cuts another.
	each(func(d gpu.Draw) { r.drawLines(p, d, w.Points, pathCasing, 0, vec4(rim, 0.9)) })
	each(func(d gpu.Draw) { r.drawLines(p, d, w.Points, pathWidth, 0, vec4(source, 1)) })
	each(func(d gpu.Draw) { r.drawMarks(p, d, w.Points, turnRadius, source, false) })
}
