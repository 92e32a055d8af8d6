// Package window opens one window with an OpenGL 4.5 core context, through GLFW, and turns what the
// user does into events.
//
// Positions and sizes are in pixels of the framebuffer, whatever the display's scale, from the
// upper left corner, x to the right, y down. Everything is called on the thread that called Open,
// which should be the program's first (lock it in an init function: macOS and Windows insist).
//
// With the build tag headless the package leaves GLFW out, for servers without X libraries, and
// Open says so.
package window
