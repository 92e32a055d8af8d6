package engine

import "github.com/wayfront/wayfront/agents"

// frame is a tick: its stages in order. Each one has timers of its own name where it runs a pass. Drawing is no part of it.
var frame = []func(w *World) error{
	// The ground and the maps. A map that is begun in one tick takes effect in the next one, however fast the device is.
	(*World).finishMaps,   // maps begun with the last tick take effect; waits for those that are not complete; nothing without them
	(*World).changeGround, // edits, doors and moving obstacles of this tick make new walls; nothing while all stays in its place
	(*World).beginMaps,    // of goals whose sources or ground have changed; nothing for the others

	crowd((*agents.Crowd).Begin),

	// Where agents are, and where they want to go.
	crowd((*agents.Crowd).Displace), // agents covered by walls go to free ground; nothing unless walls have changed
	crowd((*agents.Crowd).Enter),    // agents enter unless their place is occupied; nothing once all have entered
	crowd((*agents.Crowd).Escape),   // agents inside a clearance find the way out; nothing where no goal has one
	crowd((*agents.Crowd).Guide),    // preferred velocities from maps, arrivals, next goals

	// What is around them.
	crowd((*agents.Crowd).Sort),          // agents into cells; nothing where no later stage looks for neighbors
	crowd((*agents.Crowd).FindNeighbors), // the nearest agents; nothing where none avoids others
	crowd((*agents.Crowd).FindWalls),     // the nearest walls; neighbors that they hide go; nothing where none avoids others
	(*World).stepLocalMaps,               // stamps and relaxes local maps, and steers by them; nothing where no profile has one

	// How they move. The states before and after are two buffers.
	crowd((*agents.Crowd).Avoid),     // new velocities, a dispatch a method; nothing where no agent avoids others
	crowd((*agents.Crowd).Integrate), // new places, cut at walls
	crowd((*agents.Crowd).Separate),  // agents that overlap part; nothing where none is sorted

	// Statistics, which the CPU reads some ticks later.
	crowd((*agents.Crowd).CountStatuses),
	crowd((*agents.Crowd).MeasureContacts), // nothing unless measuring is on
	crowd((*agents.Crowd).End),
}

// crowd makes a stage of the crowd one of the world.
func crowd(stage func(c *agents.Crowd)) func(w *World) error {
	return func(w *World) error { stage(w.crowd); return nil }
}

// step runs a tick. Where a stage fails, the tick has not run.
func (w *World) step() (err error) {
	w.device.Pass("step", func() {
		for _, stage := range frame {
			if err = stage(w); err != nil {
				return
			}
		}
		w.ticks++
	})
	return err
}
