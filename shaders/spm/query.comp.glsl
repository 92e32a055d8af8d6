#version 450 core
// Queries: the distance and the parent of many points, each exactly where it is, whatever the map's
// texels.
//
// From the triangles that hold the point light is carried on in windows, as in propagate.comp, and
// every source and corner that it falls on is a candidate. The corners of the point's own triangles
// make a first answer; a window is dropped once nothing behind it can make a better one (see
// leastThrough). A thread takes one window at a time, the most promising first, and keeps the
// others on a short stack of its own. Where that is too short, what lies behind the side is gone
// through anew from right to left: what is then left out because the stack is full lies left of all
// the rest, and is where the next turn begins.
//
// The first pass (KEEPS 0) keeps nothing of a question that it does not finish: it is asked anew by
// those that follow.
//
// reads: points, generators, faces, grid, placements. reads and writes: rests. writes: replies.
// reference: exact.View.Query.

#include "include/branch.glsl"
#include <Generator>
#include <Face>
#include <Reply>
#include "include/numbers.glsl"
#include "include/exact.glsl"
#include "include/face.glsl"
#include "spm/query.glsl"
#include "spm/rest.glsl"

layout(local_size_x = GROUP) in;

// A point is its place, local meters, two floats; where `snapped`, its lattice point, two integers,
// comes after that.
layout(std430) readonly buffer Points { uint points[]; };
layout(std430) writeonly buffer Replies { Reply replies[]; };
layout(std430) readonly buffer Generators { Generator generators[]; };

// Where sources are: the logarithm of the number of slots; for each slot a triangle, NONE where it
// is empty, and the word at which its list begins; the lists, each ended by NONE. A triangle is in
// the slot that its hash names or in one of those that follow, before the first empty one. A list
// has the records of points in the triangle; and, with PLACEMENT_LIGHT_FIELD, those of light fields
// whose segment passes through it: then come two float64, from where to where on the segment that
// is, as in geom.FootInterval.
layout(std430) readonly buffer Placements { uint placements[]; };

uniform uint base;  // first record of the layer
uniform bool snapped;

const int DEPTH = QUERY_DEPTH; // of the stack: any number gives the same replies

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

void offer(uint record, float d) {
    if (d < best || (d == best && d < INFINITY && record < parent)) {
        best = d;
        parent = record;
    }
}

void consider(uint record) {
    offer(record, generators[base + record].distance + distance(generators[base + record].position, place));
}

bool between(ivec2 right, ivec2 left, ivec2 p) {
    return orient(at, right, p) >= 0 && orient(at, left, p) <= 0;
}

// Light fields, as in geom.LightField. The segment is from a to b, light goes to its left at
// right angles. All is in float64, and what has lattice points only is exact.
double along(Generator field, dvec2 p) {
    return dot(p - dvec2(field.x, field.y), dvec2(field.toX - field.x, field.toY - field.y));
}

double above(Generator field, dvec2 p) {
    return outer(dvec2(field.toX - field.x, field.toY - field.y), p - dvec2(field.x, field.y));
}

double lengthOf(Generator field) {
    return distance(dvec2(field.x, field.y), dvec2(field.toX, field.toY));
}

// Whether the ray from `at` to its foot point on the segment is between two rays that are less than pi apart.
bool footBetween(Generator field, ivec2 right, ivec2 left) {
    double here = along(field, dvec2(at));
    return along(field, dvec2(right)) <= here && along(field, dvec2(left)) >= here;
}

uint placementsOf(uint triangle) {
    uint bits = placements[0];
    uint mask = (1u << bits) - 1u;
    uint slot = (triangle * 2654435761u) >> (32u - bits);
    while (placements[1u + 2u * slot] != triangle) {
        if (placements[1u + 2u * slot] == NONE) {
            return NONE;
        }
        slot = (slot + 1u) & mask;
    }
    return placements[2u + 2u * slot];
}

// Considers the sources in a triangle. Of those that are not in one with `at`, by `whole`, what the
// two rays leave.
void considerPlacements(uint triangle, bool whole, ivec2 right, ivec2 left) {
    uint k = placementsOf(triangle);
    while (k != NONE) {
        turns++;
        uint entry = placements[k];
        if (entry == NONE) {
            k = NONE;
        } else if ((entry & PLACEMENT_LIGHT_FIELD) == 0u) {
            if (whole || between(right, left, ivec2(generators[base + entry].x, generators[base + entry].y))) {
                consider(entry);
            }
            k++;
        } else {
            Generator field = generators[base + (entry & ~PLACEMENT_LIGHT_FIELD)];
            double foot = along(field, dvec2(at));
            bool here = foot >= packDouble2x32(uvec2(placements[k + 1u], placements[k + 2u])) &&
                        foot <= packDouble2x32(uvec2(placements[k + 3u], placements[k + 4u]));
            if (here && above(field, dvec2(at)) >= 0.0lf && (whole || footBetween(field, right, left))) {
                double height = above(field, dvec2(place) / packDouble2x32(latticeStepBits)) / lengthOf(field);
                offer(entry & ~PLACEMENT_LIGHT_FIELD, max(0.0, float(height) * latticeStep));
            }
            k += 5u;
        }
    }
}

// The point to walk to next.
vec2 parentPlace() {
    if (parent == NONE) {
        return vec2(0.0);
    }
    Generator g = generators[base + parent];
    if (g.kind != SECTOR_LIGHT_FIELD) {
        return g.position;
    }
    double step = packDouble2x32(latticeStepBits);
    double part = clamp(along(g, dvec2(place) / step) / (lengthOf(g) * lengthOf(g)), 0.0lf, 1.0lf);
    return vec2(mix(dvec2(g.x, g.y), dvec2(g.toX, g.toY), part) * step);
}

float known(uint corner) {
    return corner == NONE ? -INFINITY : generators[base + corner].distance;
}

// Where the ray from here through `through` meets the line a b, in lattice steps, kept between a
// and b.
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

// The least distance that a path through the side e of a triangle, between two rays, can have. It
// goes through a point X of the side and is at least |here X| + d(X) long. d is 1-Lipschitz along
// the side, which is free: d(X) >= d(a) - |aX|, and d(X) >= d(b) - |bX|, where the distances of its
// ends, a on the right and b on the left, are known. With L where the left ray meets the side, |aX|
// = |aL| - |XL| and |here X| >= |here L| - |XL|: the bound by a is least at L. So is that by b at
// R.
float leastThrough(Face f, int e, ivec2 right, ivec2 left) {
    vec2 a = vec2(faceVertex(f, e));
    vec2 b = vec2(faceVertex(f, after(e)));
    vec2 r = meet(right, a, b);
    vec2 l = meet(left, a, b);
    float toR = distance(here, r);
    float toL = distance(here, l);
    float byA = known(faceCorner(f, e, 0u)) + (toL - distance(a, l)) * latticeStep;
    float byB = known(faceCorner(f, after(e), 0u)) + (toR - distance(b, r)) * latticeStep;
    return max(0.5 * (toR + toL - distance(r, l)) * latticeStep, max(byA, byB));
}

// Whether something that is no nearer than `least` can be left out. The map's distances are sums
// over places as they were before rounding, sight and the bound are on the lattice: three steps lie
// between the two for a path that turns nowhere between the side's end and the candidate, and one
// and a half more for each turn; eight are past what a side's surroundings have. Sums of floats on
// either side are off by 2^-24 of themselves for each edge, which the factor covers.
bool futile(float least) {
    return least >= best * (1.0 + 1.0 / 1048576.0) + 8.0 * latticeStep;
}

// How far the look behind a side is.
Light waiting[DEPTH]; // a ring: `n` of them from `bottom` on
int bottom = 0;
int n = 0;
bool ordered = false; // from right to left
bool full = false;
ivec2 resume = NOWHERE; // what is left of the ray through it was left out
Light next = Light(-1, NOWHERE, NOWHERE, INFINITY);
uint windows = 0u; // that were taken, of all sides

// Considers all that is lit behind the side of a triangle that the point is in. Returns false where
// that takes another pass.
bool lookBehind(Light side) {
    bool more = true;
    while (more && turns < mostTurns) {
        if (next.entry < 0 || futile(next.least)) {
            if (n > 0) {
                n--;
                next = waiting[(bottom + n) % DEPTH];
            } else {
                more = full;
                next = Light(side.entry, resume, side.left, side.least);
                ordered = true;
                full = false;
            }
            continue;
        }
        turns++;
        windows++;
        uint t = uint(next.entry) / 3u;
        int e = next.entry - int(3u * t);
        Face f = faces[t];
        int rightSide = after(e);
        int apex = after(rightSide);
        ivec2 p = faceVertex(f, apex);
        int fromLeft = orient(at, next.left, p);
        int fromRight = orient(at, next.right, p);
        uint corner = faceCorner(f, apex, 0u);
        if (corner != NONE && fromLeft <= 0 && fromRight >= 0) {
            consider(corner);
        }
        considerPlacements(t, false, next.right, next.left);
        // Through the left side goes what is left of the apex, through the right side the rest.
        Light one = Light(-1, next.right, next.left, INFINITY);
        Light two = one;
        if (fromLeft < 0 && faceAcross(f, apex) >= 0) {
            one.entry = faceAcross(f, apex);
            one.right = fromRight > 0 ? p : next.right;
            one.least = max(next.least, leastThrough(f, apex, one.right, one.left));
        }
        if (fromRight > 0 && faceAcross(f, rightSide) >= 0) {
            two.entry = faceAcross(f, rightSide);
            two.left = fromLeft < 0 ? p : next.left;
            two.least = max(next.least, leastThrough(f, rightSide, two.right, two.left));
        }
        bool rightFirst = ordered || two.least < one.least;
        Light later = one;
        next = two;
        if (!rightFirst) {
            later = two;
            next = one;
        }
        if (later.entry >= 0 && !futile(later.least)) {
            if (n == DEPTH && !ordered) {
                full = true; // what was found so far is mostly the best: the turn from right to left is short
                n = 0;
                next.entry = -1;
                continue;
            }
            if (n == DEPTH) {
                full = true;
                resume = waiting[bottom].right;
                bottom = (bottom + 1) % DEPTH;
                n--;
            }
            waiting[(bottom + n) % DEPTH] = later;
            n++;
        }
    }
    return !more;
}

#if KEEPS == 1
void keep(uint at, Light l) {
    rests[restAt(at)] = uint(l.entry);
    rests[restAt(at + 1u)] = uint(l.right.x);
    rests[restAt(at + 2u)] = uint(l.right.y);
    rests[restAt(at + 3u)] = uint(l.left.x);
    rests[restAt(at + 4u)] = uint(l.left.y);
    rests[restAt(at + 5u)] = floatBitsToUint(l.least);
}

Light kept(uint at) {
    ivec2 right = ivec2(rests[restAt(at + 1u)], rests[restAt(at + 2u)]);
    ivec2 left = ivec2(rests[restAt(at + 3u)], rests[restAt(at + 4u)]);
    return Light(int(rests[restAt(at)]), right, left, uintBitsToFloat(rests[restAt(at + 5u)]));
}

const uint KEPT = 0x80000000u;

// Keeps all that the next pass needs: so many faces and sides of the next were looked behind, those
// of the face as bits.
void keepAll(uint faces, uint sides, uint looked) {
    goOn(KEPT | (ordered ? 2u : 0u) | (full ? 4u : 0u) | sides << 3 | looked << 5);
    rests[restAt(1u)] = faces;
    rests[restAt(2u)] = floatBitsToUint(best);
    rests[restAt(3u)] = parent;
    rests[restAt(4u)] = windows;
    rests[restAt(5u)] = uint(resume.x);
    rests[restAt(6u)] = uint(resume.y);
    rests[restAt(7u)] = uint(n);
    keep(8u, next);
    for (int k = 0; k < n; k++) {
        keep(uint(14 + 6 * k), waiting[(bottom + k) % DEPTH]);
    }
}

// Takes it, but for what keepAll was called with.
void takeAll() {
    uint flags = rests[restAt(0u)];
    ordered = (flags & 2u) != 0u;
    full = (flags & 4u) != 0u;
    best = uintBitsToFloat(rests[restAt(2u)]);
    parent = rests[restAt(3u)];
    windows = rests[restAt(4u)];
    resume = ivec2(rests[restAt(5u)], rests[restAt(6u)]);
    n = int(rests[restAt(7u)]);
    next = kept(8u);
    for (int k = 0; k < n; k++) {
        waiting[k] = kept(uint(14 + 6 * k));
    }
}
#endif

// Considers corners and sources of the triangles that hold the point.
void lookAround(uvec2 near) {
    for (uint i = near.x; i < near.y; i++) {
        uint t = grid[i];
        Face f = faces[t];
        if (sidesAt(f, at) == OUTSIDE) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            uint corner = faceCorner(f, k, 0u);
            if (corner != NONE && faceVertex(f, k) != at) {
                consider(corner);
            }
        }
        considerPlacements(t, true, at, at);
    }
}

void answer(uint index) {
    uvec2 near = uvec2(0u);
    if (at != NOWHERE) {
        near = facesNear(at);
        here = vec2(at);
    }
    uint done = 0u;   // faces
    uint sides = 0u;  // of the next
    uint looked = 0u; // which
    bool amid = false; // the look behind a side
#if KEEPS == 1
    amid = (rests[restAt(0u)] & KEPT) != 0u;
    if (amid) {
        takeAll();
        done = rests[restAt(1u)];
        sides = rests[restAt(0u)] >> 3 & 3u;
        looked = rests[restAt(0u)] >> 5 & 7u;
    }
#endif
    if (!amid) {
        lookAround(near);
    }
    bool all = true;
    for (uint i = near.x + done; i < near.y && all; i++) {
        Face f = faces[grid[i]];
        uint on = sidesAt(f, at);
        vec3 least = vec3(INFINITY); // of each side that is still to be looked behind
        for (int e = 0; e < 3; e++) {
            if (on != OUTSIDE && ((on | looked) & (1u << e)) == 0u && faceAcross(f, e) >= 0) {
                least[e] = leastThrough(f, e, faceVertex(f, e), faceVertex(f, after(e)));
            }
        }
        for (; sides < 3u && all; sides++) {
            int e = least.x <= least.y && least.x <= least.z ? 0 : least.y <= least.z ? 1 : 2;
            Light side = Light(faceAcross(f, e), faceVertex(f, e), faceVertex(f, after(e)), least[e]);
            if (!amid) {
                n = 0;
                ordered = false;
                full = false;
                resume = side.right;
                next = side;
            }
            amid = false;
            all = lookBehind(side);
#if KEEPS == 1
            if (!all) {
                keepAll(i - near.x, sides, looked);
            }
#endif
            least[e] = INFINITY;
            looked |= 1u << e;
        }
        sides = 0u;
        looked = 0u;
    }
    if (!all) {
#if KEEPS == 0
        goOn(1u);
#endif
        return;
    }
    rests[restAt(0u)] = 0u;
    uint state = at == NOWHERE ? REPLY_OBSTACLE : parent == NONE ? REPLY_UNREACHED : REPLY_REACHED;
    replies[index] = Reply(parentPlace(), best, parent, state, windows);
}

void main() {
    BRANCH (hasQuestion()) {
        latticeStep = float(packDouble2x32(latticeStepBits));
        uint i = first + gl_GlobalInvocationID.x;
        uint word = snapped ? 4u * i : 2u * i;
        place = vec2(uintBitsToFloat(points[word]), uintBitsToFloat(points[word + 1u]));
        at = standing(snapped ? ivec2(points[word + 2u], points[word + 3u]) : onLattice(place));
        answer(i);
    }
}
