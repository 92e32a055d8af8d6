// Package headless makes OpenGL 4.5 core contexts without a display, through EGL.
//
// libEGL is loaded when Open is called, so a program that links this package starts on a machine
// without it. Three platforms are tried: the devices that EGL lists (a graphics card without a
// display), Mesa's surfaceless platform, and the default display. Among the devices hardware is
// preferred to a software renderer, whatever their order. What was tried, and what came of it, is
// kept: Context.Attempts after success, Error.Attempts after failure.
//
// A context belongs to the OS thread that made it current: lock the goroutine to its thread before
// MakeCurrent.
package headless
