#version 450 core
// Free ground that no source reaches, vertices: one point a free triangle.

layout(location = 0) in ivec2 a;
layout(location = 1) in ivec2 b;
layout(location = 2) in ivec2 c;

out Corners {
    flat ivec2 a;
    flat ivec2 b;
    flat ivec2 c;
} corners;

void main() {
    corners.a = a;
    corners.b = b;
    corners.c = c;
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
