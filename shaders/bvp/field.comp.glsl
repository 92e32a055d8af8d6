#version 450 core
// What is read of a global map: for each cell the negative logarithm of its potential, which way it
// rises, and the ways from it.
//
// Reads: states of nodes, places of cells. Writes: heights, ascents.
// Reference: harmonic.relaxer.height, harmonic.relaxer.ascent (bit for bit).

#include <Ascent>
#include "bvp/hierarchy.glsl"
#include "include/numbers.glsl"

layout(std430) readonly buffer Places { uint places[]; };
layout(std430) writeonly buffer Heights { float heights[]; };
layout(std430) writeonly buffer Ascents { Ascent ascents[]; };

uniform uint columns;

const float LN2 = 0.693147180559945;

// The potential of a cell over that of another one, if there is a way between.
float ratio(uint cell, uint ways, int direction, NodeState k) {
    if ((ways >> direction & 1u) == 0u) {
        return 0.0;
    }
    uint to = direction == 0 ? cell + 1u : (direction == 1 ? cell - 1u : (direction == 2 ? cell + columns : cell - columns));
    uint node = places[to] >> 4;
    float x = 1.0;
    int e = 0;
    if (node > 1u) {
        x = states[node - 2u].x;
        e = states[node - 2u].e;
    }
    precise float r = x * reciprocal(k.x) * power(e - k.e);
    return r;
}

void main() {
    uint cell = gl_GlobalInvocationID.x;
    if (cell >= end) {
        return;
    }
    uint ways = places[cell] & 15u;
    uint node = places[cell] >> 4;
    vec2 ascent = vec2(0.0);
    float height = node == 1u ? 0.0 : INFINITY;
    if (node > 1u) {
        NodeState k = states[node - 2u];
        height = -(log(k.x) + float(k.e) * LN2);
        precise vec2 g = vec2(ratio(cell, ways, 0, k) - ratio(cell, ways, 1, k), ratio(cell, ways, 2, k) - ratio(cell, ways, 3, k));
        float longer = max(abs(g.x), abs(g.y));
        precise vec2 u = g * reciprocal(longer);
        precise float squared = u.x * u.x + u.y * u.y;
        precise vec2 unit = u * reciprocal(root(squared));
        ascent = longer < TINY ? vec2(0.0) : unit;
    }
    heights[cell] = height;
    ascents[cell] = Ascent(ascent.x, ascent.y, ways | (node == 1u ? GOAL_CELL : 0u));
}
