#version 450 core
// Lists what has happened to agents in a step, by their states before and after it, and by the marks
// that passes before the step have left: one entry an agent, in any order. An agent is marked as
// stuck from the event on until it is free again.
//
// Reads: traits, agents before and after the step. Reads and writes: marks, rests, the list.
// Reference: agents.Reference.Events.

#include <Traits>
#include <Agent>
#include <Rest>
#include "include/status.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) readonly buffer Before { Agent before[]; };
layout(std430) readonly buffer After { Agent after[]; };
layout(std430) buffer Marks { uint marks[]; };
layout(std430) buffer Rests { Rest rests[]; };
layout(std430) buffer List { uint list[]; }; // how many, then slots, kinds and areas

uniform uint count;    // agents
uniform uint clock;    // this step
uniform uint patience; // steps that an agent that is stuck has stayed within its radius
uniform bool fresh;    // this is the first step that is reported

#include "agents/rest.glsl"

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= count) {
        return;
    }
    Agent was = before[id];
    Agent is = after[id];
    uint mark = marks[id];
    bool stuck = false;
    if (isThere(is.status)) {
        Rest rest = restOf(rests[id], is, traits[id].radius, fresh);
        rests[id] = rest;
        stuck = isStuck(is, rest);
    }
    bool wasStuck = (mark & MARK_STUCK) != 0u;
    uint kinds = mark & ~MARK_STUCK;
    kinds |= was.status == STATUS_WAITING && is.status != STATUS_WAITING ? EVENT_ENTERED : 0u;
    kinds |= is.arrivals > was.arrivals ? EVENT_ARRIVED : 0u;
    kinds |= was.status != STATUS_LEFT && is.status == STATUS_LEFT ? EVENT_LEFT : 0u;
    kinds |= stuck && !wasStuck ? EVENT_STUCK : 0u;
    kinds |= wasStuck && !stuck ? EVENT_FREED : 0u;
    kinds |= is.status == STATUS_WALKING && is.lost == 1u ? EVENT_NO_ROUTE : 0u;
    kinds |= is.status == STATUS_WAITING && is.lost == 1u && clock == traits[id].entry ? EVENT_BLOCKED : 0u;
    marks[id] = stuck ? MARK_STUCK : 0u;
    if (kinds != 0u) {
        uint n = atomicAdd(list[0], 1u);
        list[1u + 3u * n] = id;
        list[2u + 3u * n] = kinds;
        list[3u + 3u * n] = NO_AREA;
    }
}
