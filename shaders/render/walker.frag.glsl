#version 450 core
// Light on a body, facet by facet.

#include "render/light.glsl"

in vec3 point;
in vec3 tone;

out vec4 color;

uniform vec3 eye; // meters from the domain's corner

void main() {
    vec3 normal = normalize(cross(dFdx(point), dFdy(point)));
    normal *= dot(normal, eye - point) < 0.0 ? -1.0 : 1.0;
    color = vec4(min(tone * lightOn(normal) * 1.2, vec3(1.0)), 1.0);
}
