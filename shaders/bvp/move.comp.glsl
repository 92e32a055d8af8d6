#version 450 core
// After kinds have changed: takes what a walker keeps to its new place. A map of another size is
// not kept.
//
// Reads: walkers and potentials as they were, where each walker was, settings. Writes: walkers,
// potentials.

#include "bvp/map.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) buffer Walkers { Walker walkers[]; };
layout(std430) readonly buffer SettingsOf { Settings settings[]; };
layout(std430) writeonly buffer Potentials { uint potentials[]; };
layout(std430) readonly buffer Before { Walker before[]; };
layout(std430) readonly buffer Kept { uint kept[]; };
layout(std430) readonly buffer Moves { uint moves[]; };

// Those whose potentials are now in one buffer, and those that had them in one.
uniform uint firstWalker;
uniform uint walkerCount;
uniform uint firstBefore;
uniform uint beforeCount;

void main() {
    uint self = firstWalker + gl_GlobalInvocationID.x;
    if (gl_GlobalInvocationID.x >= walkerCount || moves[self] - firstBefore >= beforeCount) {
        return;
    }
    Walker old = before[moves[self]];
    Walker w = walkers[self];
    w.heading = old.heading;
    w.stamped = old.stamped;
    w.stood = old.stood;
    if (old.cells == settings[w.settings].cells) {
        w.cells = old.cells;
        for (uint k = 0u; k < w.cells * w.cells; k++) {
            potentials[w.first + k] = kept[old.first + k];
        }
    }
    walkers[self] = w;
}
