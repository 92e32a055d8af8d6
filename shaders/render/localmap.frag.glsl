#version 450 core
// A local map: its zones, obstacles and goals by cells, and the potential with isolines between them. Or its marks, which are above paths:
// the way that the potential rises at its walker, and the edges of the view cone that it was stamped with.
//
// reads: potentials, words as local.PotentialOf reads them.
// Figures 2 and 5 of Fischer et al. 2009.

#include "include/numbers.glsl"
#include "render/palette.glsl"
#include "render/cover.glsl"
#include "render/potential.glsl"

layout(std430) readonly buffer Potentials { uint potentials[]; };

noperspective in vec2 at;
flat in int cells;
flat in uint first;
flat in vec4 edges;

out vec4 color;

uniform float pixelsPerCell;
uniform bool marks;

const uint FIXED = 0x80000000u;
const uint GOAL = 0xbf800000u; // a fixed cell of 1
const float GRID_LEAST = 5.0;   // nominal pixels of a cell from which on lines are between cells
const float ARROW_REACH = 0.3;  // of the map's side, within these bounds:
const float ARROW_LEAST = 40.0; // nominal pixels
const float ARROW_MOST = 110.0;
const float ARROW_WIDTH = 2.2;
const float ARROW_HEAD = 8.0;
const float EDGE_WIDTH = 1.3;   // of the view cone's edges
const float EDGE_DASH = 5.0;    // and as much between two
const float CASING = 2.4;       // of both, on both sides together

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

// The direction in which the potential rises at the walker, by the differences that bvp/steer.comp.glsl takes; zero where it does not.
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

// How much of the pixel a mark covers, and its casing.
vec2 mark(float off, float width) {
    return vec2(cover(off, width * pixelRatio), cover(off, (width + CASING) * pixelRatio));
}

// The arrow, p pixels from the walker. It stays within the map.
vec2 arrow(vec2 p) {
    float side = float(cells) * pixelsPerCell;
    float reach = min(clamp(ARROW_REACH * side, ARROW_LEAST * pixelRatio, ARROW_MOST * pixelRatio), 0.46 * side);
    if (length(p) > reach + ARROW_HEAD * pixelRatio) {
        return vec2(0.0);
    }
    vec2 u = rise();
    if (u == vec2(0.0)) {
        return vec2(0.0);
    }
    vec2 tip = u * reach, across = vec2(-u.y, u.x) * 0.6;
    float head = min(ARROW_HEAD * pixelRatio, 0.5 * reach);
    float off = min(away(p, vec2(0.0), tip), min(away(p, tip, tip - (u + across) * head), away(p, tip, tip - (u - across) * head)));
    return mark(off, ARROW_WIDTH);
}

// How far an edge of the view cone is, in dashes with round ends, p pixels from the walker.
float edgeFrom(vec2 p, vec2 u) {
    float along = dot(p, u), dash = EDGE_DASH * pixelRatio;
    float gap = max(abs(mod(along, 2.0 * dash) - 0.5 * dash) - 0.5 * dash, 0.0);
    return along > 0.0 ? length(vec2(dot(p, vec2(-u.y, u.x)), gap)) : INFINITY;
}

vec4 marksAt(float inner) {
    vec2 p = (at - 0.5 * float(cells)) * pixelsPerCell;
    vec2 m = arrow(p);
    if (inner >= 2.0 && edges != vec4(0.0)) {
        m = max(m, 0.8 * mark(min(edgeFrom(p, edges.xy), edgeFrom(p, edges.zw)), EDGE_WIDTH));
    }
    if (m.y == 0.0) {
        discard;
    }
    return vec4(mix(MARK_RIM, INK, m.x / m.y), m.y);
}

// A cell that is taken in part, by an obstacle as far as it is below the mean of those beside it, by a goal as far as it is above.
vec4 partial(vec4 c, ivec2 cell) {
    float q = potentialAt(cell), mean = 0.25 * (potentialAt(cell + ivec2(1, 0)) + potentialAt(cell - ivec2(1, 0)) + potentialAt(cell + ivec2(0, 1)) + potentialAt(cell - ivec2(0, 1)));
    if (q > mean) {
        return mix(c, vec4(MAP_GOAL, 1.0), clamp((q - mean) / (1.0 - mean), 0.0, 1.0));
    }
    return mix(c, vec4(MAP_OBSTACLE, 0.95), mean > 0.0 ? clamp(1.0 - q / mean, 0.0, 1.0) : 1.0);
}

vec4 mapAt(float inner) {
    ivec2 cell = min(ivec2(at), ivec2(cells - 1));
    ivec2 inwards = min(cell, cells - 1 - cell);
    int zone = min(inwards.x, inwards.y); // 0: border, 1: free, from 2 on the update zone
    uint word = wordAt(cell);
    vec4 c;
    if (zone == 0) {
        c = mix(vec4(MAP_BORDER, 0.8), vec4(MAP_GOAL, 1.0), potentialAt(cell));
    } else if (word == FIXED) {
        c = vec4(MAP_OBSTACLE, 0.95);
    } else if (word == GOAL) {
        c = vec4(MAP_GOAL, 1.0);
    } else {
        ivec2 low = ivec2(floor(at - 0.5));
        vec2 share = at - 0.5 - vec2(low);
        float q00 = potentialAt(low), q10 = potentialAt(low + ivec2(1, 0)), q01 = potentialAt(low + ivec2(0, 1)), q11 = potentialAt(low + 1);
        float q = mix(mix(q00, q10, share.x), mix(q01, q11, share.x), share.y);
        vec2 slope = vec2(mix(q10 - q00, q11 - q01, share.y), mix(q01 - q00, q11 - q10, share.x));
        c = vec4(q > 0.0 ? potentialColor(-log(min(q, 1.0)), length(slope) / (q * pixelsPerCell)) : ramp(1.0), 0.92);
        c.rgb = zone == 1 ? mix(c.rgb, MARK_RIM, MAP_FREE) : c.rgb;
        c = (word & FIXED) != 0u ? partial(c, cell) : c;
    }
    // Lines between cells, round the update zone, and round the map.
    vec2 between = min(fract(at), 1.0 - fract(at)) * pixelsPerCell;
    if (pixelsPerCell >= GRID_LEAST * pixelRatio) {
        c.rgb = mix(c.rgb, INK, 0.13 * cover(min(between.x, between.y), pixelRatio));
    }
    c = mix(c, vec4(MARK_RIM, 1.0), 0.9 * cover(abs(inner - 2.0) * pixelsPerCell, pixelRatio));
    return mix(c, vec4(INK, 1.0), cover(inner * pixelsPerCell, 2.0 * pixelRatio));
}

void main() {
    vec2 rim = min(at, float(cells) - at); // cells from the nearest sides
    float inner = min(rim.x, rim.y);
    color = marks ? marksAt(inner) : mapAt(inner);
}
