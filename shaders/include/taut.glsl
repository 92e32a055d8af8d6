// The cone of a generator, and the taut wedge of a corner's. Needs include/sight.glsl, <Generator>,
// <Cone>.

#include "include/ray.glsl"

// The cone of a generator at a distance, with nothing of its sector taken away. That of a light
// field is the half plane above the source segment, as if that was a wall, and its wedge the strip
// between the rays at the segment's ends.
Cone coneOf(Generator g, uint index, float distanceOf) {
    Cone c = Cone(
        g.position, g.x, g.y, g.fromX, g.fromY, g.toX, g.toY, 0, 0, 0, 0, 0, 0, g.kind, WEDGE_NONE, distanceOf, index);
    if (g.kind == SECTOR_LIGHT_FIELD) {
        Rays rays = raysOf(g);
        c.aheadX = rays.ahead.x;
        c.aheadY = rays.ahead.y;
        c.kind = SECTOR_STRAIGHT;
        c.fromX = g.toX;
        c.fromY = g.toY;
        c.wedge = WEDGE_TAUT;
        c.rightX = g.toX;
        c.rightY = g.toY;
        c.leftX = g.x;
        c.leftY = g.y;
    }
    return c;
}

// The part of the plane that can have its shortest path turn at the generator `at`, reached from
// `from`. A taut path wraps the obstacle, so what it can reach lies between the extension of from
// -> at and the wall that hides the rest: left of the extension up to the wall `to`, or right of it
// up to the wall `right`. Everything else has a strictly shorter path past the corner.
void tautWedge(inout Cone c, ivec2 from) {
    ivec2 at = ivec2(c.x, c.y);
    ivec2 to = ivec2(c.toX, c.toY);
    ivec2 right = ivec2(c.fromX, c.fromY);
    ivec2 ahead = 2 * at - from;
    int sideOfTo = orient(from, at, to);
    int sideOfRight = orient(from, at, right);
    if (c.kind == SECTOR_ALL && sideOfTo == 0) {
        // The tip of a wall without thickness, reached along that wall: either side may continue.
        c.wedge = WEDGE_NONE;
        return;
    }
    // A wall on the line from -> at bounds the wedge where it goes on straight ahead, and not where
    // it leads back.
    if (sideOfTo > 0 || (sideOfTo == 0 && sign(to - at) == sign(at - from))) {
        c.wedge = WEDGE_TAUT;
        c.rightX = ahead.x;
        c.rightY = ahead.y;
        c.leftX = to.x;
        c.leftY = to.y;
    } else if (sideOfRight < 0 || (sideOfRight == 0 && sign(right - at) == sign(at - from))) {
        c.wedge = WEDGE_TAUT;
        c.rightX = right.x;
        c.rightY = right.y;
        c.leftX = ahead.x;
        c.leftY = ahead.y;
    } else {
        c.wedge = WEDGE_EMPTY;
    }
}

// The taut wedge of a corner's cone, with its parent.
void tautWedge(inout Cone c, Generator parent) {
    ivec2 at = ivec2(c.x, c.y);
    Rays rays = raysOf(parent);
    if (rays.ahead != ivec2(0)) {
        tautWedge(c, at - rays.ahead); // as from the point behind it
    } else if (rays.at == at) {
        c.wedge = WEDGE_EMPTY; // a source is on this corner and lights for it
    } else {
        tautWedge(c, rays.at);
    }
}
