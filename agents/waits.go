package agents

import (
	"slices"

	"github.com/wayfront/wayfront/engine/gpu"
)

// nobodyWaits is what a table of later passes (shaders/agents/later.glsl) says before anybody waits for them.
func nobodyWaits(passes int) [][4]uint32 { return slices.Repeat([][4]uint32{{0, 1, 1, 0}}, passes) }

// runFor runs a pass for the agents that wait for it, which are at most count and take up to so many turns each, by the table that
// says how many they are: in several dispatches where one could exceed gpu.Budget.
func runFor(p *gpu.Program, later *gpu.Buffer[[4]uint32], pass, count, turns int) {
	most := p.Portion(turns)
	for first := 0; first < count; first += most {
		p.Set("portion", [2]uint32{uint32(first), uint32(first + most)})
		p.DispatchIndirect(later.Name(), later.Stride()*pass)
	}
}

// The passes that are for those only whom the pass before them has left, as shaders/agents/later.glsl has it.
const (
	steering = iota
	moving
	searchingAgain // in the queue of steering, which is done by then
	searching
	waitingPasses
)

// Searches of all generators of a layer (shaders/agents/search.glsl).
const (
	// searchWords is what one takes among the queues: SEARCH_WORDS there.
	searchWords = 7 + mostBends

	// searchTurns is how many generators an invocation asks about in a dispatch, at most. Sight of
	// one may take some thousand turns of loops, of which Mesa's software renderer allows an
	// invocation 65,535.
	searchTurns = 16

	// searchAtOnce is how many sources agents that walk straight ask about without a search.
	searchAtOnce = 64

	// searchPairs is how many pairs of agents and generators a dispatch asks about, at most, while
	// agents are fewer: less than 2 s where a device makes 2 10^7 tests of sight a second. Each
	// dispatch has a cost even if none searches, and there are as many as all agents would need.
	searchPairs = 1 << 25
)

// The binding points of who waits, where those of other buffers of the stage leave room.
const (
	bindSteerLater   = 2
	bindSteerQueues  = 7
	bindSteerManners = 6
	bindMoveLater    = 4
	bindMoveQueues   = 5
	bindPastQueues   = 3 // integratepast
	bindFollowLater  = 3
)

// waits are the agents that wait for a later pass of steering or moving.
type waits struct {
	later  *gpu.Buffer[[4]uint32] // of each pass a dispatch, and for how many agents
	queues *gpu.Buffer[uint32]    // which, of each pass
}

// prepare has room for so many agents. chosen, if any, are those agents; else passes queue them.
func (w *waits) prepare(h *hoard, count int, chosen ...int) {
	queues := make([]uint32, (2+searchWords)*count)
	for i, agent := range chosen {
		queues[2*count+i*searchWords] = uint32(agent)
	}
	w.later = upload(h, "agents waiting to be steered and moved", noneWait())
	w.queues = upload(h, "agents that wait", queues)
}

// noneWait is nobodyWaits of these passes. A work group is for one search.
func noneWait() [][4]uint32 {
	passes := nobodyWaits(waitingPasses)
	passes[searching][1], passes[searchingAgain][1] = uint32(groupSize), uint32(groupSize)
	return passes
}

// begin has nobody wait.
func (w *waits) begin() {
	w.later.Write(0, noneWait())
}

// sliceFor is how many generators a dispatch of searches by so many agents asks about.
func sliceFor(agents int) int { return max(1, min(searchTurns*groupSize, searchPairs/max(agents, 1))) }

// search runs a pass's searches to their end. The queue of the pass has been bound, and so is all
// that p reads; its uniforms are set but for the pass and slices.
func (c *Crowd) search(p *gpu.Program, later *gpu.Buffer[[4]uint32], pass, slice int) {
	p.Set("pass", uint32(pass))
	p.Set("slice", uint32(slice))
	for first := 0; first < c.guide.Stride; first += slice {
		p.Set("first", uint32(first))
		p.DispatchIndirect(later.Name(), later.Stride()*pass)
		c.device.Barrier(gpu.BarrierStorage)
	}
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
		"SEARCHING":      uint32(searching),
		"AT_ONCE":        uint32(searchAtOnce),
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

func searchSpec(plain bool) gpu.Spec { return steerSpec("agents/search.comp.glsl", plain) }

func followSpec(stage string) gpu.Spec {
	return waitSpec(stage, false, bindFollowLater, bindSteerQueues)
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
