// Package stage is what verbs, viewer and benchmarks share of a scene: its document, an OpenGL
// context, one goal's map, a world with its picture and legend, and a simulation with its report.
package stage
