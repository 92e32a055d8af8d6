#version 450 core
// Wavefront, drawing: the cone's height at the texel's center, if that lies on the left of all four
// sides of the part or on them, by exact signs. Neighboring parts share their borders and leave no
// cracks.

flat in vec2 position;
flat in float apexDistance;
flat in uint index;
flat in vec2 rays; // where all go, of length 1; zero where they part from the position
flat in ivec4 originX; // of the part's four sides, lattice
flat in ivec4 originY;
flat in ivec4 alongX; // their directions
flat in ivec4 alongY;

layout(location = 0) out uint parent;

uniform float depthScale;

#include "include/exact.glsl"
#include "include/texel.glsl"

bool isRight(int side, ivec2 p) {
    return outer(dvec2(alongX[side], alongY[side]), dvec2(p.x - originX[side], p.y - originY[side])) < 0.0lf;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 p = texelLattice(texel);
    if (isRight(0, p) || isRight(1, p) || isRight(2, p) || isRight(3, p)) {
        discard;
    }
    vec2 off = texelCenter(texel) - position;
    float straight = rays == vec2(0.0) ? length(off) : max(dot(off, rays), 0.0);
    gl_FragDepth = (apexDistance + straight) * depthScale;
    parent = index;
}
