package local

import "github.com/wayfront/wayfront/engine/gpu"

// maxCells is the most cells along a side of a map: 63 times 63 potentials, twice, are what a work
// group's shared memory holds on every device.
const maxCells = 63

// class is how work groups take maps of up to edge cells along a side: several small ones at once,
// so that a group has invocations enough to be worth it, with a tile of invocations each. An
// invocation has a strip of the map, some columns wide and some rows high; a map is as high as some
// strips.
type class struct {
	edge, maps, wide, rows, strips int
}

// classes are the sizes that the passes are compiled for, 11, 16 and 21 cells for those of the
// papers. Strips have an even number of columns and of rows, so that all begin with the same color
// of a chessboard, and few enough to stay in registers. Groups are a little less than once or twice
// the 32 invocations that devices run as one.
var classes = [...]class{
	{11, 10, 4, 10, 1},
	{16, 8, 4, 14, 1},
	{21, 6, 4, 20, 1},
	{32, 2, 4, 16, 2},
	{45, 1, 4, 12, 4},
	{maxCells, 1, 4, 16, 4},
}

// columns is how many strips lie side by side.
func (c class) columns() int { return (c.edge - 2 + c.wide - 1) / c.wide }

// tile is how many invocations a map has.
func (c class) tile() int { return c.columns() * c.strips }

// classOf is the index of the smallest class that takes maps of so many cells.
func classOf(cells int) int {
	for i, c := range classes {
		if cells <= c.edge {
			return i
		}
	}
	panic("bvp: no class for a map")
}

// defines are those of the shaders of local maps, for maps of a class.
func (c class) defines() map[string]any {
	return map[string]any{
		"EDGE":        c.edge,
		"MAPS":        c.maps,
		"TILE":        c.tile(),
		"COLUMNS":     c.columns(),
		"WIDE":        c.wide,
		"ROWS":        c.rows,
		"STRIPS":      c.strips,
		"SHIFTS":      Shifts,
		"STANDING":    float32(Standing),
		"GOAL_LENGTH": float32(GoalLength),
		"SHOULDER":    float32(Shoulder),
		"STILL":       float32(Still),
		"YIELDING":    float32(Yielding),
		"NO_HEADING":  NoHeading,
		"NOT_THERE":   NotThere,
		"AFAR":        float32(Afar),
		"GROUP_SIZE":  groupSize,

		"SPEED_CONTROL": SpeedControl,
		"ROBUST":        Robust,
		"VECTOR":        Vector,
	}
}

// Defines are those of shaders that read local maps, of any class.
func Defines() map[string]any { return classes[0].defines() }

// MostGroups is how many work groups any device can dispatch.
const MostGroups = 65535

// groupSize is the number of walkers a work group, of passes with an invocation each.
const groupSize = 64

// Passes are all passes, in every form.
func Passes() []gpu.PassInfo {
	specs := []gpu.PassInfo{steerPass.Info(), movePass.Info()}
	for _, c := range classes {
		specs = append(specs, stampPass(c).Info())
		for method := range relaxers {
			specs = append(specs, relaxPass(method, c).Info())
		}
	}
	return specs
}
