#version 450 core
// Procedure 3, geometry: the part of the plane that the cone can win. For a source that is
// everything; for a corner it is the taut wedge, which is what keeps a thousand cones from costing
// a thousand full screens; for a light field the strip that its segment faces.
//
// paper: Farias and Kallmann 2018, Procedure 3 (there a full screen for every generator).

layout(points) in;
layout(triangle_strip, max_vertices = 6) out;

in Apex {
    flat ivec2 at;
    flat ivec4 sector;
    flat uint kind;
    flat uint wedge;
    flat ivec4 bounds;
    flat vec2 position;
    flat float apexDistance;
    flat uint index;
    flat ivec2 ahead;
} apex[];

flat out ivec2 at;
flat out ivec4 sector;
flat out uint kind;
flat out uint wedge;
flat out ivec4 bounds;
flat out vec2 position;
flat out float apexDistance;
flat out uint index;
flat out ivec2 ahead;
flat out vec2 up; // the same of length 1

uniform float margin; // lattice steps

#include <Generator>
#include "include/exact.glsl"
#include "include/ray.glsl"
#include "include/hull.glsl"

void emitAt(vec4 clip) {
    at = apex[0].at;
    sector = apex[0].sector;
    kind = apex[0].kind;
    wedge = apex[0].wedge;
    bounds = apex[0].bounds;
    position = apex[0].position;
    apexDistance = apex[0].apexDistance;
    index = apex[0].index;
    ahead = apex[0].ahead;
    up = ahead == ivec2(0) ? vec2(0.0) : normalize(vec2(ahead));
    gl_Position = clip;
    EmitVertex();
}

void main() {
    if (apex[0].wedge != WEDGE_TAUT) {
        emitEverything();
        return;
    }
    Rays rays = Rays(apex[0].at, apex[0].ahead);
    ivec2 right = apex[0].bounds.xy;
    ivec2 left = apex[0].bounds.zw;
    bool parallel = rays.ahead != ivec2(0); // its rays begin on the segment
    vec2 alongRight = normalize(vec2(directionOf(rays, right)));
    vec2 alongLeft = normalize(vec2(directionOf(rays, left)));
    emitSweep(vec2(parallel ? right : rays.at), vec2(parallel ? left : rays.at), alongRight, alongLeft, margin);
}
