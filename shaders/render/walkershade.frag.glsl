#version 450 core
// A soft oval, darker at the feet.

in vec2 at;
out vec4 color;

void main() {
    float edge = 1.0 - smoothstep(0.25, 1.0, length(at));
    color = vec4(SHADE, edge * mix(0.55, 0.22, 0.5 + 0.5 * at.x));
}
