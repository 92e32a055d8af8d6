package agents

import (
	"fmt"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Ways are the ways of chosen agents, as line strips on the device: from the
// agent over the generators it will turn at to the source, or straight to its
// own goal point.
type Ways struct {
	Points   *gpu.Buffer[[2]float32] // m, local
	Commands *gpu.Buffer[Command]    // the indirect draw of each chosen agent's strip; of no points where it has no way
	Capacity int                     // points that a strip has room for: all there can be

	crowd  *Crowd
	count  int   // of agents
	waits  waits // which they are, and their searches
	slice  int   // generators that a dispatch asks about for each
	stride int   // of the guide that Capacity was made for
	hoard  hoard
}

// Follow chooses agents by index. The ways are there after Update. Delete them
// before the crowd. Errors are of type *gpu.CapacityError or *gpu.CompileError, or
// ErrDeleted.
func (c *Crowd) Follow(agents []int) (*Ways, error) {
	if c.deleted {
		return nil, ErrDeleted
	}
	if c.follow == nil {
		h := &hoard{device: c.device}
		make := func(s gpu.Spec) *gpu.Program {
			return keep(h, func() (*gpu.Program, error) { return gpu.NewProgram(h.device, s) })
		}
		c.path, c.seek = make(followSpec("agents/path.comp.glsl")), make(searchSpec(false))
		if c.follow = make(followSpec("agents/follow.comp.glsl")); h.err != nil {
			h.delete()
			c.follow = nil
			return nil, fmt.Errorf("agents: the ways of %d agents: %w", len(agents), h.err)
		}
		c.hoard.held = append(c.hoard.held, h.held...)
	}
	w := &Ways{crowd: c, count: len(agents), slice: sliceFor(len(agents)), hoard: hoard{device: c.device}}
	for _, a := range agents {
		if a < 0 || a >= c.count {
			panic(fmt.Sprintf("agents: Follow of agent %d of %d", a, c.count))
		}
	}
	w.waits.prepare(&w.hoard, len(agents), agents...)
	w.Commands = upload(&w.hoard, "agents ways", make([]Command, len(agents)))
	if err := w.room(); err != nil {
		return nil, err
	}
	return w, nil
}

// room makes Points fit the guide.
func (w *Ways) room() error {
	if w.Points != nil && w.stride == w.crowd.guide.Stride {
		return w.hoard.err
	}
	if w.Points != nil {
		w.Points.Delete()
	}
	w.stride = w.crowd.guide.Stride
	w.Capacity = w.stride + 2
	w.Points = upload(&w.hoard, "agents way points", make([][2]float32, w.Capacity*w.count))
	if w.hoard.err != nil {
		w.Delete()
		return fmt.Errorf("agents: the ways of %d agents: %w", w.count, w.hoard.err)
	}
	return nil
}

// Update writes the ways from where agents are after the crowd's newest step, on the maps and the ground of now: those that
// the next step would find if it began now. Points has another name afterwards if the guide's Stride has changed. Errors are
// of type *gpu.CapacityError, or ErrDeleted of a crowd that was deleted.
func (w *Ways) Update() error { return w.crowd.do(w.update) }

func (w *Ways) update() error {
	if err := w.room(); err != nil {
		return err
	}
	c := w.crowd
	c.device.Barrier(gpu.BarrierStorage | gpu.BarrierTexture | gpu.BarrierUpdate)
	w.waits.begin()
	c.device.Pass("follow", func() {
		c.traits.Bind(bindTraits)
		c.agents[0].Bind(bindBefore)
		c.guide.Generators.Bind(bindGenerators)
		c.walls.bind()
		w.find(steering)
		c.device.Barrier(gpu.BarrierStorage | gpu.BarrierCommand)
		w.waits.bind(bindSteerLater, bindSteerQueues)
		c.ground(c.seek, w.count)
		c.maps(c.seek)
		c.seek.Set("trusted", false)
		c.search(c.seek, w.waits.later, searching, w.slice)
		w.find(searching)
		c.device.Barrier(gpu.BarrierStorage)
		slice := max(min(pathSlice, c.device.Budget()/max(w.count, 1)), 1)
		c.path.Set("slice", uint32(slice))
		c.ground(c.path, w.count)
		for points := 1; points < w.Capacity; points += slice {
			c.path.Dispatch(gpu.Groups(w.count, groupSize), 1, 1)
			c.device.Barrier(gpu.BarrierStorage)
		}
	})
	c.device.Barrier(gpu.BarrierVertex | gpu.BarrierCommand)
	return nil
}

// pathSlice is how many points a dispatch takes a way further, at most: each waits for the one before
// it, about 10 ms in all, and Mesa's software renderer ends loops after 65,535 turns.
const pathSlice = 1 << 14

// find dispatches follow, for all or for those whose search is done.
func (w *Ways) find(pass int) {
	c := w.crowd
	p := c.follow
	c.ground(p, w.count)
	c.maps(p)
	p.Set("buried", c.buried())
	p.Set("pass", uint32(pass))
	w.waits.bind(bindFollowLater, bindSteerQueues)
	w.Points.Bind(bindPoints)
	w.Commands.Bind(bindCommands)
	if pass == steering {
		p.DispatchEach(w.count, groupSize, c.walls.turns.steering())
		return
	}
	runFor(p, w.waits.later, pass, w.count, c.walls.turns.steering())
}

// Delete frees what the ways hold on the device.
func (w *Ways) Delete() { w.hoard.delete() }
