package engine

import (
	"encoding/binary"
	"hash/fnv"

	"github.com/wayfront/wayfront/agents"
)

// Hash returns a hash of all agents in the order of their slots: 64 bits of FNV-1a over their
// records. It is equal for equal runs on one device with one driver, and promised nowhere else. It
// reads the agents back and waits for the GPU. Errors are ErrClosed, *UsageError and those of
// gpu.Device.Do.
func (w *World) Hash() (hash uint64, err error) {
	err = w.do("Hash", func() error { hash, err = w.hash(); return err })
	return hash, err
}

func (w *World) hash() (uint64, error) {
	state := make([]agents.Agent, w.crowd.Count())
	w.crowd.Snapshot(state)
	h := fnv.New64a()
	err := binary.Write(h, binary.LittleEndian, state)
	return h.Sum64(), err
}
