//go:build js || wasip1

package traj

// databases are none: their driver is not built for WebAssembly.
var databases []Format
