#version 450 core
// Finds the nearest places of each place among all others, without cells: benchmarks show by it what cells save.
//
// Reads: places. Writes: nearest, MOST a place, in order of distance, then of number; NONE behind the last.

#include "include/numbers.glsl"

layout(local_size_x = GROUP_SIZE) in;

uniform samplerBuffer places; // m
layout(std430) writeonly buffer Nearest { uint nearest[]; };

uniform uint count;
uniform uint first; // of this dispatch
uniform float reach; // m

void main() {
    uint me = first + gl_GlobalInvocationID.x;
    vec2 place = texelFetch(places, int(min(me, count - 1u))).xy;
    precise float most = reach * reach;
    float near[MOST];
    uint found[MOST];
    for (int k = 0; k < MOST; k++) {
        near[k] = INFINITY;
        found[k] = NONE;
    }
    for (uint i = 0u; i < count; i++) {
        vec2 d = texelFetch(places, int(i)).xy - place;
        precise float squared = d.x * d.x + d.y * d.y;
        if (squared <= most && squared < near[MOST - 1] && i != me) {
            // Behind those that are as near, whose numbers are lower.
            for (int k = MOST - 1; k > 0; k--) {
                bool moves = squared < near[k - 1];
                found[k] = moves ? found[k - 1] : (squared < near[k] ? i : found[k]);
                near[k] = min(near[k], max(near[k - 1], squared));
            }
            found[0] = squared < near[0] ? i : found[0];
            near[0] = min(near[0], squared);
        }
    }
    if (me < count) {
        for (int k = 0; k < MOST; k++) {
            nearest[me * uint(MOST) + uint(k)] = found[k];
        }
    }
}
