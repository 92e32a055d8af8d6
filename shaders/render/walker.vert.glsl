#version 450 core
// An agent as a person that walks, one instance each, straight from the buffers of the crowd. Limbs are rings of six corners, joined
// by strips of triangles. All take so many steps a second and longer ones the faster they are: feet do not slide, and nothing has to be kept.
//
// writes: the point of its body, and its color.

#include "include/status.glsl"

in vec2 place;        // meters from the domain's corner
in vec2 velocity;     // m/s, of the last step
in uint status;
in float agentRadius; // m
in uint colorNumber;  // group or goal

out vec3 point;
out vec3 tone;

uniform mat4 viewMatrix;
uniform float behind;  // seconds of the last step that are still to be shown
uniform float strides; // two steps each, since the beginning; its fraction
uniform bool distant;  // too small for limbs
uniform vec4 tint;     // in the place of its own color, by the alpha

const float TURN = 6.28318531;

// Height, forward, half the depth, half the width; meters of a person of 1.76 m.
const vec4 rings[18] = vec4[](
    vec4(0.80, 0.00, 0.100, 0.150), vec4(0.97, 0.00, 0.105, 0.158), vec4(1.12, 0.00, 0.096, 0.138), // torso
    vec4(1.32, 0.01, 0.112, 0.185), vec4(1.43, 0.00, 0.090, 0.180), vec4(1.49, 0.00, 0.045, 0.050),
    vec4(1.48, 0.01, 0.045, 0.045), vec4(1.54, 0.02, 0.078, 0.062), vec4(1.64, 0.01, 0.098, 0.080), // head
    vec4(1.72, 0.00, 0.080, 0.066), vec4(1.76, 0.00, 0.015, 0.015),
    vec4(0.88, 0.00, 0.092, 0.082), vec4(0.48, 0.00, 0.064, 0.060), vec4(0.08, 0.00, 0.048, 0.044), // leg
    vec4(0.00, 0.06, 0.130, 0.048),
    vec4(1.42, 0.00, 0.052, 0.048), vec4(1.12, 0.00, 0.044, 0.040), vec4(0.84, 0.00, 0.036, 0.028)); // arm

// A number of 0 to 1 that stays the instance's own.
float chance(uint salt) {
    uint h = (uint(gl_InstanceID) * 0x9E3779B9u) ^ (salt * 0x85EBCA6Bu);
    h = (h ^ h >> 16) * 0x7FEB352Du;
    h = (h ^ h >> 15) * 0x846CA68Bu;
    return float(h >> 8) / 16777216.0;
}

// Moves the middle of a ring of a leg or an arm as in a stride: forward, up.
vec2 swing(int ring, bool leg, float phase, float step) {
    float lift = 0.34 * step * max(-sin(phase), 0.0);
    vec2 foot = vec2(step * cos(phase), lift);
    if (leg) {
        vec2 knee = 0.5 * foot + vec2(0.05 * min(step, 0.3) / 0.3 + 0.9 * lift, 0.0);
        return ring == 11 ? vec2(0.0) : ring == 12 ? knee : foot;
    }
    float hand = -0.62 * step * cos(phase);
    return ring == 15 ? vec2(0.0) : ring == 16 ? vec2(0.35 * hand - 0.04, 0.0) : vec2(hand + 0.08, 0.06 + 0.2 * max(hand, 0.0));
}

vec3 toneOf(int ring, int part) {
    const vec3 colors[BOLD] = vec3[](BOLD_COLORS);
    const vec3 skins[4] = vec3[](vec3(0.93, 0.76, 0.65), vec3(0.82, 0.62, 0.48), vec3(0.62, 0.43, 0.31), vec3(0.40, 0.27, 0.20));
    const vec3 hairs[4] = vec3[](vec3(0.16, 0.13, 0.12), vec3(0.30, 0.21, 0.15), vec3(0.55, 0.42, 0.28), vec3(0.62, 0.60, 0.58));
    const vec3 cloths[4] = vec3[](vec3(0.20, 0.24, 0.31), vec3(0.28, 0.27, 0.27), vec3(0.42, 0.38, 0.33), vec3(0.30, 0.36, 0.44));
    if (part == 1 || ring == 17) {
        return ring >= 9 && part == 1 ? hairs[int(chance(2u) * 3.99)] : skins[int(chance(1u) * 3.99)];
    }
    if (part == 2) {
        return ring == 14 ? vec3(0.13, 0.13, 0.14) : cloths[int(chance(3u) * 3.99)];
    }
    return colors[colorNumber % BOLD] * mix(0.9, 1.1, chance(4u));
}

void main() {
    if (!isThere(status)) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }
    int segment = gl_VertexID / STRIP, corner = clamp(gl_VertexID % STRIP - 1, 0, STRIP - 3);
    // Segments: 5 of the torso, 4 of the head, 3 of each leg, 2 of each arm.
    int part = segment < 5 ? 0 : segment < 9 ? 1 : segment < 15 ? 2 : 3;
    bool left = segment < 12 || segment == 15 || segment == 16;
    int ring = (part == 0 ? segment : part == 1 ? segment + 1 : part == 2 ? 11 + (segment - 9) % 3 : 15 + (segment - 15) % 2) + (corner & 1);

    float speed = length(velocity);
    vec2 heading = speed > 1e-4 ? velocity / speed : vec2(cos(TURN * chance(5u)), sin(TURN * chance(5u)));
    float step = min(speed / (4.0 * STRIDES), 0.46);
    float phase = TURN * (strides + chance(6u)) + (left ? 0.0 : 0.5 * TURN);

    vec4 r = rings[ring];
    float angle = TURN * float(corner >> 1) / float(SIDES);
    vec3 body = vec3(r.y + r.z * cos(angle), r.w * sin(angle), r.x);
    if (part >= 2) {
        vec2 moved = swing(ring, part == 2, phase, step);
        body.xz += moved;
        body.y += (left ? 1.0 : -1.0) * (part == 2 ? 0.085 : ring == 15 ? 0.185 : 0.225);
    } else {
        body.z -= 0.03 * step / 0.4 * (1.0 + cos(2.0 * phase)) * 0.5;
        body.x += 0.05 * step / 0.4 * (body.z - 0.9); // leans forward
    }
    if (distant && ring == 0) {
        body = vec3(0.06 * cos(angle), 0.08 * sin(angle), 0.0);
    }
    float tall = mix(0.93, 1.06, chance(7u));
    body *= vec3(agentRadius / 0.25, agentRadius / 0.25, tall);
    vec2 here = place - behind * velocity;
    point = vec3(here + heading * body.x + vec2(-heading.y, heading.x) * body.y, body.z);
    tone = toneOf(ring, part) * (part == 2 ? mix(0.75, 1.0, clamp(body.z, 0.0, 1.0)) : 1.0);
    tone = mix(tone, tint.rgb, tint.a);
    gl_Position = viewMatrix * vec4(point, 1.0);
}
