#version 450 core
// Sets the nodes of a level that have a colour to what their equation asks.
//
// Reads: nodes, edges, flows. Writes: states of nodes.
// Reference: bvp.relaxer.smooth, bit for bit.

#include "bvp/hierarchy.glsl"
#include "bvp/cycle.glsl"

uniform uint colour;

void main() {
    uint n = first + gl_GlobalInvocationID.x;
    if (n < end && !settled() && joints[n].colour == colour) {
        smoothNode(n);
    }
}
