// Package viewer is the window of the studio: it hands what the user does to the panels or to the
// tools, runs the world, and draws both.
//
// A frame (viewer.go) handles events (input.go), takes changes of the file (watch.go), advances the
// world and draws it below the panels of package panels. What needs files or other programs is in
// files.go, pictures of the gallery in gallery.go. All else is in package studio, which knows no window.
//
// BenchmarkActions times frames of city-10k, 10,000 agents among 5,982 vertices, in the first layout of
// panels. On two shared cores of software OpenGL they took 0.1 to 0.2 s, as long with actions that open,
// select and hide, 0.8 s where a layer was switched, and 1.0 to 1.2 s where the document was changed or a
// change undone; the map that follows an edit of an obstacle took 9 s.
package viewer
