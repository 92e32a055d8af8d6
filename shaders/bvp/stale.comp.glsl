#version 450 core
// Marks cells in all teams' maps that know them as stale: what has come there has not been seen.
//
// Reads: cells. Writes: teams' maps.

layout(local_size_x = GROUP_SIZE) in;

layout(std430) buffer Seen { uint seen[]; };
layout(std430) readonly buffer Cells { uint cells[]; };

uniform uint mapSize; // cells of a team's map
uniform uint teamCount;
uniform uint cellCount;
uniform uint first; // element of this dispatch

const uint FIXED = 0x80000000u;

void main() {
    uint k = first + gl_GlobalInvocationID.x;
    if (k >= teamCount * cellCount) {
        return;
    }
    uint at = k / cellCount * mapSize + cells[k % cellCount];
    if ((seen[at] & FIXED) == 0u) {
        seen[at] |= STALE;
    }
}
