#version 450 core
// The most by which a cell's potential differs from the mean of those beside it, as a share of it.
//
// Reads: nodes, edges, flows, states of nodes. Writes: the largest, as the bits of a float,
// unless it was small enough before the last cycle: then it is 0.
// Reference: harmonic.relaxer.imbalance, bit for bit.

#include "bvp/hierarchy.glsl"

layout(std430) buffer Imbalances { uint imbalances[]; };

uniform uint cycle;

void main() {
    uint n = first + gl_GlobalInvocationID.x;
    if (n >= end || (cycle > 0u && uintBitsToFloat(imbalances[max(cycle, 1u) - 1u]) <= ENOUGH)) {
        return;
    }
    NodeState k = states[n];
    precise float sum = endingAt(k);
    for (uint e = nodes[n].firstEdge; e < nodes[n + 1u].firstEdge; e++) {
        sum += flowTo(k, e);
    }
    precise float part = 0.25 * reciprocal(k.x);
    precise float off = sum * part - 1.0;
    atomicMax(imbalances[cycle], floatBitsToUint(abs(off)));
}
