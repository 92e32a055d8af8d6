#version 450 core
// Sorting agents into cells, 1: counts those of each cell.
//
// Reads: agents before the step, guidance. Writes: cells (the count in .x, zero before).
// Checked by checkCells of agents/cells_test.go, with the four passes after it.

#include <Agent>
#include <Guidance>
#include "include/cells.glsl"
#include "include/status.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) buffer Cells { uvec2 cells[]; };
layout(std430) readonly buffer Before { Agent before[]; };
layout(std430) readonly buffer GuidanceOf { Guidance guidance[]; };

uniform uint count; // agents

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id < count && isThere(guidance[id].status)) {
        ivec2 at = cellOf(before[id].position);
        atomicAdd(cells[at.y * cellCount.x + at.x].x, 1u);
    }
}
