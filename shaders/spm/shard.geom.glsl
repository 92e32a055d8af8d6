#version 450 core
// Wavefront, drawing: a polygon that is certain to hold every texel center of the part of a
// triangle that lies between two rays, and hardly any other. Fragments decide exactly.
//
// Light comes in between c and a, c on the left, and leaves between a and b, b and c, or both. The
// part's corners are where its rays meet these edges; the polygon is their hull, grown by a margin
// on all sides.
//
// What a light field lights leaves by one edge only. Where it starts from a source segment there is
// no c: it leaves between a and b, and what lies between the rays, the segment and that edge is lit,
// in this triangle or in one before it.

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
    flat ivec2 ahead;
} part[];

flat out vec2 position;
flat out float apexDistance;
flat out uint index;
flat out vec2 rays;
flat out ivec4 originX; // of the part's four sides
flat out ivec4 originY;
flat out ivec4 alongX; // their directions: the part lies on the left
flat out ivec4 alongY;

uniform float margin; // lattice steps
uniform vec2 mapExtent;

#include "include/exact.glsl"

ivec4 sidesX = ivec4(0), sidesY = ivec4(0), directionsX = ivec4(0), directionsY = ivec4(0);

void setSide(int i, ivec2 from, ivec2 along) {
    sidesX[i] = from.x;
    sidesY[i] = from.y;
    directionsX[i] = along.x;
    directionsY[i] = along.y;
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

// Where the ray along d from `from` meets the segment from p to q, rather too near to q (outward =
// 1) or to p (-1) by what the floats may be off: the products carry 2^-24 of their size each.
vec2 meet(vec2 d, vec2 from, vec2 p, vec2 q, float outward) {
    vec2 e = q - p;
    vec2 o = p - from;
    float over = d.y * e.x - d.x * e.y;
    float one = d.x * o.y;
    float two = d.y * o.x;
    float slack = (abs(one) + abs(two)) * (1.0 / 4194304.0);
    float t = over == 0.0 ? 0.5 + 0.5 * outward : (one - two) / over + outward * slack / abs(over);
    return p + clamp(t, 0.0, 1.0) * e;
}

// Whether there are no rays, but a box that holds what the generator can win, from bounds.zw to
// ahead.
bool isWhole() { return part[0].bounds.xy == part[0].at; }

bool isLightField() { return part[0].ahead != ivec2(0) && !isWhole(); }

// The source segment, from A to B, of a light field whose rays go ahead.
ivec2 segmentOf(ivec2 ahead) { return ivec2(ahead.y, -ahead.x); }

bool startsOnSegment() { return part[0].c == part[0].ab.zw; }

// Whether light leaves by the edge from a to b: b is left of the right ray. Of a light field all
// does then, and sides depend on it.
bool leavesByAB() {
    if (isLightField()) {
        return outer(dvec2(part[0].ahead), dvec2(part[0].ab.zw - part[0].bounds.xy)) > 0.0lf;
    }
    vec2 right = vec2(part[0].bounds.xy - part[0].at);
    vec2 b = vec2(part[0].ab.zw - part[0].at);
    return right.x * b.y - right.y * b.x > 0.0;
}

void setCorners() {
    vec2 origin = vec2(part[0].at);
    vec2 a = vec2(part[0].ab.xy) - origin;
    vec2 b = vec2(part[0].ab.zw) - origin;
    vec2 c = vec2(part[0].c) - origin;
    if (isWhole()) {
        vec2 low = vec2(part[0].bounds.zw) - origin;
        vec2 high = vec2(part[0].ahead) - origin;
        vec2 size = high - low;
        if (2.0 * size.x * size.y < abs(float(outer(dvec2(b - a), dvec2(c - a))))) { // smaller than the triangle
            add(low);
            add(vec2(high.x, low.y));
            add(high);
            add(vec2(low.x, high.y));
            return;
        }
        add(a);
        add(b);
        add(c);
        return;
    }
    vec2 right = vec2(part[0].bounds.xy) - origin;
    vec2 left = vec2(part[0].bounds.zw) - origin;
    if (startsOnSegment()) {
        vec2 segment = vec2(segmentOf(part[0].ahead));
        add(segment * clamp(dot(left, segment) / dot(segment, segment), 0.0, 1.0));
        add(segment * clamp(dot(right, segment) / dot(segment, segment), 0.0, 1.0));
        add(meet(vec2(part[0].ahead), right, a, b, -1.0));
        add(meet(vec2(part[0].ahead), left, a, b, 1.0));
        return;
    }
    bool byAB = leavesByAB();
    bool byBC = isLightField() ? !byAB : left.x * b.y - left.y * b.x < 0.0; // b is right of the left ray
    // Where rays part they do so from the origin.
    vec2 alongRight = isLightField() ? vec2(part[0].ahead) : right;
    vec2 alongLeft = isLightField() ? vec2(part[0].ahead) : left;
    right = isLightField() ? right : vec2(0.0);
    left = isLightField() ? left : vec2(0.0);
    add(meet(alongRight, right, c, a, 1.0));
    add(byAB ? meet(alongRight, right, a, b, -1.0) : meet(alongRight, right, b, c, -1.0));
    if (byAB && byBC) {
        add(b);
    }
    add(byBC ? meet(alongLeft, left, b, c, 1.0) : meet(alongLeft, left, a, b, 1.0));
    add(meet(alongLeft, left, c, a, -1.0));
}

vec2 hull[8];
int around = 0;

// Grows the part. A turn of 120 degrees or more, of which there are three at most, gets two
// corners, so that none comes out far off.
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

void setSides() {
    ivec2 at = part[0].at;
    ivec2 a = part[0].ab.xy;
    ivec2 b = part[0].ab.zw;
    ivec2 c = part[0].c;
    ivec2 right = part[0].bounds.xy;
    ivec2 left = part[0].bounds.zw;
    if (isLightField()) {
        // What lies between the segment and where light comes in is lit by the same light field.
        bool byAB = startsOnSegment() || leavesByAB();
        setSide(0, byAB ? a : b, byAB ? b - a : c - b);
        setSide(1, at, segmentOf(part[0].ahead));
        setSide(2, right, part[0].ahead);
        setSide(3, left, -part[0].ahead);
        return;
    }
    setSide(0, a, b - a);
    setSide(1, b, c - b);
    if (isWhole()) {
        setSide(2, c, a - c);
        setSide(3, c, a - c);
    } else {
        // What lies between the rays before they come in is lit by the same generator: that side
        // needs no test.
        setSide(2, at, right - at);
        setSide(3, left, at - left);
    }
}

void main() {
    setSides();
    setCorners();
    setHull();
    vec2 origin = vec2(part[0].at);
    for (int i = 0; i < around; i++) {
        // From one end of the hull to the other, crosswise.
        vec2 p = origin + hull[(i & 1) == 0 ? i / 2 : around - 1 - i / 2];
        position = part[0].position;
        apexDistance = part[0].apexDistance;
        index = part[0].index;
        rays = isLightField() ? normalize(vec2(part[0].ahead)) : vec2(0.0);
        originX = sidesX;
        originY = sidesY;
        alongX = directionsX;
        alongY = directionsY;
        gl_Position = vec4(2.0 * p / mapExtent - 1.0, 0.0, 1.0);
        EmitVertex();
    }
    EndPrimitive();
}
