#version 450 core
// Resolve, fragments: what readers of the map sample, parent position, distance and state of every
// texel, from the index of the generator that won it. None has won texels in obstacles, and those
// of ground that no source reaches, which cover.* marks.
//
// reads: generators, parents. writes: field.

#include <Generator>
#include "include/numbers.glsl"
#include "include/texel.glsl"

layout(location = 0) out vec4 field;

layout(std430) readonly buffer Generators { Generator generators[]; };
uniform usampler2DArray parents;

uniform uint base; // first record of the layer
uniform int layer;
uniform float latticeStep; // m

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    uint index = texelFetch(parents, ivec3(texel, layer), 0).r;
    if (index == NONE) {
        field = vec4(0.0, 0.0, INFINITY, STATE_OBSTACLE);
        return;
    }
    Generator g = generators[base + index];
    vec2 position = g.position;
    vec2 center = texelCenter(texel);
    if (g.kind == SECTOR_LIGHT_FIELD) { // the foot point of the center on the segment
        vec2 segment = vec2(g.toX - g.x, g.toY - g.y) * latticeStep;
        position += segment * clamp(dot(center - position, segment) / dot(segment, segment), 0.0, 1.0);
    }
    field = vec4(position, g.distance + distance(position, center), STATE_REACHED);
}
