package agents

import "fmt"

// Launch is how methods that can be spread over a device's processors are: an agent to an
// invocation, or to a work group whose invocations share its samples. The velocities are the
// same. Source: Bleiweiss 2009, section 4.3, where the nested form is 3.5 times as fast for
// 32 agents.
type Launch uint32

// The launches.
const (
	LaunchAuto   Launch = iota // nested for at most nestedMost agents, on a device of its own; else flat
	LaunchFlat                 // an invocation for each agent
	LaunchNested               // a work group for each agent; flat for more agents than a dispatch has groups
)

// nestedMost is up to how many agents their samples are shared by default: with groups of 64
// invocations a GPU of some 10^5 is about full then. A software renderer is full with one agent.
const nestedMost = 1024

// dispatchMost is how many work groups any device can dispatch along an axis.
const dispatchMost = 65535

// kernelVariant is a form of a method's passes.
type kernelVariant struct {
	method Method
	nested bool
}

// variant is the form of a method that this crowd launches.
func (a *avoidance) variant(m Method, count int) kernelVariant {
	nested := count <= dispatchMost && a.launch == LaunchNested
	if a.launch == LaunchAuto {
		nested = count <= nestedMost && !a.held.device.Info().Software
	}
	return kernelVariant{m, nested && methods[m].nests}
}

// SetLaunch chooses how methods are launched, from the next step on. The error is a
// *gpu.CompileError or ErrDeleted; all is then as it was.
func (c *Crowd) SetLaunch(l Launch) error {
	if l > LaunchNested {
		panic(fmt.Sprintf("agents: there is no launch %d; use LaunchAuto, LaunchFlat or LaunchNested", l))
	}
	if c.deleted {
		return ErrDeleted
	}
	a := &c.avoidance
	before := a.launch
	a.launch = l
	if err := a.prepare(c.lattice, c.count); err != nil {
		a.launch = before
		return fmt.Errorf("agents: another launch for a crowd of %d: %w", c.count, err)
	}
	return nil
}
