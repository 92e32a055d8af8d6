package scenes

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/wayfront/wayfront/scenes/internal/text"
)

// Problem is one thing that is wrong with a file, or worth knowing.
type Problem struct {
	// File as it was named to Read.
	File string
	// Line and Column of the place, both from 1. Columns count characters. The place of a missing
	// field is that of the object that lacks it. 0 for a scene that a program built.
	Line, Column int
	// Path of the field as in RFC 9535: $.obstacles[3].polygon[2]. Empty in a file that is
	// imported.
	Path string
	// Message says what is wrong and what is allowed.
	Message string
	// Note marks what is no error: the scene is good, but may differ from what its author means.
	Note bool
}

// String returns FILE:LINE:COL: PATH: message, without the place and the path where there is none.
// Messages of notes begin with "note: ".
func (p Problem) String() string {
	s := p.Message
	if p.Note {
		s = "note: " + s
	}
	if p.Path != "" {
		s = p.Path + ": " + s
	}
	if p.Line > 0 {
		s = fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, s)
	}
	return s
}

// ProblemAt returns a problem at a path of a document that Read accepted: names of fields and
// indices of lists, such as "groups", 2, "spawn". It is for what is found out when a scene is used.
// The place of a field that the document leaves out is that of the nearest thing around it.
func ProblemAt(file string, data []byte, message string, path ...any) Problem {
	r := newReader(file, bytes.Clone(data))
	r.root, _, _ = r.file.Parse() // where there is nothing to parse, every path leads to the beginning
	r.at(path...).wrong("%s", message)
	return r.sorted()[0]
}

// Invalid is the error of a scene that was read or checked and refused. Problems holds at least one
// that is not a note.
type Invalid struct {
	// File as it was named to Read; empty for a scene that a program built.
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

// Nearest returns the word, of the first 256 that are allowed, that a mistyped one probably stands
// for. Empty if none is near.
func Nearest(word string, allowed []string) string { return text.Nearest(word, allowed) }
