// Package render draws a world: the ground's regions and isolines, obstacles, sources, agents and
// paths, and panels of text. The viewer, pictures, films and a game's debug view share it.
//
// It reads the buffers and textures of maps and agents in place, in the same frame, and reads
// nothing back. A layer has a file of its own with what it draws, so that there are more files than
// ten; their inputs are in passes.go, their shaders in shaders/render. Over the ground the table
// overlays in renderer.go has their order.
//
//	layer                  file         passes
//	regions, isolines      ground.go    cones, peak, ground, borders, draft; cached by backdrop.go
//	potential              localmap.go  potential, in the place of regions
//	obstacles              renderer.go  fill, line; from mesh.go
//	density, speed         shading.go   splat, blur, density
//	unknown, localmap      localmap.go  unknown, local map
//	parents                renderer.go  line, mark: from each corner to its parent; over sources, critical points
//	trails                 trails.go    trail, line
//	paths                  crowd.go     line, mark
//	sketches, sources      sketch.go    line, mark
//	agents                 crowd.go     agent: discs with a heading
//	streets                street.go    block, soften, street, walker, shade: what a tilted camera shows of all these
//	panels                 text.go      text, rasterized on the CPU when it changes
//
// Edges of discs and lines are computed from the distance to the pixel, and the ground from the
// generators, so that pictures are sharp at any zoom. Vertex and geometry stages read attributes
// and textures only: OpenGL promises them no storage buffers.
//
// The relief (relief.go) lifts the ground by its distance to the goal, figure 2 of Farias and
// Kallmann 2018.
package render
