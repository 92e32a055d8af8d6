#version 450 core
// Queries: whether two points see each other, for many pairs. The triangles between them are walked
// along the ray from one to the other, turned to one side and to the other by an angle smaller than
// any between lattice points.
//
// reads: points, faces, grid. reads and writes: rests. writes: sights.
// reference: geom.Ground.InSight.

#include "include/branch.glsl"
#include <Face>
#include "include/numbers.glsl"
#include "include/exact.glsl"
#include "include/face.glsl"
#include "spm/query.glsl"
#include "spm/rest.glsl"

layout(local_size_x = GROUP) in;

// Pairs of places, local meters, four floats; where `snapped`, of lattice points, four integers.
layout(std430) readonly buffer Points { uint points[]; };
layout(std430) writeonly buffer Sights { uint sights[]; }; // 1: in sight, 0: not

uniform bool snapped;

// How far along the turned ray it is: in a triangle, which it leaves by a side.
uint inFace = 0u;
int side = 0;

// Whether v is left of the ray from a to b turned by `turn`: points of its line are on the other
// side.
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

// The side of a triangle that the turned ray from a in it leaves by: from right of the ray to left
// of it.
int leavesBy(Face f, ivec2 a, ivec2 b, int turn) {
    int side = 0;
    while (side < 2 && (onLeft(a, b, turn, faceVertex(f, side)) || !onLeft(a, b, turn, faceVertex(f, after(side))))) {
        side++;
    }
    return side;
}

// Whether the turned ray comes to b before a wall. Ends where the turns of the pass are used up.
bool reaches(ivec2 a, ivec2 b, int turn) {
    Face f = faces[inFace];
    bool beyond = orient(faceVertex(f, side), faceVertex(f, after(side)), b) < 0;
    while (beyond && turns < mostTurns) {
        turns++;
        int entry = faceAcross(f, side);
        if (entry < 0) {
            return false;
        }
        inFace = uint(entry) / 3u;
        int e = entry - int(3u * inFace);
        f = faces[inFace];
        int apex = after(after(e));
        side = onLeft(a, b, turn, faceVertex(f, apex)) ? after(e) : apex;
        beyond = orient(faceVertex(f, side), faceVertex(f, after(side)), b) < 0;
    }
    return !beyond;
}

// Whether a sees b, from where an earlier pass has come to, if any: 1, where the ray is turned to
// the right 2, and 4 for each triangle that is done.
bool inSight(ivec2 a, ivec2 b, uint kept) {
    if (a == NOWHERE || b == NOWHERE || a == b) {
        return a != NOWHERE && b != NOWHERE;
    }
    uvec2 near = facesNear(a);
    bool seen = false;
    bool amid = kept != 0u;
    for (uint i = near.x + (kept >> 2); i < near.y && !seen && turns < mostTurns; i++) {
        Face f = faces[grid[i]];
        uint on = sidesAt(f, a);
        for (int turn = amid && (kept & 2u) != 0u ? -1 : 1; turn >= -1 && on != OUTSIDE && !seen && turns < mostTurns; turn -= 2) {
            if (amid) {
                inFace = rests[restAt(1u)];
                side = int(rests[restAt(2u)]);
            } else {
                inFace = grid[i];
                side = leavesBy(f, a, b, turn);
            }
            seen = (amid || begins(f, on, a, b, turn)) && reaches(a, b, turn);
            amid = false;
            kept = 1u | (turn < 0 ? 2u : 0u) | (i - near.x) << 2;
        }
    }
    if (!seen && turns >= mostTurns) {
        goOn(kept);
        rests[restAt(1u)] = inFace;
        rests[restAt(2u)] = uint(side);
    }
    return seen;
}

void main() {
    BRANCH (hasQuestion()) {
        uint i = first + gl_GlobalInvocationID.x;
        ivec4 words = ivec4(points[4u * i], points[4u * i + 1u], points[4u * i + 2u], points[4u * i + 3u]);
        vec4 places = intBitsToFloat(words);
        ivec2 a = standing(snapped ? words.xy : onLattice(places.xy));
        ivec2 b = standing(snapped ? words.zw : onLattice(places.zw));
        uint kept = pass > 0u ? rests[restAt(0u)] : 0u;
        rests[restAt(0u)] = 0u;
        sights[i] = inSight(a, b, kept) ? 1u : 0u;
    }
}
