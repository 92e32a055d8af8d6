// Package explore keeps what teams of agents have seen of a ground that they do not know at first,
// and leads them to the rest of it (Dapper et al. 2007, section 6.4).
package explore

import (
	"fmt"

	"github.com/wayfront/wayfront/bvp/grid"
	"github.com/wayfront/wayfront/bvp/internal/owned"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/engine/gpu"
)

// NoTeam is the team of an agent that has none.
const NoTeam uint32 = 0xffffffff

// Stale marks, in the word of a cell that is known, that it has not been seen since something came
// there: see Teams.MarkStale. It is a bit that no potential has, as none is above 1.
const Stale uint32 = 1 << 30

const (
	// Unknown is the word of a cell that the team has not seen: 1, and fixed.
	Unknown uint32 = 0x3f800000 | local.FixedBit
	// Eagerness is the factor of over-relaxation. Potentials stay between 0 and 1, as each
	// relaxation is cut there.
	Eagerness = 1.6
	// Share is what each of the four cells beside one counts: less than a quarter by a 256th, so
	// that far from walls the potential falls to 1/e within 8 cells.
	Share = 0.25 * (1 - 1.0/256)

	groupSize = 64
)

// Teams are maps of a ground, one for each team: what its members have seen. Cells that are not
// known hold 1 and pull; the others are relaxed, with walls of 0 and a small loss; so the potential
// rises towards the nearest of the unknown. After Close, methods that use the device return
// bvp.ErrClosed, or panic with it.
type Teams struct {
	owned.Resources
	grid  *grid.Grid
	count int
	seen  *gpu.Buffer[uint32]
	ways  *gpu.Buffer[uint32]
	sense *gpu.Pass[senseInput]
	relax *gpu.Pass[exploreInput]
	stale *gpu.Pass[staleInput]
	seek  *gpu.Pass[seekInput]
	claim *gpu.Pass[claimInput]

	room
	agents               int  // that members are set of
	potential, frontiers bool // some member follows the potential, seeks frontiers
}

// New makes maps for so many teams, which know nothing. The error is a *gpu.CapacityError or
// *gpu.CompileError.
func New(d *gpu.Device, g *grid.Grid, count int) (*Teams, error) {
	t := &Teams{Resources: owned.Resources{ResourceSet: gpu.ResourceSet{Device: d}}, grid: g}
	err := t.Make(func(r *gpu.ResourceSet) {
		t.ways = gpu.Upload(r, "bvp ways of cells", g.Ways)
		t.sense = gpu.Compile(r, sensePass)
		t.relax = gpu.Compile(r, explorePass)
		t.stale = gpu.Compile(r, stalePass)
		t.seek = gpu.Compile(r, seekPass)
		t.claim = gpu.Compile(r, claimPass)
	})
	if err == nil {
		err = t.Add(count)
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Add makes maps for so many teams more, which know nothing. Seen is another buffer then. After an
// error, a *gpu.CapacityError, all is as it was.
func (t *Teams) Add(teams int) error {
	return t.Do(func() error {
		before := t.count * t.grid.Count()
		seen, err := gpu.NewBuffer[uint32](t.Device, "bvp teams", before+teams*t.grid.Count())
		if err != nil {
			return err
		}
		seen.Fill(Unknown)
		if t.seen != nil {
			t.seen.CopyTo(seen, before)
			t.seen.Delete()
		}
		t.seen, t.count = seen, t.count+teams
		return nil
	})
}

// MarkStale says that something has come to cells that is to be seen there: where they are known,
// their words have Stale until an agent of the team looks. What is known of the ground stays so.
// The error is a *gpu.CapacityError.
func (t *Teams) MarkStale(cells []int) error {
	if len(cells) == 0 {
		return nil
	}
	return t.Do(func() error {
		words := make([]uint32, len(cells))
		for i, cell := range cells {
			words[i] = uint32(cell)
		}
		buffer, err := gpu.NewBuffer[uint32](t.Device, "bvp stale cells", len(words))
		if err != nil {
			return err
		}
		defer buffer.Delete()
		buffer.Write(0, words)
		in := staleInput{seen: t.seen, cells: buffer, mapSize: uint32(t.grid.Count()), teamCount: uint32(t.count), cellCount: uint32(len(cells))}
		t.stale.RunEach(in, t.count*len(cells), groupSize, 1)
		return nil
	})
}

// SetGrid gives the maps the ways of another grid, as large as the one before. What is known stays
// so.
func (t *Teams) SetGrid(g *grid.Grid) {
	if g.Columns != t.grid.Columns || g.Rows != t.grid.Rows {
		panic(fmt.Sprintf("bvp: a grid of %d x %d cells for teams' maps of %d x %d", g.Columns, g.Rows, t.grid.Columns, t.grid.Rows))
	}
	t.grid = g
	t.MustDo(func() { t.ways.Write(0, g.Ways) })
}

// Sense has walkers that are there, and whose agents have a team, see: what of the ground lies in
// the update zone of their maps, in their view cone and in sight becomes known to the team. Those
// without a heading look all round. The inputs of walkers have been written, and members been set.
func (t *Teams) Sense(m *local.Maps, time, timestep float64) {
	walkers := m.Walkers().Len()
	if walkers == 0 || t.grid.Count() == 0 {
		return
	}
	t.MustDo(func() {
		in := senseInput{
			walkers: m.Walkers(), settings: m.Settings(time, timestep), seen: t.seen, ways: t.ways, members: t.members,
			gridSize: t.grid.Size(), cellSize: float32(t.grid.CellSize()), cellsPerMeter: float32(1 / t.grid.CellSize()),
		}
		most := min(max(t.Device.Budget()/t.turnsToSense(m.Reach()), 1), local.MostGroups)
		t.Device.Unordered(func() {
			for first := 0; first < walkers; first += most {
				in.first = uint32(first)
				t.sense.Run(in, uint32(min(most, walkers-first)))
			}
		})
	})
}

// turnsToSense is how many turns of loops a walker takes to see, at most: of each cell that its map
// reaches those along the line there, which crosses a side of a cell a turn.
func (t *Teams) turnsToSense(reach float64) int {
	seen := func(cells int) float64 { return min(float64(cells), 2*(reach/t.grid.CellSize()+2)+1) }
	across, along := seen(t.grid.Columns), seen(t.grid.Rows)
	return int(across * along * (across + along))
}

// Relax takes all maps so many relaxations further, if a member follows the potential.
func (t *Teams) Relax(times int) {
	if !t.potential {
		return
	}
	t.MustDo(func() {
		count := t.count * t.grid.Count()
		in := exploreInput{seen: t.seen, ways: t.ways, gridSize: t.grid.Size(), count: uint32(count)}
		for half := range 2 * times {
			in.color = uint32(half & 1)
			t.relax.RunEach(in, count, groupSize, 1)
		}
	})
}

// Seen are the words of all teams' maps, by team, then by cell of the grid: the bits of a float,
// with local.FixedBit where the cell is not known, and Stale.
func (t *Teams) Seen() *gpu.Buffer[uint32] { return t.seen }

// Ways are those of the grid, on the device.
func (t *Teams) Ways() *gpu.Buffer[uint32] { return t.ways }

// Grid is the one that the maps are of.
func (t *Teams) Grid() *grid.Grid { return t.grid }

// Close frees what the maps have on the device.
func (t *Teams) Close() {
	t.seen.Delete()
	t.room.delete()
	t.Resources.Close()
}

// senseInput is what sense.comp.glsl takes: it marks what walkers see as known to their teams.
type senseInput struct {
	walkers  *gpu.Buffer[local.Walker]   `gpu:"read"`
	settings *gpu.Buffer[local.Settings] `gpu:"read"`
	seen     *gpu.Buffer[uint32]         `gpu:"readwrite"`
	ways     *gpu.Buffer[uint32]         `gpu:"read"`
	members  *gpu.Buffer[Member]         `gpu:"read"`

	first                   uint32 // walker of this dispatch
	gridSize                [2]int32
	cellSize, cellsPerMeter float32
}

// exploreInput is what explore.comp.glsl takes: it relaxes the cells of one color of all maps.
type exploreInput struct {
	seen     *gpu.Buffer[uint32] `gpu:"readwrite"`
	ways     *gpu.Buffer[uint32] `gpu:"read"`
	gridSize [2]int32
	count    uint32
	color    uint32
	First    uint32 // RunEach sets it
}

// staleInput is what stale.comp.glsl takes: it marks known cells as Stale.
type staleInput struct {
	seen  *gpu.Buffer[uint32] `gpu:"readwrite"`
	cells *gpu.Buffer[uint32] `gpu:"read"`

	mapSize, teamCount, cellCount uint32
	First                         uint32 // RunEach sets it
}

var (
	sensePass   = gpu.PassSpec[senseInput]{Stages: []string{"bvp/sense.comp.glsl"}, Defines: defines()}
	explorePass = gpu.PassSpec[exploreInput]{Stages: []string{"bvp/explore.comp.glsl"}, Defines: defines()}
	stalePass   = gpu.PassSpec[staleInput]{Stages: []string{"bvp/stale.comp.glsl"}, Defines: defines()}
)

// Passes are all passes.
func Passes() []gpu.PassInfo {
	return []gpu.PassInfo{sensePass.Info(), explorePass.Info(), stalePass.Info(), seekPass.Info(), claimPass.Info()}
}

func defines() map[string]any {
	defines := local.Defines()
	defines["NO_TEAM"] = NoTeam
	defines["STALE"] = Stale
	defines["EAGERNESS"] = float32(Eagerness)
	defines["SHARE"] = float32(Share)
	defines["MOST_CELLS"] = MostCells
	defines["NO_CELL"] = NoCell
	defines["FRACTION"] = Fraction
	return defines
}
