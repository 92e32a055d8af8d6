#version 450 core
// What an agent shades on the ground: a soft oval away from the sun.

#include "render/light.glsl"
#include "include/status.glsl"

in vec2 place;        // meters from the domain's corner
in vec2 velocity;     // m/s, of the last step
in uint status;
in float agentRadius; // m

out vec2 at;

uniform mat4 viewMatrix;
uniform float behind; // seconds of the last step that are still to be shown

void main() {
    if (!isThere(status)) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    vec2 along = normalize(LEAN);
    float reach = 0.82 * length(LEAN); // half the length of a person's shadow, m
    vec2 middle = place - behind * velocity + along * reach;
    vec2 offset = along * at.x * (reach + agentRadius * 1.4) + vec2(-along.y, along.x) * at.y * agentRadius * 1.5;
    gl_Position = viewMatrix * vec4(middle + offset, 0.0, 1.0);
}
