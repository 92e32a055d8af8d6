package agents

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// takeLattice has settings be those of a crowd on another lattice. Maps of layers are of the ground
// until SetGuide, and bodies of the step before count no more.
func (c *Crowd) takeLattice(r *gpu.ResourceSet, to geom.Lattice) {
	shifted := make([]Area, len(c.areas.all)) // checkpoints share the others
	for i, a := range c.areas.all {
		for _, p := range a {
			shifted[i] = append(shifted[i], Rebase(p, c.lattice, to))
		}
	}
	c.lattice, c.areas.all, c.guide.Terrains, c.sorted = to, shifted, nil, false
	c.watching.retire(r)
}

// rebase brings what is on the device from another lattice to that of the crowd. Agents keep their
// places in the world; those beyond the domain come to the nearest point of it, with an event. It
// waits for the device.
func (c *Crowd) rebase(from geom.Lattice) {
	marks := make([]uint32, c.count)
	c.events.marks.Read(0, marks)
	for k, b := range c.agents {
		all := make([]Agent, c.count)
		b.Read(0, all)
		for i := range all {
			a := &all[i]
			if beyond := a.Rebase(from, c.lattice); beyond && k == 0 && a.Status != Waiting && a.Status != Left {
				marks[i] |= EventDisplaced
			}
		}
		b.Write(0, all)
	}
	c.events.marks.Write(0, marks)
	for i := range c.mirror {
		c.mirror[i].Own = Rebase(c.mirror[i].Own, from, c.lattice)
	}
	c.traits.Write(0, c.mirror)
	c.areas.write()
	for _, b := range [...]*gpu.Buffer[Rest]{c.rests, c.events.rests} {
		rewrite(b, func(r *Rest) {
			p := Rebase([2]float32{r.X, r.Y}, from, c.lattice)
			r.X, r.Y = p[0], p[1]
		})
	}
	rewrite(c.areas.presence, func(p *Presence) {
		q := Rebase([2]float32{p.X, p.Y}, from, c.lattice)
		p.X, p.Y = q[0], q[1]
	})
}

// Rebase brings an agent from a lattice to another one: to the point there that is nearest to its
// place in the world. It reports whether that lies beyond the domain.
func (a *Agent) Rebase(from, to geom.Lattice) (beyond bool) {
	place := from.Origin.Add(mgl64.Vec2{float64(a.Position[0]), float64(a.Position[1])})
	at := to.Snap(place)
	came := to.Snap(from.World(geom.Point{X: a.FromX, Y: a.FromY}))
	a.Position, a.FromX, a.FromY, a.Sees = to.Local(at), came.X, came.Y, 0
	off := to.World(at).Sub(place)
	return max(off[0], -off[0], off[1], -off[1]) > to.Step
}

// Rebase is the place on one lattice that a local one has on another, m.
func Rebase(p [2]float32, from, to geom.Lattice) [2]float32 {
	by := from.Origin.Sub(to.Origin)
	return [2]float32{float32(float64(p[0]) + by[0]), float32(float64(p[1]) + by[1])}
}

// rewrite changes the elements of a buffer, where there is one.
func rewrite[T any](b *gpu.Buffer[T], change func(*T)) {
	if b == nil {
		return
	}
	all := make([]T, b.Len())
	b.Read(0, all)
	for i := range all {
		change(&all[i])
	}
	b.Write(0, all)
}
