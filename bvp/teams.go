package bvp

import (
	"fmt"
	"math"

	"github.com/wayfront/wayfront/engine/gpu"
)

// NoTeam is the team of an agent that has none.
const NoTeam uint32 = 0xffffffff

// Doubted marks, in the word of a cell that is known, that it has not been seen since something came there: see Teams.Doubt. It is a
// bit that no potential has, as none is above 1.
const Doubted uint32 = 1 << 30

// Teams are maps of a ground that nobody knows at first, one for each team: what its members have seen (Dapper et al. 2007, section 6.4).
// Cells that are not known hold 1 and pull; the others are relaxed, with walls of 0 and a small loss; so the potential rises towards what is
// nearest of the unknown.
type Teams struct {
	device *gpu.Device
	grid   *Grid
	count  int
	seen   *gpu.Buffer[uint32]
	tracks *gpu.Buffer[uint32]
	sense  *gpu.Pass[senseInput]
	relax  *gpu.Pass[exploreInput]
	doubt  *gpu.Pass[doubtInput]
	closed bool
}

// NewTeams makes maps for so many teams, which know nothing. The error is a *gpu.CapacityError or *gpu.CompileError.
func NewTeams(d *gpu.Device, grid *Grid, count int) (*Teams, error) {
	t := &Teams{device: d, grid: grid, count: count}
	if err := d.Do(t.open); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

func (t *Teams) open() (err error) {
	cells := t.cells()
	if t.seen, err = gpu.NewBuffer[uint32](t.device, "bvp teams", t.count*cells); err != nil {
		return err
	}
	if t.tracks, err = gpu.NewBuffer[uint32](t.device, "bvp ways of cells", cells); err != nil {
		return err
	}
	if t.sense, err = gpu.NewPass(t.device, sensePass); err != nil {
		return err
	}
	if t.relax, err = gpu.NewPass(t.device, explorePass); err != nil {
		return err
	}
	if t.doubt, err = gpu.NewPass(t.device, doubtPass); err != nil {
		return err
	}
	t.seen.Fill(unknown)
	t.SetGrid(t.grid)
	return nil
}

// Add makes maps for so many teams more, which know nothing. Seen is another buffer then. After an error, a *gpu.CapacityError, all is as
// it was.
func (t *Teams) Add(teams int) error {
	return do(t.device, t.closed, func() error { return t.add(teams) })
}

func (t *Teams) add(teams int) error {
	before := t.count * t.cells()
	seen, err := gpu.NewBuffer[uint32](t.device, "bvp teams", before+teams*t.cells())
	if err != nil {
		return err
	}
	seen.Fill(unknown)
	t.seen.CopyTo(seen, before)
	t.seen.Delete()
	t.seen, t.count = seen, t.count+teams
	return nil
}

// Doubt says that something has come to cells that is to be seen there: where they are known, their words have Doubted until somebody of the
// team looks. What is known of the ground stays so. The error is a *gpu.CapacityError.
func (t *Teams) Doubt(cells []int) error {
	if len(cells) == 0 {
		return nil
	}
	return do(t.device, t.closed, func() error { return t.markDoubted(cells) })
}

func (t *Teams) markDoubted(cells []int) error {
	words := make([]uint32, len(cells))
	for i, cell := range cells {
		words[i] = uint32(cell)
	}
	buffer, err := gpu.NewBuffer[uint32](t.device, "bvp doubted cells", len(words))
	if err != nil {
		return err
	}
	defer buffer.Delete()
	buffer.Write(0, words)
	t.doubt.Run(doubtInput{
		seen: t.seen, cells: buffer, mapSize: uint32(t.cells()), teamCount: uint32(t.count), cellCount: uint32(len(cells)),
	}, gpu.Groups(t.count*len(cells), groupSize))
	return nil
}

func (t *Teams) cells() int { return t.grid.Columns * t.grid.Rows }

// SetGrid says that walls have changed: the ways between cells are those of another grid, as large as the one before. What is known
// stays so.
func (t *Teams) SetGrid(grid *Grid) {
	if grid.Columns != t.grid.Columns || grid.Rows != t.grid.Rows {
		panic(fmt.Sprintf("bvp: a grid of %d x %d cells for teams' maps of %d x %d", grid.Columns, grid.Rows, t.grid.Columns, t.grid.Rows))
	}
	t.grid = grid
	mustDo(t.device, t.closed, func() { t.tracks.Write(0, grid.ways()) })
}

// ways are, for each cell, a bit for each direction in which there is a way.
func (g *Grid) ways() []uint32 {
	ways := make([]uint32, g.Columns*g.Rows)
	for cell := range ways {
		for d := range 4 {
			if _, ok := g.way(cell, d); ok {
				ways[cell] |= 1 << d
			}
		}
	}
	return ways
}

// Sense has walkers that are there, and whose agents have a team, see: what of the ground lies in the update zone of their maps, in their view
// cone and in sight becomes known to the team. Who has no heading yet looks all round. Walkers have been told where they are; the time and
// the step are those of Maps.Step after it.
func (t *Teams) Sense(m *Maps, time, timestep float64, teams *gpu.Buffer[uint32]) {
	if len(m.slots) == 0 || t.cells() == 0 {
		return
	}
	mustDo(t.device, t.closed, func() { t.senseFor(m, time, timestep, teams) })
}

func (t *Teams) senseFor(m *Maps, time, timestep float64, teams *gpu.Buffer[uint32]) {
	m.settings.Write(0, m.at(time, timestep))
	most := max(t.device.Budget()/t.turnsToSense(m.kinds), 1)
	t.device.Unordered(func() {
		for first := 0; first < len(m.slots); first += most {
			count := min(most, len(m.slots)-first)
			x, y := inRows(uint32(count))
			t.sense.Run(senseInput{
				walkers: m.walkers, settings: m.settings, seen: t.seen, ways: t.tracks, teams: teams,
				firstWalker: uint32(first), walkerCount: uint32(count), gridSize: t.size(),
				cellSize: float32(t.grid.CellSize()), cellsPerMetre: float32(1 / t.grid.CellSize()),
			}, x, y)
		}
	})
}

// turnsToSense is how many turns of loops a walker takes to see, at most: of each cell that its map reaches those along the line
// there, which crosses a side of a cell a turn.
func (t *Teams) turnsToSense(kinds []Parameters) int {
	reach := 0.0
	for _, k := range kinds {
		reach = max(reach, 0.5*float64(k.Cells)*k.CellSize/t.grid.CellSize()+2)
	}
	seen := func(cells int) float64 { return min(float64(cells), 2*reach+1) }
	across, along := seen(t.grid.Columns), seen(t.grid.Rows)
	return int(across * along * (across + along))
}

// Relax takes all maps so many relaxations further.
func (t *Teams) Relax(times int) { mustDo(t.device, t.closed, func() { t.relaxAll(times) }) }

func (t *Teams) relaxAll(times int) {
	for half := range 2 * times {
		t.relax.Run(exploreInput{
			seen: t.seen, ways: t.tracks, gridSize: t.size(), count: uint32(t.count * t.cells()), colour: uint32(half & 1),
		}, gpu.Groups(t.count*t.cells(), groupSize))
	}
}

// size is the columns and rows of the grid.
func (t *Teams) size() [2]int32 { return [2]int32{int32(t.grid.Columns), int32(t.grid.Rows)} }

// Seen are the words (see Words) of all teams' maps, by team, then by cell of the grid; what is fixed is not known. See Doubted too.
func (t *Teams) Seen() *gpu.Buffer[uint32] { return t.seen }

// Ways are a bit for each direction in which there is a way from a cell: east, west, north, south, from the lowest on.
func (t *Teams) Ways() *gpu.Buffer[uint32] { return t.tracks }

// Grid is the one that the maps are of.
func (t *Teams) Grid() *Grid { return t.grid }

// Close frees what the maps have on the device. Later calls that use the device return ErrClosed, or panic with it.
func (t *Teams) Close() {
	t.closed = true
	t.seen.Delete()
	t.tracks.Delete()
}

// unknown is a cell that nobody has seen.
var unknown = math.Float32bits(1) | fixedBit

// senseInput is what sense.comp.glsl takes: it marks what walkers see as known to their teams.
type senseInput struct {
	walkers  *gpu.Buffer[Walker]   `gpu:"read"`
	settings *gpu.Buffer[Settings] `gpu:"read"`
	seen     *gpu.Buffer[uint32]   `gpu:"readwrite"`
	ways     *gpu.Buffer[uint32]   `gpu:"read"`
	teams    *gpu.Buffer[uint32]   `gpu:"read"` // of each agent

	firstWalker, walkerCount uint32
	gridSize                 [2]int32
	cellSize, cellsPerMetre  float32
}

// exploreInput is what explore.comp.glsl takes: it relaxes the cells of one color of all maps.
type exploreInput struct {
	seen     *gpu.Buffer[uint32] `gpu:"readwrite"`
	ways     *gpu.Buffer[uint32] `gpu:"read"`
	gridSize [2]int32
	count    uint32
	colour   uint32
}

// doubtInput is what doubt.comp.glsl takes: it marks known cells as Doubted.
type doubtInput struct {
	seen  *gpu.Buffer[uint32] `gpu:"readwrite"`
	cells *gpu.Buffer[uint32] `gpu:"read"`

	mapSize, teamCount, cellCount uint32
}

var (
	sensePass   = gpu.PassSpec[senseInput]{Stages: []string{"bvp/sense.comp.glsl"}, Defines: teamDefines()}
	explorePass = gpu.PassSpec[exploreInput]{Stages: []string{"bvp/explore.comp.glsl"}, Defines: teamDefines()}
	doubtPass   = gpu.PassSpec[doubtInput]{Stages: []string{"bvp/doubt.comp.glsl"}, Defines: teamDefines()}
)

func teamPasses() []gpu.PassInfo {
	return []gpu.PassInfo{sensePass.Info(), explorePass.Info(), doubtPass.Info()}
}

func teamDefines() map[string]any {
	defines := classes[0].defines()
	defines["NO_TEAM"] = NoTeam
	defines["DOUBTED"] = Doubted
	defines["EAGERNESS"] = float32(eagerness)
	defines["SHARE"] = float32(share)
	return defines
}

const (
	// eagerness is the factor of over-relaxation. Potentials stay between 0 and 1, as each relaxation is cut there.
	eagerness = 1.6
	// share is what each of the four cells beside one counts: less than a quarter by a 256th, so that far from walls the potential falls to 1/e
	// within 8 cells.
	share = 0.25 * (1 - 1.0/256)
)
