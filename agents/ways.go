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
	chosen *gpu.Buffer[uint32]
	stride int // of the guide that Capacity was made for
	hoard  hoard
}

// Follow chooses agents by index. The ways are there after Update. Delete them
// before the crowd. Errors are of type *gpu.CapacityError or *gpu.CompileError.
func (c *Crowd) Follow(agents []int) (*Ways, error) {
	if c.follow == nil {
		h := &hoard{device: c.device}
		if c.follow = program(h, "agents/follow.comp.glsl", false); h.err != nil {
			c.follow = nil
			return nil, fmt.Errorf("agents: the ways of %d agents: %w", len(agents), h.err)
		}
		c.hoard.held = append(c.hoard.held, h.held...)
	}
	w := &Ways{crowd: c, hoard: hoard{device: c.device}}
	chosen := make([]uint32, len(agents))
	for i, a := range agents {
		if a < 0 || a >= c.count {
			panic(fmt.Sprintf("agents: Follow of agent %d of %d", a, c.count))
		}
		chosen[i] = uint32(a)
	}
	w.chosen = upload(&w.hoard, "agents chosen", chosen)
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
	w.Points = upload(&w.hoard, "agents way points", make([][2]float32, w.Capacity*w.chosen.Len()))
	if w.hoard.err != nil {
		w.Delete()
		return fmt.Errorf("agents: the ways of %d agents: %w", w.chosen.Len(), w.hoard.err)
	}
	return nil
}

// Update writes the ways from where agents are after the crowd's newest step, on the maps and the ground of now: those that
// the next step would find if it began now. Points has another name afterwards if the guide's Stride has changed. Errors are
// of type *gpu.CapacityError.
func (w *Ways) Update() error { return w.crowd.device.Do(w.update) }

func (w *Ways) update() error {
	if err := w.room(); err != nil {
		return err
	}
	c := w.crowd
	c.device.Barrier(gpu.BarrierStorage | gpu.BarrierTexture | gpu.BarrierUpdate)
	c.device.Pass("follow", func() {
		p := c.follow
		p.Set("count", uint32(w.chosen.Len()))
		p.Set("stride", uint32(c.guide.Stride))
		p.Set("buried", c.buried())
		p.Set("cleared", cleared(c.walls.own, c.guide.Terrains))
		c.place(p)
		c.maps(p)
		c.walls.bind()
		c.traits.Bind(bindTraits)
		c.agents[0].Bind(bindBefore)
		c.guide.Generators.Bind(bindGenerators)
		w.chosen.Bind(bindChosen)
		w.Points.Bind(bindPoints)
		w.Commands.Bind(bindCommands)
		p.Dispatch(gpu.Groups(w.chosen.Len(), groupSize), 1, 1)
	})
	c.device.Barrier(gpu.BarrierVertex | gpu.BarrierCommand)
	return nil
}

// Delete frees what the ways hold on the device.
func (w *Ways) Delete() { w.hoard.delete() }
