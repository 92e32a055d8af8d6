// Package plan is what the importers of formats share: a file with places for messages and the scene
// that is made of it (source.go), drawn shapes (sketch.go), their roles (role.go), how far off they
// may reach (reach.go), lines with their strokes and insides (line.go), unions and differences of polygons (overlay.go, by package simplefeatures,
// whose rounding is corrected), and a goal for files without one (freest.go).
package plan
