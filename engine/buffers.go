package engine

import (
	"fmt"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/shaders"
	"github.com/wayfront/wayfront/spm"
)

// Buffers are what a host draws from, on the device: method Name of a buffer or texture returns its
// name in OpenGL. Lengths are meters, and places count from Origin.
//
// Agents.Agents has the state after the last tick and Agents.Previous the one before it, both with
// a record of each slot; AgentsGLSL has their layout. A slot is an agent's for its life, and
// drawing is an instanced draw of Agents.Count instances, of which those without a body are left
// out. The names of these buffers change with each tick, so take them with each frame. Names of
// Maps change when Epoch does.
type Buffers struct {
	Origin mgl64.Vec2 // of the places in all buffers and textures, world meters
	Epoch  uint64
	Maps   *spm.Map
	Agents agents.Buffers
}

// Buffers returns the names as they are now.
func (w *World) Buffers() Buffers {
	w.mu.Lock()
	defer w.mu.Unlock()
	return Buffers{
		Origin: w.walked.Lattice.Origin, Epoch: w.epoch + w.maps.Epoch(), Maps: w.maps, Agents: w.crowd.Buffers(),
	}
}

// AgentsGLSL returns the GLSL of the records in Buffers.Agents, for shaders of the host: the
// structs Agent and Traits in the layout std430, and agentIsThere, which says of the status of an
// agent whether it has a body, and is to be drawn. Paste it behind the line with the version, and
// declare the buffers as the host binds them:
//
//	layout(std430, binding = 0) readonly buffer Agents { Agent agents[]; };
func AgentsGLSL() string {
	var b strings.Builder
	for _, record := range []any{agents.Agent{}, agents.Traits{}} {
		text, err := shaders.Struct(record)
		if err != nil {
			panic(err) // their buffers could not be made either
		}
		b.WriteString(text)
	}
	fmt.Fprintf(&b, "bool agentIsThere(uint status) {\n    return status == %du || status == %du || status == %du;\n}\n",
		agents.Walking, agents.Arrived, agents.Placed)
	return b.String()
}
