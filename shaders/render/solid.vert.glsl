#version 450 core
// A wall's side or an obstacle's roof, in perspective; or, flat on the ground, what it shades.
//
// writes: the point and its normal.

#include "render/light.glsl"

in vec4 solid; // meters from the domain's corner, height; the angle that the side faces, radians, or 10: a roof

out vec3 point;
flat out vec3 normal;

uniform mat4 viewMatrix;
uniform float lean; // 1: as the sun casts it on the ground, 0: where it stands
uniform bool flatten;

void main() {
    point = solid.xyz;
    normal = solid.w > 9.0 ? vec3(0.0, 0.0, 1.0) : vec3(cos(solid.w), sin(solid.w), 0.0);
    gl_Position = viewMatrix * (flatten ? vec4(point.xy + lean * LEAN * point.z, 0.0, 1.0) : vec4(point, 1.0));
}
