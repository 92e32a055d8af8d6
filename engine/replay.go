package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/internal/flat"
)

// Replay makes a world of a journal (Options.Journal) and does all again that the journal has, to
// its end: the world is then as the one that wrote it was when it was closed, bit for bit, but for
// the time that Advance owed and events that the host had not taken. Handles are those of that
// world, as after Restore.
//
// A journal that has no end, as its program has crashed, is replayed to its last whole entry:
// Replay returns the world, and a *TruncatedError that says which tick it is at. With all other
// errors there is no world: a *ReplayError, with its tick, where a hash differs or an edit is not
// taken again; a *FormatError for bytes that are no journal or damaged; an *IncompatibleError and
// others as of Restore, options included.
func Replay(d *gpu.Device, journal io.Reader, o Options) (*World, error) {
	in, err := openSaved(journal, "journal", journalLine)
	if err != nil {
		return nil, err
	}
	s, tag, err := in.world(recordBegin)
	if err != nil {
		return nil, err
	}
	if len(tag) != 1 {
		return nil, in.fail("it has no tag of handles", nil)
	}
	w, err := in.open(d, s, o)
	if err != nil {
		return nil, err
	}
	w.setTag(tag[0])
	p := &replayer{in: in, world: w, checkpoints: map[uint64]*Checkpoint{}}
	err = p.play()
	for _, c := range p.checkpoints {
		c.Free()
	}
	if truncated := (*TruncatedError)(nil); err != nil && !errors.As(err, &truncated) {
		return nil, errors.Join(err, w.Close())
	}
	if failed := w.journalOrClose(o); failed != nil {
		return nil, failed
	}
	return w, err
}

// setTag gives the handles of a new world another tag.
func (w *World) setTag(tag uint8) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.goalIDs.tag, w.obstacles.tag, w.profileIDs.tag, w.agentIDs.tag, w.areaIDs.tag = tag, tag, tag, tag, tag
	for _, ids := range w.doc.members {
		for i := range ids {
			ids[i] = ids[i]<<8>>8 | AgentID(tag)<<(32+generationBits)
		}
	}
}

// ReplayHeadless is Replay in a context of its own, as Headless makes one. Errors are those of
// both.
func ReplayHeadless(ctx context.Context, journal io.Reader, o Options) (*World, error) {
	return headlessWorld(ctx, func(d *gpu.Device) (*World, error) { return Replay(d, journal, o) })
}

// Replay is Replay in the pool, as Open makes a world there. Errors are those of both.
func (p *Pool) Replay(ctx context.Context, journal io.Reader, o Options) (*World, error) {
	return p.open(ctx, func(d *gpu.Device) (*World, error) { return Replay(d, journal, o) })
}

// replayer plays a journal.
type replayer struct {
	in          *saveReader
	world       *World
	checkpoints map[uint64]*Checkpoint
}

// ReplayError says that a world does not do what its journal has.
type ReplayError struct {
	Tick  uint64 // that it was at
	Why   string
	Cause error // of an edit or a tick; or nil
}

func (e *ReplayError) Error() string {
	return fmt.Sprintf("engine: replaying the journal, at tick %d: %s", e.Tick, e.Why)
}

// Unwrap returns the cause.
func (e *ReplayError) Unwrap() error { return e.Cause }

// TruncatedError says that a journal has no end, as its world was not closed, and how far it goes.
type TruncatedError struct {
	Tick uint64 // of its last whole entry
	Torn bool   // there is a part of another one
}

func (e *TruncatedError) Error() string {
	how := "it ends without the world having been closed"
	if e.Torn {
		how = "its last entry is not whole"
	}
	return fmt.Sprintf("engine: the journal goes up to tick %d: %s", e.Tick, how)
}

// read reads the next entry; nil at the end.
func (p *replayer) read() (*journalEntry, error) {
	before := p.in.from.Offset()
	kind, payload, err := p.in.next()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, &TruncatedError{Tick: p.world.ticks, Torn: p.in.from.Offset() > before}
	}
	if err != nil {
		return nil, err
	}
	e := &journalEntry{}
	if err := new(flat.Codec).Read(payload, e); err != nil || kind != recordEntry {
		return nil, p.in.fail("there is no entry where one should be", err)
	}
	return e, nil
}

// play plays entries to the end.
func (p *replayer) play() error {
	for {
		e, err := p.read()
		if err != nil {
			return err
		}
		if e.Tick < p.world.ticks {
			return p.in.fail(fmt.Sprintf("an entry of tick %d follows tick %d", e.Tick, p.world.ticks), nil)
		}
		for p.world.ticks < e.Tick {
			if err := p.world.Step(); err != nil {
				return p.fail("a tick failed", err)
			}
		}
		if err := p.do(e); err != nil {
			return err
		}
		if e.Kind == entryEnd || e.Kind == entryLost {
			return nil
		}
	}
}

func (p *replayer) fail(why string, cause error) error {
	if cause != nil {
		why += ": " + withoutPackage(cause)
	}
	return &ReplayError{p.world.ticks, why, cause}
}

// do does what an entry has.
func (p *replayer) do(e *journalEntry) (err error) {
	w := p.world
	switch e.Kind {
	case entryEdit:
		return p.edit(e)
	case entryApply:
		if err = w.do("Replay", w.finishMaps); err == nil {
			err = w.Apply()
		}
	case entryMeasure:
		err = w.do("Replay", func() error { return w.Crowd().Measure(e.Number == 1) })
	case entryCheckpoint:
		p.checkpoints[e.Number], err = w.Checkpoint()
	case entryRollback:
		err = w.Rollback(p.checkpoints[e.Number])
	case entryFree:
		p.checkpoints[e.Number].Free()
		delete(p.checkpoints, e.Number)
	case entryHash, entryEnd:
		hash, failed := w.Hash()
		if err = failed; err == nil && hash != e.Number {
			return p.fail(fmt.Sprintf("the hash of the state is %016x, and was %016x", hash, e.Number), nil)
		}
	case entryLost:
	default:
		return p.in.fail(fmt.Sprintf("there is no entry of the kind %d", e.Kind), nil)
	}
	if err != nil {
		return p.fail("what was done fails", err)
	}
	return nil
}

var errAgain = errors.New("engine: the edit was refused")

// edit makes an edit again.
func (p *replayer) edit(e *journalEntry) error {
	var bad error
	change := func(to *Edit) error {
		for _, o := range e.Edit {
			if bad = o.do(to); bad != nil {
				return bad
			}
		}
		switch e.Number {
		case editRefused:
			return errAgain
		case editPanicked:
			panic(errAgain)
		}
		return nil
	}
	_, err := p.world.tryEdit(change)
	switch {
	case bad != nil:
		return p.in.fail(bad.Error(), bad)
	case err != nil && e.Number == editTaken:
		return p.fail("an edit that was taken is refused", err)
	}
	return nil
}

// tryEdit is Edit of a function that may panic with errAgain.
func (w *World) tryEdit(change func(*Edit) error) (r Report, err error) {
	defer func() {
		if again := recover(); again != nil && again != any(errAgain) {
			panic(again)
		}
	}()
	return w.Edit(change)
}

// do calls the method.
func (o operation) do(to *Edit) error {
	m, known := editMethods()[o.Method]
	if !known {
		return fmt.Errorf("there is no change %q", o.Method)
	}
	arguments := []reflect.Value{reflect.ValueOf(to)}
	holder := reflect.New(argumentsOf(m.Type)).Elem()
	if err := new(flat.Codec).Read(o.Arguments, holder.Addr().Interface()); err != nil {
		return fmt.Errorf("the arguments of %s: %w", o.Method, err)
	}
	for i := range holder.NumField() {
		arguments = append(arguments, holder.Field(i))
	}
	if m.Type.IsVariadic() {
		m.Func.CallSlice(arguments)
	} else {
		m.Func.Call(arguments)
	}
	return nil
}

// argumentsOf is a struct with a field for each argument of a method, which has the bytes of all.
func argumentsOf(method reflect.Type) reflect.Type {
	var fields []reflect.StructField
	for i := 1; i < method.NumIn(); i++ {
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("A%d", i), Type: method.In(i)})
	}
	return reflect.StructOf(fields)
}
