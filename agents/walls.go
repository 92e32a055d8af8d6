package agents

import (
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// walls are the walls of a ground by the cells of their grid, on the device, as
// shaders/include/walls.glsl reads them.
type walls struct {
	buffer *gpu.Buffer[[4]int32]
	grid   [3]int32 // shift, columns, rows
}

func uploadWalls(h *hoard, ground *geom.Ground, grid *geom.WallGrid) walls {
	cells := int(grid.Columns) * int(grid.Rows)
	records := make([][4]int32, cells, cells+len(grid.Items))
	for i := range cells {
		records[i] = [4]int32{int32(cells) + int32(grid.Start[i]), int32(cells) + int32(grid.Start[i+1])}
	}
	for _, item := range grid.Items {
		wall := ground.Walls[item]
		a, b := ground.Vertices[wall.A], ground.Vertices[wall.B]
		records = append(records, [4]int32{a.X, a.Y, b.X, b.Y})
	}
	return walls{
		buffer: upload(h, "agents walls", records),
		grid:   [3]int32{int32(grid.Shift), grid.Columns, grid.Rows},
	}
}

func (w walls) bind() { w.buffer.Bind(bindWalls) }
