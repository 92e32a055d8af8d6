#version 450 core
// Finds for each node of a level, in each direction, the resistance between it and the middle of
// its lane.
//
// Reads: nodes, edges, flows, states of nodes. Writes: resistances.
// Reference: harmonic.relaxer.resist, bit for bit.

#include "bvp/hierarchy.glsl"
#include "bvp/cycle.glsl"

void main() {
    uint n = first + gl_GlobalInvocationID.x;
    if (n < end && !hasConverged()) {
        resistNode(n);
    }
}
