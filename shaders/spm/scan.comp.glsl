#version 450 core
// Wavefront, sorting by generator: turns counts into places, and writes the draw. One workgroup.
//
// reads and writes: tally. writes: draw.

#include <DrawCommand>

layout(local_size_x = SCAN) in;

layout(std430, binding = BIND_TALLY) buffer Tally { uint tally[]; };
layout(std430, binding = BIND_COMMANDS) writeonly buffer Command { DrawCommand draw; };

uniform uint count;

shared uint sums[SCAN];

void main() {
    uint me = gl_LocalInvocationIndex;
    uint share = (count + SCAN - 1u) / SCAN;
    uint first = min(me * share, count);
    uint last = min(first + share, count);
    uint sum = 0u;
    for (uint i = first; i < last; i++) {
        sum += tally[i];
    }
    sums[me] = sum;
    barrier();
    for (uint step = 1u; step < SCAN; step *= 2u) {
        uint before = me >= step ? sums[me - step] : 0u;
        barrier();
        sums[me] += before;
        barrier();
    }
    uint place = sums[me] - sum;
    for (uint i = first; i < last; i++) {
        uint n = tally[i];
        tally[i] = place;
        place += n;
    }
    if (me == SCAN - 1u) {
        draw = DrawCommand(sums[me], 1u, 0u, 0u);
    }
}
