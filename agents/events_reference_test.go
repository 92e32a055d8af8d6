package agents

// Events is what happens to an agent in the step that is numbered clock, with its states before and
// after it, and the mark that is left. rest is kept up; fresh says that the step is the first one.
func (r *Reference) Events(before, after Agent, t Traits, mark uint32, rest *Rest, clock uint32, fresh bool) (kinds EventKinds, left uint32) {
	if There(after.Status) {
		far := squaredLength(minus(after.Position, [2]float32{rest.X, rest.Y}))
		if fresh || after.Entered == clock || far > 0 && far >= float32(t.Radius*t.Radius) {
			*rest = Rest{after.Position[0], after.Position[1], clock}
		}
		if after.Status == Walking && after.Arrivals == 0 && clock-rest.Since >= EntryStep(stuckTime, float64(r.Timestep)) {
			left = markStuck
		}
	}
	for kind, happens := range map[EventKinds]bool{
		EventEntered: before.Status == Waiting && after.Status != Waiting,
		EventArrived: after.Arrivals > before.Arrivals,
		EventLeft:    before.Status != Left && after.Status == Left,
		EventStuck:   left&^mark != 0,
		EventFreed:   mark&^left&markStuck != 0,
		EventNoRoute: after.Status == Walking && after.Lost == 1,
		EventBlocked: after.Status == Waiting && after.Lost == 1 && clock == t.Entry,
	} {
		if happens {
			kinds |= kind
		}
	}
	return kinds | mark&^markStuck, left
}
