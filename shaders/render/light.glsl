// The light of streets: a low sun, and the sky.

const vec3 TO_SUN = normalize(vec3(-0.66, -0.26, 0.74));
const vec2 LEAN = -TO_SUN.xy / TO_SUN.z; // of a shadow, meters a meter of height

// The light on a surface, warm from the sun and cool from the sky.
vec3 lightOn(vec3 normal) {
    float sun = max(dot(normal, TO_SUN), 0.0);
    float sky = 0.5 + 0.5 * normal.z;
    return vec3(0.60, 0.54, 0.46) * sun + vec3(0.53, 0.57, 0.62) * mix(0.74, 1.0, sky);
}
