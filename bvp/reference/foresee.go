package reference

import "github.com/wayfront/wayfront/bvp/local"

// foreseen is where a walker expects another agent, m, with its own disc: by robust rules, and of
// agents that come nearer and reach into the update zone.
//
// Both keep their velocities until they are nearest, r + u t by place and velocity of the other
// from the walker. If they then miss each other by less than their radii, each is expected to do
// half of what lacks, on the side on which it passes anyway, as far as it can walk until then. That
// side is the sign of the cross product of r and u, which is the same for both, to the last bit,
// since both r and u only change their signs: so both give way to different sides of the ground,
// and what each does only widens the miss. Exactly head-on it is 0, and both pass on their right.
//
// And of an agent that comes at the walker, which goes at it, only the place where they meet
// matters: where it is now it will not be. It counts by the cosines of both angles: not at all
// where one of the two walks away from the other, and so not where one follows the other.
func (f *frame) foreseen(own, d Disc) [2]float32 {
	r := [2]float32{d.Center[0] - f.at[0], d.Center[1] - f.at[1]}
	u := [2]float32{d.Velocity[0] - own.Velocity[0], d.Velocity[1] - own.Velocity[1]}
	squared, nearing := dot(u, u), -dot(r, u)
	outside := (max(r[0], -r[0], r[1], -r[1]) - d.Radius) * f.CellsPerMeter
	if !f.Has(local.Robust) || root(squared) < local.Still || nearing <= 0 || outside > f.middle-2 {
		return d.Center
	}
	time, way := nearing*reciprocal(squared), unit(u)
	miss := float32(r[0]*way[1]) - float32(r[1]*way[0])
	lacks := 0.5 * max(own.Radius+d.Radius-max(miss, -miss), 0)
	by := min(lacks, root(dot(d.Velocity, d.Velocity))*time)
	if miss < 0 {
		by = -by
	}
	ahead := unit(r)
	early := time * max(-dot(ahead, unit(d.Velocity)), 0) * max(dot(ahead, unit(own.Velocity)), 0)
	return [2]float32{
		d.Center[0] + float32(way[1]*by) + float32(d.Velocity[0]*early),
		d.Center[1] + float32(-way[0]*by) + float32(d.Velocity[1]*early),
	}
}

// yielding is how much of cells an agent takes at most.
func (f *frame) yielding(own, d Disc) float32 {
	if f.Has(local.Robust) && own.Yields && d.Yields {
		return local.Yielding
	}
	return 1
}

func dot(a, b [2]float32) float32 { return float32(a[0]*b[0]) + float32(a[1]*b[1]) }

// unit is a vector over its length, shorter where it is shorter than Still.
func unit(v [2]float32) [2]float32 {
	r := reciprocal(max(root(dot(v, v)), local.Still))
	return [2]float32{v[0] * r, v[1] * r}
}
