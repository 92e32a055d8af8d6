#version 450 core
// A cycle's way over the coarse levels, which have few nodes: up to the last and back, in a single
// work group. As passes of their own each would take as long as the device needs to begin one, and
// there are hundreds.
//
// Reads: first nodes of levels, nodes, edges. Reads and writes: states of nodes, flows,
// resistances.
// Reference: harmonic.relaxer.cycle, bit for bit.

#define SHARED coherent
#include "bvp/hierarchy.glsl"
#include "bvp/cycle.glsl"

layout(std430) readonly buffer Levels { uint levels[]; };

uniform int top; // the first of the levels; not that of cells
uniform int last;

void sync() {
    memoryBarrierBuffer();
    barrier();
}

void relax(int level, uint color) {
    uint low = levels[level] + gl_LocalInvocationIndex;
    uint high = levels[level + 1];
    int halves = 2 * (SWEEPS + MORE_SWEEPS * level);
    for (int turn = 0; turn < halves; turn++) {
        for (uint n = low; n < high; n += uint(GROUP_SIZE)) {
            if (nodes[n].color == (color ^ uint(turn & 1))) {
                smoothNode(n);
            }
        }
        sync();
    }
}

void main() {
    if (hasConverged()) { // all of the group alike
        return;
    }
    for (int level = top; level < last; level++) {
        relax(level, 0u);
        uint low = levels[level] + gl_LocalInvocationIndex;
        uint high = levels[level + 1];
        for (uint n = low; n < high; n += uint(GROUP_SIZE)) {
            resistNode(n);
        }
        sync();
        low = high + gl_LocalInvocationIndex;
        high = levels[level + 2];
        for (uint n = low; n < high; n += uint(GROUP_SIZE)) {
            coarsenNode(n);
        }
        sync();
    }
    relax(last, 0u);
    for (int level = last - 1; level >= top; level--) {
        uint low = levels[level] + gl_LocalInvocationIndex;
        uint high = levels[level + 1];
        for (uint n = low; n < high; n += uint(GROUP_SIZE)) {
            correctNode(n);
        }
        sync();
        relax(level, 1u);
    }
}
