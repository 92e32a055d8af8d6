package edit

import (
	"bytes"

	"github.com/wayfront/wayfront/scenes"
)

// File returns the name of the document's file, or what New was given.
func (d *Document) File() string { return d.file }

// Saved reports whether the file has the text.
func (d *Document) Saved() bool { return d.filed != nil && bytes.Equal(d.filed, d.text) }

// Filed returns the text of the file as it was last read or written; nil where there is none. A
// file that has another one was changed by another program: Take it before the file is written.
func (d *Document) Filed() []byte { return d.filed }

// Wrote says that a file has the text now. It is the document's from then on.
func (d *Document) Wrote(file string) { d.file, d.filed = file, d.text }

// Take takes what another program has made of the file. A document that the file had gets its text,
// comments and all. One with changes that the file had not gets its text with these changes; where
// both changed the same field in different ways, conflicts has its path and ours stays. It is one
// entry of the history. The error is ErrGesture, or ErrUnreadable where there are changes on both
// sides, and theirs, or ours, is no JSON: then all is as it was.
func (d *Document) Take(theirs []byte) (conflicts []string, err error) {
	const title = "Changes of the file"
	if d.gesture != nil {
		return nil, ErrGesture
	}
	text := theirs
	if d.filed != nil && !bytes.Equal(d.filed, d.text) && !bytes.Equal(d.filed, theirs) {
		base, _ := scenes.Draft(d.file, d.filed)
		their, _ := scenes.Draft(d.file, theirs)
		if base == nil || their == nil || d.draft == nil {
			return nil, ErrUnreadable
		}
		var merged *scenes.Scene
		merged, conflicts = scenes.Merge(base, d.draft, their)
		if text, err = scenes.Rewrite(d.file, theirs, merged); err != nil {
			return nil, err
		}
	} else if bytes.Equal(d.filed, theirs) {
		text = d.text // nothing new
	}
	d.filed = bytes.Clone(theirs)
	return conflicts, d.Replace(title, text)
}
