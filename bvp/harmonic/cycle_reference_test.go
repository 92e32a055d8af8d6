package harmonic

import (
	"math"

	"github.com/wayfront/wayfront/bvp/grid"
	"github.com/wayfront/wayfront/bvp/reference"
)

// relaxer solves for the potential of graphs: the plain form of the passes, in float32 bit for bit
// theirs.
type relaxer[F reference.Real] struct {
	*graphs
	x      []F     // potential over 2^e, from 1 to 2; a factor above the first level
	e      []int32 // exponent
	base   []int32 // exponent of the unit of a node's equation; 0 on the first level
	b      []F     // flow to goals
	d      []F     // the diagonal
	g      []F     // by edge, its flow
	behind [][4]F  // by direction, the resistance from the middle of a node's lane to it: see resist
}

// newRelaxer begins with the hierarchy's guess.
func newRelaxer[F reference.Real](h *graphs) *relaxer[F] {
	n := len(h.nodes) - 1
	r := &relaxer[F]{
		graphs: h, x: make([]F, n), e: make([]int32, n), base: make([]int32, n), b: make([]F, n), d: make([]F, n),
		g: make([]F, len(h.edges)), behind: make([][4]F, n),
	}
	for k, state := range h.states() {
		r.x[k], r.e[k], r.b[k], r.d[k] = F(state.X), state.E, F(state.B), F(state.D)
	}
	for e, flow := range h.flows() {
		r.g[e] = F(flow)
	}
	return r
}

// power is 2^e, as far as it matters: from 2^-60, which no sum of floats notices next to 1, to
// 2^60, so that no product of a few such overflows.
func power[F reference.Real](e int32) F {
	return F(math.Float32frombits(uint32(min(max(e, -60), 60)+127) << 23))
}

// set gives a node the potential, or the factor, x 2^e. No potential is above 1.
func (r *relaxer[F]) set(n int, x F, e int32, top bool) {
	more := int32(math.Float32bits(float32(x))>>23) - 127
	r.x[n], r.e[n] = x*power[F](-more), e+more
	if top && r.e[n] >= 0 {
		r.x[n], r.e[n] = 1, 0
	}
}

// unit is the exponent of a node's potential, be it of its own or what it is on the first level.
func (r *relaxer[F]) unit(n int) int32 { return r.base[n] + r.e[n] }

// flow is what an edge brings to a node, and ending what goals do, over the node's own 2^e.
func (r *relaxer[F]) flow(n int, edge uint32) F {
	to := r.edges[edge].to()
	return reference.Product(r.g[edge], r.x[to]) * power[F](r.e[to]-r.e[n])
}

func (r *relaxer[F]) ending(n int) F {
	if r.b[n] == 0 {
		return 0
	}
	return r.b[n] * power[F](-r.e[n])
}

// smooth sets the nodes of a level that have a color to what the equation asks.
func (r *relaxer[F]) smooth(level int, color uint32) {
	first, end := r.at(level)
	for n := first; n < end; n++ {
		if r.nodes[n].Color != color {
			continue
		}
		sum := r.ending(n)
		for e := r.nodes[n].FirstEdge; e < r.nodes[n+1].FirstEdge; e++ {
			sum += r.flow(n, e)
		}
		// Where next to nothing flows, for the first guess was wild, it is left to later cycles.
		if sum >= reference.Tiny {
			r.set(n, sum*reference.Quotient(r.d[n]), r.e[n], level == 0)
		}
	}
}

// resist finds, for each node of a level and each direction, how far it is from the middle of what
// flows through it. A node's lane in a direction is it and the parts of the same whole opposite of
// that. In a wide room the middle is half way, in a narrow corridor nearly all of the potential is
// at the end towards the goal. So the resistance behind a node is that of the edge between, times
// the share of q^2 beyond it.
func (r *relaxer[F]) resist(level int) {
	first, end := r.at(level)
	for n := first; n < end; n++ {
		r.behind[n] = [4]F{}
		for e := r.nodes[n].FirstEdge; e < r.nodes[n+1].FirstEdge; e++ {
			flow := r.x[n] * r.flow(n, e)
			if r.edges[e].Above != inside || flow < reference.Tiny {
				continue
			}
			to := r.edges[e].to()
			ratio := r.x[n] * reference.Quotient(r.x[to]) * power[F](min(r.unit(n)-r.unit(to), 40))
			share := reference.Quotient(1 + reference.Product(ratio, ratio))
			r.behind[n][r.edges[e].direction()] += share * reference.Quotient(flow)
		}
	}
}

// coarsen makes the equations of the level above one.
func (r *relaxer[F]) coarsen(level int) {
	first, end := r.at(level + 1)
	for whole := first; whole < end; whole++ {
		low, high := int(r.nodes[whole].FirstPart), int(r.nodes[whole+1].FirstPart)
		highest := r.unit(low)
		for n := low; n < high; n++ {
			highest = max(highest, r.unit(n))
		}
		r.base[whole], r.x[whole], r.e[whole] = highest, 1, 0
		// What flows out, to goals, and what is missing, all weighted with q.
		var out, ends, missing F
		for n := low; n < high; n++ {
			weight := power[F](2*(r.unit(n)-highest)) * r.x[n]
			end := r.ending(n)
			lacks := reference.Product(r.d[n], r.x[n]) - end
			var leaves F
			for e := r.nodes[n].FirstEdge; e < r.nodes[n+1].FirstEdge; e++ {
				v := r.flow(n, e)
				lacks -= v
				if r.edges[e].Above != inside {
					leaves += v
				}
			}
			ends += reference.Product(weight, end)
			out += reference.Product(weight, leaves)
			missing += reference.Product(weight, lacks)
		}
		r.b[whole] = ends
		even := missing >= -(rough * (out + ends))
		for e := r.nodes[whole].FirstEdge; e < r.nodes[whole+1].FirstEdge; e++ {
			r.g[e] = 0
		}
		diagonal := ends
		for n := low; n < high; n++ {
			weight := power[F](2 * (r.unit(n) - highest))
			for e := r.nodes[n].FirstEdge; e < r.nodes[n+1].FirstEdge; e++ {
				above := r.edges[e].Above
				if above == inside {
					continue
				}
				flow := r.x[n] * r.flow(n, e)
				if even {
					to, direction := r.edges[e].to(), r.edges[e].direction()
					beyond := reference.Product(r.behind[to][direction], power[F](2*(r.unit(n)-r.unit(to))))
					a, b := min(flow*r.behind[n][direction^1], mostBehind), min(flow*beyond, mostBehind)
					flow *= reference.Quotient(1 + min(a, b) + min(max(a, b), reference.Product(lopsided, min(a, b))))
				}
				flow *= weight
				r.g[above] += flow
				diagonal += flow
			}
		}
		r.d[whole] = max(diagonal+missing, leastDiagonal*diagonal, reference.Tiny)
	}
}

// correct multiplies the parts of every node of the level above by its factor.
func (r *relaxer[F]) correct(level int) {
	first, end := r.at(level)
	for n := first; n < end; n++ {
		whole := r.nodes[n].Whole
		r.set(n, r.x[n]*r.x[whole], r.e[n]+r.e[whole], level == 0)
	}
}

// cycle relaxes every level, from the first to the last and back.
func (r *relaxer[F]) cycle() {
	last := len(r.levels) - 2
	for level := range last {
		r.relax(level, 0)
		r.resist(level)
		r.coarsen(level)
	}
	r.relax(last, 0)
	for level := last - 1; level >= 0; level-- {
		r.correct(level)
		r.relax(level, 1)
	}
}

// relax smooths a level, one color first.
func (r *relaxer[F]) relax(level int, color uint32) {
	for range sweeps + moreSweeps*level {
		r.smooth(level, color)
		r.smooth(level, 1-color)
	}
}

// imbalance is the most by which a cell's potential differs from the mean of those beside it, as a
// share of it.
func (r *relaxer[F]) imbalance() F {
	var most F
	_, count := r.at(0)
	for n := range count {
		sum := r.ending(n)
		for e := r.nodes[n].FirstEdge; e < r.nodes[n+1].FirstEdge; e++ {
			sum += r.flow(n, e)
		}
		off := reference.Product(sum, 0.25*reference.Quotient(r.x[n])) - 1
		most = max(most, off, -off)
	}
	return most
}

// ascent is the unit vector along which q rises from a cell, by the differences of the cells on
// either side: nothing where it does not, and in goals.
func (r *relaxer[F]) ascent(cell int) [2]F {
	var ratios [4]F
	for d := range ratios {
		to, ok := r.grid.Way(cell, d)
		if n := r.cells[cell]; ok && n >= 0 {
			x, e := F(1), int32(0)
			if o := r.cells[to]; o >= 0 {
				x, e = r.x[o], r.e[o]
			}
			ratios[d] = x * reference.Quotient(r.x[n]) * power[F](e-r.e[n])
		}
	}
	x, y := ratios[grid.East]-ratios[grid.West], ratios[grid.North]-ratios[grid.South]
	long := max(x, -x, y, -y)
	if long < reference.Tiny {
		return [2]F{}
	}
	x, y = x*reference.Quotient(long), y*reference.Quotient(long)
	length := reference.Quotient(reference.SquareRoot(reference.Product(x, x) + reference.Product(y, y)))
	return [2]F{x * length, y * length}
}

// height is -ln q of each cell: 0 in goals, infinite where no way leads from.
func (r *relaxer[F]) height() []float64 {
	u := make([]float64, len(r.cells))
	for cell, n := range r.cells {
		switch n {
		case goalCell:
		case noCell:
			u[cell] = math.Inf(1)
		default:
			u[cell] = -(math.Log(float64(r.x[n])) + float64(r.e[n])*math.Ln2)
		}
	}
	return u
}

func (e edge) direction() int { return int(e.To >> toBits) }
