#version 450 core
// Multiplies the parts of every node of the level above by its factor.
//
// Reads: nodes, states of the level above. Writes: states of nodes.
// Reference: harmonic.relaxer.correct, bit for bit.

#include "bvp/hierarchy.glsl"
#include "bvp/cycle.glsl"

void main() {
    uint n = first + gl_GlobalInvocationID.x;
    if (n < end && !hasConverged()) {
        correctNode(n);
    }
}
