package agents

import (
	"slices"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Deferred passes of guidance and integration, which are for those agents only that the passes
// before them have put into a queue.
const (
	steering = iota
	moving
	searchingAgain // in the queue of steering, which is done by then
	searching
	deferredPasses
)

// emptyQueues is what the table of deferred passes (shaders/agents/deferred.glsl) holds while
// their queues are empty.
func emptyQueues(passes int) [][4]uint32 { return slices.Repeat([][4]uint32{{0, 1, 1, 0}}, passes) }

// deferredQueue is the queues of deferred passes.
type deferredQueue struct {
	table  *gpu.Buffer[[4]uint32] // of each pass the dispatch, and how many agents it is for
	queues *gpu.Buffer[uint32]    // those agents, of two passes at a time
}

// deferredInput is that of agents/deferred.glsl.
type deferredInput struct {
	deferred *gpu.Buffer[[4]uint32] `gpu:"readwrite"`
	queues   *gpu.Buffer[uint32]    `gpu:"readwrite"`
	Portion  [2]uint32
}

func (q deferredQueue) input() deferredInput {
	return deferredInput{deferred: q.table, queues: q.queues}
}

// runDeferred runs a pass for the agents in its queue, which are at most count and take up to so
// many turns each.
func runDeferred[T any](p *gpu.Pass[T], in T, table *gpu.Buffer[[4]uint32], pass, count, turns int) {
	p.RunIndirectEach(in, table, table.Stride()*pass, count, turns)
}

// queueWords is how many words the queues of guidance and integration take for so many agents.
func queueWords(count int) int { return (2 + searchWords) * count }

// newDeferredQueue makes the queues of guidance and integration for so many agents, with the
// words that searches take. chosen, if any, are those agents; else passes queue them.
func newDeferredQueue(r *gpu.ResourceSet, count int, chosen ...int) deferredQueue {
	queues := make([]uint32, queueWords(count))
	for i, agent := range chosen {
		queues[2*count+i*searchWords] = uint32(agent)
	}
	return deferredQueue{gpu.Upload(r, "agents deferred passes", emptyGuidanceQueues), gpu.Upload(r, "agents deferred", queues)}
}

// emptyGuidanceQueues is emptyQueues of these passes. A work group is for one search.
var emptyGuidanceQueues = func() [][4]uint32 {
	passes := emptyQueues(deferredPasses)
	passes[searching][1], passes[searchingAgain][1] = uint32(groupSize), uint32(groupSize)
	return passes
}()

// reset empties the queues.
func (q deferredQueue) reset() { q.table.Write(0, emptyGuidanceQueues) }
