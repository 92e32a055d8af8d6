package studio

import (
	"math"
	"reflect"
	"slices"
	"sort"
	"time"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/scenes"
)

// Seek begins to bring the world to a time, which work goes on with. A time that is known comes out
// as it was, edits of then included; then the world is synced to the author's document. A time after
// the present is run to. Time before the beginning is the beginning. The world may go on from
// anywhere: what was known of the time after is forgotten with the next tick where the document is
// another one than then. Errors are those of engine.World.Rollback.
func (t *Timeline) Seek(seconds float64) error {
	if len(t.points) == 0 { // no tick was run
		if err := t.keep(); err != nil {
			return err
		}
	}
	first := t.points[0].Ticks()
	target := max(first, uint64(math.Round(max(0, seconds)/t.view.World.Scene().Simulation.Timestep)))
	now := t.view.World.Ticks()
	if target > now && t.branch {
		t.commit()
	}
	i := t.before(target)
	goesOn := len(t.pending) == 0 && now <= target && t.points[i].Ticks() <= now
	if target == now && !t.seeking {
		return nil
	}
	if !goesOn {
		if err := t.rollback(i); err != nil {
			return err
		}
	}
	t.target, t.from, t.seeking = target, t.view.World.Ticks(), true
	return nil
}

// before returns the checkpoint that a seek to a tick begins at.
func (t *Timeline) before(target uint64) int {
	if t.view.Chosen >= 0 { // its reasons arrive some ticks late
		target -= min(target, eventLatency+1)
	}
	return max(0, sort.Search(len(t.points), func(i int) bool { return t.points[i].Ticks() > target })-1)
}

// again goes over the last ticks once more, so that the mind of an agent that is chosen only now is
// known of them. The world comes back to how it is; where the author has changed it since the last
// tick, or there were too few ticks, nothing is done.
func (t *Timeline) again() error {
	now := t.view.World.Ticks()
	if t.seeking || t.branch || len(t.points) == 0 || now <= t.points[0].Ticks()+eventLatency {
		return nil
	}
	if err := t.rollback(t.before(now)); err != nil {
		return err
	}
	t.target, t.from, t.seeking = now, t.view.World.Ticks(), true
	return nil
}

// Seeking reports whether a seek is under way.
func (t *Timeline) Seeking() bool { return t.seeking }

// Progress is the part of a seek that is done, 0 to 1; 1 where none is under way.
func (t *Timeline) Progress() float64 {
	if !t.seeking || t.target == t.from {
		return 1
	}
	return float64(t.view.World.Ticks()-t.from) / float64(t.target-t.from)
}

// rollback brings the world back to a checkpoint.
func (t *Timeline) rollback(i int) error {
	p := t.points[i]
	if err := t.view.Rollback(p.Checkpoint); err != nil {
		return err
	}
	for _, e := range slices.Backward(t.pending) {
		t.text = e.Undo(t.text)
	}
	for ; t.applied > p.edits; t.applied-- {
		t.text = t.edits[t.applied-1].Undo(t.text)
	}
	for ; t.applied < p.edits; t.applied++ {
		t.text = t.edits[t.applied].Do(t.text)
	}
	t.pending, t.branch = nil, false
	t.hasNow(p.has)
	t.Measure.rollback(p.meter)
	if t.rolled != nil {
		return t.rolled()
	}
	return nil
}

// work goes on with a seek for about a time. The error of its end is that of worldview.View.Sync.
func (t *Timeline) work(most time.Duration) error {
	if !t.seeking {
		return nil
	}
	for began := time.Now(); ; {
		if err := t.replay(); err != nil {
			return err
		}
		if t.view.World.Ticks() >= t.target {
			break
		}
		if time.Since(began) >= most {
			return nil
		}
		if err := t.step(); err != nil {
			return err
		}
	}
	t.seeking = false
	if err := t.Measure.drain(); err != nil {
		return err
	}
	if t.author.scene == t.has || reflect.DeepEqual(t.author.scene, t.has) {
		return nil
	}
	return t.apply(t.author)
}

// replay makes the edits again that were made after the ticks that the world has.
func (t *Timeline) replay() error {
	for ; t.applied < len(t.edits) && t.edits[t.applied].tick == t.view.World.Ticks(); t.applied++ {
		e := t.edits[t.applied]
		if err := t.Measure.drain(); err != nil {
			return err
		}
		t.text = e.Do(t.text)
		scene := e.scene
		if scene == nil {
			scene, _ = scenes.Draft("", t.text) // it was sound then
		}
		if err := t.view.Sync(scene); err == nil {
			t.hasNow(scene)
		} else if !e.refused {
			return err
		}
	}
	return nil
}

// event returns the next event that is worth a stop, or the one before; nil: there is none.
func (t *Timeline) event(by int) *engine.Event {
	now := t.view.World.Ticks()
	i := sort.Search(len(t.Events), func(i int) bool { return t.Events[i].Tick >= now })
	if by < 0 {
		i--
	}
	for ; i >= 0 && i < len(t.Events); i += by {
		if e := &t.Events[i]; e.Kinds&t.Stops != 0 && e.Tick != now {
			return e
		}
	}
	return nil
}

// toEvent pauses the run at the next event that is worth a stop, or the one before, and chooses the
// agent that it is of.
func (s *Studio) toEvent(by int) error {
	e := s.Time.event(by)
	if e == nil {
		return nil
	}
	s.Playing = false
	agent := int(uint32(e.Agent))
	if agent >= s.World().Crowd().Count() { // it came later than now
		agent = -1
	}
	if err := s.View.Choose(agent); err != nil {
		return err
	}
	return s.Seek(s.Time.seconds(e.Tick))
}
