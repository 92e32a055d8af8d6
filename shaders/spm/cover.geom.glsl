#version 450 core
// Free ground that no source reaches, geometry: the triangle and, along each side, a rectangle that
// reaches `margin` beyond it, so that every texel center of the closed triangle is met whatever the
// rasterizer's rules are. Fragments decide exactly.

layout(points) in;
layout(triangle_strip, max_vertices = 15) out;

in Corners {
    flat ivec2 a;
    flat ivec2 b;
    flat ivec2 c;
} corners[];

flat out ivec2 a;
flat out ivec2 b;
flat out ivec2 c;

uniform float margin; // lattice steps
uniform vec2 mapExtent;

void emitAt(vec2 p) {
    a = corners[0].a;
    b = corners[0].b;
    c = corners[0].c;
    gl_Position = vec4(2.0 * p / mapExtent - 1.0, 0.0, 1.0);
    EmitVertex();
}

void emitSide(vec2 p, vec2 q) {
    vec2 e = margin * normalize(q - p);
    vec2 n = vec2(e.y, -e.x);
    emitAt(p - e - n);
    emitAt(p - e + n);
    emitAt(q + e - n);
    emitAt(q + e + n);
    EndPrimitive();
}

void main() {
    vec2 p = vec2(corners[0].a);
    vec2 q = vec2(corners[0].b);
    vec2 r = vec2(corners[0].c);
    emitAt(p);
    emitAt(q);
    emitAt(r);
    EndPrimitive();
    emitSide(p, q);
    emitSide(q, r);
    emitSide(r, p);
}
