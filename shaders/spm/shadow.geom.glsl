#version 450 core
// Procedure 2: what a wall hides from the current generator.
//
// Differs from the print, for exactness: every wall casts a shadow, front and back (with front
// faces alone a generator shines through its own obstacle); the facing test that the print gives as
// det(g, n) < 0.1 is not needed at all; the far ends are points at infinity instead of a constant's
// length away; and the polygon is only an upper bound that the fragment shader trims by exact
// signs. A wall on a line with the generator has no width and casts nothing. Walls that lie outside
// the taut wedge hide nothing in it. Shadows in a light field are parallel.
//
// reference: Ground.Lit in engine/geom/reference_test.go. paper: Farias and Kallmann 2018, Procedure 2 and figure 3.

layout(points) in;
layout(triangle_strip, max_vertices = 6) out;

in Caster {
    flat ivec4 wall;
    flat ivec2 at;
    flat uint wedge;
    flat ivec4 bounds;
    flat ivec2 run;
    flat ivec2 ahead;
} caster[];

flat out ivec2 generator;
flat out ivec2 ahead;
flat out ivec4 wall; // its right end, its left end
flat out ivec2 run; // of walls from the generator, whose points stay lit; the generator itself where this wall is clear of it

uniform float margin; // lattice steps

#include <Generator>
#include "include/sight.glsl"
#include "include/shadow.glsl"
#include "include/hull.glsl"

ivec2 rightEnd = ivec2(0);
ivec2 leftEnd = ivec2(0);
ivec2 touchedRun = ivec2(0);

void emitAt(vec4 position) {
    generator = caster[0].at;
    ahead = caster[0].ahead;
    wall = ivec4(rightEnd, leftEnd);
    run = touchedRun;
    gl_Position = position;
    EmitVertex();
}

void main() {
    Rays rays = Rays(caster[0].at, caster[0].ahead);
    rightEnd = caster[0].wall.xy;
    leftEnd = caster[0].wall.zw;
    if (!casts(rays, rightEnd, leftEnd)) {
        return;
    }
    ivec2 alongRight = directionOf(rays, rightEnd);
    ivec2 alongLeft = directionOf(rays, leftEnd);
    if (caster[0].wedge == WEDGE_TAUT) {
        ivec2 right = caster[0].bounds.xy;
        ivec2 left = caster[0].bounds.zw;
        if (sideOf(directionOf(rays, right), right, leftEnd) < 0 && sideOf(directionOf(rays, right), right, rightEnd) < 0) {
            return;
        }
        if (sideOf(directionOf(rays, left), left, leftEnd) > 0 && sideOf(directionOf(rays, left), left, rightEnd) > 0) {
            return;
        }
    }
    ivec2 end = caster[0].run;
    touchedRun = onRun(rays.at, end, rightEnd) || onRun(rays.at, end, leftEnd) ? end : rays.at;
    emitSweep(vec2(rightEnd), vec2(leftEnd), normalize(vec2(alongRight)), normalize(vec2(alongLeft)), margin);
}
