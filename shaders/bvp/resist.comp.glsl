#version 450 core
// Finds for each node of a level, in each direction, the resistance between it and the middle of its lane.
//
// Reads: nodes, edges, flows, states of nodes. Writes: resistances.
// Reference: bvp.relaxer.resist, bit for bit.

#include "bvp/hierarchy.glsl"

void main() {
    uint n = first + gl_GlobalInvocationID.x;
    if (n >= end) {
        return;
    }
    KnotState k = knots[n];
    precise vec4 sums = vec4(0.0);
    for (uint e = joints[n].firstEdge; e < joints[n + 1u].firstEdge; e++) {
        precise float flow = k.x * flowTo(k, e);
        if (links[e].above != INSIDE || flow < TINY) {
            continue;
        }
        KnotState other = knots[toOf(e)];
        precise float ratio = k.x * reciprocal(other.x) * power(min(unitOf(k) - unitOf(other), 40));
        precise float share = reciprocal(1.0 + ratio * ratio);
        precise float resistance = share * reciprocal(flow);
        int d = directionOf(e);
        sums += vec4(d == 0, d == 1, d == 2, d == 3) * resistance;
    }
    behind[n] = sums;
}
