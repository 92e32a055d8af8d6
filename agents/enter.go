package agents

import "github.com/wayfront/wayfront/engine/gpu"

type enterInput struct {
	nearInput
	traits *gpu.Buffer[Traits]          `gpu:"read"`
	agents *gpu.Buffer[Agent]           `gpu:"readwrite"`
	params *gpu.Buffer[AvoidanceParams] `gpu:"read"`
	late   *gpu.Buffer[uint32]          `gpu:"readwrite"` // how many are late, then their indices
	count  uint32
	first  uint32
	clock  uint32
	asks   bool
	among  bool
}

func enterPass() gpu.PassSpec[enterInput] { return specOf[enterInput]("enter", nil) }

// mayEnter reports whether an agent may still have to enter.
func (c *Crowd) mayEnter() bool {
	return c.lastEntry > 0 && (c.latest.Step == 0 || c.latest.Waiting > 0)
}

// Enter delays agents whose place to enter is occupied. It reads agents as they were sorted in the step before, and writes agents. It
// does nothing once all have entered, and where nothing needs neighbors.
func (c *Crowd) Enter() {
	if !c.mayEnter() || c.late == nil {
		return
	}
	c.device.Pass("enter", func() {
		c.late.Write(0, []uint32{0})
		for _, among := range [...]bool{false, true} {
			c.passes.enter.RunEach(enterInput{
				nearInput: c.near(), traits: c.traits, agents: c.agents[0], params: c.avoidance.paramBuffer, late: c.late,
				count: uint32(c.count), clock: c.clock, asks: c.sorted, among: among,
			}, c.count, groupSize, c.visitTurns()+c.count)
		}
	})
}

// Hold tells, of agents before the step that is numbered clock, who is due and has to wait: the plain
// form of the pass.
func (r *Reference) Hold(agents []Agent, traits []Traits, clock uint32) []bool {
	careful := func(i int) bool { return r.Params != nil && r.Params[traits[i].Profile].Method != NoMethod }
	due := func(i int) bool { return agents[i].Status == Waiting && clock >= traits[i].Entry }
	overlap := func(i, j int) bool {
		radii := traits[i].Radius + traits[j].Radius
		return squaredLength(minus(agents[i].Position, agents[j].Position)) < float32(radii*radii)
	}
	first, held := make([]bool, len(agents)), make([]bool, len(agents))
	for i := range agents {
		for j, b := range agents {
			there := b.Status == Walking || b.Status == Arrived
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
