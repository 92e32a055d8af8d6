#version 450 core
// Triangles of the ground in one colour: what obstacles cover.

#include "draw/view.glsl"

layout(location = 0) in vec2 place; // metres from the domain's corner

void main() {
    gl_Position = toClip(place, 0.0);
}
