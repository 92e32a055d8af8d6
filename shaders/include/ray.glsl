// The rays of a generator: those of a point part from it, those of a light field are parallel. A
// ray is named by any lattice point that it goes through, and the part of the plane between two
// rays by two of them.
//
// Needs <Generator>, include/exact.glsl. Reference: geom.LightField, geom.Orient.

struct Rays {
    ivec2 at;    // where they part, or A of the source segment
    ivec2 ahead; // where all go, orthogonal to the segment and as long; zero where they part
};

Rays raysOf(Generator g) {
    ivec2 at = ivec2(g.x, g.y);
    return Rays(at, g.kind == SECTOR_LIGHT_FIELD ? ivec2(at.y - g.toY, g.toX - at.x) : ivec2(0));
}

// The direction of the ray through a point.
ivec2 directionOf(Rays r, ivec2 through) {
    return r.ahead == ivec2(0) ? through - r.at : r.ahead;
}

// +1 when p lies left of a ray, -1 right of it, 0 on its line. Exact.
int sideOf(ivec2 direction, ivec2 through, ivec2 p) {
    double area = outer(dvec2(direction), dvec2(p - through));
    return int(area > 0.0lf) - int(area < 0.0lf);
}

// How far p is from where its ray begins, in lattice steps. Rounded: for choosing between equals
// and for the order of windows.
float straight(Rays r, vec2 p) {
    vec2 off = p - vec2(r.at);
    return r.ahead == ivec2(0) ? length(off) : max(dot(off, normalize(vec2(r.ahead))), 0.0);
}

// The same in meters, for a place in local meters.
float straightTo(Generator g, vec2 place) {
    vec2 off = place - g.position;
    Rays r = raysOf(g);
    return r.ahead == ivec2(0) ? length(off) : max(dot(off, normalize(vec2(r.ahead))), 0.0);
}

// The least distance of the segment a b from where rays begin, in lattice steps. For the order of
// windows only.
float nearestOn(Rays r, vec2 a, vec2 b) {
    if (r.ahead != ivec2(0)) {
        return min(straight(r, a), straight(r, b));
    }
    vec2 d = b - a;
    float t = clamp(dot(vec2(r.at) - a, d) / dot(d, d), 0.0, 1.0);
    return straight(r, a + t * d);
}

// B of a light field's source segment.
ivec2 segmentEnd(Rays r) {
    return r.at + ivec2(r.ahead.y, -r.ahead.x);
}

// The height of p above the segment of a light field, in lattice steps: exactly zero on its line.
float above(Rays r, ivec2 p) {
    return float(cross64(r.at, segmentEnd(r), p) / length(dvec2(r.ahead)));
}
