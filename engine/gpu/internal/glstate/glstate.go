// Package glstate puts the state of a host's OpenGL context aside and gives it back. File table.go
// lists all state that Wayfront relies on or changes: how each piece is read, what it has to be for
// Wayfront, and how it is set. State is saved the first time that it is needed, and what was saved
// is set back in the end, last to first.
package glstate

import (
	"sync"

	"github.com/go-gl/gl/v4.5-core/gl"
)

// Keeper has the state of a host that is put aside. The zero Keeper has none.
type Keeper struct {
	Leave bool // PutBack sets nothing, so nothing is saved
	First bool // PutBack sets what the first Keep has saved, and later ones save nothing

	kept   [groups]uint64
	known  [groups]uint64 // of First: groups that are saved for good
	saved  []saved
	values []float64
}

// saved is an entry of the host's, and where its values are.
type saved struct {
	entry       *entry
	index       uint32
	first, last int
}

// Has reports whether a group is put aside, at an index.
func (k *Keeper) Has(g *Group, index uint32) bool { return k.kept[g.id]&(1<<index) != 0 }

// Keep puts a group aside, and sets what Wayfront relies on. Index is 0 for groups that have none.
func (k *Keeper) Keep(g *Group, index uint32) {
	save := !k.Leave && k.known[g.id]&(1<<index) == 0
	k.kept[g.id] |= 1 << index
	for i := range g.entries {
		e := &g.entries[i]
		if save {
			first := len(k.values)
			k.values = e.get(index, k.values)
			k.saved = append(k.saved, saved{e, index, first, len(k.values)})
		}
		if e.base != nil {
			e.set(index, e.base)
		}
	}
}

// PutBack gives the host its state back. It returns the errors of OpenGL: bindings of objects that
// were deleted in another context.
func (k *Keeper) PutBack() []uint32 {
	for i := len(k.saved) - 1; i >= 0; i-- {
		s := k.saved[i]
		s.entry.set(s.index, k.values[s.first:s.last])
	}
	if k.First {
		for g, kept := range k.kept {
			k.known[g] |= kept
		}
	} else {
		k.saved, k.values = k.saved[:0], k.values[:0]
	}
	k.kept = [groups]uint64{}
	return Errors()
}

// Own sets what Wayfront relies on for good, in a context of its own.
func Own() {
	rely(Always.entries)
	rely(Drawing.entries)
}

// Again sets what Wayfront relies on after calls of others. Debug output stays: it is on where the
// driver's messages are watched.
func Again() {
	rely(Always.entries[1:])
	rely(Drawing.entries)
}

func rely(entries []entry) {
	for _, e := range entries {
		if e.base != nil {
			e.set(0, e.base)
		}
	}
}

// Integer reads a whole number of the context's state.
func Integer(name uint32) int {
	v := integers.Get().(*[4]int64)
	defer integers.Put(v)
	gl.GetInteger64v(name, &v[0])
	return int(v[0])
}

// integers is memory that OpenGL writes values to: some names have several. C has no pointers to
// Go's stack, so calls use the same memory again.
var integers = pool[[4]int64]()

// pool keeps memory that OpenGL reads or writes.
func pool[T any]() *sync.Pool { return &sync.Pool{New: func() any { return new(T) }} }

// Errors takes the error flags of the context. There is one flag a kind, so that more than a few
// are no flags: a context that is lost reports that for ever.
func Errors() (codes []uint32) {
	for range 8 {
		code := gl.GetError()
		if code == gl.NO_ERROR {
			break
		}
		codes = append(codes, code)
	}
	return codes
}
