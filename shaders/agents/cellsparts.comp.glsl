#version 450 core
// Sorting agents into cells, 3: counts the agents of each part, and gives each its number among
// them. Agents that are not there count in the last part, which is of no cell.
//
// Reads: agents before the step, guidance, cells. Writes: parts (counts, zero before), places.

#include <Agent>
#include <Guidance>
#include "include/cells.glsl"
#include "include/status.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer Cells { uvec2 cells[]; };
layout(std430) buffer Parts { uint parts[]; };
layout(std430) readonly buffer Before { Agent before[]; };
layout(std430) readonly buffer GuidanceOf { Guidance guidance[]; };
layout(std430) writeonly buffer Places { uvec2 places[]; };

uniform uint count; // agents
uniform uint nowhere; // the last part, of no cell; its number is that of the others

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= count) {
        return;
    }
    vec2 place = before[id].position;
    bool there = isThere(guidance[id].status);
    ivec2 at = cellOf(place);
    uvec2 entry = cells[at.y * cellCount.x + at.x];
    Cell cell = Cell(at, entry.x, entry.y);
    uint part = there ? cell.first + partOf(cell, place.y, 1) * cell.side + partOf(cell, place.x, 0) : nowhere;
    places[id] = uvec2(part, atomicAdd(parts[part], 1u));
}
