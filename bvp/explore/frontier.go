package explore

import (
	"fmt"
	"slices"

	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Member is how an agent explores, on the device: 20 bytes.
type Member struct {
	Team uint32 // NoTeam: it does not
	// Frontiers: 1 where it seeks frontiers, 0 where it follows the potential of its team's map.
	Frontiers uint32
	Gain      uint32 // what a cell of frontier is worth, in cells of way times Fraction
	Apart     uint32 // cells between targets of teammates, below which a target costs the rest
	Turn      uint32 // what turning round costs, in cells of way times Fraction
}

// Choice is the frontier that an agent seeks, on the device: 16 bytes.
type Choice struct {
	Target uint32 // cell; NoCell: there is none to reach, or the agent does not seek frontiers
	Guide  uint32 // cell in sight, on the way there; its own where there is none to reach
	Cost   int32  // in cells times Fraction, when it was chosen
	Held   uint32 // 1: its own, and kept until it is seen or out of reach; 0: a teammate has a better claim
}

const (
	// NoCell is the target of an agent that has none.
	NoCell uint32 = 0xffffffff
	// Fraction is the unit of costs: a 256th of a cell.
	Fraction = 256
	// MostCells is how many cells a grid may have along its longer side where frontiers are sought: maps
	// of a bit a cell, eight of them, fit into a work group's memory.
	MostCells = 128
)

// SetMembers says how each agent explores, from the next step on; at least as many agents as before.
// Members and Choices are other buffers where there are more agents than ever. Frontiers in a grid
// of more than MostCells cells along a side panic. After an error, a *gpu.CapacityError, all is as it
// was.
func (t *Teams) SetMembers(members []Member) error {
	of := func(frontiers uint32) bool {
		return slices.ContainsFunc(members, func(m Member) bool { return m.Team != NoTeam && m.Frontiers == frontiers })
	}
	if most := max(t.grid.Columns, t.grid.Rows); most > MostCells && of(1) {
		panic(fmt.Sprintf("bvp: frontiers in a grid of %d cells along the longer side; at most %d are allowed", most, MostCells))
	}
	return t.Do(func() error {
		if len(members) > t.members.Len() {
			if err := t.makeRoom(2 * len(members)); err != nil {
				return err
			}
		}
		t.members.Write(0, members)
		t.agents, t.potential, t.frontiers = len(members), of(0), of(1)
		if !t.frontiers {
			t.choices.Fill(NoCell)
		}
		return nil
	})
}

// makeRoom makes buffers for so many agents, and keeps the choices that there are.
func (t *Teams) makeRoom(agents int) (err error) {
	next := room{}
	defer func() {
		if err != nil {
			next.delete()
		}
	}()
	if next.members, err = gpu.NewBuffer[Member](t.Device, "explorers", agents); err != nil {
		return err
	}
	if next.choices, err = gpu.NewBuffer[Choice](t.Device, "explorers' choices", agents); err != nil {
		return err
	}
	if next.proposals, err = gpu.NewBuffer[Choice](t.Device, "explorers' proposals", agents); err != nil {
		return err
	}
	next.choices.Fill(NoCell)
	if t.choices != nil {
		t.choices.CopyTo(next.choices, t.choices.Len())
	}
	t.room.delete()
	t.room = next
	return nil
}

// room is what there is of each agent.
type room struct {
	members   *gpu.Buffer[Member]
	choices   *gpu.Buffer[Choice]
	proposals *gpu.Buffer[Choice] // choices before teammates are asked
}

func (r *room) delete() {
	r.members.Delete()
	r.choices.Delete()
	r.proposals.Delete()
}

// Members are how agents explore, as SetMembers has set it.
func (t *Teams) Members() *gpu.Buffer[Member] { return t.members }

// Choices are the frontiers that agents seek.
func (t *Teams) Choices() *gpu.Buffer[Choice] { return t.choices }

// Seek has the walkers of members that seek frontiers choose theirs, by what their teams know now.
// The inputs of walkers have been written.
func (t *Teams) Seek(m *local.Maps, time, timestep float64) {
	walkers, cells := m.Walkers().Len(), t.grid.Count()
	if walkers == 0 || cells == 0 || !t.frontiers {
		return
	}
	t.MustDo(func() {
		seek := seekInput{
			walkers: m.Walkers(), settings: m.Settings(time, timestep), seen: t.seen, ways: t.ways,
			members: t.members, choices: t.choices, proposals: t.proposals,
			walkerCount: uint32(walkers), gridSize: t.grid.Size(), cellsPerMeter: float32(1 / t.grid.CellSize()),
		}
		// Every cell may be reached at a level of its own, at which all words are looked at, or be a
		// frontier, of which the worth is counted by words, and teammates are asked.
		words := t.grid.Rows * MostCells / 32
		turns := cells * (2*words + walkers)
		most := min(max(t.Device.Budget()/turns, 1), local.MostGroups)
		t.Device.Unordered(func() {
			for first := 0; first < walkers; first += most {
				seek.first = uint32(first)
				t.seek.Run(seek, uint32(min(most, walkers-first)))
			}
		})
		claim := claimInput{
			walkers: m.Walkers(), members: t.members, proposals: t.proposals, choices: t.choices,
			walkerCount: uint32(walkers), gridSize: t.grid.Size(),
		}
		t.claim.RunEach(claim, walkers, groupSize, walkers)
	})
}

// seekInput is what seek.comp.glsl takes: it chooses frontiers.
type seekInput struct {
	walkers   *gpu.Buffer[local.Walker]   `gpu:"read"`
	settings  *gpu.Buffer[local.Settings] `gpu:"read"`
	seen      *gpu.Buffer[uint32]         `gpu:"read"`
	ways      *gpu.Buffer[uint32]         `gpu:"read"`
	members   *gpu.Buffer[Member]         `gpu:"read"`
	choices   *gpu.Buffer[Choice]         `gpu:"read"`
	proposals *gpu.Buffer[Choice]         `gpu:"write"`

	walkerCount   uint32
	first         uint32 // walker of this dispatch
	gridSize      [2]int32
	cellsPerMeter float32
}

// claimInput is what claim.comp.glsl takes: it says which proposals become choices.
type claimInput struct {
	walkers   *gpu.Buffer[local.Walker] `gpu:"read"`
	members   *gpu.Buffer[Member]       `gpu:"read"`
	proposals *gpu.Buffer[Choice]       `gpu:"read"`
	choices   *gpu.Buffer[Choice]       `gpu:"write"`

	walkerCount uint32
	gridSize    [2]int32
	First       uint32 // RunEach sets it
}

var (
	seekPass  = gpu.PassSpec[seekInput]{Stages: []string{"bvp/seek.comp.glsl"}, Defines: defines()}
	claimPass = gpu.PassSpec[claimInput]{Stages: []string{"bvp/claim.comp.glsl"}, Defines: defines()}
)
