package render

import (
	"fmt"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/shaders"
)

// Sizes of paths. Unit: nominal pixels.
const (
	pathWidth  = 1.8
	pathCasing = 4.2 // the paler line below
	turnRadius = 3.2 // of the marks where a path turns

	agentForward = 6 // how far in front of the relief's surface agents are drawn
)

// Byte offsets of fields that are drawn.
var (
	agentOffset = offsets(agents.Agent{})
	traitOffset = offsets(agents.Traits{})
)

// offsets returns the byte offsets of a record's fields by their names in GLSL.
func offsets(record any) func(name string) int {
	fields, err := shaders.Layout(record)
	if err != nil {
		panic(fmt.Sprintf("render: %v", err))
	}
	return func(name string) int {
		for _, f := range fields {
			if f.Name == name {
				return f.Offset
			}
		}
		panic(fmt.Sprintf("render: %T has no field %s", record, name))
	}
}

// drawAgents draws the crowd from its own buffers.
func (r *Renderer) drawAgents(p Picture) {
	c := p.Crowd
	agent := func(field string) gpu.VertexAttribute {
		return gpu.VertexAttribute{Buffer: c.Agents, Offset: agentOffset(field), Divisor: 1}
	}
	trait := func(field string) gpu.VertexAttribute {
		return gpu.VertexAttribute{Buffer: c.Traits, Offset: traitOffset(field), Divisor: 1}
	}
	in := agentInput{
		standInput: r.stand(p, agentForward), behind: float32(p.Behind), scale: r.scale(p),
		place: agent("position"), velocity: agent("velocity"), status: agent("status"), agentRadius: trait("radius"), colorNumber: agent("layer"),
	}
	if p.ByGroup {
		in.colorNumber = trait("group")
	}
	r.agent.of(p).Draw(in, p.standing(gpu.Draw{Mode: gpu.TriangleStrip, Count: 4, Instances: c.Count, Blend: gpu.BlendAlpha}))
}

// drawPaths draws paths of agents, with a mark at each turn.
func (r *Renderer) drawPaths(p Picture) {
	w := p.Ways
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
