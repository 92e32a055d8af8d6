package agents

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Motion is an obstacle of the crowd's ground that moves.
type Motion struct {
	Outline  geom.Polygon                  // where it is, m, in the world
	Velocity func(p mgl64.Vec2) mgl64.Vec2 // of its point at p, m in the world; m/s
}

// motions are the velocities of walls on the device, by the records of walls.
type motions struct {
	some       bool // wall moves
	velocities *gpu.Buffer[[2]float32]
	texels     *gpu.TexelBuffer
}

// SetMotions sets which obstacles move, of the ground that SetGround has set; after SetGround
// none does. Agents that avoid others take their walls for moving on as they do, from the next
// step on. It changes no wall. The error is a *gpu.CapacityError; no obstacle counts as moving
// then.
func (c *Crowd) SetMotions(moving []Motion) error {
	c.motions.some = false
	velocities := velocitiesOf(c.terrain, moving)
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
		m.velocities = upload(r, "agents velocities of walls", make([][2]float32, records))
		m.texels = texels(r, m.velocities, gpu.RG32F)
	}
}

// motionInput is that of agents/motions.glsl.
type motionInput struct {
	wallsMove      bool
	wallVelocities *gpu.TexelBuffer
}

func (m *motions) input() motionInput { return motionInput{m.some, m.texels} }

// velocitiesOf are the velocities of the records of a ground's walls; nil if none moves.
func velocitiesOf(t Terrain, moving []Motion) [][2]float32 {
	var walls map[uint32][2]float32
	for _, m := range moving {
		lattice := t.Ground.Lattice
		border := borderOf(lattice, m.Outline)
		for i, w := range t.Ground.Walls {
			a, b := t.Ground.Vertices[w.A], t.Ground.Vertices[w.B]
			if !border.holds(a, b) {
				continue
			}
			// a wall has that of its middle
			velocity := m.Velocity(lattice.World(a).Add(lattice.World(b)).Mul(0.5))
			if walls == nil {
				walls = map[uint32][2]float32{}
			}
			walls[uint32(i)] = [2]float32{float32(velocity[0]), float32(velocity[1])}
		}
	}
	if walls == nil {
		return nil
	}
	all := make([][2]float32, len(t.Grid.Start)-1, recordCount(t))
	for _, item := range t.Grid.Items {
		w := t.Ground.Walls[item]
		for _, free := range [...]bool{w.Left, w.Right} {
			if free {
				all = append(all, walls[item])
			}
		}
	}
	return all
}

// border is the border of a polygon in lattice steps.
type border struct {
	edges     [][2]mgl64.Vec2
	low, high mgl64.Vec2
}

func borderOf(l geom.Lattice, p geom.Polygon) border {
	b := border{low: mgl64.Vec2{math.Inf(1), math.Inf(1)}, high: mgl64.Vec2{math.Inf(-1), math.Inf(-1)}}
	for _, ring := range append([]geom.Ring{p.Outer}, p.Holes...) {
		steps := make([]mgl64.Vec2, len(ring))
		for i, v := range ring {
			steps[i] = v.Sub(l.Origin).Mul(1 / l.Step)
			for axis := range 2 {
				b.low[axis], b.high[axis] = min(b.low[axis], steps[i][axis]), max(b.high[axis], steps[i][axis])
			}
		}
		for i, v := range steps {
			b.edges = append(b.edges, [2]mgl64.Vec2{v, steps[(i+1)%len(steps)]})
		}
	}
	return b
}

// bent is how far from the border of its obstacle a wall may be, in lattice steps: vertices are
// rounded to the lattice, by half a step along both axes, and walls bent to vertices that are as
// near.
const bent = math.Sqrt2

// holds reports whether the wall from p to q lies on the border: its ends and its middle do.
func (b border) holds(p, q geom.Point) bool {
	ends := [2]mgl64.Vec2{{float64(p.X), float64(p.Y)}, {float64(q.X), float64(q.Y)}}
	for _, v := range [...]mgl64.Vec2{ends[0], ends[1], ends[0].Add(ends[1]).Mul(0.5)} {
		for axis := range 2 {
			if v[axis] < b.low[axis]-bent || v[axis] > b.high[axis]+bent {
				return false
			}
		}
		on := false
		for _, e := range b.edges {
			on = on || fromEdge(v, e) <= bent
		}
		if !on {
			return false
		}
	}
	return true
}

// fromEdge is the distance of a point from an edge.
func fromEdge(v mgl64.Vec2, e [2]mgl64.Vec2) float64 {
	along := e[1].Sub(e[0])
	if square := along.Dot(along); square > 0 {
		return v.Sub(e[0].Add(along.Mul(min(max(v.Sub(e[0]).Dot(along)/square, 0), 1)))).Len()
	}
	return v.Sub(e[0]).Len()
}
