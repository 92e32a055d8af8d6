#version 450 core
// Free ground, fragments: 1 where the texel's centre is in the closed triangle. Walking along a wall is allowed, so the
// border of an obstacle is free.

flat in ivec2 a;
flat in ivec2 b;
flat in ivec2 c;

layout(location = 0) out uint free;

#include "include/exact.glsl"
#include "include/texel.glsl"

void main() {
    ivec2 p = texelLattice(ivec2(gl_FragCoord.xy));
    if (orient(a, b, p) < 0 || orient(b, c, p) < 0 || orient(c, a, p) < 0) {
        discard;
    }
    free = 1u;
}
