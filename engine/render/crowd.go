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
	program := r.program(p, "agent")
	r.view(program, p)
	program.Set("behind", float32(p.Behind))
	program.Set("scale", r.scale(p))
	agent := func(location uint32, components int, kind gpu.Kind, field string) gpu.Attribute {
		return gpu.Attribute{
			Location: location, Buffer: c.Agents.Name(), Components: components, Kind: kind,
			Offset: agentOffset(field), Stride: c.Agents.Stride(), Divisor: 1,
		}
	}
	trait := func(location uint32, kind gpu.Kind, field string) gpu.Attribute {
		return gpu.Attribute{
			Location: location, Buffer: c.Traits.Name(), Components: 1, Kind: kind,
			Offset: traitOffset(field), Stride: c.Traits.Stride(), Divisor: 1,
		}
	}
	color := agent(4, 1, gpu.Uint, "layer")
	if p.ByGroup {
		color = trait(4, gpu.Uint, "group")
	}
	r.stand(p, agentForward, gpu.Draw{
		Program: program, Mode: gpu.TriangleStrip, Count: 4, Instances: c.Count, Blend: gpu.BlendAlpha,
		Attributes: []gpu.Attribute{
			agent(0, 2, gpu.Float, "position"), agent(1, 2, gpu.Float, "velocity"), agent(2, 1, gpu.Uint, "status"),
			trait(3, gpu.Float, "radius"), color,
		},
	})
}

// drawWays draws paths of agents, with a mark at each turn.
func (r *Renderer) drawWays(p Picture) {
	w := p.Ways
	each := func(draw func(gpu.Draw)) {
		for i := range w.Commands.Len() {
			draw(gpu.Draw{Mode: gpu.LineStrip, Indirect: &gpu.Indirect{Buffer: w.Commands, Offset: i * w.Commands.Stride()}})
		}
	}
	// All casings first, so that no path cuts another.
	each(func(d gpu.Draw) { r.drawLines(p, d, w.Points, pathCasing, vec4(rim, 0.9)) })
	each(func(d gpu.Draw) { r.drawLines(p, d, w.Points, pathWidth, vec4(source, 1)) })
	each(func(d gpu.Draw) { r.drawMarks(p, d, w.Points, turnRadius, source, false) })
}
