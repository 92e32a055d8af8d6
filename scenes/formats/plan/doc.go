// Package plan is what the importers of formats share: a file with places for messages, the scene
// that is made of what it says (source.go), the roles of drawn shapes (sketch.go), unions and
// differences of polygons (overlay.go, by package simplefeatures, whose rounding is corrected), and
// a goal for files without one (freest.go).
package plan
