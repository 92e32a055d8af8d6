// Package render shows a world: the ground's regions and isolines, obstacles, sources, agents and paths, and lines of text.
//
// It reads the buffers and textures of maps and agents where they are, in the same frame, and reads nothing back. Each
// kind of thing is a layer with a pass of its own, drawn in this order (shaders in shaders/render):
//
//   - ground:    regions by parent and isolines, from a map's textures and generators (ground.*, region.glsl), after
//     cones.comp has made of the generators what pixels need to know; kept until it changes
//   - obstacles: what they cover, from the ground's triangles (fill.*), and their walls as fine lines (line.*)
//   - parents:   the tree of shortest paths, a line from every corner to its parent, which cones.comp leaves (line.*, mark.*)
//   - paths:     the ways of chosen agents as package agents leaves them on the device (line.*, mark.*)
//   - sketches:  lines and marks of the host, as of what its user points at (line.*, mark.*)
//   - sources:   marks and lines (mark.*, line.*)
//   - agents:    discs with a heading, instances straight from the agents' buffers (agent.*)
//   - text:      a picture drawn on the CPU when the words change (text.*)
//
// Everything is smooth by computation: the edges of discs and lines are drawn from their distance to the pixel, and the
// ground's regions and isolines are computed at every pixel from the generators, not looked up. So a picture is as sharp at
// any zoom. Vertex and geometry stages read attributes and textures only: OpenGL promises them no storage buffers.
//
// The relief view lifts the ground by its distance to the goal, figure 2 of Farias and Kallmann 2018.
package render
