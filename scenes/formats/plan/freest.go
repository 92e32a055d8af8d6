package plan

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// freest returns the place of the goal of a file that has none: in the largest connected piece of
// free ground, of the centroids of that piece's triangles the one farthest from all walls, the
// first of several, rounded to as few decimals as move it by less than a hundredth of that
// distance. So the point is free, and so are all points around it up to 0.98 of its distance from
// walls. False where the ground has no free triangle.
func freest(g *geom.Ground) (mgl64.Vec2, bool) {
	triangles := largestPiece(g)
	if len(triangles) == 0 {
		return mgl64.Vec2{}, false
	}
	onWall := make([]bool, len(g.Vertices))
	for _, w := range g.Walls {
		onWall[w.A], onWall[w.B] = true, true
	}
	// No centroid is farther from the walls than from those of its triangle's vertices that are on
	// one, so that most need not be compared with all walls.
	type candidate struct {
		at    mgl64.Vec2
		bound float64
	}
	candidates := make([]candidate, len(triangles))
	for i, t := range triangles {
		c := candidate{bound: math.Inf(1)}
		for _, v := range g.Triangles[t].V {
			c.at = c.at.Add(onLattice(g.Vertices[v]))
		}
		c.at = c.at.Mul(1.0 / 3)
		for _, v := range g.Triangles[t].V {
			if onWall[v] {
				c.bound = min(c.bound, c.at.Sub(onLattice(g.Vertices[v])).Len())
			}
		}
		candidates[i] = c
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(b.bound, a.bound) })
	grid := geom.NewWallGrid(g)
	var best mgl64.Vec2
	far := -1.0
	for _, c := range candidates {
		if c.bound <= far {
			break
		}
		if d := wallDistance(g, grid, c.at, far); d > far {
			best, far = c.at, d
		}
	}
	step := g.Lattice.Step
	return rounded(g.Lattice.Origin.Add(best.Mul(step)), far*step/100), true
}

// largestPiece returns the triangles of the connected piece of free ground with the largest area;
// of equal ones that with the first triangle.
func largestPiece(g *geom.Ground) []int32 {
	seen := make([]bool, len(g.Triangles))
	var largest []int32
	var area int64
	for first := range g.Triangles {
		if seen[first] || !g.Triangles[first].Free {
			continue
		}
		seen[first] = true
		piece, twice := []int32{int32(first)}, int64(0)
		for k := 0; k < len(piece); k++ {
			v := g.Triangles[piece[k]].V
			a, b, c := g.Vertices[v[0]], g.Vertices[v[1]], g.Vertices[v[2]]
			twice += int64(b.X-a.X)*int64(c.Y-a.Y) - int64(b.Y-a.Y)*int64(c.X-a.X)
			for e := range int32(3) {
				if t, _ := g.Across(piece[k], e); t >= 0 && !seen[t] {
					seen[t] = true
					piece = append(piece, t)
				}
			}
		}
		if twice > area {
			largest, area = piece, twice
		}
	}
	return largest
}

// wallDistance returns the distance of a point of the domain from the nearest wall, or any number
// below enough if it is nearer than that. In steps.
func wallDistance(g *geom.Ground, grid *geom.WallGrid, p mgl64.Vec2, enough float64) float64 {
	side := float64(int32(1) << grid.Shift)
	column, row := int32(p[0]/side), int32(p[1]/side)
	nearest := math.Inf(1)
	// Squares of cells around that of the point, from the inside out: walls that are only in cells
	// beyond square k are more than k cells' sides away.
	for k := int32(0); k <= max(grid.Columns, grid.Rows) && nearest > float64(k-1)*side && nearest >= enough; k++ {
		for c := max(column-k, 0); c <= min(column+k, grid.Columns-1); c++ {
			step := max(2*k, 1) // the lowest and the highest row
			if c == column-k || c == column+k {
				step = 1
			}
			for r := row - k; r <= row+k; r += step {
				if r < 0 || r >= grid.Rows {
					continue
				}
				for _, i := range grid.Walls(c, r) {
					nearest = min(nearest, fromWall(g, i, p))
				}
			}
		}
	}
	return nearest
}

// fromWall returns the distance of a point from a wall, in steps.
func fromWall(g *geom.Ground, wall uint32, p mgl64.Vec2) float64 {
	w := g.Walls[wall]
	a := onLattice(g.Vertices[w.A])
	along := onLattice(g.Vertices[w.B]).Sub(a)
	t := p.Sub(a).Dot(along) / along.Dot(along)
	return p.Sub(a.Add(along.Mul(max(0, min(1, t))))).Len()
}

func onLattice(p geom.Point) mgl64.Vec2 { return mgl64.Vec2{float64(p.X), float64(p.Y)} }

// rounded returns a point with the fewest decimals of which one is at most grain: it is moved by
// less than grain along each axis.
func rounded(p mgl64.Vec2, grain float64) mgl64.Vec2 {
	decimals := 0
	for unit := 1.0; unit > grain && decimals < 300; unit /= 10 {
		decimals++
	}
	for i, x := range p {
		// A float written with digits reads back without error.
		p[i], _ = strconv.ParseFloat(strconv.FormatFloat(x, 'f', decimals, 64), 64)
	}
	return p
}
