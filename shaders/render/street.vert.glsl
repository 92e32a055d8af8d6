#version 450 core
// The ground in perspective: a strip of four corners, a little beyond the domain.
//
// writes: place, meters from the domain's corner.

out vec2 place;

uniform mat4 viewMatrix;
uniform vec2 domainSize; // meters

void main() {
    vec2 unit = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    place = mix(-0.02, 1.02, unit.x) * vec2(domainSize.x, 0.0) + mix(-0.02, 1.02, unit.y) * vec2(0.0, domainSize.y);
    gl_Position = viewMatrix * vec4(place, 0.0, 1.0);
}
