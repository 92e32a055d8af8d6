package engine

import (
	"fmt"
	"slices"

	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/scenes"
)

// birth is what an agent draws by all its life, whatever becomes of its group.
type birth struct {
	seed    uint64
	grouped bool
	a, b    uint32 // its group and its index there, or its slot and generation where it was added
}

// draw is how the agent draws what is its own.
func (b birth) draw() scenes.Draw {
	if b.grouped {
		return spawn.Draw(b.seed, b.a, b.b)
	}
	return spawn.DrawAdded(b.seed, b.a, b.b)
}

// become gives an agent what is its own: what SetIndividual gave it, or what it draws from its
// profile.
func (a *agentEdit) become(p *Profile, draw scenes.Draw) {
	if own := a.own; own != nil {
		a.traits.Radius, a.traits.MaxSpeed, a.speed = float32(own.Radius), float32(own.MaxSpeed), float32(own.PreferredSpeed)
	} else {
		a.traits.Radius, a.traits.MaxSpeed = float32(p.DrawRadius(draw)), float32(p.DrawMaxSpeed(draw))
		a.speed = float32(p.DrawPreferredSpeed(draw))
	}
	a.individualize(p, draw)
	a.setSpeed()
}

// individualize gives an agent its local map, if that may differ from others of the profile.
func (a *agentState) individualize(p *Profile, draw scenes.Draw) {
	switch a.bvp = nil; {
	case a.own != nil:
		a.bvp = &a.own.BVP
	case p.mapsDiffer():
		drawn := p.DrawBVP(draw)
		a.bvp = &drawn
	}
}

// mapsDiffer reports whether the profile's agents have local maps that differ.
func (p *Profile) mapsDiffer() bool { return p.localMap() != nil && p.MapsDiffer() }

// SetIndividual gives an agent what differs between agents: its radius, its speeds, and its local
// map where its profile has one. It has them until AssignProfile. The guide of local maps is that
// of the profile. Faults are what scenes.Individual.Check refuses, and another guide.
func (e *Edit) SetIndividual(id AgentID, to scenes.Individual) {
	e.begin("SetIndividual", id, to)
	a := e.agent("SetIndividual", 0, id)
	if a == nil {
		return
	}
	p := e.profile(int(a.traits.Profile))
	f := EditError{Op: "SetIndividual", Handle: id}
	for _, problem := range to.Check() {
		if !problem.Note {
			f.Path, f.Why = problem.Path, problem.Message
			e.fault(f)
		}
	}
	if e.broken[id] {
		return
	}
	if p.localMap() != nil && to.BVP.Guide != p.BVP.Guide {
		f.Path, f.Why = "$.bvp.guide", fmt.Sprintf("the guide is that of the profile %q, %q; set the profile, or assign another one", p.ID, p.BVP.Guide)
		e.fault(f)
	}
	to.BVP.Table = slices.Clone(to.BVP.Table)
	a.own = &to
	e.follow(a, int(a.traits.Profile))
}

// Individual is what an agent has of its own, with the edits that take effect in the next tick:
// what it draws from the distributions of its profile, or what Edit.SetIndividual gave it. Of an
// agent whose profile has no local map BVP is what it would have. The error is a *HandleError or
// ErrClosed.
func (w *World) Individual(id AgentID) (scenes.Individual, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a, err := found(w, &w.agentIDs, id, w.population.agents, func(a *agentState) bool { return a.present })
	if err != nil {
		return scenes.Individual{}, err
	}
	p := &w.profiles[a.traits.Profile]
	own := p.Individual(a.born.draw())
	if a.own != nil {
		own = *a.own
		own.BVP.Guide = p.BVP.Guide
	}
	own.BVP.Table = slices.Clone(own.BVP.Table)
	return own, nil
}
