package agents

import (
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// walls are the walls of a ground and their grid on the device, as
// shaders/include/walls.glsl reads them.
type walls struct {
	walls *gpu.Buffer[Wall]
	cells *gpu.Buffer[uint32] // where each cell's list begins, counted in cells; then the lists
	grid  [3]int32            // shift, columns, rows
}

func uploadWalls(h *hoard, ground *geom.Ground, grid *geom.WallGrid) walls {
	records := make([]Wall, len(ground.Walls))
	for i, w := range ground.Walls {
		a, b := ground.Vertices[w.A], ground.Vertices[w.B]
		records[i] = Wall{a.X, a.Y, b.X, b.Y}
	}
	cells := make([]uint32, 0, len(grid.Start)+len(grid.Items))
	for _, start := range grid.Start {
		cells = append(cells, uint32(len(grid.Start))+start)
	}
	cells = append(cells, grid.Items...)
	return walls{
		walls: upload(h, "agents walls", records),
		cells: upload(h, "agents wall cells", cells),
		grid:  [3]int32{int32(grid.Shift), grid.Columns, grid.Rows},
	}
}

func (w walls) bind() {
	w.walls.Bind(bindWalls)
	w.cells.Bind(bindWallCells)
}
