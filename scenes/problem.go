package scenes

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// Problem is one thing that is wrong with a scene document, or worth knowing.
type Problem struct {
	// File as it was named to Read.
	File string
	// Line and Column of the place, both from 1. Columns count characters. For a
	// field that is missing it is the place of the object that lacks it. 0 for a scene
	// that was built by a program.
	Line, Column int
	// Path of the field as in RFC 9535: $.obstacles[3].polygon[2].
	Path string
	// Message says what is wrong and what is allowed.
	Message string
	// Note marks what is no error: the scene is good, but something in it is
	// perhaps not what its author thinks.
	Note bool
}

// String returns FILE:LINE:COL: PATH: message, without the place where there is
// none. Messages of notes begin with "note: ".
func (p Problem) String() string {
	text := p.Path + ": "
	if p.Note {
		text += "note: "
	}
	if p.Line > 0 {
		text = fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, text)
	}
	return text + p.Message
}

// ProblemAt returns a problem at a path of a document that Read accepted: names
// of fields and indices of lists, such as "groups", 2, "spawn". It is for what
// only those find out who use the scene. The place of a field that the document
// leaves out is that of the nearest thing around it.
func ProblemAt(file string, data []byte, message string, path ...any) Problem {
	r := &reader{file: file, data: bytes.TrimPrefix(data, []byte("\ufeff"))}
	// Where there is nothing to parse, every path leads to the beginning.
	r.root, _ = hujson.Parse(r.data)
	r.wrong(r.at(path...), "%s", message)
	return r.sorted()[0]
}

// Invalid is the error of a scene that was read or checked and refused. Problems holds
// at least one that is not a note.
type Invalid struct {
	// File as it was named to Read; empty for a scene that was built by a program.
	File     string
	Problems []Problem
}

// Error returns every problem, a line each, without the notes.
func (e *Invalid) Error() string {
	var b strings.Builder
	if e.File == "" {
		b.WriteString("scenes: the scene cannot be used:")
	} else {
		fmt.Fprintf(&b, "scenes: %s is not a scene that can be used:", e.File)
	}
	for _, p := range e.Problems {
		if !p.Note {
			b.WriteString("\n" + p.String())
		}
	}
	return b.String()
}
