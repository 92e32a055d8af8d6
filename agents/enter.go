package agents

import "github.com/wayfront/wayfront/engine/gpu"

type enterInput struct {
	nearInput
	traits *gpu.Buffer[Traits]          `gpu:"read"`
	agents *gpu.Buffer[Agent]           `gpu:"readwrite"`
	params *gpu.Buffer[AvoidanceParams] `gpu:"read"`
	late   *gpu.Buffer[uint32]          `gpu:"readwrite"` // how many are late, then their indices
	count  uint32
	First  uint32
	clock  uint32
	asks   bool
	among  bool
}

// mayEnter reports whether an agent may still have to enter: always until counters arrive of a
// step after the newest ones were added.
func (c *Crowd) mayEnter() bool {
	return c.enters && (c.latest.Step <= int(c.waitsSince) || c.latest.Waiting > 0)
}

// Enter delays agents with an occupied place to enter. It reads agents as they were sorted in the
// step before, and writes agents. It does nothing once all have entered, and where nothing needs
// neighbors. Where no step before has sorted them, as before the first one, it sorts them itself,
// and waits for the device.
func (c *Crowd) Enter() {
	if !c.mayEnter() || c.late == nil {
		return
	}
	c.device.Stage("enter", func() {
		if !c.sorted && c.sorts() {
			c.sortAsTheyAre()
		}
		c.late.Write(0, []uint32{0})
		for _, among := range [...]bool{false, true} {
			c.passes.enter.RunEach(enterInput{
				nearInput: c.near(), traits: c.traits, agents: c.agents[0], params: c.paramBuffer, late: c.late,
				count: uint32(c.count), clock: c.clock, asks: c.sorted, among: among,
			}, c.count, groupSize, c.visitTurns()+c.count)
		}
	})
}
