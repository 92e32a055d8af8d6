// Colors of the ground. The numbers come from engine/render/palette.go.

vec3 tint(uint number) {
    const vec3 colors[TINTS] = vec3[](TINT_COLORS);
    return colors[number % TINTS];
}

// A color for 0 to 1, dark to light.
vec3 ramp(float t) {
    const vec3 stops[RAMP] = vec3[](RAMP_COLORS);
    float at = clamp(t, 0.0, 1.0) * float(RAMP - 1);
    int low = min(int(at), RAMP - 2);
    return mix(stops[low], stops[low + 1], at - float(low));
}
