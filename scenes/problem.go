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
	// field that is missing it is the place of the object that lacks it.
	Line, Column int
	// Path of the field as in RFC 9535: $.obstacles[3].polygon[2].
	Path string
	// Message says what is wrong and what is allowed.
	Message string
	// Note marks what is no error: the scene is good, but something in it is
	// perhaps not what its author thinks.
	Note bool
}

// String returns FILE:LINE:COL: PATH: message. Messages of notes begin with
// "note: ".
func (p Problem) String() string {
	note := ""
	if p.Note {
		note = "note: "
	}
	return fmt.Sprintf("%s:%d:%d: %s: %s%s", p.File, p.Line, p.Column, p.Path, note, p.Message)
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

// Invalid is the error of a scene that was read and refused. Problems holds at
// least one that is not a note.
type Invalid struct {
	File     string
	Problems []Problem
}

// Error returns every problem, a line each, without the notes.
func (e *Invalid) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "scenes: %s is not a scene that can be used:", e.File)
	for _, p := range e.Problems {
		if !p.Note {
			b.WriteString("\n" + p.String())
		}
	}
	return b.String()
}
