package studio

import (
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/spm"
)

// patience is how long a frame waits for maps that the next tick needs.
const patience = 5 * time.Millisecond

// frameTime is how long a frame runs ticks or a seek, before it is drawn.
const frameTime = 20 * time.Millisecond

// Advance runs the world for the time since the last frame, if it plays, or a part of a seek; else
// it applies edits. Where maps of a due tick are pending, simulated time waits for them, and frames
// go on.
func (s *Studio) Advance(now time.Time) error {
	elapsed := now.Sub(s.now)
	if s.now.IsZero() {
		elapsed = 0
	}
	s.now = now
	if s.Time.Seeking() || s.Branched != nil && s.Branched.Time.Seeking() {
		s.behind, s.due = 0, s.World().Timestep()
		return s.seek()
	}
	if !s.Playing {
		s.Time.Factor, s.Time.clock, s.Time.simulated = 0, 0, 0
		return s.World().Apply()
	}
	before := s.World().Time()
	if err := s.play(time.Duration(float64(elapsed) * s.Time.Speed)); err != nil {
		return err
	}
	s.Time.smooth(elapsed.Seconds(), s.World().Time()-before)
	return s.World().Poll()
}

// play runs the ticks of a simulated time. What a frame has no time for is given up.
func (s *Studio) play(elapsed time.Duration) error {
	world, began := s.World(), time.Now()
	s.Break = nil
	most := engine.MaxTicks * max(1, int(s.Time.Speed))
	for n := 0; n < most && (n == 0 || time.Since(began) < frameTime); n++ {
		if elapsed < s.due {
			s.due -= elapsed
			break
		}
		for start := time.Now(); world.Building() && time.Since(start) < patience; time.Sleep(patience / 50) {
			if err := world.Poll(); err != nil {
				return err
			}
		}
		if world.Building() {
			break
		}
		if err := s.tick(); err != nil {
			return err
		}
		elapsed -= s.due
		s.due = world.Timestep()
		if !s.Playing {
			return s.broken()
		}
	}
	s.behind = s.due.Seconds()
	return nil
}

// Step pauses the run and advances the world by one tick; in the past by one of then.
func (s *Studio) Step() error {
	s.Playing, s.behind = false, 0
	if s.Time.Past() {
		return s.Seek(s.World().Time() + s.World().Scene().Simulation.Timestep)
	}
	return s.tick()
}

// StepBack pauses the run and brings the world back by one tick.
func (s *Studio) StepBack() error {
	s.Playing, s.behind = false, 0
	return s.Seek(s.World().Time() - s.World().Scene().Simulation.Timestep)
}

// Seek brings the world to a simulated time, in this frame and those that follow: see
// Timeline.Seek.
func (s *Studio) Seek(time float64) error {
	if err := s.Time.Seek(time); err != nil {
		return err
	}
	if b := s.Branched; b != nil {
		if err := b.Time.Seek(time); err != nil {
			return err
		}
	}
	s.behind = 0
	return s.seek()
}

// seek goes on with a seek. A document that the world of then refuses is a fault.
func (s *Studio) seek() error {
	if b := s.Branched; b != nil {
		if err := b.Time.work(frameTime / 2); err != nil {
			return err
		}
	}
	if err := s.Time.work(frameTime / 2); err != nil {
		return s.refuse(err)
	}
	return nil
}

func (s *Studio) tick() error {
	if err := s.watch(false); err != nil {
		return err
	}
	events := len(s.Time.Events)
	if err := s.Time.tick(); err != nil {
		return err
	}
	s.breakAtEvents(events)
	return s.follow()
}

// AgentAt returns the agent whose disc, as drawn, is nearest to a pointer; -1: none is. It waits for
// the device.
func (s *Studio) AgentAt(p Pointer) int {
	world := s.World()
	n := world.Crowd().Count()
	if n == 0 || s.View.Look.Layers&render.Agents == 0 {
		return -1
	}
	crowd, traits := make([]agents.Agent, n), make([]agents.Traits, n)
	world.Crowd().Snapshot(crowd)
	world.Buffers().Agents.Traits.Read(0, traits)
	origin := world.Ground().Lattice.Origin
	best, least := -1, 0.0
	for i, a := range crowd {
		if !agents.There(a.Status) {
			continue
		}
		at := mgl64.Vec2{
			float64(a.Position[0]) - s.behind*float64(a.Velocity[0]),
			float64(a.Position[1]) - s.behind*float64(a.Velocity[1]),
		}
		d := p.At.Sub(origin).Sub(at).Len()
		if d <= float64(traits[i].Radius)+p.Reach/3 && (best < 0 || d < least) {
			best, least = i, d
		}
	}
	return best
}

// NextAgent chooses the next agent that walks, 1, or the one before, -1, if there is one. It waits for
// the device.
func (s *Studio) NextAgent(by int) error {
	n, chosen := s.World().Crowd().Count(), s.View.Chosen
	crowd := make([]agents.Agent, n)
	if n > 0 {
		s.World().Crowd().Snapshot(crowd)
	}
	from := chosen
	if from < 0 && by < 0 {
		from = 0
	}
	for k := 1; k <= n; k++ {
		if i := ((from+k*by)%n + n) % n; i != chosen && crowd[i].Status == agents.Walking {
			return s.ChooseAgent(i)
		}
	}
	return nil
}

// ChooseAgent shows an agent's path and local map, and watches its mind; -1, or the one that is
// shown: none.
func (s *Studio) ChooseAgent(agent int) error {
	if agent == s.View.Chosen {
		agent = -1
	}
	if err := s.View.Choose(agent); err != nil {
		return err
	}
	return s.watch(false)
}

// Picture returns what is drawn of the world, with the overlay of the tool.
func (s *Studio) Picture() (render.Picture, Overlay) {
	o := s.Tool.Draw(s)
	o.Sketches = append(s.sketches(), o.Sketches...)
	s.Break.mark(&o)
	p := render.Picture{Camera: s.Camera, PixelRatio: s.Ratio, Behind: s.behind, Sketches: o.Sketches}
	if b := s.Branched; b != nil && b.Ghosts {
		p.Ghosts = b.View.World.Buffers().Agents
	}
	return p, o
}

// Busy reports whether the picture changes without input.
func (s *Studio) Busy() bool {
	return s.Playing || s.Time.Seeking() || s.World().Building() || s.Notice() != ""
}

// viewEvery is how long a map that was read back answers: reading waits for the device.
const viewEvery = 500 * time.Millisecond

// DistanceAt returns the distance from a place to the goal that is shown, by a map that may be half a
// second old; false where no path leads there. Unit: m.
func (s *Studio) DistanceAt(p mgl64.Vec2) (float64, bool) {
	goal := s.World().Goals()[s.View.Goal]
	if s.asked.of != goal || s.now.Sub(s.asked.at) > viewEvery {
		view, err := s.World().View(goal)
		if err != nil {
			return 0, false
		}
		s.asked = asked{view, goal, s.now}
	}
	answer := s.asked.view.Query(p)
	return answer.Distance, answer.State == spm.Reached
}

// asked is a map that answers the pointer.
type asked struct {
	view *spm.View
	of   engine.GoalID
	at   time.Time
}
