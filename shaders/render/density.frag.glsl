#version 450 core
// Shades the ground by the density of agents or by their mean speed, where agents are too small for discs.
//
// reads: spread, as render/blur leaves it.

layout(std430) readonly buffer Spread { uint spread[]; };

#include "render/palette.glsl"

in vec2 place;
out vec4 color;

uniform vec2 domainSize;  // meters
uniform ivec2 cells;
uniform float cellWidth;  // pixels
uniform float perUnit;    // agents a square meter, of a unit in a cell
uniform float perSpeed;   // m/s, of a unit of speed to a unit of weight
uniform float alone;      // agents a square meter in the middle of a single agent
uniform bool speeds;      // colors are speeds

void main() {
    if (any(lessThan(place, vec2(0.0))) || any(greaterThan(place, domainSize))) {
        discard;
    }
    vec2 at = gl_FragCoord.xy / cellWidth + float(MARGIN) - 0.5;
    ivec2 low = clamp(ivec2(floor(at)), ivec2(0), cells - 2);
    vec2 share = at - vec2(low);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; i++) {
        ivec2 side = ivec2(i & 1, i >> 1);
        vec2 part = mix(1.0 - share, share, vec2(side));
        int cell = 3 * ((low.y + side.y) * cells.x + low.x + side.x);
        sum += part.x * part.y * uintBitsToFloat(uvec3(spread[cell], spread[cell + 1], spread[cell + 2]));
    }
    float density = sum.x * perUnit;
    // A single agent shows, two more clearly.
    float opacity = SHADE_SHARE * smoothstep(0.0, 1.6, density / alone);
    if (opacity * sum.z <= 0.0) {
        discard;
    }
    vec3 c = speeds ? speedRamp(sum.y * perSpeed / sum.x / SPEED_TOP) : densityRamp(log(density / DENSITY_LOW) / log(DENSITY_TOP / DENSITY_LOW));
    color = vec4(c, opacity * sum.z / sum.x);
}
