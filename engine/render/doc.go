// Package render draws a world: the ground's regions and isolines, obstacles, sources, agents and
// paths, and lines of text.
//
// It reads the buffers and textures of maps and agents in place, in the same frame, and reads
// nothing back. Each layer has a pass, drawn in this order (shaders in shaders/render):
//
//   - ground:    regions by parent and isolines, from a map's textures and generators (ground.*,
//     region.glsl), after cones.comp has computed the cones of generators; cached until it changes
//   - obstacles: the area that they cover (fill.*), and their walls as fine lines (line.*)
//   - parents:   the tree of shortest paths, a line from each corner to its parent (line.*, mark.*)
//   - paths:     the paths of chosen agents, from the buffers of package agents (line.*, mark.*)
//   - sketches:  lines and marks of the host, as of a selection (line.*, mark.*)
//   - sources:   marks and lines (mark.*, line.*)
//   - agents:    discs with a heading, instances from the agents' buffers (agent.*)
//   - text:      rasterized on the CPU when it changes (text.*)
//
// Edges of discs and lines are computed from the distance to the pixel, and the ground from the
// generators, so that pictures are sharp at any zoom. Vertex and geometry stages read attributes
// and textures only: OpenGL promises them no storage buffers.
//
// The relief lifts the ground by its distance to the goal, figure 2 of Farias and Kallmann 2018.
package render
