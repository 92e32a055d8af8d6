#version 450 core
// Queries: the distance and the parent of many points, each exactly where it is, whatever the map's texels.
//
// From the triangles that hold the point light is carried on in windows, as in propagate.comp, and every source and corner
// that it falls on is a candidate. The corners of the point's own triangles make a first answer; a window is dropped once
// nothing behind it can make a better one (see least). A thread takes one window at a time, the most promising first, and
// keeps the others on a stack of its own. Where that is too small the reply says so.
//
// reads: points, generators, faces, grid, homes. writes: replies.
// reference: spm.View.Query.

#include <Generator>
#include <Face>
#include <Reply>
#include "include/numbers.glsl"
#include "include/exact.glsl"
#include "spm/query.glsl"

layout(local_size_x = GROUP) in;

// A point is its place, local metres, two floats; where `snapped`, its lattice point, two integers, comes after that.
layout(std430, binding = BIND_POINTS) readonly buffer Points { uint points[]; };
layout(std430, binding = BIND_REPLIES) writeonly buffer Replies { Reply replies[]; };
layout(std430, binding = BIND_GENERATORS) readonly buffer Generators { Generator generators[]; };

// Where sources stand: the logarithm of the number of slots; for each slot a triangle, NONE where it is empty, and the word
// at which its list begins; the lists of source records, each ended by NONE. A triangle is in the slot that its hash names or
// in one of those that follow, before the first empty one.
layout(std430, binding = BIND_HOMES) readonly buffer Homes { uint homes[]; };

uniform uint base;  // first record of the layer
uniform uint count; // of points
uniform bool snapped;

const int DEPTH = QUERY_DEPTH; // of the stack

// What is behind the side of a triangle, between two rays.
struct Light {
    int entry; // half-edge, as in Face.across
    ivec2 right;
    ivec2 left;
    float least; // no point behind it makes a shorter distance
};

// The question.
float latticeStep = 1.0; // m
vec2 place = vec2(0.0);  // m
ivec2 at = NOWHERE;      // lattice
vec2 here = vec2(0.0);   // lattice
// The best answer so far.
float best = INFINITY;
uint parent = NONE;

void consider(uint record) {
    float d = generators[base + record].distance + distance(generators[base + record].position, place);
    if (d < best || (d == best && d < INFINITY && record < parent)) {
        best = d;
        parent = record;
    }
}

uint homesOf(uint triangle) {
    uint bits = homes[0];
    uint mask = (1u << bits) - 1u;
    uint slot = (triangle * 2654435761u) >> (32u - bits);
    while (homes[1u + 2u * slot] != triangle) {
        if (homes[1u + 2u * slot] == NONE) {
            return NONE;
        }
        slot = (slot + 1u) & mask;
    }
    return homes[2u + 2u * slot];
}

float known(uint corner) {
    return corner == NONE ? -INFINITY : generators[base + corner].distance;
}

// Where the ray from here through `through` meets the line a b, in lattice steps, kept between a and b.
vec2 meet(ivec2 through, vec2 a, vec2 b) {
    vec2 d = vec2(through) - here;
    vec2 e = b - a;
    float denominator = d.x * e.y - d.y * e.x;
    if (denominator == 0.0) {
        return a;
    }
    vec2 o = here - a;
    return a + clamp((d.x * o.y - d.y * o.x) / denominator, 0.0, 1.0) * e;
}

// The least distance that a way through the side e of a triangle, between two rays, can have. It goes through a point X of
// the side and is at least |here X| + d(X) long. d is 1-Lipschitz along the side, which is free: d(X) >= d(a) - |aX|, and
// so d(X) >= d(b) - |bX|, where the distances of its ends a and b are known. With a on the right, a part of the side that
// ends at Y on its left has |aX| = |aY| - |XY| and |here X| >= |here Y| - |XY|: the bound by a is least at Y, and that by b
// at the right end. The side is taken in PARTS, since the bounds are good at either end and bad in the middle.
float leastThrough(Face f, int e, ivec2 right, ivec2 left) {
    const int PARTS = QUERY_PARTS;
    vec2 a = vec2(faceVertex(f, e));
    vec2 b = vec2(faceVertex(f, after(e)));
    float da = known(faceCorner(f, e));
    float db = known(faceCorner(f, after(e)));
    vec2 from = meet(right, a, b);
    vec2 to = meet(left, a, b);
    float result = INFINITY;
    vec2 x = from;
    float ofX = distance(here, x);
    for (int i = 1; i <= PARTS; i++) {
        vec2 y = mix(from, to, float(i) / float(PARTS));
        float ofY = distance(here, y);
        float near = max(0.0, 0.5 * (ofX + ofY - distance(x, y)));
        float low = max(near * latticeStep, max(da + (ofY - distance(a, y)) * latticeStep, db + (ofX - distance(b, x)) * latticeStep));
        result = min(result, low);
        x = y;
        ofX = ofY;
    }
    return result;
}

// Whether something that is no nearer than `least` can be left out. The map's distances are sums over places as they were
// before rounding, sight and the bound are on the lattice: three steps lie between the two for a way that turns nowhere
// between the side's end and the candidate, and one and a half more for each turn; eight are past what a side's surroundings
// have. Sums of floats on either side are off by 2^-24 of themselves for each leg, which the factor covers.
bool futile(float least) {
    return least >= best * (1.0 + 1.0 / 1048576.0) + 8.0 * latticeStep;
}

bool between(ivec2 right, ivec2 left, ivec2 p) {
    return orient(at, right, p) >= 0 && orient(at, left, p) <= 0;
}

void answer(uint index) {
    uvec2 near = uvec2(0u);
    if (at != NOWHERE) {
        near = facesNear(at);
        here = vec2(at);
    }
    // Corners and sources of the triangles that hold the point, then what is behind their sides.
    for (uint i = near.x; i < near.y; i++) {
        uint t = grid[i];
        Face f = faces[t];
        if (sidesAt(f, at) == OUTSIDE) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            uint corner = faceCorner(f, k);
            if (corner != NONE && faceVertex(f, k) != at) {
                consider(corner);
            }
        }
        for (uint k = homesOf(t); k != NONE && homes[k] != NONE; k++) {
            consider(homes[k]);
        }
    }
    Light waiting[DEPTH];
    uint windows = 0u;
    bool full = false;
    for (uint i = near.x; i < near.y; i++) {
        Face f = faces[grid[i]];
        uint on = sidesAt(f, at);
        if (on == OUTSIDE) {
            continue;
        }
        int n = 0; // on the stack, the most promising of the three sides on top
        for (int e = 0; e < 3; e++) {
            int entry = (on & (1u << e)) != 0u ? -1 : faceAcross(f, e);
            if (entry < 0) {
                continue;
            }
            ivec2 right = faceVertex(f, e);
            ivec2 left = faceVertex(f, after(e));
            float least = leastThrough(f, e, right, left);
            int k = n;
            for (; k > 0 && waiting[k - 1].least < least; k--) {
                waiting[k] = waiting[k - 1];
            }
            waiting[k] = Light(entry, right, left, least);
            n++;
        }
        while (n > 0) {
            Light next = waiting[--n];
            while (next.entry >= 0 && !futile(next.least)) {
                windows++;
                uint t = uint(next.entry) / 3u;
                int e = next.entry - int(3u * t);
                Face g = faces[t];
                int rightSide = after(e);
                int apex = after(rightSide);
                ivec2 p = faceVertex(g, apex);
                int fromLeft = orient(at, next.left, p);
                int fromRight = orient(at, next.right, p);
                uint corner = faceCorner(g, apex);
                if (corner != NONE && fromLeft <= 0 && fromRight >= 0) {
                    consider(corner);
                }
                for (uint k = homesOf(t); k != NONE && homes[k] != NONE; k++) {
                    Generator s = generators[base + homes[k]];
                    if (between(next.right, next.left, ivec2(s.x, s.y))) {
                        consider(homes[k]);
                    }
                }
                // Behind the left side lies what is left of the apex, behind the right one the rest.
                Light one = Light(-1, next.right, next.left, INFINITY);
                Light two = one;
                if (fromLeft < 0 && faceAcross(g, apex) >= 0) {
                    one.entry = faceAcross(g, apex);
                    one.right = fromRight > 0 ? p : next.right;
                    one.least = max(next.least, leastThrough(g, apex, one.right, one.left));
                }
                if (fromRight > 0 && faceAcross(g, rightSide) >= 0) {
                    two.entry = faceAcross(g, rightSide);
                    two.left = fromLeft < 0 ? p : next.left;
                    two.least = max(next.least, leastThrough(g, rightSide, two.right, two.left));
                }
                bool swap = two.least < one.least;
                next = swap ? two : one;
                if (swap) {
                    two = one;
                }
                if (two.entry >= 0 && !futile(two.least)) {
                    if (n < DEPTH) {
                        waiting[n++] = two;
                    } else {
                        full = true;
                    }
                }
            }
        }
    }
    uint state = at == NOWHERE ? REPLY_OBSTACLE : full ? REPLY_UNDECIDED : parent == NONE ? REPLY_UNREACHED : REPLY_REACHED;
    vec2 next = parent == NONE ? vec2(0.0) : generators[base + parent].position;
    replies[index] = Reply(next, best, parent, state, windows);
}

void main() {
    latticeStep = float(packDouble2x32(latticeStepBits));
    uint threads = gl_NumWorkGroups.x * GROUP;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += threads) {
        uint word = snapped ? 4u * i : 2u * i;
        place = vec2(uintBitsToFloat(points[word]), uintBitsToFloat(points[word + 1u]));
        at = standing(snapped ? ivec2(points[word + 2u], points[word + 3u]) : onLattice(place));
        best = INFINITY;
        parent = NONE;
        answer(i);
    }
}
