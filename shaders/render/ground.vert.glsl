#version 450 core
// One triangle that covers the target: the ground seen straight from above.
//
// writes: place, meters from the domain's corner.

out vec2 place;

uniform vec4 window; // what the target shows: x, y of its lower left corner, width, height; meters from the domain's corner

void main() {
    vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0; // 0 or 2: the target is the unit square
    place = window.xy + at * window.zw;
    gl_Position = vec4(at * 2.0 - 1.0, GROUND_DEPTH, 1.0);
}
