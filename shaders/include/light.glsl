// How light goes on in the wavefront method.
//
// Light from a generator is carried in windows: the part of a triangle's entering edge between the rays through two
// points.
//
// Needs <Generator>, <Face>, <Window>, <Lit>, <Offer>, include/numbers.glsl.

#include "include/face.glsl"
#include "include/front.glsl"

layout(std430, binding = BIND_FACES) readonly buffer Faces { Face faces[]; };
layout(std430, binding = BIND_WINDOWS) buffer Windows { Window windows[]; }; // two queues
layout(std430, binding = BIND_OFFERS) buffer Offers { Offer offers[]; };     // two queues
layout(std430, binding = BIND_REACH) coherent buffer Reach { uint reach[]; };

uniform uint wave; // number of this wave; its parity says which of two queues is read and which written

// A record of reach: the least distance offered so far (bits of a float); for even and for odd waves the lowest index among
// those who offered it in that wave; the least distance as the ties of this wave were settled, which offers made since do not
// change; the wave, plus one, in which the corner was last expanded; and the first half-edge of the corner's fan, which stays.
const uint REACH = 6u;
const uint REACH_TIE = 1u;
const uint REACH_SETTLED = 3u;
const uint REACH_WAVE = 4u;
const uint REACH_FAN = 5u;

// A generator offers a corner that it sees a distance. Ties are settled when all offers of a wave are known. Offers go to
// queue `queue`, that of the wave with this parity.
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
    if (i < front.offerRoom) {
        offers[queue * front.offerRoom + i] = Offer(corner, generator, bits);
    } else {
        atomicMax(front.offersNeeded, i + 1u);
    }
}

// Windows go to the queue that the next wave reads.
void push(Window w, uint slot) {
    uint queue = (wave + 1u) & 1u;
    uint i = atomicAdd(front.windows[queue], 1u);
    if (i < front.windowRoom) {
        windows[queue * front.windowRoom + i] = w;
    } else {
        atomicMax(front.windowsNeeded, i + 1u);
    }
    atomicMin(front.slots[slot].leastKey[queue], floatBitsToUint(w.key));
}

// A generator lights the part of a triangle that lies between two rays. Light came in by edge `entry`: what lies on the rays'
// way before it is lit too. (What sources light of the triangles that they stand in is known from the start: sow, in Go.)
void light(uint generator, float distanceOf, uint face, int entry, ivec2 right, ivec2 left) {
    uint i = atomicAdd(front.lit, 1u);
    if (i < front.litRoom) {
        lit[i] = Lit(generator, distanceOf, face, uint(entry), right.x, right.y, left.x, left.y);
    }
}
