#version 450 core
// Procedure 3, vertex: the current cone as one point.

layout(location = 0) in ivec2 at;
layout(location = 1) in ivec4 sector; // from x, y, to x, y
layout(location = 2) in uint kind;
layout(location = 3) in uint wedge;
layout(location = 4) in ivec4 bounds; // right x, y, left x, y
layout(location = 5) in vec2 position;
layout(location = 6) in float apexDistance;
layout(location = 7) in uint index;
layout(location = 8) in ivec2 ahead;  // of a light field, where its rays go

out Apex {
    flat ivec2 at;
    flat ivec4 sector;
    flat uint kind;
    flat uint wedge;
    flat ivec4 bounds;
    flat vec2 position;
    flat float apexDistance;
    flat uint index;
    flat ivec2 ahead;
} apex;

void main() {
    apex.at = at;
    apex.sector = sector;
    apex.kind = kind;
    apex.wedge = wedge;
    apex.bounds = bounds;
    apex.position = position;
    apex.apexDistance = apexDistance;
    apex.index = index;
    apex.ahead = ahead;
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
