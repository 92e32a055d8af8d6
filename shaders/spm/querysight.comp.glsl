#version 450 core
// Queries: whether two points see each other, for many pairs. The triangles between them are walked along the ray from one
// to the other, turned to one side and to the other by an angle smaller than any that the lattice can tell.
//
// reads: points, faces, grid. writes: sights.
// reference: geom.Ground.InSight.

#include <Face>
#include "include/numbers.glsl"
#include "include/exact.glsl"
#include "include/face.glsl"
#include "spm/query.glsl"

layout(local_size_x = GROUP) in;

// Pairs of places, local metres, four floats; where `snapped`, of lattice points, four integers.
layout(std430, binding = BIND_POINTS) readonly buffer Points { uint points[]; };
layout(std430, binding = BIND_REPLIES) writeonly buffer Sights { uint sights[]; }; // 1: in sight, 0: not

uniform uint count; // of pairs
uniform bool snapped;

// Whether v is left of the ray from a to b turned by `turn`: points of its line are on the other side.
bool onLeft(ivec2 a, ivec2 b, int turn, ivec2 v) {
    int side = orient(a, b, v);
    return side > 0 || (side == 0 && turn < 0);
}

// Whether the turned ray goes from a, which is on the given sides of the triangle, into it.
bool begins(Face f, uint on, ivec2 a, ivec2 b, int turn) {
    bool into = true;
    for (int e = 0; e < 3; e++) {
        ivec2 from = faceVertex(f, e);
        ivec2 to = faceVertex(f, after(e));
        int side = orient(from, to, b);
        dvec2 along = dvec2(to - from) * dvec2(b - a);
        bool inwards = side > 0 || (side == 0 && (along.x + along.y > 0.0lf) == (turn > 0));
        into = into && ((on & (1u << e)) == 0u || inwards);
    }
    return into;
}

// Whether the turned ray, from a on in triangle f, comes to b before a wall.
bool reaches(Face f, ivec2 a, ivec2 b, int turn) {
    int side = 0; // that it leaves by: from right of the ray to left of it
    while (side < 2 && (onLeft(a, b, turn, faceVertex(f, side)) || !onLeft(a, b, turn, faceVertex(f, after(side))))) {
        side++;
    }
    while (orient(faceVertex(f, side), faceVertex(f, after(side)), b) < 0) {
        int entry = faceAcross(f, side);
        if (entry < 0) {
            return false;
        }
        uint t = uint(entry) / 3u;
        int e = entry - int(3u * t);
        f = faces[t];
        int apex = after(after(e));
        side = onLeft(a, b, turn, faceVertex(f, apex)) ? after(e) : apex;
    }
    return true;
}

bool inSight(ivec2 a, ivec2 b) {
    if (a == NOWHERE || b == NOWHERE || a == b) {
        return a != NOWHERE && b != NOWHERE;
    }
    uvec2 near = facesNear(a);
    bool seen = false;
    for (uint i = near.x; i < near.y && !seen; i++) {
        Face f = faces[grid[i]];
        uint on = sidesAt(f, a);
        for (int turn = 1; turn >= -1 && on != OUTSIDE && !seen; turn -= 2) {
            seen = begins(f, on, a, b, turn) && reaches(f, a, b, turn);
        }
    }
    return seen;
}

void main() {
    uint threads = gl_NumWorkGroups.x * GROUP;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += threads) {
        ivec4 words = ivec4(points[4u * i], points[4u * i + 1u], points[4u * i + 2u], points[4u * i + 3u]);
        vec4 places = intBitsToFloat(words);
        ivec2 a = standing(snapped ? words.xy : onLattice(places.xy));
        ivec2 b = standing(snapped ? words.zw : onLattice(places.zw));
        sights[i] = inSight(a, b) ? 1u : 0u;
    }
}
