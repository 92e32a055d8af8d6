package text

import (
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf8"
)

// Limits of a document, so that a broken or hostile file ends in a message. The deepest field of a
// scene lies 6 levels down; 2^21 values are 700,000 vertices, 35 times what maps have to hold.
const (
	MaxBytes  = 32 << 20
	MaxDepth  = 64
	MaxValues = 1 << 21
)

// Numbers with a fraction are at most Largest in size, and those above 0 at least Smallest: devices
// compute in float32, whose range, 1e-38 to 3e38, has to hold squares and quotients of them.
const (
	Largest  = 1e12
	Smallest = 1e-12
)

// File is a text with a name for messages.
type File struct {
	Name   string
	Data   []byte
	starts []int // offsets of the lines' beginnings
	// The last place: where a long line is counted on from.
	offset, line, column int
}

// Place returns the line and the column of an offset, both from 1. Columns count characters. A
// sequence of ascending offsets costs one pass over the text.
func (f *File) Place(offset int) (line, column int) {
	if f.starts == nil {
		f.starts = []int{0}
		for i, c := range f.Data {
			if c == '\n' {
				f.starts = append(f.starts, i+1)
			}
		}
	}
	if line = sort.SearchInts(f.starts, offset+1); line != f.line || offset < f.offset {
		f.offset, f.line, f.column = f.starts[line-1], line, 1
	}
	f.column += utf8.RuneCount(f.Data[f.offset:offset])
	f.offset = offset
	return f.line, f.column
}

// Stem returns a file's name without folder and ending, "scene" where nothing is left.
func Stem(file string) string {
	base := filepath.Base(file)
	if s := strings.TrimSuffix(base, filepath.Ext(base)); s != "" && s != "-" && s != "." {
		return s
	}
	return "scene"
}
