#version 450 core
// Procedure 2, fragments: the stencil is marked where the wall hides the texel's centre, by exact signs.

flat in ivec2 generator;
flat in ivec4 wall;
flat in ivec2 run;

#include "include/exact.glsl"
#include "include/sight.glsl"
#include "include/texel.glsl"

void main() {
    ivec2 p = texelLattice(ivec2(gl_FragCoord.xy));
    bool lit = run != generator && onRun(generator, run, p);
    if (lit || !blocks(generator, p, wall.xy, wall.zw, 1)) {
        discard;
    }
}
