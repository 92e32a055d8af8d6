// Package exact answers questions about shortest paths on the CPU, in float64: distances and
// parents of points, paths, sight. It needs neither OpenGL nor cgo.
//
// Solve computes all distances from the ground and a goal, by Dijkstra's algorithm over sources and
// corners. Maps that the device built are read back into the same View, see spm.Map.View. A View is
// exact at the point asked about, whatever a map's resolution: it expands from the point itself,
// through the triangles of the ground, as far as a better answer can be.
package exact
