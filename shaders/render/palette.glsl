// Colours of the ground. The numbers come from engine/render/palette.go.

vec3 tint(uint number) {
    const vec3 colours[TINTS] = vec3[](TINT_COLOURS);
    return colours[number % TINTS];
}

// A colour for 0 to 1, dark to light.
vec3 ramp(float t) {
    const vec3 stops[RAMP] = vec3[](RAMP_COLOURS);
    float at = clamp(t, 0.0, 1.0) * float(RAMP - 1);
    int low = min(int(at), RAMP - 2);
    return mix(stops[low], stops[low + 1], at - float(low));
}
