#version 450 core
// Procedure 2, vertices: one point a wall, and the current cone for all of them (instanced
// attributes; geometry shaders have no storage buffers that OpenGL promises).

layout(location = 0) in ivec4 wall;     // ax, ay, bx, by: lattice
layout(location = 1) in ivec2 at;       // the generator
layout(location = 2) in uint wedge;
layout(location = 3) in ivec4 bounds;   // right x, y, left x, y of the taut wedge
layout(location = 4) in ivec2 run;      // far end of the run of walls at the sector's left border
layout(location = 5) in ivec2 ahead;    // of a light field, where its rays go

out Caster {
    flat ivec4 wall;
    flat ivec2 at;
    flat uint wedge;
    flat ivec4 bounds;
    flat ivec2 run;
    flat ivec2 ahead;
} caster;

void main() {
    caster.wall = wall;
    caster.at = at;
    caster.wedge = wedge;
    caster.bounds = bounds;
    caster.run = run;
    caster.ahead = ahead;
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
