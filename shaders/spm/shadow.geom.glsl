#version 450 core
// Procedure 2: what a wall hides from the current generator.
//
// Differs from the print, for exactness: every wall casts a shadow, front and back (with front faces alone a generator
// shines through its own obstacle); the facing test that the print gives as det(g, n) < 0.1 is not needed at all; the
// far ends are points at infinity instead of a constant's length away; and the polygon is only an upper bound that
// the fragment shader trims by exact signs. A wall on a line with the generator has no width and casts nothing. Walls
// that lie outside the taut wedge hide nothing in it.
//
// reference: Ground.Lit in engine/geom. paper: Farias and Kallmann 2018, Procedure 2 and figure 3.

layout(points) in;
layout(triangle_strip, max_vertices = 6) out;

in Caster {
    flat ivec4 wall;
    flat ivec2 at;
    flat uint wedge;
    flat ivec4 bounds;
    flat ivec2 run;
} caster[];

flat out ivec2 generator;
flat out ivec4 wall;
flat out ivec2 run; // of walls from the generator, whose points stay lit; the generator itself where this wall is clear of it

uniform float margin; // lattice steps

#include "include/sight.glsl"
#include "include/hull.glsl"

ivec2 touchedRun = ivec2(0);

void emitAt(vec4 position) {
    generator = caster[0].at;
    wall = caster[0].wall;
    run = touchedRun;
    gl_Position = position;
    EmitVertex();
}

void main() {
    ivec2 at = caster[0].at;
    ivec2 a = caster[0].wall.xy;
    ivec2 b = caster[0].wall.zw;
    int side = orient(at, a, b);
    if (side == 0) {
        return;
    }
    if (caster[0].wedge == WEDGE_TAUT) {
        ivec2 right = caster[0].bounds.xy;
        ivec2 left = caster[0].bounds.zw;
        if (orient(at, right, a) < 0 && orient(at, right, b) < 0) {
            return;
        }
        if (orient(at, left, a) > 0 && orient(at, left, b) > 0) {
            return;
        }
    }
    ivec2 end = caster[0].run;
    touchedRun = onRun(at, end, a) || onRun(at, end, b) ? end : at;
    if (side < 0) {
        ivec2 swap = a;
        a = b;
        b = swap;
    }
    emitSweep(vec2(a), vec2(b), normalize(vec2(a - at)), normalize(vec2(b - at)), margin);
}
