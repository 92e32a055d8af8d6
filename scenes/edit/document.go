package edit

import (
	"bytes"
	"errors"

	"github.com/wayfront/wayfront/scenes"
)

// Document is a scene document that is being edited, with its history. It belongs to one goroutine.
type Document struct {
	file    string // for messages
	text    []byte
	filed   []byte // the text of the file, as it was last read or written; nil where there is none
	entries []Entry
	done    int      // entries that are done; the others are undone
	gesture *gesture // that is going on; nil: none

	draft    *scenes.Scene // what text means; nil where it is no JSON
	sound    *scenes.Scene // the last without errors
	problems []scenes.Problem
}

// Entry is one change in a history.
type Entry struct {
	Title string
	Splice
}

// Splice is a change of a text: some bytes at an offset that give way to others.
type Splice struct {
	offset      int
	was, became []byte
}

// gesture is a change that grows until it ends, such as a drag.
type gesture struct {
	title string
	text  []byte        // when it began
	draft *scenes.Scene // then
}

// ErrGesture is the error of what has to wait for the end of a gesture.
var ErrGesture = errors.New("edit: a gesture is going on: end or cancel it first")

// ErrUnreadable is the error of a change of a text that is no JSON.
var ErrUnreadable = errors.New("edit: the text is no JSON: mend or undo what made it so")

// New returns a document with a text that no file has. Name is for messages.
func New(name string, text []byte) *Document {
	d := &Document{file: name}
	d.set(bytes.Clone(text))
	return d
}

// Opened returns a document with the text of a file.
func Opened(file string, text []byte) *Document {
	d := New(file, text)
	d.filed = d.text
	return d
}

// set makes a text the current one.
func (d *Document) set(text []byte) {
	d.text = text
	d.draft, d.problems = scenes.Draft(d.file, text)
	for _, p := range d.problems {
		if !p.Note {
			return
		}
	}
	d.sound = d.draft
}

// Text returns the text. It is not to be changed.
func (d *Document) Text() []byte { return d.text }

// Draft returns what the text means, faults included; nil where the text is no JSON. It is not to
// be changed: see Change.
func (d *Document) Draft() *scenes.Scene { return d.draft }

// Before returns what Draft was when the gesture began that is going on; nil: none is.
func (d *Document) Before() *scenes.Scene {
	if d.gesture != nil {
		return d.gesture.draft
	}
	return nil
}

// Scene returns the scene of the text, or of the last text that had no errors; nil where none had.
// It is not to be changed.
func (d *Document) Scene() *scenes.Scene { return d.sound }

// Problems returns the errors and notes of the text, in its order.
func (d *Document) Problems() []scenes.Problem { return d.problems }

// Sound reports whether the text has no errors.
func (d *Document) Sound() bool { return d.sound != nil && d.sound == d.draft }

// Change changes the scene by a function that gets a copy of Draft, and adds the change to the
// history. What the text says elsewhere stays to the byte. A change that changes nothing is no
// entry. The error is that of the function, ErrUnreadable, ErrGesture, or one of scenes.Rewrite;
// all is then as it was.
func (d *Document) Change(title string, change func(*scenes.Scene) error) error {
	if d.gesture != nil {
		return ErrGesture
	}
	text, err := d.changed(d.text, d.draft, change)
	if err != nil {
		return err
	}
	return d.Replace(title, text)
}

// changed returns a text with a change.
func (d *Document) changed(text []byte, draft *scenes.Scene, change func(*scenes.Scene) error) ([]byte, error) {
	if draft == nil {
		return nil, ErrUnreadable
	}
	to := draft.Clone()
	if err := change(to); err != nil {
		return nil, err
	}
	return scenes.Rewrite(d.file, text, to)
}

// Replace replaces the whole text, as an entry of the history unless it is the same. The error is
// ErrGesture.
func (d *Document) Replace(title string, text []byte) error {
	if d.gesture != nil {
		return ErrGesture
	}
	if !bytes.Equal(text, d.text) {
		d.entries = append(d.entries[:d.done:d.done], Entry{title, Difference(d.text, text)})
		d.done++
		d.set(bytes.Clone(text))
	}
	return nil
}

// Difference returns the shortest splice that makes one text of another.
func Difference(from, to []byte) Splice {
	begin, end := 0, 0
	shorter := min(len(from), len(to))
	for begin < shorter && from[begin] == to[begin] {
		begin++
	}
	for end < shorter-begin && from[len(from)-1-end] == to[len(to)-1-end] {
		end++
	}
	return Splice{begin, bytes.Clone(from[begin : len(from)-end]), bytes.Clone(to[begin : len(to)-end])}
}

// Begin begins a gesture: a change that Drag makes anew as often as wanted, and that is one entry.
func (d *Document) Begin(title string) error {
	switch {
	case d.gesture != nil:
		return ErrGesture
	case d.draft == nil:
		return ErrUnreadable
	}
	d.gesture = &gesture{title, d.text, d.draft}
	return nil
}

// Dragging reports whether a gesture is going on.
func (d *Document) Dragging() bool { return d.gesture != nil }

// Drag makes the text that of the gesture's beginning with a change: not on top of earlier ones of
// the gesture. Without a gesture it panics. Errors are those of Change.
func (d *Document) Drag(change func(*scenes.Scene) error) error {
	text, err := d.changed(d.gesture.text, d.gesture.draft, change)
	if err == nil && !bytes.Equal(text, d.text) {
		d.set(text)
	}
	return err
}

// End ends a gesture: it is an entry of the history now, if it changed anything.
func (d *Document) End() {
	if g := d.gesture; g != nil {
		text := d.text
		d.gesture, d.text = nil, g.text
		_ = d.Replace(g.title, text) // no gesture is going on
	}
}

// Cancel ends a gesture and takes it back.
func (d *Document) Cancel() {
	if g := d.gesture; g != nil {
		d.gesture = nil
		d.set(g.text)
	}
}

// History returns all entries, oldest first, and how many of them are done: the others are undone
// and wait for Redo, until the next change drops them.
func (d *Document) History() (entries []Entry, done int) { return d.entries, d.done }

// Undo undoes the last entry that is done; false where there is none, or in a gesture.
func (d *Document) Undo() bool { return d.Go(d.done - 1) }

// Redo does the first entry that is undone; false where there is none, or in a gesture.
func (d *Document) Redo() bool { return d.Go(d.done + 1) }

// Go undoes or does entries until so many are done; false where there are not so many, or in a
// gesture. The bytes are then those of that time.
func (d *Document) Go(done int) bool {
	if done < 0 || done > len(d.entries) || d.gesture != nil {
		return false
	}
	text := d.text
	for ; d.done > done; d.done-- {
		e := d.entries[d.done-1]
		text = e.Undo(text)
	}
	for ; d.done < done; d.done++ {
		e := d.entries[d.done]
		text = e.Do(text)
	}
	d.set(text)
	return true
}

// Do returns a text with the change.
func (s Splice) Do(text []byte) []byte { return s.put(text, s.was, s.became) }

// Undo returns a text without the change, which it has.
func (s Splice) Undo(text []byte) []byte { return s.put(text, s.became, s.was) }

// put returns a text with other bytes in place of those that it has at the splice.
func (s Splice) put(text, from, to []byte) []byte {
	out := make([]byte, 0, len(text)-len(from)+len(to))
	out = append(append(out, text[:s.offset]...), to...)
	return append(out, text[s.offset+len(from):]...)
}
