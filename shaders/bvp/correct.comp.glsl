#version 450 core
// Multiplies the parts of every node of the level above by its factor.
//
// Reads: nodes, states of the level above. Writes: states of nodes.
// Reference: bvp.relaxer.correct, bit for bit.

#include "bvp/hierarchy.glsl"

void main() {
    uint n = first + gl_GlobalInvocationID.x;
    if (n >= end) {
        return;
    }
    KnotState k = knots[n];
    KnotState whole = knots[joints[n].whole];
    precise float x = k.x * whole.x;
    knots[n] = withValue(k, x, k.e + whole.e);
}
