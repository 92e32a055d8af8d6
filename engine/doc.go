// Package engine is the public face of Wayfront: a World is a scene with its maps and its crowd on the GPU.
//
// A World lives on the thread of its OpenGL context, which may be one of the host's own (gpu.New wraps whatever context
// is current) or one made by engine/headless or engine/window. Time goes in fixed ticks: Step is one, Advance runs as many
// as are due. Changes are transactions: Edit takes all of them or none and they take effect at the next tick. Questions
// are answered by spm.View, an immutable copy that any goroutine may use. The host draws from the buffers and textures
// that Buffers names; nothing is read back in between. Only an edit of sources makes a step wait, for the map to be built.
//
// The frame, World.Step, is written as numbered steps:
//
//  1. edits asked for since the last step are applied
//  2. maps whose sources changed are rebuilt (package spm)
//  3. agents steer by their goals' maps (package agents)
//  4. agents move: cut at walls, arrivals, next goals (package agents)
//  5. counters are sent to the CPU, which reads them some frames later
//
// Drawing from the same buffers follows, by the host.
package engine
