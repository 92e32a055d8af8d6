#version 450 core
// Gives every generator of a layer a number of colour: that of its parent, moved on by one to five of six by a hash of its
// place. So a region never has the colour of the region it came from, and colours stay with places when the map changes.
//
// reads: generators. writes: tints.

#include <Generator>
#include "include/numbers.glsl"
#include "include/rand.glsl"

layout(local_size_x = GROUP) in;

layout(std430, binding = BIND_GENERATORS) readonly buffer Generators { Generator generators[]; };
layout(std430, binding = BIND_TINTS) writeonly buffer Tints { uint tints[]; };

uniform uint generatorBase;
uniform uint generatorCount;

void main() {
    uint index = gl_GlobalInvocationID.x;
    if (index >= generatorCount) {
        return;
    }
    uint sum = 0u;
    uint at = index;
    for (uint up = 0u; up < generatorCount && at != NONE; up++) {
        Generator g = generators[generatorBase + at];
        uint word = philox(uvec4(uint(g.x), uint(g.y), 0u, 0u), uvec2(0u)).x;
        sum += g.parent == NONE ? word % TINTS : 1u + word % (TINTS - 1u);
        at = g.parent;
    }
    tints[generatorBase + index] = sum % TINTS;
}
