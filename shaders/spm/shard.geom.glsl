#version 450 core
// Wavefront, drawing: a trapezoid that is certain to cover every texel centre of the part of a triangle between two
// rays. Fragments decide exactly.
//
// In the frame of the rays' middle direction, with the generator at the origin, the part lies between the triangle's
// least and greatest u and v, and between the rays v = +-u tan. A margin is added on all sides, beside a ray measured
// square to it.

layout(points) in;
layout(triangle_strip, max_vertices = 4) out;

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
flat out ivec2 at;
flat out ivec4 ab;
flat out ivec2 c;
flat out ivec4 bounds;

uniform float margin; // lattice steps
uniform vec2 mapExtent;

vec2 origin = vec2(0.0), u = vec2(0.0), v = vec2(0.0);

void emitAt(float alongU, float alongV) {
    position = part[0].position;
    apexDistance = part[0].apexDistance;
    index = part[0].index;
    at = part[0].at;
    ab = part[0].ab;
    c = part[0].c;
    bounds = part[0].bounds;
    vec2 p = origin + alongU * u + alongV * v;
    gl_Position = vec4(2.0 * p / mapExtent - 1.0, 0.0, 1.0);
    EmitVertex();
}

void main() {
    origin = vec2(part[0].at);
    vec2 a = vec2(part[0].ab.xy) - origin;
    vec2 b = vec2(part[0].ab.zw) - origin;
    vec2 d = vec2(part[0].c) - origin;
    vec2 right = vec2(part[0].bounds.xy) - origin;
    vec2 left = vec2(part[0].bounds.zw) - origin;
    bool rays = part[0].bounds.xy != part[0].at;
    u = vec2(1.0, 0.0);
    float tangent = 0.0;
    if (rays) {
        right = normalize(right);
        left = normalize(left);
        u = normalize(right + left);
        float cosine = dot(u, left);
        rays = cosine > 0.3; // wider ones are covered well enough by the triangle's own bounds
        tangent = sqrt(max(0.0, 1.0 - cosine * cosine)) / max(cosine, 0.3);
    }
    v = vec2(-u.y, u.x);
    vec3 us = vec3(dot(a, u), dot(b, u), dot(d, u));
    vec3 vs = vec3(dot(a, v), dot(b, v), dot(d, v));
    float u0 = min(us.x, min(us.y, us.z)) - margin;
    float u1 = max(us.x, max(us.y, us.z)) + margin;
    float least = min(vs.x, min(vs.y, vs.z)) - margin;
    float most = max(vs.x, max(vs.y, vs.z)) + margin;
    float low0 = least, low1 = least, high0 = most, high1 = most;
    if (rays) {
        u0 = max(u0, -margin);
        float beside = margin * sqrt(1.0 + tangent * tangent) + margin;
        float ray0 = tangent * max(u0, 0.0) + beside;
        float ray1 = tangent * u1 + beside;
        // One or the other on either side: a line from one at u0 to the other at u1 would cut the part.
        if (ray0 + ray1 < 2.0 * most) {
            high0 = ray0;
            high1 = ray1;
        }
        if (ray0 + ray1 < -2.0 * least) {
            low0 = -ray0;
            low1 = -ray1;
        }
    }
    emitAt(u0, low0);
    emitAt(u1, low1);
    emitAt(u0, high0);
    emitAt(u1, high1);
    EndPrimitive();
}
