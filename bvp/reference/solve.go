package reference

import "github.com/wayfront/wayfront/bvp/local"

// Solve sets the free cells of a map to the solution of equation 3, without relaxation: elimination
// in a band, which goes with the fourth power of the number of cells along a side.
//
// Pivots need no search: every row's diagonal is at least the sum of what is beside it, and stays
// so. Nothing but diagonals is ever subtracted from, so that small potentials have as many good
// digits as large ones.
func Solve(p Potential[float64], s local.Settings) {
	n, width := p.Cells, 2*p.Cells+1
	band := make([]float64, len(p.Q)*width) // row k has columns k-n to k+n
	row := func(k int) []float64 { return band[k*width : (k+1)*width] }
	for k := range p.Q {
		r := row(k)
		r[n] = 1
		if !p.Fixed[k] {
			r[n+1], r[n-1], r[2*n], r[0] = -float64(s.Weights[0]), -float64(s.Weights[1]), -float64(s.Weights[2]), -float64(s.Weights[3])
			p.Q[k] = 0
		}
	}
	for k := range p.Q {
		from := row(k)
		for i := k + 1; i <= k+n && i < len(p.Q); i++ {
			to := row(i)
			by := to[k-i+n] / from[n]
			if by == 0 {
				continue
			}
			for j := k + 1; j <= k+n; j++ {
				to[j-i+n] -= by * from[j-k+n]
			}
			p.Q[i] -= by * p.Q[k]
		}
	}
	for k := len(p.Q) - 1; k >= 0; k-- {
		r := row(k)
		for j := k + 1; j <= k+n && j < len(p.Q); j++ {
			p.Q[k] -= r[j-k+n] * p.Q[j]
		}
		p.Q[k] /= r[n]
	}
}
