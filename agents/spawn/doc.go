// Package spawn gives the agents of a scene their places, times of entry and speeds. It runs on
// the CPU, without OpenGL. The same scene gives the same placements on every machine: random
// numbers are counter-based (Philox), and places are rounded to the lattice.
package spawn
