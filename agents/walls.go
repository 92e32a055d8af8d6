package agents

import (
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// walls are the grids of walls that agents need, in one buffer on the device, as
// include/walls.glsl reads them. First come the heads, one for each layer of the guide: that of
// its map's ground.
type walls struct {
	buffer *gpu.Buffer[[4]int32]
	texels *gpu.TexelBuffer // the same, a record a texel
	own    Terrain          // that of the crowd
	layers []Terrain        // of the guide
	heads  int              // that there is space for
	held   []held           // every grid that is needed, once
	turns  wallTurns
}

// held is a grid with its place in the buffer.
type held struct {
	Terrain
	first, capacity int
}

// set makes the buffer hold the ground that agents walk on and the terrains of the guide's
// layers. What is there already is not uploaded again, and the buffer stays as long as all fit.
// After an error, of these resources before or of its own, nothing has been written.
func (w *walls) set(r *gpu.ResourceSet, own Terrain, layers []Terrain) {
	if w.buffer != nil && w.own == own && slices.Equal(w.layers, layers) {
		return
	}
	needed := []Terrain{own}
	for _, t := range layers {
		if t != (Terrain{}) && !slices.Contains(needed, t) {
			needed = append(needed, t)
		}
	}
	next, ok := w.reuse(needed)
	if !ok || len(layers) > w.heads {
		if w.buffer != nil {
			r.Replace(w.texels, w.buffer)
		}
		w.heads, w.held, next = max(len(layers), w.heads), nil, nil
		end := w.heads
		for _, t := range needed {
			capacity := recordCount(t) * 5 / 4
			next = append(next, held{t, end, capacity})
			end += capacity
		}
		w.buffer = gpu.Keep(r, func() (*gpu.Buffer[[4]int32], error) { return gpu.NewBuffer[[4]int32](r.Device, "agents walls", end) })
		w.texels = texels(r, w.buffer, gpu.RGBA32UI)
	}
	if r.Err != nil {
		return
	}
	for _, h := range next {
		if !slices.Contains(w.held, h) {
			w.buffer.Write(h.first, wallRecords(h.Terrain))
		}
	}
	w.own, w.layers, w.held, w.turns = own, slices.Clone(layers), next, turnsOf(needed)
	heads := make([][4]int32, len(layers))
	for i, t := range layers {
		if t == (Terrain{}) {
			t = own
		}
		heads[i] = w.head(t)
	}
	w.buffer.Write(0, heads)
}

// reuse finds places for grids in the buffer as it is: those that are there stay, the others take
// places of what is not needed any more.
func (w *walls) reuse(needed []Terrain) (next []held, ok bool) {
	var free []held
	for _, h := range w.held {
		if slices.Contains(needed, h.Terrain) {
			next = append(next, h)
		} else {
			free = append(free, h)
		}
	}
	for _, t := range needed {
		if slices.ContainsFunc(next, func(h held) bool { return h.Terrain == t }) {
			continue
		}
		k := slices.IndexFunc(free, func(h held) bool { return h.capacity >= recordCount(t) })
		if k < 0 {
			return nil, false
		}
		next = append(next, held{t, free[k].first, free[k].capacity})
		free = slices.Delete(free, k, k+1)
	}
	return next, true
}

// head is the header of a grid: shift, columns, rows, and where it begins in the buffer.
func (w *walls) head(t Terrain) [4]int32 {
	i := slices.IndexFunc(w.held, func(h held) bool { return h.Terrain == t })
	return [4]int32{int32(t.Grid.Shift), t.Grid.Columns, t.Grid.Rows, int32(w.held[i].first)}
}

// Wall is a wall of the ground from A to B, lattice coordinates, with free ground on its left.
type Wall struct {
	AX, AY, BX, BY int32
}

func (w Wall) ends() (a, b geom.Point) {
	return geom.Point{X: w.AX, Y: w.AY}, geom.Point{X: w.BX, Y: w.BY}
}

// appendDirected appends a wall of the ground in the directions that have free ground on their
// left.
func appendDirected(all []Wall, ground *geom.Ground, wall uint32) []Wall {
	w := ground.Walls[wall]
	a, b := ground.Vertices[w.A], ground.Vertices[w.B]
	if w.Left {
		all = append(all, Wall{a.X, a.Y, b.X, b.Y})
	}
	if w.Right {
		all = append(all, Wall{b.X, b.Y, a.X, a.Y})
	}
	return all
}

// recordCount is how many records wallRecords makes.
func recordCount(t Terrain) int {
	count := len(t.Grid.Start) - 1 + len(t.Grid.Items)
	for _, item := range t.Grid.Items {
		if w := &t.Ground.Walls[item]; w.Left && w.Right {
			count++
		}
	}
	return count
}

// wallRecords are the records of a grid: of the cells, then their lists of walls.
func wallRecords(t Terrain) [][4]int32 {
	grid := t.Grid
	cells := len(grid.Start) - 1
	records := make([][4]int32, cells, recordCount(t))
	var before, walls []Wall // of the cell before in the row, and of this one
	for i := range records {
		column, row := int32(i)%grid.Columns, int32(i)/grid.Columns
		before, walls = walls, before[:0]
		for _, item := range grid.Walls(column, row) {
			walls = appendDirected(walls, t.Ground, item)
		}
		// The winding number of all walls about the cell's corner: that of the corner before, or
		// outside of the domain 0, and what is passed on the way.
		at := geom.Point{X: column << grid.Shift, Y: row << grid.Shift}
		var winding int32
		if column == 0 {
			winding = passed(walls, at)
		} else {
			previous := geom.Point{X: (column - 1) << grid.Shift, Y: at.Y}
			winding = records[i-1][2] + passed(before, at) - passed(before, previous)
		}
		records[i] = [4]int32{int32(len(records)), int32(len(records) + len(walls)), winding, 0}
		for _, w := range walls {
			records = append(records, [4]int32{w.AX, w.AY, w.BX, w.BY})
		}
	}
	emptiness(records[:cells], grid.Columns)
	return records
}

// emptiness fills in how far each cell is from the nearest one that has walls: over neighbors on
// all sides and corners, first those before it, then those behind it.
func emptiness(cells [][4]int32, columns int32) {
	n := int32(len(cells))
	relax := func(i int32, before int32) {
		cell := &cells[i]
		if cell[0] < cell[1] {
			cell[3] = 0
			return
		}
		column := i % columns
		for _, k := range [...]int32{before, columns*before - 1, columns * before, columns*before + 1} {
			if j := i + k; j >= 0 && j < n && max(column, j%columns)-min(column, j%columns) <= 1 {
				cell[3] = min(cell[3], cells[j][3]+1)
			}
		}
	}
	for i := range n {
		cells[i][3] = n
		relax(i, -1)
	}
	for i := n - 1; i >= 0; i-- {
		relax(i, 1)
	}
}

// passed is what the winding number grows by along the row of a corner, from far left up to the
// point just right of and above it, at walls.
func passed(walls []Wall, corner geom.Point) (winding int32) {
	for _, w := range walls {
		a, b := w.ends()
		up, down := a.Y <= corner.Y && corner.Y < b.Y, b.Y <= corner.Y && corner.Y < a.Y
		switch side := besideCorner(a, b, corner); {
		case up && side == geom.Right:
			winding--
		case down && side == geom.Left:
			winding++
		}
	}
	return winding
}

// besideCorner is the side of ab of the point just right of and above a corner: it is (e, e^2)
// away, with e as small as one likes.
func besideCorner(a, b, corner geom.Point) geom.Side {
	if side := geom.Orient(a, b, corner); side != geom.Collinear {
		return side
	}
	if a.Y < b.Y || a.Y == b.Y && a.X > b.X {
		return geom.Right
	}
	return geom.Left
}
