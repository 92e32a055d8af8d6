#version 450 core
// Wavefront, drawing: the cone's height at the texel's centre, if that lies in the closed triangle and between the closed
// rays, by exact signs. Neighbouring parts share their borders and leave no cracks.

flat in vec2 position;
flat in float apexDistance;
flat in uint index;
flat in ivec2 at;
flat in ivec4 ab;
flat in ivec2 c;
flat in ivec4 bounds;

layout(location = 0) out uint parent;

uniform float depthScale;

#include "include/exact.glsl"
#include "include/texel.glsl"

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 p = texelLattice(texel);
    if (orient(ab.xy, ab.zw, p) < 0 || orient(ab.zw, c, p) < 0 || orient(c, ab.xy, p) < 0 ||
        orient(at, bounds.xy, p) < 0 || orient(at, bounds.zw, p) > 0) {
        discard;
    }
    gl_FragDepth = (apexDistance + distance(position, texelCentre(texel))) * depthScale;
    parent = index;
}
