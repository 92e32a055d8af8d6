#version 450 core
// Sets the nodes of a level that have a colour to what their equation asks.
//
// Reads: nodes, edges, flows. Writes: states of nodes.
// Reference: bvp.relaxer.smooth, bit for bit.

#include "bvp/hierarchy.glsl"

uniform uint colour;

void main() {
    uint n = first + gl_GlobalInvocationID.x;
    if (n >= end || joints[n].colour != colour) {
        return;
    }
    KnotState k = knots[n];
    precise float sum = endingAt(k);
    for (uint e = joints[n].firstEdge; e < joints[n + 1u].firstEdge; e++) {
        sum += flowTo(k, e);
    }
    if (sum >= TINY) {
        precise float x = sum * reciprocal(k.d);
        knots[n] = withValue(k, x, k.e);
    }
}
