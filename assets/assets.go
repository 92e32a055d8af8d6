// Package assets holds the data that comes with the program. Data only: what it means is known to
// the packages that read it.
package assets

import "embed"

// Scenes holds the built-in scenes but for those of a family: scenes/NAME.json, in the format of
// package scenes.
//
//go:embed scenes/*.json
var Scenes embed.FS

// List names the built-in scenes in the order in which they are listed, a line each: NAME: SOURCE.
//
//go:embed scenes/list.txt
var List string

// New is the text of a scene to begin with, with comments. It has the name of its file.
//
//go:embed new.json
var New string
