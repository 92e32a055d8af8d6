#version 450 core
// The point of the ground that a mark stands on.

#include "render/view.glsl"

in vec2 place; // meters from the domain's corner
#if RELIEF == 1
in uint reliefPeak;
#endif

void main() {
    gl_Position = STANDING(place);
}
