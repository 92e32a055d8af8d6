// Colors of the ground. The numbers come from engine/render/palette.go.

vec3 tint(uint number) {
    const vec3 colors[TINTS] = vec3[](TINT_COLORS);
    const float paler[SHADES] = float[](TINT_SHADES);
    return mix(colors[number % TINTS], GROUND, paler[number / TINTS % SHADES]);
}

vec3 between(vec3 stops[RAMP], float t) {
    float at = clamp(t, 0.0, 1.0) * float(RAMP - 1);
    int low = min(int(at), RAMP - 2);
    return mix(stops[low], stops[low + 1], at - float(low));
}

// Colors for 0 to 1: of distances and densities from light to dark, of speeds from dark to light.
vec3 ramp(float t) {
    return between(vec3[](RAMP_COLORS), t);
}

vec3 densityRamp(float t) {
    return between(vec3[](DENSITY_COLORS), t);
}

vec3 speedRamp(float t) {
    return between(vec3[](SPEED_COLORS), t);
}
