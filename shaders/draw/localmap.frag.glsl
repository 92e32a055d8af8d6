#version 450 core
// A local map: its zones, obstacles and goals by cells, the potential with isolines between them, and the way that it rises at its
// walker.
//
// reads: potentials, as bvp.Words says.
// Figures 2 and 5 of Fischer et al. 2009.

#include "include/numbers.glsl"
#include "draw/palette.glsl"
#include "draw/cover.glsl"
#include "draw/potential.glsl"

layout(std430, binding = BIND_POTENTIALS) readonly buffer Potentials { uint potentials[]; };

noperspective in vec2 at;
flat in int cells;
flat in uint first;

out vec4 colour;

uniform float pixelsPerCell;

const uint FIXED = 0x80000000u;
const float GRID_LEAST = 5.0;   // nominal pixels of a cell from which on lines are between cells
const float ARROW_REACH = 0.3;  // of the map's side
const float ARROW_WIDTH = 2.2;  // nominal pixels
const float ARROW_HEAD = 8.0;
const float CASING = 2.4;       // of the arrow, on both sides together

uint wordAt(ivec2 cell) {
    cell = clamp(cell, ivec2(0), ivec2(cells - 1));
    return potentials[first + uint(cell.y * cells + cell.x)];
}

float potentialAt(ivec2 cell) {
    return uintBitsToFloat(wordAt(cell) & ~FIXED);
}

float away(vec2 p, vec2 a, vec2 b) {
    vec2 way = b - a;
    return distance(p, a + way * clamp(dot(p - a, way) / dot(way, way), 0.0, 1.0));
}

// The way that the potential rises at the walker, as bvp.Gradient has it; nothing where it is flat.
vec2 rise() {
    int a = (cells - 1) / 2, b = cells / 2;
    vec2 sum = vec2(0.0);
    for (int j = a; j <= b; j++) {
        for (int i = a; i <= b; i++) {
            sum.x += potentialAt(ivec2(i + 1, j)) - potentialAt(ivec2(i - 1, j));
            sum.y += potentialAt(ivec2(i, j + 1)) - potentialAt(ivec2(i, j - 1));
        }
    }
    float longer = max(abs(sum.x), abs(sum.y));
    return longer > 0.0 ? normalize(sum / longer) : vec2(0.0);
}

// How much of the pixel the arrow covers, with its casing.
vec2 arrow() {
    vec2 p = (at - 0.5 * float(cells)) * pixelsPerCell;
    float reach = ARROW_REACH * float(cells) * pixelsPerCell;
    if (length(p) > reach + ARROW_HEAD * pixelRatio) {
        return vec2(0.0);
    }
    vec2 u = rise();
    if (u == vec2(0.0)) {
        return vec2(0.0);
    }
    vec2 tip = u * reach, side = vec2(-u.y, u.x) * 0.6;
    float head = min(ARROW_HEAD * pixelRatio, 0.5 * reach);
    float off = min(away(p, vec2(0.0), tip), min(away(p, tip, tip - (u + side) * head), away(p, tip, tip - (u - side) * head)));
    return vec2(cover(off, ARROW_WIDTH * pixelRatio), cover(off, (ARROW_WIDTH + CASING) * pixelRatio));
}

void main() {
    ivec2 cell = min(ivec2(at), ivec2(cells - 1));
    ivec2 inwards = min(cell, cells - 1 - cell);
    int zone = min(inwards.x, inwards.y); // 0: border, 1: free, from 2 on the update zone
    uint word = wordAt(cell);
    vec4 c;
    if (word == FIXED) {
        c = zone == 0 ? vec4(MAP_BORDER, 0.8) : vec4(MAP_OBSTACLE, 0.95);
    } else if ((word & FIXED) != 0u) {
        c = vec4(MAP_GOAL, 1.0);
    } else {
        ivec2 low = ivec2(floor(at - 0.5));
        vec2 share = at - 0.5 - vec2(low);
        float q00 = potentialAt(low), q10 = potentialAt(low + ivec2(1, 0)), q01 = potentialAt(low + ivec2(0, 1)), q11 = potentialAt(low + 1);
        float q = mix(mix(q00, q10, share.x), mix(q01, q11, share.x), share.y);
        vec2 slope = vec2(mix(q10 - q00, q11 - q01, share.y), mix(q01 - q00, q11 - q10, share.x));
        c = vec4(q > 0.0 ? potentialColour(-log(min(q, 1.0)), length(slope) / (q * pixelsPerCell)) : UNREACHED, 0.92);
        c.rgb = zone == 1 ? mix(c.rgb, MARK_RIM, MAP_FREE) : c.rgb;
    }
    // Lines between cells, round the update zone, and round the map.
    vec2 edges = min(fract(at), 1.0 - fract(at)) * pixelsPerCell;
    if (pixelsPerCell >= GRID_LEAST * pixelRatio) {
        c.rgb = mix(c.rgb, INK, 0.13 * cover(min(edges.x, edges.y), pixelRatio));
    }
    vec2 rim = min(at, float(cells) - at); // cells from the nearest sides
    float inner = min(rim.x, rim.y);
    c = mix(c, vec4(MARK_RIM, 1.0), 0.9 * cover(abs(inner - 2.0) * pixelsPerCell, pixelRatio));
    c = mix(c, vec4(INK, 1.0), cover(inner * pixelsPerCell, 2.0 * pixelRatio));
    vec2 shaft = arrow();
    c = mix(c, vec4(MARK_RIM, 1.0), shaft.y);
    colour = mix(c, vec4(INK, 1.0), shaft.x);
}
