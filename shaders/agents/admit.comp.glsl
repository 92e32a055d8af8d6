#version 450 core
// Has the agent join that is next, as the last of the line of its goal, and closes the counts of a
// step.
//
// Reads and writes: desks, lines after the step.

#include <DeskState>
#include <InLine>

layout(local_size_x = GROUP_SIZE) in;

layout(std430) buffer Desks { DeskState desks[]; };
layout(std430) buffer Lines { InLine lines[]; };

uniform uint layers; // of the maps
uniform uint clock;  // this step

#include "agents/line.glsl"

void main() {
    uint layer = gl_GlobalInvocationID.x;
    if (layer >= layers) {
        return;
    }
    DeskState d = desks[layer];
    uint last = stillAhead(d.last, layer + 1u);
    if (d.joins != 0u) {
        uint id = ~d.joins & 0xffffffu;
        lines[id].line = layer + 1u;
        lines[id].ahead = last;
        lines[id].since = clock;
        last = id + 1u;
    }
    desks[layer] = DeskState(last, d.counts, 0u, 0u);
}
