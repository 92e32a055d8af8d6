#version 450 core
// Wavefront, sorting by generator: turns counts into places, and writes the draws. One workgroup a
// slot; which slot's shards come first is left to chance, since each is drawn by itself.
//
// reads and writes: tally, front. writes: draws.

#include <DrawCommand>
#include "include/numbers.glsl"
#include "include/front.glsl"
#include "include/scan.glsl"

layout(local_size_x = SCAN_SIZE) in;

layout(std430) buffer Tally { uint tally[]; };
layout(std430) writeonly buffer Commands { DrawCommand draws[]; };

uniform uint pieces; // that shards are cut into, for a draw each
uniform uint pieceLength;
uniform uint piecesInPage;

shared uint start;

void main() {
    uint me = gl_LocalInvocationIndex;
    uint slot = gl_WorkGroupID.x;
    uint share = (stride + SCAN_SIZE - 1u) / SCAN_SIZE;
    uint first = slot * stride + min(me * share, stride);
    uint last = slot * stride + min((me + 1u) * share, stride);
    uint sum = 0u;
    for (uint i = first; i < last; i++) {
        sum += tally[i];
    }
    scan(sum);
    if (me == SCAN_SIZE - 1u) {
        start = atomicAdd(front.placed, sums[me]);
    }
    barrier();
    uint end = start + sums[SCAN_SIZE - 1u];
    for (uint i = me; i < pieces; i += SCAN_SIZE) {
        uint from = clamp(start, i * pieceLength, (i + 1u) * pieceLength);
        uint to = clamp(end, i * pieceLength, (i + 1u) * pieceLength);
        draws[slot * pieces + i] = DrawCommand(to - from, 1u, from - i / piecesInPage * piecesInPage * pieceLength, 0u);
    }
    uint place = start + sums[me] - sum;
    for (uint i = first; i < last; i++) {
        uint n = tally[i];
        tally[i] = place;
        place += n;
    }
}
