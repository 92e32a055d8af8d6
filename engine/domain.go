package engine

import "github.com/wayfront/wayfront/agents"

// onDomain is a local place on the domain that the edit leaves.
func (e *Edit) onDomain(p [2]float32) [2]float32 { return agents.Rebase(p, e.from, e.to) }

// takeDomain has what the CPU knows of agents and of their changes count from the corner of the
// domain that the edit leaves. Agents of the edit do already.
func (e *Edit) takeDomain() {
	w := e.world
	if e.from == e.to {
		return
	}
	for slot := range w.population.agents {
		if e.agents[uint32(slot)] == nil {
			own := &w.population.agents[slot].traits.Own
			*own = e.onDomain(*own)
		}
	}
	for i := range w.pending {
		p := &w.pending[i]
		p.Traits.Own = e.onDomain(p.Traits.Own)
		p.Agent.Rebase(e.from, e.to)
	}
	for i := range w.entering {
		n := &w.entering[i]
		*n = newcomer{e.to.Snap(e.from.World(n.at)), n.radius * e.from.Step / e.to.Step}
	}
}
