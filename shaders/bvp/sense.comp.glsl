#version 450 core
// Has explorers see: a work group for each walker. What of the ground lies in the update zone of
// its map, in its view cone and in sight becomes known to its team. All that see a cell write the
// same, so that no order matters.
//
// Reads: walkers, settings, ways of cells, members. Writes: teams' maps.
// Reference: reference.See, bit for bit. Paper: Dapper et al. 2007, section 6.4.

#include <Member>
#include "bvp/map.glsl"
#include "include/branch.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer Walkers { Walker walkers[]; };
layout(std430) readonly buffer SettingsOf { Settings settings[]; };
layout(std430) buffer Seen { uint seen[]; };
layout(std430) readonly buffer Ways { uint ways[]; };
layout(std430) readonly buffer Members { Member members[]; };

uniform uint first; // walker of this dispatch
uniform ivec2 gridSize;
uniform float cellSize; // m
uniform float cellsPerMeter;

const uint KNOWN = 0x3f800000u; // 1, and free to be relaxed

uint waysOf(uint cell) {
    return ways[cell];
}

#include "bvp/sight.glsl"

// Whether a place off the walker lies in its view cone.
bool inView(Frame f, vec2 off) {
    precise float ahead = off.x * f.look.x + off.y * f.look.y;
    precise float ahead2 = ahead * ahead;
    precise float edge = (f.view * f.view) * (off.x * off.x + off.y * off.y);
    return f.view >= 0.0 ? ahead >= 0.0 && ahead2 >= edge : ahead >= 0.0 || ahead2 <= edge;
}

void main() {
    Walker w = walkers[first + gl_WorkGroupID.x];
    uint team = members[w.agent].team;
    if (w.body == NOT_THERE || team == NO_TEAM) {
        return;
    }
    Frame f = frameOf(w, settings[w.settings]);
    f.view = w.heading == NO_HEADING ? -2.0 : f.view;
    precise vec2 scaled = w.position * cellsPerMeter;
    ivec2 own = clamp(ivec2(scaled), ivec2(0), gridSize - 1);
    // A cell of margin for rounding.
    int reach = int(min(f.middle / f.cellsPerMeter * cellsPerMeter, 2048.0)) + 2; // grids have 1024 at most
    ivec2 low = clamp(own - reach, ivec2(0), gridSize - 1);
    ivec2 high = clamp(own + reach, ivec2(0), gridSize - 1);
    ivec2 size = high - low + 1;
    for (int k = int(gl_LocalInvocationIndex); k < size.x * size.y; k += GROUP_SIZE) {
        ivec2 cell = low + ivec2(k % size.x, k / size.x);
        precise vec2 off = (vec2(cell) + 0.5) * cellSize - w.position;
        ivec2 apart = abs(cell - own);
        bool near = max(apart.x, apart.y) <= 1;
        precise float far = max(abs(off.x), abs(off.y)) * f.cellsPerMeter;
        bool within = far <= f.middle - 2.0 && inView(f, off);
        uint at = (team * uint(gridSize.y) + uint(cell.y)) * uint(gridSize.x) + uint(cell.x);
        BRANCH ((near || within) && (seen[at] & (FIXED | STALE)) != 0u) {
            if (openLine(own, cell, gridSize.x)) {
                seen[at] = (seen[at] & FIXED) != 0u ? KNOWN : seen[at] & ~STALE;
            }
        }
    }
}
