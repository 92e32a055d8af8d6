#version 450 core
// Procedure 3, fragments: the cone's height at the texel's center, from the generator's own
// coordinates. The stencil has taken what walls hide; the free sector and the taut wedge are tested
// here; the depth test keeps the nearest generator, and of equals the one that came first.
//
// Depth is the distance times a power of two, so that it loses nothing on its way into [0, 1].

flat in ivec2 at;
flat in ivec4 sector;
flat in uint kind;
flat in uint wedge;
flat in ivec4 bounds;
flat in vec2 position;
flat in float apexDistance;
flat in uint index;
flat in ivec2 ahead;
flat in vec2 up;

layout(location = 0) out uint parent;

uniform float depthScale;
uniform ivec2 domain; // its upper right corner; texels may lie outside, behind a border that casts no shadow

#include <Generator>
#include "include/sight.glsl"
#include "include/cone.glsl"
#include "include/texel.glsl"

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 p = texelLattice(texel);
    if (any(greaterThan(p, domain)) || !inCone(Rays(at, ahead), kind, sector.xy, sector.zw, wedge, bounds.xy, bounds.zw, p)) {
        discard;
    }
    vec2 off = texelCenter(texel) - position;
    float straight = up == vec2(0.0) ? length(off) : max(dot(off, up), 0.0);
    gl_FragDepth = (apexDistance + straight) * depthScale;
    parent = index;
}
