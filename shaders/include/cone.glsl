// Membership in the current cone: the generator's free sector, and of that the wedge in which paths
// over it are taut. The cone of a light field is the strip that its source segment faces.
//
// Needs <Generator>, include/sight.glsl.

#include "include/ray.glsl"

// p in the wedge between the rays through `right` and `left` (counter-clockwise, less than pi, or
// of no width). The left ray of a light field's wedge, through the segment's A, is not in it:
// shifted to the left it is no ray of the field. A, a point source of its own, lights what is
// there.
bool inWedge(Rays rays, ivec2 right, ivec2 left, ivec2 p) {
    int ofRight = sideOf(directionOf(rays, right), right, p);
    int ofLeft = sideOf(directionOf(rays, left), left, p);
    if (ofRight < 0 || ofLeft > 0) {
        return false;
    }
    if (rays.ahead != ivec2(0)) {
        return ofLeft < 0;
    }
    if (orient(rays.at, right, left) != 0) {
        return true;
    }
    // No width: the line through both rays passes the tests above on either side of `at`. Signs of
    // the components of lattice vectors on one line give their sense without a product.
    ivec2 along = sign(right - rays.at);
    ivec2 there = sign(p - rays.at);
    return there == ivec2(0) || there == along;
}

// The same for rays that part from `at`.
bool inWedge(ivec2 at, ivec2 right, ivec2 left, ivec2 p) {
    return inWedge(Rays(at, ivec2(0)), right, left, p);
}

bool inCone(Rays rays, uint kind, ivec2 from, ivec2 to, uint wedge, ivec2 right, ivec2 left, ivec2 p) {
    ivec2 at = rays.at;
    bool inside = p == at || admits(at, kind, from, to, p, 1) || onRun(at, to, p);
    return inside && (wedge != WEDGE_TAUT || inWedge(rays, right, left, p));
}
