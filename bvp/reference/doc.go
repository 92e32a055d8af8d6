// Package reference is the plain Go form of the passes of local maps and of exploring, and what
// tests compare them with. What it does in float32 is bit for bit what the shaders do: no step
// depends on how a device divides, or takes roots and angles (see elementary.go). Only tests and
// benchmarks import it. The passes of global harmonic maps have theirs in the tests of that
// package, which share its graphs.
package reference
