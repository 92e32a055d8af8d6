#version 450 core
// Relaxes the cells of one color of all teams' maps that are known: to the mean of those beside
// them, 0 beyond walls, and a little less, or all would be 1 where no walls are known yet.
//
// Reads: ways of cells. Reads and writes: teams' maps.
// Reference: reference.Explore, bit for bit. Paper: Dapper et al. 2007, section 6.4, with
// over-relaxation.

#include "bvp/elementary.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) buffer Seen { uint seen[]; };
layout(std430) readonly buffer Ways { uint ways[]; };

uniform ivec2 gridSize;
uniform uint count; // cells of all teams
uniform uint first; // of this dispatch
uniform uint color;

const uint FIXED = 0x80000000u;

float at(uint k) {
    return uintBitsToFloat(seen[k] & ~(FIXED | STALE));
}

void main() {
    uint k = first + gl_GlobalInvocationID.x;
    uint cells = uint(gridSize.x * gridSize.y);
    if (k >= count) {
        return;
    }
    uint cell = k % cells;
    uint columns = uint(gridSize.x);
    if (((cell % columns + cell / columns) & 1u) != color || (seen[k] & FIXED) != 0u) {
        return;
    }
    uint open = ways[cell];
    precise float across = ((open & 1u) != 0u ? at(k + 1u) : 0.0) + ((open & 2u) != 0u ? at(k - 1u) : 0.0);
    precise float along = ((open & 4u) != 0u ? at(k + columns) : 0.0) + ((open & 8u) != 0u ? at(k - columns) : 0.0);
    precise float mean = SHARE * (across + along);
    float q = at(k);
    precise float moved = q + EAGERNESS * (mean - q);
    moved = clamp(moved, 0.0, 1.0);
    seen[k] = floatBitsToUint(moved < TINY ? 0.0 : moved) | (seen[k] & STALE);
}
