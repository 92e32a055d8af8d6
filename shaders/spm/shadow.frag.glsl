#version 450 core
// Procedure 2, fragments: the stencil is marked where the wall hides the texel's center, by exact
// signs.

flat in ivec2 generator;
flat in ivec2 ahead;
flat in ivec4 wall; // its right end, its left end
flat in ivec2 run;

#include <Generator>
#include "include/sight.glsl"
#include "include/shadow.glsl"
#include "include/texel.glsl"

void main() {
    ivec2 p = texelLattice(ivec2(gl_FragCoord.xy));
    bool lit = run != generator && onRun(generator, run, p);
    if (lit || !shades(Rays(generator, ahead), wall.xy, wall.zw, p)) {
        discard;
    }
}
