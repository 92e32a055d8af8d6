// The graphs of a global map, and what flows in them. A stage whose invocations read what others
// have written defines SHARED as coherent.
//
// Reference: bvp/harmonic/graph.go, bvp/harmonic/cycle_reference_test.go.

#include <Node>
#include <Edge>
#include <NodeState>
#include "bvp/elementary.glsl"

layout(local_size_x = GROUP_SIZE) in;

#ifndef SHARED
#define SHARED
#endif

layout(std430) readonly buffer Nodes { Node nodes[]; };
layout(std430) readonly buffer Edges { Edge edges[]; };
layout(std430) SHARED buffer States { NodeState states[]; };
layout(std430) SHARED buffer Flows { float flows[]; };
layout(std430) SHARED buffer Behind { vec4 behind[]; };

uniform uint first; // node of this dispatch, and the one behind the last
uniform uint end;
uniform bool isFirstLevel; // the one that the dispatch is about, whose nodes are cells

const uint INSIDE = 0xffffffffu;

uint toOf(uint edge) {
    return edges[edge].to & ((1u << TO_BITS) - 1u);
}

int directionOf(uint edge) {
    return int(edges[edge].to >> TO_BITS);
}

// 2^e, as far as it matters.
float power(int e) {
    return uintBitsToFloat(uint(clamp(e, -60, 60) + 127) << 23);
}

// The exponent of a node's potential.
int unitOf(NodeState k) {
    return k.base + k.e;
}

// What an edge brings to a node, and what goals do, over the node's own 2^e.
float flowTo(NodeState k, uint edge) {
    NodeState other = states[toOf(edge)];
    precise float carried = flows[edge] * other.x;
    precise float flow = carried * power(other.e - k.e);
    return flow;
}

float endingAt(NodeState k) {
    precise float ending = k.b * power(-k.e);
    return k.b == 0.0 ? 0.0 : ending;
}

// A node with the potential, or the factor, x 2^e. No potential is above 1.
NodeState withValue(NodeState k, float x, int e) {
    int more = int(floatBitsToUint(x) >> 23) - 127;
    precise float scaled = x * power(-more);
    k.x = scaled;
    k.e = e + more;
    if (isFirstLevel && k.e >= 0) {
        k.x = 1.0;
        k.e = 0;
    }
    return k;
}
