#version 450 core
// One color.

out vec4 color;

uniform vec4 fillColor;

void main() {
    color = fillColor;
}
