package studio

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine"
)

// Mind is why the chosen agent moved as it did, three ticks ago. Places are in world meters,
// velocities in m/s.
type Mind struct {
	engine.Mind
	Why                                     string // a sentence without its end
	At                                      mgl64.Vec2
	Velocity, Preferred, Chosen             mgl64.Vec2
	Speed, PreferredSpeed, MaxSpeed, Radius float64
	GoalName                                string       // "": an own point
	Remaining                               float64      // exact, along Route, m; +Inf without one
	Route                                   []mgl64.Vec2 // from At to the goal; nil: no path leads there
	Near                                    []Near       // agents, then walls, that count for avoidance
	Limits                                  []Limit      // constraints of velocities, in the order of Reasons
	Candidates                              []agents.Candidate
	Best                                    int // of Candidates; -1: none of them
}

// Near is an agent or a wall that counts for avoidance.
type Near struct {
	Agent    engine.AgentID // 0: a wall
	Slot     int            // of the agent
	At       mgl64.Vec2     // the agent's center, or the wall's nearest point
	Distance float64        // between the rims of discs, or from the rim to the wall, m
	Side     string         // "ahead", "left", "right", "behind", as it prefers to walk
	Binds    bool           // it keeps the agent from what it desires
	Shares   bool           // the agent does its part of evading
}

// Limit is a constraint of velocities.
type Limit struct {
	agents.Constraint
	Binds bool // the chosen velocity is on its border, or beyond, and the desired one is beyond
	Near  int  // what it is of, in Mind.Near
}

// watch has the world record the mind of the chosen agent, and of no other; again: anew.
func (s *Studio) watch(again bool) error {
	world := s.World()
	if s.View.Chosen == s.watching.slot && world == s.watching.world && !again {
		return nil
	}
	s.watching.slot, s.watching.world, s.watching.id = s.View.Chosen, world, 0
	if !again {
		s.watching.tried = 0
	}
	if s.View.Chosen >= 0 {
		s.watching.ids = world.Agents(s.watching.ids[:0])
		for _, id := range s.watching.ids {
			if int(uint32(id)) == s.View.Chosen {
				s.watching.id = id
			}
		}
	}
	if s.watching.id == 0 {
		return world.Watch()
	}
	return world.Watch(s.watching.id)
}

// watching is the agent whose mind is recorded.
type watching struct {
	world *engine.World
	slot  int
	id    engine.AgentID // 0: none
	ids   []engine.AgentID
	tried uint64 // 1 + the ticks after which the last ones were gone over for it
}

// Mind returns why the chosen agent moved as it did; nil: none is chosen, or its reasons have not
// arrived yet. After a seek it is what it was then. While the run is paused the last ticks are gone over
// again for it, by Advance. It waits for the device where the map of its goal has changed.
func (s *Studio) Mind() (*Mind, error) {
	if err := s.watch(false); err != nil || s.watching.id == 0 {
		return nil, err
	}
	world := s.World()
	m, ok, err := world.Mind(s.watching.id)
	if err != nil {
		return nil, nil //nolint:nilerr // the agent has left: it has no mind
	}
	if !ok {
		if s.Playing || s.watching.tried == world.Ticks()+1 {
			return nil, nil
		}
		s.watching.tried = world.Ticks() + 1
		return nil, s.Time.again()
	}
	r := &m.Reasons
	origin := world.Ground().Lattice.Origin
	mind := &Mind{
		Mind: m, At: origin.Add(vec(r.PlaceAfter)), Velocity: vec(r.Velocity), Preferred: vec(r.Preferred), Chosen: vec(r.Chosen),
		Speed: vec(r.Velocity).Len(), PreferredSpeed: float64(r.PreferredSpeed), MaxSpeed: float64(r.MaxSpeed), Radius: float64(r.Radius),
		Remaining: math.Inf(1), Candidates: r.Candidates, Best: r.Best,
	}
	if i := slices.Index(world.Goals(), m.Goal); i >= 0 && agents.There(r.Status) {
		mind.GoalName = world.Scene().Goals[i].ID
		view, err := world.View(m.Goal)
		if err != nil {
			return nil, err
		}
		mind.Route = view.Path(mind.At)
		if mind.Route != nil {
			mind.Remaining = view.Query(mind.At).Distance
		}
	}
	mind.limit(origin.Add(vec(r.Place)))
	mind.Why = mind.why()
	return mind, nil
}

func vec(v [2]float32) mgl64.Vec2 { return mgl64.Vec2{float64(v[0]), float64(v[1])} }

// limit finds what is near the place of before the tick, and what of it binds.
func (m *Mind) limit(at mgl64.Vec2) {
	r := &m.Reasons
	for i, n := range r.Neighbors {
		offset := vec(n.Offset)
		m.Near = append(m.Near, Near{
			Agent: m.Neighbors[i], Slot: n.Slot, At: at.Add(offset), Distance: offset.Len() - m.Radius - float64(n.Radius),
			Side: m.side(offset), Shares: n.Shares,
		})
	}
	for _, w := range r.Walls {
		offset := nearest(vec(w.A), vec(w.B))
		m.Near = append(m.Near, Near{At: at.Add(offset), Distance: offset.Len() - m.Radius, Side: m.side(offset)})
	}
	for i := range r.Constraints {
		c := &r.Constraints[i]
		l := Limit{Constraint: *c, Near: c.Index, Binds: c.Cuts(r.Desired) && (c.Binds(r.Chosen) || c.Cuts(r.Chosen))}
		if c.OfWall() {
			l.Near += len(r.Neighbors)
		}
		if l.Near >= len(m.Near) { // beyond what records have room for
			l.Near = -1
		} else if l.Binds {
			m.Near[l.Near].Binds = true
		}
		m.Limits = append(m.Limits, l)
	}
}

// nearest returns the point of a segment that is the nearest to the origin.
func nearest(a, b mgl64.Vec2) mgl64.Vec2 {
	along := b.Sub(a)
	if square := along.Dot(along); square > 0 {
		return a.Add(along.Mul(min(max(-a.Dot(along)/square, 0), 1)))
	}
	return a
}

// side says on which side an offset is, as the agent prefers to walk.
func (m *Mind) side(offset mgl64.Vec2) string {
	heading := m.Preferred
	if heading.Len() == 0 {
		heading = m.Velocity
	}
	switch angle := turn(heading, offset); {
	case math.Abs(angle) <= math.Pi/4:
		return "ahead"
	case math.Abs(angle) >= 3*math.Pi/4:
		return "behind"
	case angle > 0:
		return "left"
	}
	return "right"
}

// turn returns the angle from one direction to another, counter-clockwise, -pi to pi. Unit: rad.
func turn(from, to mgl64.Vec2) float64 {
	return math.Atan2(from[0]*to[1]-from[1]*to[0], from.Dot(to))
}

// why is the sentence.
func (m *Mind) why() string {
	goal := "its goal"
	if m.GoalName != "" {
		goal = console.Legible(m.GoalName)
	}
	left := "; " + m.way(goal)
	switch m.Because {
	case engine.Gone:
		return "gone: it has left"
	case engine.NotEntered:
		return "not there yet: it enters when it is due"
	case engine.EntryOccupied:
		return "not there yet: others stand where it enters"
	case engine.AtGoal:
		return "stands: it has arrived at " + goal
	case engine.MovedByHost:
		return "moved by the host, not by itself"
	case engine.IsPaused:
		return "stands: it is paused, or prefers no speed"
	case engine.WithoutRoute:
		return "stands: no path leads from here to " + goal
	case engine.LeavesWall:
		return "on its way out: it is nearer to a wall than the paths to " + goal + " lead"
	case engine.Explores:
		return "explores: its team has not seen a path to " + goal
	case engine.IsServed:
		return "in service: " + goal + " serves it, or others before it"
	case engine.BlockedByAgent, engine.BlockedByWall:
		return "blocked: " + m.obstacles() + left
	case engine.EvadesAgents, engine.EvadesWalls:
		return m.does() + ": " + m.obstacles() + left
	case engine.FollowsMap:
		return m.does() + ": its local map leads it" + left
	}
	return "as it prefers: nothing is in its way" + left
}

// way is what is left of the path.
func (m *Mind) way(goal string) string {
	switch {
	case len(m.Route) > 2:
		return fmt.Sprintf("next corner %.1f m, %s %.1f m", m.Route[1].Sub(m.At).Len(), goal, m.Remaining)
	case m.Route != nil:
		return fmt.Sprintf("%s %.1f m straight ahead", goal, m.Remaining)
	}
	return "no path leads to " + goal
}

// does compares the velocity with the preferred one.
func (m *Mind) does() string {
	const turned = 5 * math.Pi / 180
	var all []string
	speed, preferred := m.Velocity.Len(), m.Preferred.Len()
	if speed < 0.95*preferred {
		all = append(all, "slower")
	} else if speed > 1.05*preferred {
		all = append(all, "faster")
	}
	if angle := turn(m.Preferred, m.Velocity); speed > 0 && preferred > 0 && angle > turned {
		all = append(all, "to the left")
	} else if speed > 0 && preferred > 0 && angle < -turned {
		all = append(all, "to the right")
	}
	if all == nil {
		return "nearly as it prefers"
	}
	return strings.Join(all, " and ")
}

// obstacles lists what binds, by sides; where no single one is known to, what the cause says.
func (m *Mind) obstacles() string {
	var all []string
	for _, side := range []string{"ahead", "left", "right", "behind"} {
		people, walls := 0, 0
		for _, n := range m.Near {
			switch {
			case !n.Binds || n.Side != side:
			case n.Agent == 0:
				walls++
			default:
				people++
			}
		}
		from := side
		if side == "left" || side == "right" {
			from = "from the " + side
		}
		switch {
		case walls == 1:
			all = append(all, "a wall "+from)
		case walls > 1:
			all = append(all, fmt.Sprintf("%d walls %s", walls, from))
		}
		if people > 0 {
			all = append(all, console.Count(people, "agent", "agents")+" "+from)
		}
	}
	switch wall := m.Because == engine.EvadesWalls || m.Because == engine.BlockedByWall; {
	case len(all) > 1:
		return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
	case len(all) == 1:
		return all[0]
	case wall:
		return "its preferred velocity meets a wall"
	}
	return "its preferred velocity meets an agent"
}
