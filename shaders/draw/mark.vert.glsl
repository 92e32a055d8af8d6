#version 450 core
// The point of the ground that a mark stands on.

#include "draw/view.glsl"

layout(location = 0) in vec2 place; // metres from the domain's corner

void main() {
    gl_Position = toClip(place, 0.0);
}
