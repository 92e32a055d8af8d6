// Exact orientation of lattice points.
//
// Reference: geom.Orient.
//
// The lattice has 2^20 steps along the longer side of the domain, so that
// coordinates of points of the domain lie in 0..2^20. A point that only gives a
// ray its direction, 2 at - from, lies up to a domain's length outside, and is
// compared with points of the domain: differences are at most 2^21 in
// magnitude. A product of two differences is at most 2^42, the difference of two
// products 2^43, and a double holds every integer up to 2^53: all
// intermediate values are exact, in whatever order and whether or not the
// compiler fuses the multiplication with the subtraction.
//
// outer and dot64 are the only places that multiply; a form on imulExtended could
// replace the doubles here, behind orient, and nowhere else.

// The outer product of two differences of lattice points. Exact.
double outer(dvec2 u, dvec2 v) {
    return u.x * v.y - u.y * v.x;
}

// Twice the signed area of the triangle a, b, c in square lattice steps:
// positive when c lies left of the line from a to b. Exact.
double cross64(ivec2 a, ivec2 b, ivec2 c) {
    return outer(dvec2(b - a), dvec2(c - a));
}

// The scalar product of b - a and c - a in square lattice steps. Exact, by the
// same bound.
double dot64(ivec2 a, ivec2 b, ivec2 c) {
    dvec2 u = dvec2(b - a);
    dvec2 v = dvec2(c - a);
    return u.x * v.x + u.y * v.y;
}

// +1 when c lies left of the line from a to b, -1 when it lies right of it, 0
// when the three are collinear.
int orient(ivec2 a, ivec2 b, ivec2 c) {
    double area = cross64(a, b, c);
    return int(area > 0.0lf) - int(area < 0.0lf);
}

// Whether p lies on the closed segment a, b, given that the three are
// collinear.
bool within(ivec2 a, ivec2 b, ivec2 p) {
    return all(greaterThanEqual(p, min(a, b))) && all(lessThanEqual(p, max(a, b)));
}
