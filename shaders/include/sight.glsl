// Exact sight between a generator and a point: orientation signs only.
//
// Reference: geom.Ground.Lit.
//
// The ray from the generator g to the point p is thought turned about g by an
// infinitesimal angle, to the left (turn = +1) or, as the mirror image, to the
// right (turn = -1). No ray is then parallel to a wall or passes exactly
// through a vertex, every case has one answer, and nothing leaks, not even
// where two obstacles touch in a point. Some rays that graze a corner are lost
// under one rule; such a point has the same distance over the grazed corner,
// which is a generator itself. A point has closed sight of g when it is lit
// under one rule or the other.
//
// A generator lights p when its sector admits the ray to p and no wall blocks,
// and it lights itself and the run of walls beside its sector.

#include "include/exact.glsl"

const uint SECTOR_ALL = 0u;      // no wall here, or the tip of a wall without thickness
const uint SECTOR_CONVEX = 1u;   // narrower than pi
const uint SECTOR_STRAIGHT = 2u; // exactly pi
const uint SECTOR_REFLEX = 3u;   // wider than pi

// Whether the wall a, b hides p from g: the turned ray passes through it and p
// lies strictly beyond it. A wall on a line through g has no width and blocks
// nothing, in particular none that ends in g: the sector does that.
bool blocks(ivec2 g, ivec2 p, ivec2 a, ivec2 b, int turn) {
    int facing = turn * orient(g, a, b);
    if (facing == 0) {
        return false;
    }
    if (facing < 0) {
        ivec2 swap = a;
        a = b;
        b = swap;
    }
    return turn * orient(g, a, p) >= 0 && turn * orient(g, b, p) < 0 && turn * orient(a, b, p) < 0;
}

// Whether the turned ray from g to p, another point, lies in the free sector
// that runs counter-clockwise from the ray to `from` to the ray to `to`. Under
// the left rule the border `from` is in and `to` is out; the right rule is the
// mirror image.
bool admits(ivec2 g, uint kind, ivec2 from, ivec2 to, ivec2 p, int turn) {
    if (kind == SECTOR_ALL) {
        return true;
    }
    ivec2 enter = turn > 0 ? from : to;
    ivec2 leave = turn > 0 ? to : from;
    int afterEnter = turn * orient(g, enter, p);
    if (kind == SECTOR_STRAIGHT) {
        return afterEnter > 0 || (afterEnter == 0 && dot64(g, enter, p) > 0.0lf);
    }
    int afterLeave = turn * orient(g, leave, p);
    if (kind == SECTOR_CONVEX) {
        return afterEnter >= 0 && afterLeave < 0;
    }
    return afterEnter >= 0 || afterLeave < 0;
}

// Whether p lies on the run of walls from g to `end`. Under the left rule the
// points of the run to `to` are lit although rays along it are turned out of
// the sector: one can walk along the wall, and what a ray would meet behind it
// does not matter to them.
bool onRun(ivec2 g, ivec2 end, ivec2 p) {
    return orient(g, end, p) == 0 && within(g, end, p);
}
