// Package viewer is the window of the studio: it hands what the user does to the panels or to the
// tools, runs the world, and draws both.
//
// A frame (viewer.go) handles events (input.go), takes changes of the file (watch.go), advances the
// world and draws it below the panels of package panels. What needs files or other programs is in
// files.go. All else is in package studio, which knows no window.
package viewer
