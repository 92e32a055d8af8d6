// The shadow that a wall casts in the light of a generator, by the rule of sight for rays that are
// turned to the left, or those of a light field shifted to the left: what lies between the rays
// through its ends, beyond it.
//
// Needs <Generator>, include/sight.glsl. Reference: blocks and LightField.blocks in engine/geom.

#include "include/ray.glsl"

// Whether the wall a, b casts a shadow; if so a is its right end then, and b its left end. A wall
// on a line with the light has no width. In a light field it has a shadow if it is on the lit side
// of the source segment, which no wall crosses: of a wall beside the segment, with ends on both
// sides of its line, all of the segment is on one side.
bool casts(Rays rays, inout ivec2 a, inout ivec2 b) {
    int side = sideOf(directionOf(rays, a), a, b);
    if (side < 0) {
        ivec2 swap = a;
        a = b;
        b = swap;
    }
    if (side == 0 || rays.ahead == ivec2(0)) {
        return side != 0;
    }
    ivec2 end = segmentEnd(rays);
    int ofA = orient(rays.at, end, a);
    int ofB = orient(rays.at, end, b);
    if (ofA * ofB < 0) {
        return orient(a, b, rays.at) > 0 || orient(a, b, end) > 0;
    }
    return ofA > 0 || ofB > 0;
}

// Whether p lies in the shadow of a wall that casts one, with a its right and b its left end.
bool shades(Rays rays, ivec2 a, ivec2 b, ivec2 p) {
    return sideOf(directionOf(rays, a), a, p) >= 0 && sideOf(directionOf(rays, b), b, p) < 0 && orient(a, b, p) < 0;
}
