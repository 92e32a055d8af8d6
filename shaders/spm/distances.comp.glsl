#version 450 core
// Procedure 4: corners that the current generator sees may get a shorter distance.
//
// Differs from the print, for exactness: a corner lies on the border of shadows, so a stencil texel cannot tell
// whether it is seen; the segment is tested against every wall by exact signs. Walls are walked only for corners that
// the cone could improve, which are few.
//
// reads: cone, walls. reads and writes: generators (each invocation its own).
// reference: Ground.Lit in engine/geom. paper: Farias and Kallmann 2018, Procedure 4.

#include <Generator>
#include <Cone>
#include "include/exact.glsl"
#include "include/sight.glsl"
#include "include/cone.glsl"

layout(local_size_x = GROUP) in;

layout(std430, binding = BIND_GENERATORS) buffer Generators { Generator generators[]; };
layout(std430, binding = BIND_CONE) readonly buffer CurrentCone { Cone cone; };
layout(std430, binding = BIND_WALLS) readonly buffer Walls { ivec4 walls[]; }; // ax, ay, bx, by

uniform uint base;
uniform uint count;
uniform uint wallCount;

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= count) {
        return;
    }
    Generator v = generators[base + i];
    float d = cone.distance + distance(cone.position, v.position);
    if (v.status != STATUS_OBSTACLE || !(d < v.distance)) {
        return;
    }
    ivec2 g = ivec2(cone.x, cone.y);
    ivec2 p = ivec2(v.x, v.y);
    if (g != p) {
        ivec2 from = ivec2(cone.fromX, cone.fromY);
        ivec2 to = ivec2(cone.toX, cone.toY);
        ivec2 right = ivec2(cone.rightX, cone.rightY);
        ivec2 left = ivec2(cone.leftX, cone.leftY);
        if (!inCone(g, cone.kind, from, to, cone.wedge, right, left, p)) {
            return;
        }
        // The ray turned to the left about g arrives at p from a direction turned to the right about p. Along the run of
        // walls to `to` it is the ray turned to the right, into the sector, that arrives, and it meets nothing before.
        bool along = onRun(g, to, p);
        if (!admits(p, v.kind, ivec2(v.fromX, v.fromY), ivec2(v.toX, v.toY), g, along ? 1 : -1)) {
            return;
        }
        for (uint w = 0; w < wallCount && !along; w++) {
            ivec4 wall = walls[w];
            if (blocks(g, p, wall.xy, wall.zw, 1)) {
                return;
            }
        }
    }
    generators[base + i].distance = d;
    generators[base + i].parent = cone.index;
}
