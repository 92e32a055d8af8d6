#version 450 core
// Procedure 3, geometry: the part of the plane that the cone can win. For a source that is everything; for a corner it
// is the taut wedge, which is what keeps a thousand cones from costing a thousand full screens.
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
} apex[];

flat out ivec2 at;
flat out ivec4 sector;
flat out uint kind;
flat out uint wedge;
flat out ivec4 bounds;
flat out vec2 position;
flat out float apexDistance;
flat out uint index;

uniform float margin; // lattice steps

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
    gl_Position = clip;
    EmitVertex();
}

void main() {
    if (apex[0].wedge != WEDGE_TAUT) {
        emitEverything();
        return;
    }
    vec2 apexAt = vec2(apex[0].at);
    vec2 right = normalize(vec2(apex[0].bounds.xy) - apexAt);
    vec2 left = normalize(vec2(apex[0].bounds.zw) - apexAt);
    emitSweep(apexAt, apexAt, right, left, margin);
}
