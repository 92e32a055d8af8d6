#version 450 core
// Triangles of the ground in one color: what obstacles cover. The relief is laid over them.

#include "render/view.glsl"

layout(location = 0) in vec2 place; // meters from the domain's corner
#if RELIEF == 1
layout(location = 5) in uint reliefPeak;
#endif

void main() {
    gl_Position = STANDING(place);
}
