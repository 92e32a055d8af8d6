#version 450 core
// Triangles of the ground in one color: what obstacles cover. The relief is laid over them.

#include "render/view.glsl"

in vec2 place; // meters from the domain's corner
#if RELIEF == 1
in uint reliefPeak;
#endif

void main() {
    gl_Position = STANDING(place);
}
