#version 450 core
// A picture of text on the screen, pixel by pixel.

out vec2 texel;

uniform vec4 panel;    // x, y of its upper left corner, width, height; pixels, y down
uniform vec2 viewSize; // of the target, pixels

void main() {
    vec2 unit = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    texel = unit * panel.zw;
    vec2 at = panel.xy + texel;
    gl_Position = vec4(at.x / viewSize.x * 2.0 - 1.0, 1.0 - at.y / viewSize.y * 2.0, 0.0, 1.0);
}
