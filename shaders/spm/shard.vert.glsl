#version 450 core
// Wavefront, drawing: one point for each part of a triangle that a generator lights.

layout(location = 0) in vec2 position;
layout(location = 1) in float apexDistance;
layout(location = 2) in uint index;
layout(location = 3) in ivec2 at;
layout(location = 4) in ivec4 ab;     // the triangle's vertices
layout(location = 5) in ivec2 c;
layout(location = 6) in ivec4 bounds; // right x, y, left x, y
layout(location = 7) in ivec2 ahead;

out Part {
    flat vec2 position;
    flat float apexDistance;
    flat uint index;
    flat ivec2 at;
    flat ivec4 ab;
    flat ivec2 c;
    flat ivec4 bounds;
    flat ivec2 ahead;
} part;

void main() {
    part.position = position;
    part.apexDistance = apexDistance;
    part.index = index;
    part.at = at;
    part.ab = ab;
    part.c = c;
    part.bounds = bounds;
    part.ahead = ahead;
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
