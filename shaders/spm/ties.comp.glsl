#version 450 core
// Wavefront, ties: of the generators that offer a corner its least distance the one with the lowest
// index is its parent.
//
// reads: offers, front. reads and writes: reach.

#include <Offer>
#include "include/numbers.glsl"
#include "include/front.glsl"
#include "include/reach.glsl"

layout(local_size_x = GROUP) in;

layout(std430) readonly buffer Offers { Offer offers[]; }; // two queues

uniform uint slotCount;
uniform uint litPage; // bound now
uniform uint litCapacity; // of that page

void main() {
    uint queue = wave & 1u;
    uint threads = gl_NumWorkGroups.x * GROUP;
    if (gl_GlobalInvocationID.x == 0u) {
        // The windows of this wave and the offers of the one before are used up: their queues are
        // filled next.
        front.windows[queue] = 0u;
        front.offers[queue ^ 1u] = 0u;
        if (front.litPage != litPage) {
            front.litPage = litPage;
            front.litCapacity = litCapacity;
            front.lit = 0u;
        }
    }
    for (uint i = gl_GlobalInvocationID.x; i < slotCount; i += threads) {
        front.slots[i].leastKey[queue] = floatBitsToUint(INFINITY);
    }
    uint total = min(front.offers[queue], front.offerCapacity);
    for (uint i = gl_GlobalInvocationID.x; i < total; i += threads) {
        Offer o = offers[queue * front.offerCapacity + i];
        if (reach[REACH * o.corner] == o.bits) {
            atomicMin(reach[REACH * o.corner + REACH_TIE + queue], o.generator);
            reach[REACH * o.corner + REACH_LEAST] = o.bits; // the same from all invocations that come here
        }
    }
}
