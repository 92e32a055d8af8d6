#version 450 core
// Procedure 2, fragments: the stencil is marked where the wall hides the texel's centre, by exact signs.

flat in ivec2 generator;
flat in ivec4 wall;

#include "include/exact.glsl"
#include "include/sight.glsl"
#include "include/texel.glsl"

void main() {
    ivec2 p = texelLattice(ivec2(gl_FragCoord.xy));
    if (!blocks(generator, p, wall.xy, wall.zw, 1)) {
        discard;
    }
}
