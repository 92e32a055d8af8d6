package explore

import (
	"github.com/wayfront/wayfront/engine/gpu"
)

// Checkpoint is the state of teams' maps between two steps, with an archive of what is on the
// device.
type Checkpoint struct {
	count     int
	frontiers bool // some member sought frontiers
}

const (
	archivedSeen    = "bvp teams"
	archivedChoices = "explorers' choices"
)

// Checkpoint returns the state of the maps, and keeps in an archive what of it is on the device: 4
// bytes for each cell of each team, and 16 for each agent where some seek frontiers. Errors are those of the archive, and bvp.ErrClosed.
func (t *Teams) Checkpoint(a *gpu.Archive) (*Checkpoint, error) {
	err := t.Do(func() error {
		a.Keep(archivedSeen, t.seen, t.seen.Len())
		if t.frontiers {
			a.Keep(archivedChoices, t.choices, t.agents)
		}
		return a.Err()
	})
	return &Checkpoint{t.count, t.frontiers}, err
}

// Rollback brings the maps back to a checkpoint, with the archive that was given to Checkpoint: all
// but the ways of their grid, which are those that SetGrid gave last. The grid has the size that it
// had then, and members were set again. Seen is another buffer afterwards if the number of teams has changed since. Errors are a
// *gpu.CapacityError or bvp.ErrClosed; all is then as it was.
func (t *Teams) Rollback(k *Checkpoint, a *gpu.Archive) error {
	return t.Do(func() error {
		if cells := k.count * t.grid.Count(); t.seen.Len() != cells {
			seen, err := gpu.NewBuffer[uint32](t.Device, "bvp teams", cells)
			if err != nil {
				return err
			}
			t.seen.Delete()
			t.seen = seen
		}
		t.count = k.count
		a.Return(archivedSeen, t.seen)
		if k.frontiers {
			a.Return(archivedChoices, t.choices)
		}
		return nil
	})
}
