#version 450 core
// A piece of a line becomes a quad around it, wide enough for the line, its round ends and its smooth edge.
//
// writes: the pixel's place and both ends, in pixels.

#include "render/view.glsl"

layout(lines) in;
layout(triangle_strip, max_vertices = 4) out;

noperspective out vec2 at;
flat out vec2 start;
flat out vec2 end;

uniform float lineWidth; // nominal pixels

const float NEAR = 0.05; // m in front of the eye

void main() {
    vec4 ends[2] = vec4[](gl_in[0].gl_Position, gl_in[1].gl_Position);
    // In a street a line may reach behind the eye.
    if (max(ends[0].w, ends[1].w) < NEAR) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        vec4 other = ends[1 - i];
        ends[i] = ends[i].w < NEAR ? mix(other, ends[i], (other.w - NEAR) / (other.w - ends[i].w)) : ends[i];
    }
    vec2 from = toPixels(ends[0]), to = toPixels(ends[1]);
    vec2 way = to - from;
    float len = length(way);
    vec2 along = len > 1e-3 ? way / len : vec2(1.0, 0.0); // a piece of no length is a dot
    vec2 across = vec2(-along.y, along.x);
    float reach = 0.5 * lineWidth * pixelRatio + 1.0;
    for (int i = 0; i < 4; i++) {
        vec2 side = corner(i);
        vec2 offset = reach * (side.x * along + side.y * across);
        at = (side.x < 0.0 ? from : to) + offset;
        start = from;
        end = to;
        gl_Position = movedBy(side.x < 0.0 ? ends[0] : ends[1], offset);
        EmitVertex();
    }
    EndPrimitive();
}
