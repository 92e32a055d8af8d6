package agents

// Enter reports which agents, as they are before the step that is numbered clock, are due and
// have to wait.
func (r *Reference) Enter(agents []Agent, traits []Traits, clock uint32) []bool {
	careful := func(i int) bool { return r.Params != nil && r.Params[traits[i].Profile].Method != NoMethod }
	due := func(i int) bool { return agents[i].Status == Waiting && clock >= traits[i].Entry }
	overlap := func(i, j int) bool {
		radii := traits[i].Radius + traits[j].Radius
		return squaredLength(minus(agents[i].Position, agents[j].Position)) < float32(radii*radii)
	}
	first, held := make([]bool, len(agents)), make([]bool, len(agents))
	for i := range agents {
		for j, b := range agents {
			there := There(b.Status)
			first[i] = first[i] || there && due(i) && careful(i) && overlap(i, j)
		}
	}
	for i := range agents {
		held[i] = first[i]
		for j := range i {
			late := due(j) && careful(j) && clock > traits[j].Entry && !first[j]
			held[i] = held[i] || late && due(i) && careful(i) && overlap(i, j)
		}
	}
	return held
}
