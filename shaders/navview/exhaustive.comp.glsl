#version 450 core
// The nearest of each place among all others, by looking at every one of them: what people are found with who are in no cells.
// A bench tells by it what cells save.
//
// Reads: places. Writes: nearest, MOST a place, in order of distance, then of number; NONE behind the last.

#include "include/numbers.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(binding = PLACES_UNIT) uniform samplerBuffer places; // m
layout(std430, binding = NEAREST_BINDING) writeonly buffer Nearest { uint nearest[]; };

uniform uint count;
uniform uint first; // of this dispatch
uniform float reach; // m

void main() {
    uint me = first + gl_GlobalInvocationID.x;
    vec2 place = texelFetch(places, int(min(me, count - 1u))).xy;
    precise float most = reach * reach;
    float near[MOST];
    uint who[MOST];
    for (int k = 0; k < MOST; k++) {
        near[k] = INFINITY;
        who[k] = NONE;
    }
    for (uint i = 0u; i < count; i++) {
        vec2 d = texelFetch(places, int(i)).xy - place;
        precise float squared = d.x * d.x + d.y * d.y;
        if (squared <= most && squared < near[MOST - 1] && i != me) {
            // Behind those that are as near, whose numbers are lower.
            for (int k = MOST - 1; k > 0; k--) {
                bool moves = squared < near[k - 1];
                who[k] = moves ? who[k - 1] : (squared < near[k] ? i : who[k]);
                near[k] = min(near[k], max(near[k - 1], squared));
            }
            who[0] = squared < near[0] ? i : who[0];
            near[0] = min(near[0], squared);
        }
    }
    if (me < count) {
        for (int k = 0; k < MOST; k++) {
            nearest[me * uint(MOST) + uint(k)] = who[k];
        }
    }
}
