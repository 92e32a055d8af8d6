// Membership in the current cone: the generator's free sector, and of that the wedge in which paths over it are taut.
// Needs include/exact.glsl, include/sight.glsl.

// p in the wedge between the rays at -> right and at -> left (counter-clockwise, less than pi, or of no width).
bool inWedge(ivec2 at, ivec2 right, ivec2 left, ivec2 p) {
    if (orient(at, right, p) < 0 || orient(at, left, p) > 0) {
        return false;
    }
    if (orient(at, right, left) != 0) {
        return true;
    }
    // No width: the line through both rays passes the tests above on either side of `at`. Signs of the components of
    // lattice vectors on one line tell their sense without a product.
    ivec2 along = sign(right - at);
    ivec2 there = sign(p - at);
    return there == ivec2(0) || there == along;
}

bool inCone(ivec2 at, uint kind, ivec2 from, ivec2 to, uint wedge, ivec2 right, ivec2 left, ivec2 p) {
    bool inside = p == at || admits(at, kind, from, to, p, 1) || onRun(at, to, p);
    return inside && (wedge != WEDGE_TAUT || inWedge(at, right, left, p));
}
