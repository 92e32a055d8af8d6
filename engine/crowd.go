package engine

import "github.com/wayfront/wayfront/agents"

// Crowd is what there is to read of a world's agents, by their slots. It changes none of them: that
// is Edit's.
type Crowd struct{ world *World }

// Crowd returns the agents for reading.
func (w *World) Crowd() Crowd { return Crowd{w} }

// Count is the number of slots that were ever used: agents that have left have theirs until others
// get them.
func (c Crowd) Count() int { return c.world.crowd.Count() }

// Counters returns how many agents do what, of three ticks ago, without waiting; those of no ticks
// before. Their Step says of when they are.
func (c Crowd) Counters() agents.Counters { return c.world.crowd.Counters() }

// CountersNow returns the counters of the last tick. It waits for the device. It panics with
// agents.ErrDeleted and the errors of gpu.Device.Do.
func (c Crowd) CountersNow() agents.Counters { return c.world.crowd.CountersNow() }

// Measure makes the coming ticks count agents that are stuck, and make up the Tally, or not: see
// agents.Crowd.Measure. It has agents sorted, and so pushed off one another, where none avoids
// others: journals have it.
func (c Crowd) Measure(on bool) error {
	err := c.world.crowd.Measure(on)
	if err == nil {
		e := journalEntry{Kind: entryMeasure, Tick: c.world.ticks}
		if on {
			e.Number = 1
		}
		c.world.journal.put(e)
	}
	return err
}

// Snapshot reads the records of all slots into dst, which must have Count elements. It waits for
// the device. It panics with agents.ErrDeleted and the errors of gpu.Device.Do.
func (c Crowd) Snapshot(dst []agents.Agent) { c.world.crowd.Snapshot(dst) }

// FirstLayer is the layer of the first goal of an agent's itinerary, or agents.OwnPoint.
func (c Crowd) FirstLayer(t agents.Traits) uint32 { return c.world.crowd.FirstLayer(t) }

// Follow chooses agents by their slots, to draw their paths: see agents.Crowd.Follow.
func (c Crowd) Follow(slots []int) (*agents.Paths, error) { return c.world.crowd.Follow(slots) }

// NewDrawList lists agents on the device for a draw of the host: see agents.Crowd.NewDrawList.
func (c Crowd) NewDrawList(count uint32) (*agents.DrawList, error) {
	return c.world.crowd.NewDrawList(count)
}

// SetLaunch sets how the passes of avoidance are dispatched, for benchmarks: results do not depend
// on it. See agents.Crowd.SetLaunch.
func (c Crowd) SetLaunch(l agents.Launch) error { return c.world.crowd.SetLaunch(l) }

// StepContext returns what local maps found on the device in the last tick, for benchmarks that
// repeat a stage of it: see agents.Crowd.StepContext.
func (c Crowd) StepContext() (agents.StepContext, bool) { return c.world.crowd.StepContext() }
