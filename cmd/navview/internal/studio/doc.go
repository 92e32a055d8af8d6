// Package studio is a scene that is edited while its world runs: the document, the tools that draw
// and move its figures, what is selected, and every action by name. It knows neither a window nor
// panels, so that tests drive all of it by calls; package panels shows it.
//
// An edit goes one way: a tool or a form changes the document (scenes/edit), and the world is made
// equal to the document by one call, engine.World.Sync, as it is after undo, redo, and a change of
// the file by another program. A figure (figure.go) is what tools know of a record: a rectangle, a
// circle, a polygon, a line or a point.
package studio
