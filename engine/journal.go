package engine

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/wayfront/wayfront/engine/internal/flat"
)

// JournalError says that a journal could not be written. The world goes on without it; what was
// written before can be replayed.
type JournalError struct{ Cause error }

func (e *JournalError) Error() string {
	return fmt.Sprintf("engine: writing the journal: %v; what was written can be replayed up to there", e.Cause)
}

// Unwrap returns the cause.
func (e *JournalError) Unwrap() error { return e.Cause }

// journal writes down what changes a world, besides its ticks. A nil one writes nothing.
type journal struct {
	mu          sync.Mutex
	out         *flat.Writer
	every       uint64 // ticks between hashes
	checkpoints uint64
	reported    bool // Step has returned the error
}

// hashEvery is Options.HashEvery where none is given.
const hashEvery = 600

// entryKind says what changed a world.
type entryKind uint8

// The kinds of entries, and what Number says.
const (
	entryEdit       entryKind = iota // how it ended
	entryApply                       // nothing
	entryMeasure                     // 1: on
	entryCheckpoint                  // its number
	entryRollback                    // the number of the checkpoint
	entryFree                        // the number of the checkpoint
	entryHash                        // the hash
	entryEnd                         // the hash; the world was closed
	entryLost                        // nothing; the world was closed, and its device was gone
)

// The ways that an edit ends.
const (
	editTaken uint64 = iota
	editRefused
	editPanicked // what makes the changes did not return
)

// journalEntry is one entry.
type journalEntry struct {
	Kind   entryKind
	Tick   uint64 // World.Ticks before it
	Number uint64
	Edit   []operation
}

// operation is a call of a method of Edit.
type operation struct {
	Method    string
	Arguments []byte
}

// editMethods are the methods of Edit: each one is an operation.
var editMethods = sync.OnceValue(func() map[string]reflect.Method {
	all := map[string]reflect.Method{}
	for i, t := 0, reflect.TypeFor[*Edit](); i < t.NumMethod(); i++ {
		all[t.Method(i).Name] = t.Method(i)
	}
	return all
})

// begin begins a method of Edit, with all of its arguments. The journal has them as they are now:
// refused ones too, since they use up handles.
func (e *Edit) begin(method string, arguments ...any) {
	e.mustBeOpen()
	if e.world.journal == nil {
		return
	}
	o, parameters := operation{Method: method}, editMethods()[method].Type
	for i, a := range arguments {
		v := reflect.New(parameters.In(i + 1))
		v.Elem().Set(reflect.ValueOf(a))
		o.Arguments = new(flat.Codec).Append(o.Arguments, v.Interface())
	}
	e.operations = append(e.operations, o)
}

// put writes an entry. Its error is that of a later check.
func (j *journal) put(e journalEntry) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.out.Put(recordEntry, new(flat.Codec).Append(nil, &e))
}

// beginJournal begins a journal of the world as it is, where the options ask for one.
func (w *World) beginJournal(o Options) error {
	if o.Journal == nil {
		return nil
	}
	saved, err := w.sceneAlone()
	if err == nil && (w.ticks > 0 || w.revision > 0) {
		saved, err = w.save()
	}
	if err != nil {
		return err
	}
	every := uint64(o.HashEvery)
	if every == 0 {
		every = hashEvery
	}
	j := &journal{out: flat.NewWriter(o.Journal, journalLine), every: every}
	saved.write(j.out)
	j.out.Put(recordBegin, []byte{w.goalIDs.tag})
	if err := j.out.Flush(); err != nil {
		return &JournalError{err}
	}
	w.journal = j
	return nil
}

// journalOrClose begins the journal of a world that was restored; where that fails the world is
// closed.
func (w *World) journalOrClose(o Options) error {
	if err := w.run(plain, func() error { return w.beginJournal(o) }); err != nil {
		return errors.Join(err, w.Close())
	}
	return nil
}

// journalEdit writes an edit.
func (w *World) journalEdit(e *Edit, ended uint64) {
	if w.journal == nil {
		return
	}
	w.journal.put(journalEntry{Kind: entryEdit, Tick: w.Ticks(), Number: ended, Edit: e.operations})
}

// journalTick writes a hash where one is due, and returns an error of writing once.
func (w *World) journalTick() error {
	j := w.journal
	if j == nil {
		return nil
	}
	if w.ticks%j.every == 0 && j.out.Err() == nil {
		hash, err := w.hash()
		if err != nil {
			return err
		}
		j.put(journalEntry{Kind: entryHash, Tick: w.ticks, Number: hash})
		_ = j.out.Flush() // Err has it
	}
	if err := j.out.Err(); err != nil && !j.reported {
		j.reported = true
		return &JournalError{err}
	}
	return nil
}

// endJournal writes the last entry, before the world is closed.
func (w *World) endJournal() error {
	j := w.journal
	if j == nil {
		return nil
	}
	w.journal = nil
	last := journalEntry{Kind: entryEnd, Tick: w.ticks}
	err := w.device.Do(func() (err error) { last.Number, err = w.hash(); return err })
	if err != nil || w.torn != nil {
		last.Kind = entryLost
	}
	j.put(last)
	if err := j.out.Flush(); err != nil {
		return &JournalError{err}
	}
	return nil
}
