#version 450 core
// Sets the nodes of a level that have a color to what their equation asks.
//
// Reads: nodes, edges, flows. Writes: states of nodes.
// Reference: harmonic.relaxer.smooth, bit for bit.

#include "bvp/hierarchy.glsl"
#include "bvp/cycle.glsl"

uniform uint color;

void main() {
    uint n = first + gl_GlobalInvocationID.x;
    if (n < end && !hasConverged() && nodes[n].color == color) {
        smoothNode(n);
    }
}
