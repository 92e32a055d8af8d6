package local

import (
	"fmt"
	"slices"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// Checkpoint is the state of local maps between two steps, with an archive of what is on the
// device.
type Checkpoint struct {
	kinds []scenes.BVP
	of    []int // the kind of each agent
}

const archivedWalkers = "bvp walkers"

// archivedPotentials names a buffer of potentials in archives.
func archivedPotentials(buffer int) string { return fmt.Sprintf("bvp potentials %d", buffer) }

// Checkpoint returns the state of the maps, and keeps in an archive what of it is on the device: 64
// bytes a walker, and 4 for each cell of a map. Errors are those of the archive, and bvp.ErrClosed.
func (m *Maps) Checkpoint(a *gpu.Archive) (*Checkpoint, error) {
	err := m.Do(func() error {
		a.Keep(archivedWalkers, m.walkers, m.walkers.Len())
		for i, b := range m.potentials {
			a.Keep(archivedPotentials(i), b, b.Len())
		}
		return a.Err()
	})
	return &Checkpoint{m.kinds, m.of}, err
}

// Rollback brings the maps back to a checkpoint, with the archive that was given to Checkpoint.
// Walkers and Potentials are other buffers afterwards unless no place has changed since. Errors are
// a *gpu.CapacityError, a *gpu.CompileError or bvp.ErrClosed; all is then as it was.
func (m *Maps) Rollback(k *Checkpoint, a *gpu.Archive) error {
	of := slices.Clone(k.of)
	for len(of) < len(m.of) { // agents that came since
		of = append(of, NoMap)
	}
	if err := m.Assign(k.kinds, of); err != nil {
		return err
	}
	return m.Do(func() error {
		m.of = m.of[:len(k.of)]
		a.Return(archivedWalkers, m.walkers)
		for i, b := range m.potentials {
			a.Return(archivedPotentials(i), b)
		}
		return nil
	})
}

// ClearBodies clears the Body of the walkers of an archive that was read back: the order of bodies
// is left to chance, and each step gives walkers theirs anew.
func ClearBodies(parts []gpu.Part) {
	walkers := gpu.Elements[Walker](parts, archivedWalkers)
	for i := range walkers {
		walkers[i].Body = 0
	}
}
