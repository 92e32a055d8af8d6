#version 450 core
// A point of a line.

#include "render/view.glsl"

in vec2 place; // meters from the domain's corner
#if RELIEF == 1
in uint reliefPeak;
#endif

void main() {
    gl_Position = STANDING(place);
}
