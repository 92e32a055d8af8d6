#version 450 core
// Free ground that no source reaches, fragments: texels whose center is in the closed triangle,
// unless an area beside it that is reached holds the point too.
//
// reads: parents. writes: field.

flat in ivec2 a;
flat in ivec2 b;
flat in ivec2 c;

layout(location = 0) out vec4 field;

uniform usampler2DArray parents;

uniform int layer;

#include "include/numbers.glsl"
#include "include/exact.glsl"
#include "include/texel.glsl"

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 p = texelLattice(texel);
    if (texelFetch(parents, ivec3(texel, layer), 0).r != NONE ||
        orient(a, b, p) < 0 || orient(b, c, p) < 0 || orient(c, a, p) < 0) {
        discard;
    }
    field = vec4(0.0, 0.0, INFINITY, STATE_UNREACHED);
}
