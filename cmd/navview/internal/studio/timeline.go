package studio

import (
	"math"
	"slices"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/edit"
)

// Limits of Timeline.Speed.
const (
	MinSpeed = 0.25
	MaxSpeed = 16
)

// timelineLimit is the memory of checkpoints: one of 10,000 agents is 5.3 MB (BenchmarkCheckpoint),
// so that 48 are kept: of the last seconds each, thinner of hours. Unit: bytes.
const timelineLimit = 256 << 20

// newTimeline returns the time of no world yet.
func newTimeline() *Timeline {
	return &Timeline{Speed: 1, Limit: timelineLimit, Stops: AtEvents, Measure: &Measuring{}}
}

// Timeline is the time of a world that is known, from its beginning to the present, and where in it
// the world is. It keeps a checkpoint of each second and every edit with its tick, so that the world
// comes to any time of then as it was, bit for bit. Checkpoints that exceed the limit are thinned
// out, older ones more: no time is lost, the way to it is longer.
type Timeline struct {
	Speed  float64           // simulated seconds in a second of the clock, when it plays
	Factor float64           // what of it is reached, smoothed; 0 while it does not play
	Limit  int64             // bytes of checkpoints on the device and in memory
	Stops  engine.EventKinds // that the actions of events stop at
	Events []engine.Event    // that are known, in order of ticks
	Lost   int               // events that were too many to keep: the oldest

	Measure *Measuring

	view    *worldview.View
	author  authored      // what the document says: the world's whenever no seek is under way
	has     *scenes.Scene // what the world has
	text    []byte        // that the world was synced to last
	points  []checkpoint
	edits   []edited
	applied int      // edits that the world has, the first ones
	pending []edited // that it has since the last tick, beyond those
	branch  bool     // pending edits are of the author, not of a seek alone
	end     uint64   // ticks of the present
	seen    uint64   // the last tick whose events are known
	target  uint64   // of the seek
	from    uint64   // where the seek began
	seeking bool
	taken   []engine.Event // of a tick
	rolled  func() error   // after a rollback; nil: nothing

	clock, simulated float64 // of the last frames, older ones less. Unit: s
}

// checkpoint is a state that the world can be brought back to.
type checkpoint struct {
	*engine.Checkpoint
	has   *scenes.Scene
	edits int            // that it has
	meter *measure.Meter // what was measured until then
	bytes int64
}

// authored is a scene with its text.
type authored struct {
	scene *scenes.Scene
	text  []byte
}

// edited is a document that the world was synced to after so many ticks: what its text has in place of
// that of the one before. Of the last mostScenes the scene is there as well; others are read again.
type edited struct {
	edit.Splice
	tick    uint64
	scene   *scenes.Scene // nil: of the text
	refused bool          // by the world, which used up handles all the same
}

// mostScenes is how many edits keep their scene: those of the last seconds of a drag.
const mostScenes = 128

// AtEvents are the events that are worth a stop.
const AtEvents = engine.Stuck | engine.NoRoute | engine.Displaced | engine.Missed

// mostEvents is how many events are kept.
const mostEvents = 1 << 18

// begin begins the time of a world of a scene.
func (t *Timeline) begin(d *gpu.Device, v *worldview.View, scene *scenes.Scene) {
	t.view, t.author, t.has = v, authored{scene: scene}, scene
	now := v.World.Ticks()
	t.end, t.seen = now, now
	t.Measure.begin(d, v, scene)
}

// clear forgets all, for another world.
func (t *Timeline) clear() {
	for _, p := range t.points {
		p.Free()
	}
	t.Measure.close()
	*t = Timeline{Speed: t.Speed, Limit: t.Limit, Stops: t.Stops, Measure: t.Measure, rolled: t.rolled}
}

// seconds returns the time after so many ticks.
func (t *Timeline) seconds(ticks uint64) float64 {
	return float64(ticks) * t.view.World.Scene().Simulation.Timestep
}

// Now is where the world is. Unit: s.
func (t *Timeline) Now() float64 { return t.view.World.Time() }

// End is the present: the latest time that is known. Unit: s.
func (t *Timeline) End() float64 { return t.seconds(t.end) }

// Begin is the earliest time that the world can be brought back to. Unit: s.
func (t *Timeline) Begin() float64 {
	if len(t.points) == 0 {
		return t.Now()
	}
	return t.seconds(t.points[0].Ticks())
}

// Past reports whether the world is at a time before the present, and the author has not changed it
// there.
func (t *Timeline) Past() bool { return !t.branch && t.view.World.Ticks() < t.end }

// Checkpoints returns how many there are, and the bytes that they take.
func (t *Timeline) Checkpoints() (count int, bytes int64) {
	for _, p := range t.points {
		bytes += p.bytes
	}
	return len(t.points), bytes
}

// sync makes the world equal to the author's document. During a seek it does so at its end.
func (t *Timeline) sync(to authored) error {
	if t.seeking {
		t.author = to
		return nil
	}
	t.branch = true
	return t.apply(to)
}

// apply makes the world equal to a document, which is an edit that is not known yet.
func (t *Timeline) apply(to authored) error {
	if err := t.Measure.drain(); err != nil { // in coordinates of the domain that was
		return err
	}
	err := t.view.Sync(to.scene)
	t.pending = append(t.pending, edited{edit.Difference(t.text, to.text), t.view.World.Ticks(), to.scene, err != nil})
	t.text = to.text
	if err == nil {
		t.author = to
		t.hasNow(to.scene)
	}
	return err
}

// hasNow notes what the world has.
func (t *Timeline) hasNow(scene *scenes.Scene) {
	t.has, t.Measure.scene, t.Measure.stale = scene, t.author.scene, true
}

// commit makes pending edits known. What was known of the time after them is not any more, as it
// would come out otherwise.
func (t *Timeline) commit() {
	if len(t.pending) == 0 && t.applied == len(t.edits) {
		return
	}
	now := t.view.World.Ticks()
	t.edits = t.edits[:t.applied]
	t.points = slices.DeleteFunc(t.points, func(p checkpoint) bool {
		of := p.Ticks() > now || p.edits > t.applied
		if of {
			p.Free()
		}
		return of
	})
	t.Events = slices.DeleteFunc(t.Events, func(e engine.Event) bool { return e.Tick > now })
	t.seen, t.end = min(t.seen, now), now
	t.edits = append(t.edits, t.pending...)
	for i := len(t.edits) - mostScenes - 1; i >= 0 && t.edits[i].scene != nil; i-- {
		t.edits[i].scene = nil
	}
	t.applied, t.pending, t.branch = len(t.edits), nil, false
}

// tick runs a tick, after which the time before is as it was.
func (t *Timeline) tick() error {
	t.commit()
	return t.step()
}

// step runs a tick of what is known, or the next one.
func (t *Timeline) step() error {
	if err := t.keep(); err != nil {
		return err
	}
	if err := t.view.Step(); err != nil {
		return err
	}
	now := t.view.World.Ticks()
	t.end = max(t.end, now)
	t.take(now)
	return t.Measure.observe()
}

// eventLatency is how many ticks late the engine reports events.
const eventLatency = 3

// take takes the events that have surfaced and are not known.
func (t *Timeline) take(now uint64) {
	t.taken = t.view.World.Events(t.taken[:0])
	for _, e := range t.taken {
		if e.Tick > t.seen {
			t.Events = append(t.Events, e)
		}
	}
	if over := len(t.Events) - mostEvents; over > 0 {
		over += mostEvents / 8 // not at every tick
		t.Lost += over
		t.Events = slices.Delete(t.Events, 0, over)
	}
	if now > eventLatency {
		t.seen = max(t.seen, now-eventLatency)
	}
}

// bytesOfAgent is what a checkpoint has in memory for an agent: 3.5 MB with 10,000 (BenchmarkCheckpoint).
const bytesOfAgent = 350

// keep keeps a checkpoint where one is due: at the beginning, and every second.
func (t *Timeline) keep() error {
	world := t.view.World
	if n := len(t.points); n > 0 {
		second := max(1, uint64(math.Round(1/world.Scene().Simulation.Timestep)))
		if world.Ticks() < t.points[n-1].Ticks()+second {
			return nil
		}
	}
	if t.Measure.meter == nil { // what is measured begins with how the world is at first
		if err := t.Measure.observe(); err != nil {
			return err
		}
	}
	meter, err := t.Measure.keep()
	if err != nil {
		return err
	}
	c, err := world.Checkpoint()
	if err != nil {
		return err
	}
	t.points = append(t.points, checkpoint{c, t.has, t.applied, meter, c.Bytes() + bytesOfAgent*int64(world.Crowd().Count())})
	for _, bytes := t.Checkpoints(); bytes > t.Limit && len(t.points) > 2; {
		bytes -= t.thin()
	}
	return nil
}

// thin frees the checkpoint, neither the first nor the last, whose loss makes the way from the one
// before it the least longer, in proportion to how long ago it is. It returns its bytes.
func (t *Timeline) thin() int64 {
	now, best, least := t.points[len(t.points)-1].Ticks(), 1, math.Inf(1)
	for i := 1; i < len(t.points)-1; i++ {
		gap := float64(t.points[i+1].Ticks() - t.points[i-1].Ticks())
		if far := gap / float64(now-t.points[i].Ticks()); far < least {
			best, least = i, far
		}
	}
	p := t.points[best]
	t.points = slices.Delete(t.points, best, best+1)
	p.Free()
	return p.bytes
}

// smooth takes a frame into the factor, which is that of about the last second. Units: s.
func (t *Timeline) smooth(clock, simulated float64) {
	keep := math.Exp(-clock)
	t.clock, t.simulated = keep*t.clock+clock, keep*t.simulated+simulated
	if t.clock > 0 {
		t.Factor = t.simulated / t.clock
	}
}
