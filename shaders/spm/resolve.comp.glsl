#version 450 core
// Writes what readers of the map sample: parent position, distance and state of every texel, from the index of the
// generator that won it. Texels in obstacles lose theirs.
//
// reads: generators, cover. reads and writes: parents. writes: field.

#include <Generator>
#include "include/numbers.glsl"
#include "include/texel.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(std430, binding = BIND_GENERATORS) readonly buffer Generators { Generator generators[]; };
layout(binding = UNIT_COVER) uniform usampler2D cover;
layout(r32ui, binding = IMAGE_PARENTS) uniform uimage2D parents;
layout(rgba32f, binding = IMAGE_FIELD) writeonly uniform image2D field;

uniform uint base;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(parents)))) {
        return;
    }
    if (texelFetch(cover, texel, 0).r == 0u) {
        imageStore(parents, texel, uvec4(NONE));
        imageStore(field, texel, vec4(0.0, 0.0, INFINITY, STATE_OBSTACLE));
        return;
    }
    uint index = imageLoad(parents, texel).r;
    if (index == NONE) {
        imageStore(field, texel, vec4(0.0, 0.0, INFINITY, STATE_UNREACHED));
        return;
    }
    Generator g = generators[base + index];
    float d = g.distance + distance(g.position, texelCentre(texel));
    imageStore(field, texel, vec4(g.position, d, STATE_REACHED));
}
