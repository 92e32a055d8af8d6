// Where points of questions stand: the free triangles that hold a lattice point, exactly.
//
// Reads: faces, and the grid over them: first two words for each cell, where its list begins and
// how many it has, or, of a cell that is split, where its 16 parts are and FACE_SPLIT; then the
// lists.
// Needs: <Face>, include/exact.glsl, include/face.glsl.
// Reference: geom.FaceGrid, geom.Ground.NearestFree.

layout(std430) readonly buffer Faces { Face faces[]; };
layout(std430) readonly buffer Grid { uint grid[]; };

uniform uvec2 latticeStepBits; // bits of the float64 that is one step, m
uniform ivec2 latticeSize;     // upper right corner of the domain
uniform uvec3 faceGrid;        // shift of the coarsest cells, columns, and the word at which lists begin

// No lattice point: in covered ground, outside the domain, or not a number.
const ivec2 NOWHERE = ivec2(-1);

// The lattice point nearest to a place in local meters. What lies within half a step of the domain
// stands on its border; what is farther out, or no number, NOWHERE.
ivec2 onLattice(vec2 place) {
    precise dvec2 steps = floor(dvec2(place) / packDouble2x32(latticeStepBits) + 0.5lf);
    bool inside = all(greaterThanEqual(steps, dvec2(0.0lf))) && all(lessThanEqual(steps, dvec2(latticeSize)));
    return inside ? ivec2(steps) : NOWHERE;
}

// The words of the grid that list the free triangles near p, a point of the domain: from x on and
// before y.
//
// The cell goes round the loop as a value. Read again after the loop it would be right by the
// language and was wrong with Mesa 22.3's llvmpipe: its compiler took the last read of the loop's
// condition, of a turn in which this invocation had no part.
uvec2 facesNear(ivec2 p) {
    uint shift = faceGrid.x;
    uint at = 2u * uint((p.y >> shift) * int(faceGrid.y) + (p.x >> shift));
    uvec2 cell = uvec2(grid[at], grid[at + 1u]);
    while (cell.y == FACE_SPLIT) {
        shift -= 2u;
        at = 2u * (cell.x + uint(((p.y >> shift & 3) << 2) | (p.x >> shift & 3)));
        cell = uvec2(grid[at], grid[at + 1u]);
    }
    return faceGrid.z + cell.x + uvec2(0u, cell.y);
}

// The sides of a triangle that p is on, as bits; OUTSIDE where the closed triangle does not hold p.
const uint OUTSIDE = 8u;

uint sidesAt(Face f, ivec2 p) {
    ivec2 a = ivec2(f.ax, f.ay);
    ivec2 b = ivec2(f.bx, f.by);
    ivec2 c = ivec2(f.cx, f.cy);
    if (any(lessThan(p, min(min(a, b), c))) || any(greaterThan(p, max(max(a, b), c)))) {
        return OUTSIDE;
    }
    ivec3 sides = ivec3(orient(a, b, p), orient(b, c, p), orient(c, a, p));
    if (any(lessThan(sides, ivec3(0)))) {
        return OUTSIDE;
    }
    return (sides.x == 0 ? 1u : 0u) | (sides.y == 0 ? 2u : 0u) | (sides.z == 0 ? 4u : 0u);
}

bool isFree(ivec2 p) {
    uvec2 near = facesNear(p);
    for (uint i = near.x; i < near.y; i++) {
        if (sidesAt(faces[grid[i]], p) != OUTSIDE) {
            return true;
        }
    }
    return false;
}

// Whether the side a b of a triangle has the square from low to high strictly behind it.
bool hides(ivec2 a, ivec2 b, ivec2 low, ivec2 high) {
    return orient(a, b, ivec2(b.y < a.y ? high.x : low.x, b.x > a.x ? high.y : low.y)) < 0;
}

// The point of free ground that stands for the lattice point p: itself, or the nearest within
// SNAP_SLACK steps along either axis, of equals that of lowest x, then y. Cells are wider than that
// square, so that the cells of its four corners are all that it touches. Most triangles listed
// there are not near, and most of covered ground has none at all.
ivec2 standing(ivec2 p) {
    if (p == NOWHERE || isFree(p)) {
        return p;
    }
    ivec2 low = max(p - SNAP_SLACK, ivec2(0));
    ivec2 high = min(p + SNAP_SLACK, latticeSize);
    ivec2 best = NOWHERE;
    int least = 0x7fffffff;
    for (int k = 0; k < 4; k++) {
        uvec2 near = facesNear(ivec2((k & 1) == 0 ? low.x : high.x, (k & 2) == 0 ? low.y : high.y));
        for (uint i = near.x; i < near.y; i++) {
            Face f = faces[grid[i]];
            ivec2 a = ivec2(f.ax, f.ay);
            ivec2 b = ivec2(f.bx, f.by);
            ivec2 c = ivec2(f.cx, f.cy);
            if (hides(a, b, low, high) || hides(b, c, low, high) || hides(c, a, low, high)) {
                continue;
            }
            for (int x = low.x; x <= high.x; x++) {
                for (int y = low.y; y <= high.y; y++) {
                    ivec2 q = ivec2(x, y);
                    ivec2 d = q - p;
                    int far = d.x * d.x + d.y * d.y;
                    bool nearer = far < least || (far == least && (x < best.x || (x == best.x && y < best.y)));
                    if (nearer && sidesAt(f, q) != OUTSIDE) {
                        best = q;
                        least = far;
                    }
                }
            }
        }
    }
    return best;
}
