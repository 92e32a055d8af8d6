#version 450 core
// One colour.

out vec4 colour;

uniform vec4 fillColour;

void main() {
    colour = fillColour;
}
