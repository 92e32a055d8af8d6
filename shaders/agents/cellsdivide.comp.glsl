#version 450 core
// Sorting agents into cells, 2: divides each cell into side x side parts, of PART_AGENTS or more
// agents on average, and numbers the parts of all cells on. One work group goes over all cells.
//
// Reads and writes: cells.

#include "include/cells.glsl"
#include "include/scan.glsl"

layout(local_size_x = SCAN_SIZE) in;

layout(std430) buffer Cells { uvec2 cells[]; };

uint sideOf(uint agents) {
    return max(1u, uint(sqrt(float(agents / PART_AGENTS))));
}

void main() {
    uint me = gl_LocalInvocationIndex;
    uint all = uint(cellCount.x * cellCount.y);
    uint share = (all + SCAN_SIZE - 1u) / SCAN_SIZE;
    uint first = min(me * share, all);
    uint last = min(first + share, all);
    uint sum = 0u;
    for (uint i = first; i < last; i++) {
        uint side = sideOf(cells[i].x);
        sum += side * side;
    }
    scan(sum);
    uint part = sums[me] - sum;
    for (uint i = first; i < last; i++) {
        uint side = sideOf(cells[i].x);
        cells[i] = uvec2(part, side);
        part += side * side;
    }
}
