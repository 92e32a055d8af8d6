package agents

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Motion is how an obstacle of the crowd's ground moves.
type Motion struct {
	Walls []int32 // of the ground, that it borders: geom.Builder.Walls

	// Velocity is that of its point at p, m in the world, within the step to come; m/s. Nil: it
	// rests.
	Velocity func(p mgl64.Vec2) mgl64.Vec2
	// Moved is by how much its point that is at p now has moved since the step before, m. Nil: it
	// has not.
	Moved func(p mgl64.Vec2) mgl64.Vec2
}

// motions are those of walls on the device, by the records of walls, as wallmotions.glsl has them.
// Between the ends of a wall both are linear, as for any rigid body.
type motions struct {
	some    bool  // wall moves
	swept   int32 // by how much one has moved at most, along either axis, in lattice steps
	records *gpu.Buffer[[4]float32]
	texels  *gpu.TexelBuffer
}

// SetMotions sets which obstacles move, of the ground that SetGround has set; after SetGround
// none does. Agents that avoid others take their walls for moving on as they do, from the next
// step on. That step first moves agents that a wall has passed over since the step before, or
// has come to cover, to where it meets them, unless another wall, that has not moved, stands
// between: it passes over what it would crush. It changes no wall. The error is a
// *gpu.CapacityError; no obstacle counts as moving then.
//
// Of obstacles that share a wall, also ones that rest, each end of it has the velocity of the one
// that comes at the free side fastest there: so moves the border of their union. Where some are as
// fast, it is the first of them that rests, else the first. Between the ends the wall is then at
// least as fast as that border: the greatest of linear functions lies below its chords. The same
// holds for how obstacles have moved.
func (c *Crowd) SetMotions(obstacles []Motion) error {
	c.motions.some, c.motions.swept = false, 0
	records := c.motions.recordsOf(c.terrain, obstacles)
	if records == nil {
		return c.do(func() error { return nil })
	}
	return c.change("moving obstacles for", func(r *gpu.ResourceSet) {
		if c.motions.grow(r, c.walls.buffer.Len()); r.Err == nil {
			c.motions.records.Write(2*int(c.walls.head(c.terrain)[3]), records)
			c.motions.some = slices.ContainsFunc(obstacles, func(m Motion) bool { return m.Velocity != nil && len(m.Walls) > 0 })
			c.motions.swept = sweptBy(c.lattice, records)
		}
	})
}

// grow makes the motions of so many records fit.
func (m *motions) grow(r *gpu.ResourceSet, records int) {
	if m.records == nil || m.records.Len() < 2*records {
		if m.records != nil {
			r.Replace(m.texels, m.records)
		}
		m.records = gpu.Upload(r, "agents motions of walls", make([][4]float32, 2*records))
		m.texels = texels(r, m.records, gpu.RGBA32F)
	}
}

// motionInput is that of agents/motions.glsl.
type motionInput struct {
	wallsMove   bool
	wallMotions *gpu.TexelBuffer
}

func (m *motions) input() motionInput { return motionInput{m.some, m.texels} }

// recordsOf are the motions of the records of a ground's walls; nil if none moves or has moved.
func (m *motions) recordsOf(t Terrain, obstacles []Motion) [][4]float32 {
	bordering := map[int32][]Motion{}
	for _, m := range obstacles {
		for _, i := range m.Walls {
			if m.Velocity != nil || m.Moved != nil {
				bordering[i] = nil
			}
		}
	}
	if len(bordering) == 0 {
		return nil
	}
	for _, m := range obstacles {
		for _, i := range m.Walls {
			if of, moves := bordering[i]; moves {
				bordering[i] = append(of, m)
			}
		}
	}
	all := make([][4]float32, 2*(len(t.Grid.Start)-1), 2*recordCount(t))
	for _, item := range t.Grid.Items {
		for _, w := range appendDirected(nil, t.Ground, item) {
			of := bordering[int32(item)]
			all = append(all,
				fastest(t.Ground.Lattice, w, of, func(m Motion) func(mgl64.Vec2) mgl64.Vec2 { return m.Velocity }),
				fastest(t.Ground.Lattice, w, of, func(m Motion) func(mgl64.Vec2) mgl64.Vec2 { return m.Moved }))
		}
	}
	return all
}

// fastest is what moves the ends of a wall of some obstacles, by a field of their motions; nothing
// where there are none.
func fastest(l geom.Lattice, w Wall, obstacles []Motion, field func(Motion) func(mgl64.Vec2) mgl64.Vec2) (ends [4]float32) {
	p, q := w.ends()
	a, b := l.World(p), l.World(q)
	normal := mgl64.Vec2{a[1] - b[1], b[0] - a[0]} // on the free side
	for k, end := range [...]mgl64.Vec2{a, b} {
		var most mgl64.Vec2
		best := math.Inf(-1)
		for _, m := range obstacles {
			var of mgl64.Vec2
			moves := field(m)
			if moves != nil {
				of = moves(end)
			}
			if speed := of.Dot(normal); speed > best || speed == best && moves == nil {
				most, best = of, speed
			}
		}
		ends[2*k], ends[2*k+1] = float32(most[0]), float32(most[1])
	}
	return ends
}

// sweptBy is by how much walls have moved at most, along either axis, in lattice steps.
func sweptBy(l geom.Lattice, records [][4]float32) int32 {
	var most float32
	for i := 1; i < len(records); i += 2 {
		for _, by := range records[i] {
			most = max(most, by, -by)
		}
	}
	return int32(math.Ceil(min(float64(most)/l.Step, geom.Steps)))
}
