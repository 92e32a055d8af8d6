package reference

import (
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/scenes"
)

// bounded is what a cell is set to: at least 0 and at most 1, which is where the solution lies, so
// that a cell never gets farther from it.
func bounded[F Real](q F) F {
	q = min(max(q, 0), 1)
	if q < Tiny {
		return 0
	}
	return q
}

// mean is equation 3: what a cell has to be.
func mean[F Real](p Potential[F], s *local.Settings, k int) F {
	across := Product(F(s.Weights[0]), p.Q[k+1]) + Product(F(s.Weights[1]), p.Q[k-1])
	along := Product(F(s.Weights[2]), p.Q[k+p.Cells]) + Product(F(s.Weights[3]), p.Q[k-p.Cells])
	return across + along
}

// Residual is the most by which a free cell differs from what equation 3 asks of it.
func Residual[F Real](p Potential[F], s local.Settings) F {
	var most F
	for k := range p.Q {
		if !p.Fixed[k] {
			d := mean(p, &s, k) - p.Q[k]
			most = max(most, d, -d)
		}
	}
	return most
}

// Relax relaxes a map by a method, so many times: the plain form of the passes. JacobiGS is here
// the one that goes from cell to cell, row by row.
func Relax[F Real](p Potential[F], s local.Settings, method scenes.Method, times int) {
	switch method {
	case scenes.MethodRedBlack:
		relaxRedBlack(p, s, times)
	case scenes.MethodJacobiGS:
		for range times {
			for k := range p.Q {
				if !p.Fixed[k] {
					p.Q[k] = bounded(mean(p, &s, k))
				}
			}
		}
	case scenes.MethodADI:
		relaxADI(p, s, times)
	}
}

func relaxRedBlack[F Real](p Potential[F], s local.Settings, times int) {
	factors := make([]F, len(p.Q))
	for k := range p.Q {
		if !p.Fixed[k] {
			factors[k] = F(factor(p, s, k))
		}
	}
	for half := range 2 * times {
		for k := range p.Q {
			if (k%p.Cells+k/p.Cells)&1 == half&1 && !p.Fixed[k] {
				p.Q[k] = bounded(p.Q[k] + Product(factors[k], mean(p, &s, k)-p.Q[k]))
			}
		}
	}
}

// factor is how far a cell's over-relaxation goes: 2 / (1 + sqrt(1 - r^2)), which is best for an
// empty rectangle, where r is the spectral radius of Jacobi's method on it (Young 1954). Here it is
// the rectangle as wide as the free cells beside this one, and as high as those above and below. In
// an empty map that is the whole of it. Among obstacles it is little, and so the potential converges
// as fast as it does there; were the whole map's factor taken, far smaller potentials than those
// that swing would be lost among these.
func factor[F Real](p Potential[F], s local.Settings, k int) float32 {
	r := float32(s.Radii[0]*cosines[free(p, k, 1)]) + float32(s.Radii[1]*cosines[free(p, k, p.Cells)])
	return 2 * reciprocal(1+root(1-float32(r*r)))
}

// cosines are cos(pi / (n + 1)) for n free cells in a row, which is to those what 1 is to endless
// ones.
var cosines = func() (c [MaxCells]float32) {
	for n := range c {
		c[n] = direction(pi * reciprocal(float32(n+1)))[0]
	}
	return c
}()

// free counts the free cells in a row, or column, on both sides of a free one, with it.
func free[F Real](p Potential[F], k, step int) int {
	n := 1
	for i := k + step; !p.Fixed[i]; i += step {
		n++
	}
	for i := k - step; !p.Fixed[i]; i -= step {
		n++
	}
	return n
}

// relaxADI is the method of Peaceman and Rachford. With H what equation 3 takes of a cell's row,
// q/2 - east - west, and V the same of its column, H q + V q = 0 is solved by turns:
//
//	(H + shift) q' = (shift - V) q,   (V + shift) q'' = (shift - H) q'
func relaxADI[F Real](p Potential[F], s local.Settings, times int) {
	n := p.Cells
	right := make([]F, len(p.Q)) // right sides, then what eliminating leaves
	for time := range times {
		at := s.Shift[0]
		for range time % local.Shifts {
			at *= s.Shift[1]
		}
		for along := range 2 {
			step, across := 1, n
			w := [4]F{F(s.Weights[0]), F(s.Weights[1]), F(s.Weights[2]), F(s.Weights[3])}
			if along == 1 {
				step, across = n, 1
				w = [4]F{w[2], w[3], w[0], w[1]}
			}
			shift := F(at)
			for k := range p.Q {
				if !p.Fixed[k] {
					right[k] = Product(shift-0.5, p.Q[k]) + (Product(w[2], p.Q[k+across]) + Product(w[3], p.Q[k-across]))
				}
			}
			for line := 1; line < n-1; line++ {
				solveLine(p, right, line*across, step, shift+0.5, w[0], w[1])
			}
		}
	}
}

// solveLine solves diagonal q - ahead q[next] - behind q[last] = right for the free cells of a line
// of cells that begins and ends with a fixed one.
func solveLine[F Real](p Potential[F], right []F, first, step int, diagonal, ahead, behind F) {
	var c, d F
	for i := range p.Cells {
		k := first + i*step
		if p.Fixed[k] {
			c, d = 0, p.Q[k]
		} else {
			r := Quotient(diagonal - Product(behind, c))
			c, d = ahead*r, (right[k]+Product(behind, d))*r
		}
		p.Q[k], right[k] = d, c
	}
	v := d
	for i := p.Cells - 2; i >= 0; i-- {
		k := first + i*step
		v = p.Q[k] + Product(right[k], v)
		p.Q[k] = bounded(v)
	}
}
