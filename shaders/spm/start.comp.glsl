#version 450 core
// Wavefront, start: the records of a slot, with nothing reached. Sources are written over them.
//
// reads: corners, fans. writes: generators, reach.

#include <Generator>
#include "include/numbers.glsl"
#include "include/reach.glsl"

layout(local_size_x = GROUP) in;

layout(std430) writeonly buffer Generators { Generator generators[]; };
layout(std430) readonly buffer Corners { Generator corners[]; };
layout(std430) readonly buffer Fans { int fans[]; }; // by corner: its first half-edge

uniform uint slot;
uniform uint stride;      // records of a slot
uniform uint sources;     // records before the corners
uniform uint cornerCount;

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= stride) {
        return;
    }
    Generator g = Generator(vec2(0.0), 0, 0, 0, 0, 0, 0, 0u, STATUS_UNUSED, INFINITY, NONE);
    int fan = -1;
    if (i >= sources && i < sources + cornerCount) {
        g = corners[i - sources];
        fan = fans[i - sources];
    }
    uint record = slot * stride + i;
    generators[record] = g;
    reach[REACH * record] = floatBitsToUint(INFINITY);
    reach[REACH * record + REACH_TIE] = NONE;
    reach[REACH * record + REACH_TIE + 1u] = NONE;
    reach[REACH * record + REACH_LEAST] = floatBitsToUint(INFINITY);
    reach[REACH * record + REACH_WAVE] = 0u;
    reach[REACH * record + REACH_FAN] = uint(fan);
    reach[REACH * record + REACH_REST] = NONE;
}
