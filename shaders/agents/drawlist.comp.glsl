#version 450 core
// Lists the slots of agents that have a body in a rectangle, in order, and writes how many there
// are into a draw command of the host. One work group goes over all agents.
//
// Reads: traits, agents. Writes: slots, command.

#include <Traits>
#include <Agent>
#include "include/status.glsl"
#include "include/scan.glsl"

layout(local_size_x = SCAN_SIZE) in;

layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) readonly buffer Agents { Agent agents[]; };
layout(std430) writeonly buffer Slots { uint slots[]; };
layout(std430) writeonly buffer CommandOf { uint command[]; };

uniform uint count;     // agents
uniform vec4 rectangle; // low and high corner, m, local

bool isListed(uint id) {
    vec2 place = agents[id].position;
    float radius = traits[id].radius;
    return isThere(agents[id].status) && all(greaterThanEqual(place + radius, rectangle.xy)) &&
        all(lessThanEqual(place - radius, rectangle.zw));
}

void main() {
    uint me = gl_LocalInvocationIndex;
    uint share = (count + SCAN_SIZE - 1u) / SCAN_SIZE;
    uint first = min(me * share, count);
    uint last = min(first + share, count);
    uint mine = 0u;
    for (uint id = first; id < last; id++) {
        mine += isListed(id) ? 1u : 0u;
    }
    scan(mine);
    uint at = sums[me] - mine;
    for (uint id = first; id < last; id++) {
        if (isListed(id)) {
            slots[at] = id;
            at++;
        }
    }
    if (me == SCAN_SIZE - 1u) {
        command[1] = sums[me];
    }
}
