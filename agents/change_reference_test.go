package agents

// Change is an agent and its traits after a change, and whether the agent took notice of it.
func (r *Reference) Change(a Agent, t Traits, change Change) (Agent, Traits, bool) {
	has := func(field uint32) bool { return change.Fields&field != 0 }
	if has(ChangeNew) {
		return change.Agent, change.Traits, true
	}
	if has(ChangeTraits) {
		t = change.Traits
	}
	if a.Status == Left {
		return a, t, false
	}
	to := change.Agent
	if has(ChangePlace) {
		a.Position, a.Velocity, a.Pushed = to.Position, to.Velocity, [2]float32{}
		a.FromX, a.FromY, a.Perturbation = to.FromX, to.FromY, to.Perturbation
	}
	if has(ChangeGoal) {
		a.Layer, a.Stage, a.Lost = to.Layer, to.Stage, 0
		if a.Status == Arrived {
			a.Status = Walking
		}
	}
	if has(ChangePlace | ChangeGoal) {
		a.Target, a.Sees = NoTarget, 0
	}
	if has(ChangeStatus) {
		a.Status = to.Status
	}
	return a, t, true
}
