#version 450 core
// Counts how many agents are in which status after a step.
//
// Reads: agents after the step. Reads and writes: counters.

#include <Agent>

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer After { Agent after[]; };
layout(std430) buffer CountersOf { uint counters[]; };

uniform uint count;  // agents
uniform bool buried; // no ground is free

shared uint sums[COUNTER_STEP];

void add(uint counter, bool one) {
    if (one) {
        atomicAdd(sums[counter], 1u);
    }
}

void main() {
    uint local = gl_LocalInvocationIndex;
    if (local < COUNTER_STEP) {
        sums[local] = 0u;
    }
    barrier();
    uint id = gl_GlobalInvocationID.x;
    if (id < count) {
        Agent a = after[id];
        bool walks = a.status == STATUS_WALKING;
        add(a.status, true);
        add(COUNTER_REACHED, a.arrivals > 0u);
        add(COUNTER_LOST, walks && a.lost > 0u);
        add(COUNTER_BURIED, buried && (walks || a.status == STATUS_ARRIVED));
    }
    barrier();
    if (local < COUNTER_STEP && sums[local] != 0u) {
        atomicAdd(counters[local], sums[local]);
    }
}
