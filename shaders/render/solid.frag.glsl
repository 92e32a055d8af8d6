#version 450 core
// Light on a wall, darker at its foot; or one color, for shade.

#include "render/light.glsl"

in vec3 point;
flat in vec3 normal;

out vec4 color;

uniform vec3 eye;        // meters from the domain's corner
uniform vec4 shadeColor; // with an opacity of 0: added up where the solid is flattened
uniform bool flatten;

void main() {
    if (flatten) {
        color = shadeColor;
        return;
    }
    vec3 facing = dot(normal, eye - point) < 0.0 ? -normal : normal;
    float foot = facing.z > 0.5 ? 1.0 : mix(0.70, 1.0, smoothstep(0.0, 1.6, point.z));
    color = vec4(min(WALL * lightOn(facing) * foot, vec3(1.0)), 1.0);
}
