package bvp

// Gradient is twice the gradient of a map at its agent, by the differences of the cells on either side (Fischer et al. 2009,
// section 3); where the agent stands at the corner of four cells, the sum of theirs. Only its direction is used.
func Gradient[F Real](p Potential[F]) (x, y F) {
	n := p.Cells
	a := (n - 1) / 2
	if n%2 == 1 {
		k := a*n + a
		return p.Q[k+1] - p.Q[k-1], p.Q[k+n] - p.Q[k-n]
	}
	// Columns, or rows, a-1 to b+1: those before count against those behind, of two rows, or columns, each.
	for i := a; i <= a+1; i++ {
		row, column := i*n+a, a*n+i
		x += (p.Q[row+2] - p.Q[row]) + (p.Q[row+1] - p.Q[row-1])
		y += (p.Q[column+2*n] - p.Q[column]) + (p.Q[column+n] - p.Q[column-n])
	}
	return x, y
}
