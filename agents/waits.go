package agents

import (
	"slices"

	"github.com/wayfront/wayfront/engine/gpu"
)

// nobodyWaits is what a table of later passes (shaders/agents/later.glsl) says before anybody waits for them.
func nobodyWaits(passes int) [][4]uint32 { return slices.Repeat([][4]uint32{{0, 1, 1, 0}}, passes) }

// runFor runs a pass for who waits for it, by the table that says how many those are.
func runFor(p *gpu.Program, later *gpu.Buffer[[4]uint32], pass int) {
	p.DispatchIndirect(later.Name(), later.Stride()*pass)
}

// The passes that are for those only whom the pass before them has left, as shaders/agents/later.glsl has it.
const (
	steering = iota
	moving
	waitingPasses
)

// The binding points of who waits, where those of other buffers of the stage leave room.
const (
	bindSteerLater   = 2
	bindSteerQueues  = 7
	bindSteerManners = 6
	bindMoveLater    = 4
	bindMoveQueues   = 5
	bindPastQueues   = 3 // integratepast
)

// waits are the agents that wait for a later pass of steering or moving.
type waits struct {
	later  *gpu.Buffer[[4]uint32] // of each pass a dispatch, and for how many agents
	queues *gpu.Buffer[uint32]    // which, of each pass
}

func (w *waits) prepare(h *hoard, count int) {
	w.later = upload(h, "agents waiting to be steered and moved", nobodyWaits(waitingPasses))
	w.queues = upload(h, "agents that wait", make([]uint32, waitingPasses*count))
}

// begin has nobody wait.
func (w *waits) begin() {
	w.later.Write(0, nobodyWaits(waitingPasses))
}

func (w *waits) bind(later, queues uint32) {
	w.later.Bind(later)
	w.queues.Bind(queues)
}

// waitSpec says how a stage is put together that has agents wait, or that they wait for.
func waitSpec(stage string, plain bool, later, queues int) gpu.Spec {
	s := spec(stage, plain)
	for name, value := range map[string]any{
		"LATER_BINDING":  later,
		"QUEUES_BINDING": queues,
		"STEERING":       uint32(steering),
		"MOVING":         uint32(moving),
	} {
		s.Defines[name] = value
	}
	return s
}

func steerSpec(stage string, plain bool) gpu.Spec {
	s := waitSpec(stage, plain, bindSteerLater, bindSteerQueues)
	s.Structs = append(s.Structs, Manner{})
	s.Defines["STEER_MANNERS_BINDING"] = bindSteerManners
	return s
}

func integrateSpec() gpu.Spec {
	s := waitSpec("agents/integrate.comp.glsl", false, bindMoveLater, bindMoveQueues)
	s.Structs = append(s.Structs, Manner{})
	s.Defines["MANNERS_BINDING"] = bindManners
	return s
}

func pastSpec(plain bool) gpu.Spec {
	return waitSpec("agents/integratepast.comp.glsl", plain, bindMoveLater, bindPastQueues)
}
