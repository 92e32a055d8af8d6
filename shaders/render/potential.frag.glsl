#version 450 core
// A goal's global potential as the color of the ground, with isolines.
//
// Potentials are those of cells' middles; between them they are interpolated, as multiples of that of the middle which a place belongs
// to, but never across a wall: where a way leads from a cell to the one beside it, neither has more than four times the other's
// potential, since each is the mean of the four beside it. What differs by more, or is out of reach, is behind a wall and counts as 0.
// A place belongs to the nearest of the four middles around it that is in reach, since along walls some middles are in obstacles.
//
// reads: heights, by cell (harmonic.Map.Heights).

#include "include/numbers.glsl"
#include "render/palette.glsl"
#include "render/cover.glsl"
#include "render/potential.glsl"

layout(std430) readonly buffer Heights { float heights[]; };

in vec2 place;
out vec4 color;

uniform vec2 domainSize; // meters
uniform ivec2 cellCount;
uniform float cellSize; // meters

const float MOST_APART = 2.0 * LN2 * 1.001; // and what heights are rounded by

float heightAt(ivec2 cell) {
    bool there = all(greaterThanEqual(cell, ivec2(0))) && all(lessThan(cell, cellCount));
    return there ? heights[cell.y * cellCount.x + cell.x] : INFINITY;
}

void main() {
    vec2 dx = dFdx(place), dy = dFdy(place);
    float pixel = 0.5 * (length(dx) + length(dy)); // meters
    vec2 beyond = max(-place, place - domainSize);
    float inside = clamp(0.5 - max(beyond.x, beyond.y) / pixel, 0.0, 1.0);

    vec2 at = place / cellSize - 0.5;
    ivec2 low = ivec2(floor(at));
    vec2 share = at - vec2(low);
    float h[4];
    int own = 0;
    float most = -1.0;
    for (int k = 0; k < 4; k++) {
        ivec2 off = ivec2(k & 1, k >> 1);
        h[k] = heightAt(low + off);
        vec2 weight = mix(1.0 - share, share, vec2(off));
        if (h[k] < INFINITY && weight.x * weight.y > most) {
            own = k;
            most = weight.x * weight.y;
        }
    }
    if (most < 0.0) {
        color = vec4(mix(PAPER, UNREACHED, inside), 1.0);
        return;
    }
    // From the middle that the place is nearest to, along both axes.
    vec2 away = mix(share, 1.0 - share, vec2(own & 1, own >> 1));
    float x = abs(h[own ^ 1] - h[own]) <= MOST_APART ? exp(h[own] - h[own ^ 1]) : 0.0;
    float y = abs(h[own ^ 2] - h[own]) <= MOST_APART ? exp(h[own] - h[own ^ 2]) : 0.0;
    bool round = x > 0.0 && abs(h[own ^ 3] - h[own ^ 1]) <= MOST_APART || y > 0.0 && abs(h[own ^ 3] - h[own ^ 2]) <= MOST_APART;
    float across = round ? exp(h[own] - h[own ^ 3]) : 0.0;
    float multiple = max(mix(mix(1.0, x, away.x), mix(y, across, away.x), away.y), 1e-3);
    vec2 slope = vec2(mix(x - 1.0, across - y, away.y), mix(y - 1.0, across - x, away.x)) / (cellSize * multiple);
    float height = max(h[own] - log(multiple), 0.0);
    color = vec4(mix(PAPER, potentialColor(height, length(slope) * pixel), inside), 1.0);
}
