// Lists of neighbors: for each body a word, then the bodies near it, the nearest first, of equally
// near ones the one with the lowest id. Entry k of body b is neighbors[k * count + b], so that
// bodies beside each other read beside each other.
//
// The first word counts the entries; between the passes that make a list it may say AGAIN.
// Needs: agents/cells.glsl, <AvoidanceParams>, include/numbers.glsl.

layout(std430) readonly buffer Params { AvoidanceParams params[]; };
layout(std430) buffer Neighbors { uint neighbors[]; };

const uint LISTING_AGAIN = 0u;
const uint LISTING_WALLS = 1u;
const uint LOOKING_PAST_WALLS = 2u;
const uint LISTING_PAST_WALLS = 3u; // the first of some

uniform uint count; // bodies

#include "agents/deferred.glsl"

const uint AGAIN = 0x80000000u; // the list is to be made again, or not at its end
const uint ENTRIES = 0x7fffffffu;

// Whether the device ends loops of this invocation, because they have taken long: then each ends
// after its first turn.
bool endsLoops() {
    uint most = min(count, 2u); // a loop that no compiler sees through
    uint turns = 0u;
    for (uint i = 0u; i < most; i++) {
        turns++;
    }
    return turns < most;
}

// Squared distances as integers: bits of floats not below zero are in the order of the numbers.
const int FAR = 0x7f800000; // bits of infinity

// The profile that a body avoids others by, or NONE.
uint profileOf(uint body) {
    return texelFetch(spotsOf, int(body) * 2 + 1).w;
}

// The squared distance of two places, m^2. The same for both.
float squaredDistance(vec2 a, vec2 b) {
    precise vec2 off = a - b;
    precise float squared = off.x * off.x + off.y * off.y;
    return squared;
}

// How far one has to look to see all bodies whose squared distance, rounded, is at most `squared`:
// rounding takes less than 2^-22 off the root.
float reachOf(float squared) {
    return sqrt(squared) * (1.0 + 1.0 / 1048576.0);
}
