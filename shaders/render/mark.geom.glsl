#version 450 core
// A point becomes a quad of the mark's size in pixels.
//
// writes: the pixel's place from the mark's middle, in nominal pixels.

#include "render/view.glsl"

layout(points) in;
layout(triangle_strip, max_vertices = 4) out;

noperspective out vec2 at;

uniform float markRadius; // nominal pixels

void main() {
    for (int i = 0; i < 4; i++) {
        at = corner(i) * (markRadius + 2.0);
        gl_Position = movedBy(gl_in[0].gl_Position, at * pixelRatio);
        EmitVertex();
    }
    EndPrimitive();
}
