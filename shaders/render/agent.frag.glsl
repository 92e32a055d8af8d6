#version 450 core
// An agent: its disc with the nose, in a thin rim that keeps neighbors apart.

#include "render/agent.glsl"

noperspective in vec2 at;
flat in float radius;
flat in float headed;
flat in vec3 body;
flat in float opacity;

out vec4 color;

uniform float pixelRatio;

// Signed distance to the hull of the disc around the origin and the point (tip, 0): inside it is negative.
float drop(vec2 p, float r, float tip) {
    p.y = abs(p.y);
    if (tip <= r * 1.001) {
        return length(p) - r;
    }
    float sine = r / tip; // of half the angle at the tip
    float cosine = sqrt(1.0 - sine * sine);
    vec2 touch = r * vec2(sine, cosine); // where the tangent from the tip meets the circle
    vec2 along = vec2(cosine, -sine);    // from there to the tip
    float t = dot(p - touch, along);
    if (t < 0.0) {
        return length(p) - r;
    }
    if (t > length(vec2(tip, 0.0) - touch)) {
        return length(p - vec2(tip, 0.0));
    }
    return dot(p - touch, vec2(sine, cosine));
}

void main() {
    float rim = min(1.1 * pixelRatio, 0.35 * radius);
    float d = drop(at, radius, radius * (1.0 + NOSE * headed));
    float cover = clamp(0.5 - d + rim * 0.5, 0.0, 1.0);
    if (cover == 0.0) {
        discard;
    }
    color = vec4(mix(MARK_RIM, body, clamp(0.5 - d - rim * 0.5, 0.0, 1.0)), cover * opacity);
}
