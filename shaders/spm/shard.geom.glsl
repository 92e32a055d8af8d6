#version 450 core
// Wavefront, drawing: a polygon that is certain to hold every texel centre of the part of a triangle that lies between two
// rays, and hardly any other. Fragments decide exactly.
//
// Light comes in between c and a, c on the left, and leaves between a and b, b and c, or both. The part's corners are where its
// rays meet these edges; the polygon is their hull, grown by a margin on all sides.

layout(points) in;
layout(triangle_strip, max_vertices = 8) out;

in Part {
    flat vec2 position;
    flat float apexDistance;
    flat uint index;
    flat ivec2 at;
    flat ivec4 ab;
    flat ivec2 c;
    flat ivec4 bounds;
} part[];

flat out vec2 position;
flat out float apexDistance;
flat out uint index;
flat out ivec4 originX; // of the part's four sides
flat out ivec4 originY;
flat out ivec4 alongX; // their directions: the part lies on the left
flat out ivec4 alongY;

uniform float margin; // lattice steps
uniform vec2 mapExtent;

ivec4 sidesX = ivec4(0), sidesY = ivec4(0), directionsX = ivec4(0), directionsY = ivec4(0);

void setSide(int i, ivec2 from, ivec2 to) {
    sidesX[i] = from.x;
    sidesY[i] = from.y;
    directionsX[i] = to.x - from.x;
    directionsY[i] = to.y - from.y;
}

// The corners of the part, counter-clockwise and no two in a row the same, as seen from the origin.
vec2 corners[5];
int count = 0;

void add(vec2 p) {
    if (count == 0 || (p != corners[count - 1] && p != corners[0])) {
        corners[count] = p;
        count++;
    }
}

// Where the ray from the origin through d meets the segment from p to q, rather too near to q (outward = 1) or to p (-1) by
// what the floats may be off: the products carry 2^-24 of their size each.
vec2 meet(vec2 d, vec2 p, vec2 q, float outward) {
    vec2 e = q - p;
    float over = d.y * e.x - d.x * e.y;
    float one = d.x * p.y;
    float two = d.y * p.x;
    float slack = (abs(one) + abs(two)) * (1.0 / 4194304.0);
    float t = over == 0.0 ? 0.5 + 0.5 * outward : (one - two) / over + outward * slack / abs(over);
    return p + clamp(t, 0.0, 1.0) * e;
}

void setCorners() {
    vec2 origin = vec2(part[0].at);
    vec2 a = vec2(part[0].ab.xy) - origin;
    vec2 b = vec2(part[0].ab.zw) - origin;
    vec2 c = vec2(part[0].c) - origin;
    if (part[0].bounds.xy == part[0].at) { // no rays
        add(a);
        add(b);
        add(c);
        return;
    }
    vec2 right = vec2(part[0].bounds.xy) - origin;
    vec2 left = vec2(part[0].bounds.zw) - origin;
    bool byAB = right.x * b.y - right.y * b.x > 0.0; // b is left of the right ray
    bool byBC = left.x * b.y - left.y * b.x < 0.0;   // b is right of the left ray
    add(meet(right, c, a, 1.0));
    add(byAB ? meet(right, a, b, -1.0) : meet(right, b, c, -1.0));
    if (byAB && byBC) {
        add(b);
    }
    add(byBC ? meet(left, b, c, 1.0) : meet(left, a, b, 1.0));
    add(meet(left, c, a, -1.0));
}

vec2 hull[8];
int around = 0;

// Grows the part. A turn of 120 degrees or more, of which there are three at most, gets two corners, so that none comes out far off.
void setHull() {
    for (int i = 0; i < count; i++) {
        vec2 p = corners[i];
        vec2 from = p - corners[i == 0 ? count - 1 : i - 1];
        vec2 to = corners[i == count - 1 ? 0 : i + 1] - p;
        from = count == 1 ? vec2(1.0, 0.0) : normalize(from);
        to = count == 1 ? vec2(-1.0, 0.0) : normalize(to);
        vec2 beside = vec2(from.y, -from.x);
        vec2 beyond = vec2(to.y, -to.x);
        float turn = dot(from, to);
        if (turn > -0.5) {
            hull[around] = p + margin * (beside + beyond) / (1.0 + turn);
            around++;
        } else {
            hull[around] = p + margin * (beside + from);
            hull[around + 1] = p + margin * (beyond - to);
            around += 2;
        }
    }
}

void main() {
    setSide(0, part[0].ab.xy, part[0].ab.zw);
    setSide(1, part[0].ab.zw, part[0].c);
    if (part[0].bounds.xy != part[0].at) {
        // What lies between the rays before they come in is lit by the same generator: that side needs no test.
        setSide(2, part[0].at, part[0].bounds.xy);
        setSide(3, part[0].bounds.zw, part[0].at);
    } else {
        setSide(2, part[0].c, part[0].ab.xy);
        setSide(3, part[0].c, part[0].ab.xy);
    }
    setCorners();
    setHull();
    vec2 origin = vec2(part[0].at);
    for (int i = 0; i < around; i++) {
        // From one end of the hull to the other, crosswise.
        vec2 p = origin + hull[(i & 1) == 0 ? i / 2 : around - 1 - i / 2];
        position = part[0].position;
        apexDistance = part[0].apexDistance;
        index = part[0].index;
        originX = sidesX;
        originY = sidesY;
        alongX = directionsX;
        alongY = directionsY;
        gl_Position = vec4(2.0 * p / mapExtent - 1.0, 0.0, 1.0);
        EmitVertex();
    }
    EndPrimitive();
}
