#version 450 core
// A mark: a disc in a ring of white, or a target for sources (disc, ring, disc).

noperspective in vec2 at;

out vec4 color;

uniform float markRadius;
uniform float pixelRatio;
uniform vec4 markColor;
uniform bool markTarget;

float inside(float radius) {
    return clamp((radius - length(at)) * pixelRatio + 0.5, 0.0, 1.0);
}

void main() {
    vec3 c = mix(MARK_RIM, markColor.rgb, inside(markRadius - 1.5));
    if (markTarget) {
        c = mix(c, MARK_RIM, inside(markRadius * 0.62));
        c = mix(c, markColor.rgb, inside(markRadius * 0.36));
    }
    float cover = inside(markRadius);
    if (cover == 0.0) {
        discard;
    }
    color = vec4(c, markColor.a * cover);
}
