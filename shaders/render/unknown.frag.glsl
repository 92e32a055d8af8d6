#version 450 core
// A veil over the ground that a team of explorers does not know. Its edge runs between the middles of cells, nearer to those that are
// unknown, so that walls are clear whose other side is known.
//
// reads: what a team has seen, by cell, as explore.Teams.Seen says.
// Figure 8 of Dapper et al. 2007.

layout(std430) readonly buffer Seen { uint seen[]; };

in vec2 place;
out vec4 color;

uniform vec2 domainSize; // meters
uniform ivec2 cellCount;
uniform float cellSize; // meters
uniform uint firstCell; // of the team

const uint FIXED = 0x80000000u;

float unknown(ivec2 cell) {
    cell = clamp(cell, ivec2(0), cellCount - 1);
    return (seen[firstCell + uint(cell.y * cellCount.x + cell.x)] & FIXED) != 0u ? 1.0 : 0.0;
}

void main() {
    if (any(lessThan(place, vec2(0.0))) || any(greaterThan(place, domainSize))) {
        discard;
    }
    vec2 at = place / cellSize - 0.5;
    ivec2 low = ivec2(floor(at));
    vec2 share = at - vec2(low);
    float below = mix(unknown(low), unknown(low + ivec2(1, 0)), share.x);
    float above = mix(unknown(low + ivec2(0, 1)), unknown(low + 1), share.x);
    color = vec4(VEIL, VEIL_SHARE * smoothstep(0.6, 0.95, mix(below, above, share.y)));
}
