package agents

import (
	"fmt"
	"math"

	"github.com/wayfront/wayfront/engine/gpu"
)

// DrawList lists the agents that a host draws, on the device: a draw of so many instances as are
// there and in view, without a read-back. Delete it before the crowd.
type DrawList struct {
	// The slots of those listed, ascending: as many as Command has instances. Its name changes when
	// the crowd grows.
	Slots *gpu.Buffer[uint32]
	// Five words: count, instances, 0, 0, 0. That is what glDrawArraysIndirect reads, as well as
	// glDrawElementsIndirect.
	Command *gpu.Buffer[uint32]

	crowd *Crowd
	held  gpu.ResourceSet
}

// drawListInput is that of drawlist.comp.glsl.
type drawListInput struct {
	traits    *gpu.Buffer[Traits] `gpu:"read"`
	agents    *gpu.Buffer[Agent]  `gpu:"read"`
	slots     *gpu.Buffer[uint32] `gpu:"write"`
	command   *gpu.Buffer[uint32] `gpu:"write"`
	count     uint32
	rectangle [4]float32
}

// NewDrawList makes a list for draws of so many vertices or indices an instance. It lists none
// before Update. The error is a *gpu.CapacityError, a *gpu.CompileError or ErrDeleted.
func (c *Crowd) NewDrawList(count uint32) (*DrawList, error) {
	l := &DrawList{crowd: c, held: gpu.ResourceSet{Device: c.device}}
	err := c.change("the draw list of", func(r *gpu.ResourceSet) { need(r, nil, &c.passes.drawList) })
	if err != nil {
		return nil, err
	}
	err = c.do(func() error {
		l.Command = gpu.Upload(&l.held, "agents draw command", []uint32{count, 0, 0, 0, 0})
		return l.fit()
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Everywhere is the rectangle of Update that no agent is outside of.
var Everywhere = [4]float32{-math.MaxFloat32, -math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}

// Update lists the agents that have a body after the newest step, where a square around the body
// meets the rectangle: its low and its high corner, in local meters as all places in buffers. It
// takes one dispatch. What is drawn between two states is up to a step's way outside. The error is
// a *gpu.CapacityError or ErrDeleted.
func (l *DrawList) Update(rectangle [4]float32) error {
	return l.crowd.do(func() error {
		if err := l.fit(); err != nil {
			return err
		}
		c := l.crowd
		c.device.Stage("draw list", func() {
			c.passes.drawList.Run(drawListInput{
				traits: c.traits, agents: c.agents[0], slots: l.Slots, command: l.Command, count: uint32(c.count), rectangle: rectangle,
			}, 1)
		})
		return nil
	})
}

// fit makes Slots fit the crowd. After an error the list is deleted.
func (l *DrawList) fit() error {
	r := &gpu.ResourceSet{Device: l.held.Device, Err: l.held.Err}
	gpu.Fit(r, &l.Slots, "agents drawn", max(l.crowd.count, 1))
	if l.held.Err = l.held.Take(r); l.held.Err != nil {
		l.Delete()
		return fmt.Errorf("agents: the draw list of %d agents: %w", l.crowd.count, l.held.Err)
	}
	return nil
}

// Delete frees what the list holds on the device.
func (l *DrawList) Delete() { l.held.Delete() }
