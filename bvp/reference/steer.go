package reference

import "github.com/wayfront/wayfront/bvp/local"

// Gradient is twice the gradient of a map at its agent, by the differences of the cells on either
// side (Fischer et al. 2009, section 3); where the agent stands at the corner of four cells, the
// sum of theirs. Only its direction is used.
func Gradient[F Real](p Potential[F]) (x, y F) {
	n := p.Cells
	a := (n - 1) / 2
	if n%2 == 1 {
		k := a*n + a
		return p.Q[k+1] - p.Q[k-1], p.Q[k+n] - p.Q[k-n]
	}
	for i := a; i <= a+1; i++ {
		row, column := i*n+a, a*n+i
		x += (p.Q[row+2] - p.Q[row]) + (p.Q[row+1] - p.Q[row-1])
		y += (p.Q[column+2*n] - p.Q[column]) + (p.Q[column+n] - p.Q[column-n])
	}
	return x, y
}

// Steer is the plain form of steer.comp: it turns a walker whose map is relaxed, and returns its
// velocity in m/s, and whether the map is flat.
//
// The heading goes along the shorter arc to where the potential rises, by all but eta of the way
// (Fischer et al. 2009, equation 4). With speed control its cosine to where it would go is its
// speed, none beyond a right angle (equation 5); it turns nevertheless, or it would never start
// again. Without a gradient it keeps its heading; by robust rules it heads for the guide's point, but
// stands where everything about it is taken, and to a goal in the very cells that it stands in it
// goes straight, and stops there.
func Steer(p Potential[float32], w *local.Walker, s local.Settings) (velocity [2]float32, flat bool) {
	f := frameOf(w, &s)
	x, y := Gradient(p)
	wish, speed := w.Heading, w.Speed
	flat = x == 0 && y == 0
	switch robust := s.Has(local.Robust); {
	case !flat:
		wish = angle([2]float32{x, y})
	case robust && enclosed(p):
		speed = 0
	case robust:
		if u, ok := towards(w.Position, w.Guide); ok {
			wish = angle(u)
		}
	}
	for _, goal := range [...][2]float32{w.Guide, w.Goal} {
		if !s.Has(local.Robust) {
			break
		}
		if k, ok := f.ownCell(goal); !ok || !p.Fixed[k] {
			continue
		}
		speed = 0
		if u, ok := towards(w.Position, goal); ok {
			wish = angle(u)
			speed = min(w.Speed, root(float32(u[0]*u[0])+float32(u[1]*u[1]))*s.StepsPerSecond)
		}
	}
	off := wrapped(wish - w.Heading)
	w.Heading = wrapped(w.Heading + float32(turned(off, &s)))
	if s.Has(local.SpeedControl) {
		speed *= max(direction(off)[0], 0)
	}
	if float32(speed*local.Standing) < w.Speed {
		w.Stood = min(w.Stood+1, 2*s.Patience())
	} else {
		w.Stood = max(w.Stood, 1) - 1
	}
	d := direction(w.Heading)
	return [2]float32{speed * d[0], speed * d[1]}, flat
}

// turned is how far a walker turns in a step that is off its wish by an angle.
//
// Dapper's equation 5 averages vectors, of which the last direction has no length of its own and
// the gradient that of the potential, which says how near goals and walls are and nothing about
// the way. With eta = 0.5 both are to count alike, so both have length 1 here. With the last
// direction along the x axis the average is (eta, 0) + (1 - eta) (cos off, sin off): near 180
// degrees it turns less than at 90, and at 180 not at all, which is where Fischer's angles differ.
func turned(off float32, s *local.Settings) float32 {
	rest := 1 - s.Inertia
	if !s.Has(local.Vector) {
		return rest * off
	}
	d := direction(off)
	return angle([2]float32{float32(rest*d[0]) + s.Inertia, rest * d[1]})
}

// enclosed reports whether all cells beside those that the agent stands in are obstacles.
func enclosed(p Potential[float32]) bool {
	n := p.Cells
	for k := range p.Q {
		i, j := k%n, k/n
		beside := near(n, j) && !near(n, i) && (near(n, i-1) || near(n, i+1)) ||
			near(n, i) && !near(n, j) && (near(n, j-1) || near(n, j+1))
		if beside && (!p.Fixed[k] || p.Q[k] != 0) {
			return false
		}
	}
	return true
}
