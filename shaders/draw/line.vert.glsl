#version 450 core
// A point of a line.

#include "draw/view.glsl"

layout(location = 0) in vec2 place; // metres from the domain's corner

void main() {
    gl_Position = toClip(place, 0.0);
}
