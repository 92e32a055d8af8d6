package engine

import (
	"errors"
	"fmt"
	"time"

	"github.com/wayfront/wayfront/agents"
)

// frame lists the stages of a tick in order, and when each is skipped. A stage that runs passes is
// timed under its name, and not at all where it is skipped. The documentation of packages agents
// and bvp/local lists the passes of each. Drawing is not part of a tick.
var frame = []func(w *World) error{
	// The ground and the maps. A map that is begun in one tick takes effect in the next one,
	// however fast the device is.
	(*World).finishMaps,   // maps begun with the last tick; waits for them; skipped without any
	(*World).changeGround, // edits, doors, moving obstacles: walls; skipped while all stay
	(*World).beginMaps,    // of goals whose sources or ground changed; skipped for the others

	// Where agents are, and where they want to go.
	crowd((*agents.Crowd).Begin),    // counters of the step from zero
	(*World).changeAgents,           // that edits add, remove, place, send; skipped without any
	crowd((*agents.Crowd).Displace), // agents that walls cover; skipped unless walls changed
	crowd((*agents.Crowd).Enter),    // agents that wait; skipped once all have entered
	crowd((*agents.Crowd).Escape),   // out of clearances; skipped where no goal has one
	crowd((*agents.Crowd).Guide),    // preferred velocities from maps, arrivals, next goals
	crowd((*agents.Crowd).Serve),    // agents that are served, lines; skipped where no goal serves

	// What is around them.
	crowd((*agents.Crowd).Sort),          // into cells; skipped where no later stage looks for neighbors
	crowd((*agents.Crowd).FindNeighbors), // the nearest agents; skipped where none avoids others
	crowd((*agents.Crowd).FindWalls),     // the nearest walls; skipped where none avoids others
	(*World).stepLocalMaps,               // stamp, relax, steer; skipped where no profile has a map

	// How they move. The states before and after are two buffers.
	crowd((*agents.Crowd).Avoid),     // new velocities; skipped where no agent avoids others
	crowd((*agents.Crowd).Integrate), // new places, cut at walls
	crowd((*agents.Crowd).Separate),  // agents that overlap; skipped where agents are not sorted

	// Statistics, which the CPU reads some ticks later.
	crowd((*agents.Crowd).CountStatuses),
	crowd((*agents.Crowd).CompareStates),   // events; skipped unless they are reported
	crowd((*agents.Crowd).MeasureContacts), // skipped unless measuring is on
	crowd((*agents.Crowd).End),             // the states swap; counters go to the CPU
}

// crowd makes a stage of the crowd one of the world.
func crowd(stage func(c *agents.Crowd)) func(w *World) error {
	return func(w *World) error { stage(w.crowd); return nil }
}

// step runs a tick. Where a stage fails, the tick has not run.
func (w *World) step() (err error) {
	if w.torn != nil {
		return w.torn
	}
	if w.tickTime > 0 {
		defer w.limitTime(time.Now(), &err)
	}
	w.device.Stage("step", func() {
		for _, stage := range frame {
			if err = stage(w); err != nil {
				return
			}
		}
		w.ticks++
		w.takeEvents()
		w.nameGoals()
		err = errors.Join(w.postLatest(), w.journalTick())
	})
	return err
}

// TimeError says that a tick took longer than Options.TickTime. The tick has run.
type TimeError struct {
	Took, Limit time.Duration
}

func (e *TimeError) Error() string {
	return fmt.Sprintf("engine: a tick took %v, and the limit is %v: raise Options.TickTime, or close the world", e.Took, e.Limit)
}

// limitTime waits for the device, and sets the error of a tick that began too long ago.
func (w *World) limitTime(began time.Time, err *error) {
	if *err != nil {
		return
	}
	w.device.Finish()
	if took := time.Since(began); took > w.tickTime {
		*err = &TimeError{took, w.tickTime}
	}
}
