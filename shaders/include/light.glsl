// How light goes on in the wavefront method.
//
// Light from a generator is carried in windows: the part of a triangle's entering edge between the
// rays through two points.
//
// Needs <Face>, <Window>, <Lit>, <Offer>, include/numbers.glsl.

#include "include/face.glsl"
#include "include/front.glsl"
#include "include/reach.glsl"

layout(std430) readonly buffer Faces { Face faces[]; };
layout(std430) buffer Windows { Window windows[]; };   // two queues
layout(std430) buffer Offers { Offer offers[]; };      // two queues
layout(std430) writeonly buffer LitParts { Lit lit[]; }; // a page

// The loop turns that an invocation has left in this dispatch; what it has no turns left for waits
// in a queue for the next wave. So no dispatch is long, whatever the scene, and none is cut short
// by a device that ends loops after 65,535 turns of eight invocations: that is eight times this,
// and as many again for walking a queue.
uint turnsLeft = MOST_TURNS;

// A generator offers a corner that it sees a distance. Ties are resolved when all offers of a wave
// are known. Offers go to queue `queue`, that of the wave with this parity.
void offer(uint queue, uint corner, uint generator, float distanceOf) {
    if (corner == generator) {
        return;
    }
    uint bits = floatBitsToUint(distanceOf);
    uint old = atomicMin(reach[REACH * corner], bits);
    if (bits > old) {
        return;
    }
    atomicExchange(reach[REACH * corner + REACH_TIE + queue], NONE);
    uint i = atomicAdd(front.offers[queue], 1u);
    if (i < front.offerCapacity) {
        offers[queue * front.offerCapacity + i] = Offer(corner, generator, bits);
    } else {
        atomicMax(front.offersNeeded, i + 1u);
    }
}

// Windows go to the queue that the next wave reads.
void push(Window w, uint slot) {
    uint queue = (wave + 1u) & 1u;
    uint i = atomicAdd(front.windows[queue], 1u);
    if (i < front.windowCapacity) {
        windows[queue * front.windowCapacity + i] = w;
    } else {
        atomicMax(front.windowsNeeded, i + 1u);
    }
    atomicMin(front.slots[slot].leastKey[queue], floatBitsToUint(w.key));
}

// Takes the next n records of the page of lit parts, from `first` on. Where the page cannot hold
// them all it returns false, and what was to be lit has to wait for the next page.
bool reserve(uint n, out uint first) {
    first = atomicAdd(front.lit, n);
    bool fits = first + n <= front.litCapacity;
    for (uint i = first; i < first + n && i < front.litCapacity && !fits; i++) {
        lit[i] = Lit(0u, NONE, 0u, 0u, 0, 0, 0, 0); // no generator's distance
    }
    return fits;
}

// A generator lights the part of a triangle that lies between two rays, in record i of the page.
// Light came in by edge `entry`: what lies on the rays' way before it is lit too. (What sources
// light of the triangles that they are in is known from the start: seedLayers, in Go.)
void light(uint i, uint generator, float distanceOf, uint face, int entry, ivec2 right, ivec2 left) {
    lit[i] = Lit(generator, floatBitsToUint(distanceOf), face, uint(entry), right.x, right.y, left.x, left.y);
}
