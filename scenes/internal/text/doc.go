// Package text reads the text of scenes and of files in other formats so that every message has a
// place: lines and columns of offsets, JSON with paths, limits, excerpts and suggestions.
package text
