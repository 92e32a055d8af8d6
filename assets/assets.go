// Package assets holds the data that comes with the program. Data only: what it
// means is known to the packages that read it.
package assets

import "embed"

// Scenes holds the built-in scenes that are drawn by hand: scenes/NAME.json, in
// the format of package scenes.
//
//go:embed scenes/*.json
var Scenes embed.FS
