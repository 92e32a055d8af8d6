// Package viewer is the window: it shows a world while it runs, and edits sources, obstacles and
// local maps by mouse and keys.
//
// A frame handles input (input.go, pick.go), moves the selection (hover.go, edit.go), advances the
// world (viewer.go) and draws it with sketches, hints and panels (sketch.go, hint.go, panels.go).
// Edits are saved by save.go; a file that changes is reloaded (watch.go, reload.go). The local maps
// of the chosen agent's profile are changed by tune.go.
package viewer
