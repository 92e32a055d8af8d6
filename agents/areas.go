package agents

import (
	"fmt"

	"github.com/wayfront/wayfront/engine/gpu"
)

// The limits of areas: a bit each of Presence, and what an invocation of their pass loops over.
const (
	MostAreas       = 32
	MostAreaCorners = 1024 // of all areas together
)

// Area is a part of the ground that agents come into and go out of, or a gate that they pass. It is
// the inside of a closed ring of at least three corners by the even-odd rule, or a line with two
// ends. Without corners it is none. Places are local, in meters.
type Area [][2]float32

// areas are what the crowd reports visits and passages of.
type areas struct {
	all      []Area
	fresh    uint32 // a bit for each area that no step has looked at
	corners  *gpu.Buffer[[2]float32]
	ranges   *gpu.Buffer[[2]uint32] // of each area: its first corner, and how many
	presence *gpu.Buffer[Presence]
}

// Presence is where an agent was at the end of a step.
type Presence struct {
	Inside uint32 // a bit for each area
	There  uint32 // 1: it was in the world
	X, Y   float32
}

type areasInput struct {
	after    *gpu.Buffer[Agent]      `gpu:"read"`
	corners  *gpu.Buffer[[2]float32] `gpu:"read"`
	ranges   *gpu.Buffer[[2]uint32]  `gpu:"read"`
	presence *gpu.Buffer[Presence]   `gpu:"readwrite"`
	list     *gpu.Buffer[uint32]     `gpu:"readwrite"`
	count    uint32
	areas    uint32
	fresh    uint32
	room     uint32 // entries of the list
}

// SetAreas has the coming steps report agents that come into areas or go out, where events are
// reported: EventCameIn and EventWentOut. An area with a bit in fresh is another one than the area
// that was there before: agents that stand in it come in with the next step. It panics beyond the
// limits of areas. The error is a *gpu.CapacityError, a *gpu.CompileError or ErrDeleted; all is
// then as it was.
func (c *Crowd) SetAreas(all []Area, fresh uint32) error {
	if n := cornerCount(all); len(all) > MostAreas || n > MostAreaCorners {
		panic(fmt.Sprintf("agents: %d areas with %d corners; a crowd has at most %d with %d", len(all), n, MostAreas, MostAreaCorners))
	}
	err := c.change("areas of", func(*gpu.ResourceSet) {
		if len(c.areas.all) == 0 {
			fresh = ^uint32(0) // agents have moved since
		}
		c.areas.all, c.areas.fresh = all, c.areas.fresh|fresh
	})
	if err != nil {
		return err
	}
	return c.do(func() error { c.areas.write(); return nil })
}

// cornerCount is how many corners areas have.
func cornerCount(all []Area) (sum int) {
	for _, a := range all {
		sum += len(a)
	}
	return sum
}

// prepare makes what areas need, of so many slots.
func (s *areas) prepare(r *gpu.ResourceSet, slots int) {
	gpu.Fit(r, &s.corners, "agents corners of areas", MostAreaCorners)
	gpu.Fit(r, &s.ranges, "agents areas", MostAreas)
	gpu.Fit(r, &s.presence, "agents presence", slots)
}

// write uploads the areas.
func (s *areas) write() {
	if s.ranges == nil {
		return
	}
	var corners [][2]float32
	ranges := make([][2]uint32, len(s.all))
	for i, a := range s.all {
		ranges[i] = [2]uint32{uint32(len(corners)), uint32(len(a))}
		corners = append(corners, a...)
	}
	s.corners.Write(0, corners)
	s.ranges.Write(0, ranges)
}

// room is how many events of areas a step has room for, of so many slots: two an agent, and some
// for crowds of few agents. More are counted and lost.
func (s *areas) room(slots int) int {
	if len(s.all) == 0 {
		return 0
	}
	return 2*slots + 2*MostAreas
}

// look finds the agents that have come into areas and gone out, into the list of events.
func (c *Crowd) look() {
	s := &c.areas
	if len(s.all) == 0 {
		return
	}
	c.passes.areas.Run(areasInput{
		c.agents[1], s.corners, s.ranges, s.presence, c.events.list,
		uint32(c.count), uint32(len(s.all)), s.fresh, uint32(c.events.room()),
	}, c.groups())
	s.fresh = 0
}
