package agents

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Motion is how an obstacle of the crowd's ground moves within a step.
type Motion struct {
	Walls    []int32                       // of the ground, that it borders: geom.Builder.Walls
	Velocity func(p mgl64.Vec2) mgl64.Vec2 // of its point at p, m in the world; m/s. Nil: it rests
}

// motions are the velocities of walls on the device, by the records of walls: at both ends. Between
// them the velocity of a rigid body is linear.
type motions struct {
	some       bool // wall moves
	velocities *gpu.Buffer[[4]float32]
	texels     *gpu.TexelBuffer
}

// SetMotions sets which obstacles move, of the ground that SetGround has set; after SetGround
// none does. Agents that avoid others take their walls for moving on as they do, from the next
// step on. It changes no wall. The error is a *gpu.CapacityError; no obstacle counts as moving
// then.
//
// Of obstacles that share a wall, also ones that rest, each end of it has the velocity of the one
// that comes at the free side fastest there: so moves the border of their union. Where some are as
// fast, it is the first of them that rests, else the first. Between the ends the wall is then at
// least as fast as that border: the greatest of linear functions lies below its chords.
func (c *Crowd) SetMotions(obstacles []Motion) error {
	c.motions.some = false
	velocities := velocitiesOf(c.terrain, obstacles)
	if velocities == nil {
		return c.do(func() error { return nil })
	}
	return c.change("moving obstacles for", func(r *resources) {
		if c.motions.grow(r, c.walls.buffer.Len()); r.err == nil {
			c.motions.velocities.Write(int(c.walls.head(c.terrain)[3]), velocities)
			c.motions.some = true
		}
	})
}

// grow makes the velocities of so many records fit.
func (m *motions) grow(r *resources, records int) {
	if m.velocities == nil || m.velocities.Len() < records {
		if m.velocities != nil {
			r.replaced = append(r.replaced, m.texels, m.velocities)
		}
		m.velocities = upload(r, "agents velocities of walls", make([][4]float32, records))
		m.texels = texels(r, m.velocities, gpu.RGBA32F)
	}
}

// motionInput is that of agents/motions.glsl.
type motionInput struct {
	wallsMove      bool
	wallVelocities *gpu.TexelBuffer
}

func (m *motions) input() motionInput { return motionInput{m.some, m.texels} }

// velocitiesOf are the velocities of the records of a ground's walls; nil if none moves.
func velocitiesOf(t Terrain, obstacles []Motion) [][4]float32 {
	rests := func(m Motion) bool { return m.Velocity == nil }
	if !slices.ContainsFunc(obstacles, func(m Motion) bool { return !rests(m) && len(m.Walls) > 0 }) {
		return nil
	}
	bordering := map[int32][]Motion{} // those that rest first
	for _, resting := range [...]bool{true, false} {
		for _, m := range obstacles {
			for _, i := range m.Walls {
				if rests(m) == resting {
					bordering[i] = append(bordering[i], m)
				}
			}
		}
	}
	all := make([][4]float32, len(t.Grid.Start)-1, recordCount(t))
	for _, item := range t.Grid.Items {
		for _, w := range appendDirected(nil, t.Ground, item) {
			all = append(all, fastest(t.Ground.Lattice, w, bordering[int32(item)]))
		}
	}
	return all
}

// fastest are the velocities at the ends of a wall of some obstacles, none where there are none.
func fastest(l geom.Lattice, w Wall, obstacles []Motion) (ends [4]float32) {
	p, q := w.ends()
	a, b := l.World(p), l.World(q)
	normal := mgl64.Vec2{a[1] - b[1], b[0] - a[0]} // on the free side
	for k, end := range [...]mgl64.Vec2{a, b} {
		var velocity mgl64.Vec2
		for i, m := range obstacles {
			of := mgl64.Vec2{}
			if m.Velocity != nil {
				of = m.Velocity(end)
			}
			if i == 0 || of.Dot(normal) > velocity.Dot(normal) {
				velocity = of
			}
		}
		ends[2*k], ends[2*k+1] = float32(velocity[0]), float32(velocity[1])
	}
	return ends
}
