#version 450 core
// Procedure 4: corners that the current generator sees may get a shorter distance.
//
// Differs from the print, for exactness: a corner lies on the border of shadows, so a stencil texel
// does not say whether it is seen; the segment is tested against every wall by exact signs. Walls
// are walked only for corners that the cone could improve, which are few.
//
// reads: cone, walls. reads and writes: generators (each invocation its own).
// reference: Ground.Lit in engine/geom/reference_test.go. paper: Farias and Kallmann 2018, Procedure 4.

#include <Generator>
#include <Cone>
#include "include/sight.glsl"
#include "include/cone.glsl"
#include "include/shadow.glsl"

layout(local_size_x = GROUP) in;

layout(std430) buffer Generators { Generator generators[]; };
layout(std430) readonly buffer CurrentCone { Cone cone; };
layout(std430) readonly buffer Walls { ivec4 walls[]; }; // ax, ay, bx, by

uniform uint base;
uniform uint count;
uniform uint wallCount;
uniform float latticeStep; // m

// Whether a wall hides p, which is in the cone, from rays turned to one side. Those of light fields
// are shifted to the left.
bool hidden(Rays rays, ivec2 p, int turn) {
    bool parallel = rays.ahead != ivec2(0);
    bool dark = false;
    for (uint w = 0; w < wallCount && !parallel && !dark; w++) {
        ivec4 wall = walls[w];
        dark = blocks(rays.at, p, wall.xy, wall.zw, turn);
    }
    for (uint w = 0; w < wallCount && parallel && !dark; w++) {
        ivec4 wall = walls[w];
        ivec2 a = wall.xy;
        ivec2 b = wall.zw;
        dark = casts(rays, a, b) && shades(rays, a, b, p);
    }
    return dark;
}

// Whether a corner, which is in the cone, is seen by a ray that arrives within its sector. The ray
// turned to the left about the generator arrives from a direction turned to the right about the
// corner. On the run of walls to `to` it may also be the ray turned to the right, into the
// generator's sector.
bool sees(Rays rays, ivec2 to, Generator v) {
    ivec2 p = ivec2(v.x, v.y);
    ivec2 from = ivec2(v.fromX, v.fromY);
    ivec2 end = ivec2(v.toX, v.toY);
    bool along = onRun(rays.at, to, p);
    if (rays.ahead == ivec2(0)) {
        bool byRay = admits(rays.at, cone.kind, ivec2(cone.fromX, cone.fromY), to, p, 1) && admits(p, v.kind, from, end, rays.at, -1);
        bool byRun = along && admits(p, v.kind, from, end, rays.at, 1);
        return (byRay && !hidden(rays, p, 1)) || (byRun && !hidden(rays, p, -1));
    }
    if (along) { // on the segment: the corner has to hold the ground above, on either side of it
        return admits(p, v.kind, from, end, rays.at, -1) || (p != to && admits(p, v.kind, from, end, to, 1));
    }
    return admits(p, v.kind, from, end, p - rays.ahead, -1) && !hidden(rays, p, 1);
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= count) {
        return;
    }
    Generator v = generators[base + i];
    Rays rays = Rays(ivec2(cone.x, cone.y), ivec2(cone.aheadX, cone.aheadY));
    bool parallel = rays.ahead != ivec2(0);
    ivec2 p = ivec2(v.x, v.y);
    float straight = parallel ? above(rays, p) * latticeStep : distance(cone.position, v.position);
    float d = cone.distance + straight;
    if (v.status != STATUS_OBSTACLE || !(d < v.distance)) {
        return;
    }
    ivec2 from = ivec2(cone.fromX, cone.fromY);
    ivec2 to = ivec2(cone.toX, cone.toY);
    if (!parallel && rays.at == p) {
        // A source on the corner: it need not be in the sector that the corner is.
        if (ivec4(from, to) != ivec4(v.fromX, v.fromY, v.toX, v.toY)) {
            return;
        }
    } else {
        ivec2 right = ivec2(cone.rightX, cone.rightY);
        ivec2 left = ivec2(cone.leftX, cone.leftY);
        if (!inCone(rays, cone.kind, from, to, cone.wedge, right, left, p) || !sees(rays, to, v)) {
            return;
        }
    }
    generators[base + i].distance = d;
    generators[base + i].parent = cone.index;
}
