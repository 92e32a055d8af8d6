#version 450 core
// Makes the equations of a level from those of the level before: its nodes' parts are to be
// multiplied by a factor each.
//
// Reads: nodes, edges, flows, states and resistances of the level before. Writes: states of nodes,
// flows.
// Reference: harmonic.relaxer.coarsen, bit for bit.

#include "bvp/hierarchy.glsl"
#include "bvp/cycle.glsl"

void main() {
    uint n = first + gl_GlobalInvocationID.x;
    if (n < end && !hasConverged()) {
        coarsenNode(n);
    }
}
