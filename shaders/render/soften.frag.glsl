#version 450 core
// Spreads shade by a Gaussian along one axis: that of the sun by little, that of walls over what is at their feet by more.
//
// reads: shade, red of the sun, green of the feet, blue of the map's margin.

out vec4 color;

uniform sampler2D shade;
uniform ivec2 axis;
uniform vec3 spread; // standard deviations, texels

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy), last = textureSize(shade, 0) - 1;
    vec3 sum = vec3(0.0), total = vec3(0.0);
    for (int k = -SOFT; k <= SOFT; k++) {
        vec3 weight = exp(-0.5 * float(k * k) / (spread * spread));
        sum += weight * texelFetch(shade, clamp(texel + k * axis, ivec2(0), last), 0).rgb;
        total += weight;
    }
    color = vec4(sum / total, 1.0);
}
