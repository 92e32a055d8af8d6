#version 450 core
// Puts agents that obstacles have come to lie on back on free ground: each onto the nearest. An
// agent on walls, in a sector that is covered now, gets a free one. Agents that have not entered
// yet are looked at when they do; those that the host moves stay.
//
// Reads: traits, walls. Writes: agents before the step; marks; a counter.
// Reference: agents.Reference.Displace.

#include "include/branch.glsl"
#include <Traits>
#include <Agent>
#include "include/walls.glsl"
#include "agents/place.glsl"
#include "agents/nearest.glsl"
#include "agents/control.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) buffer Agents { Agent agents[]; };
layout(std430) buffer Marks { uint marks[]; };
layout(std430) buffer CountersOf { uint counters[]; };

uniform uint count; // agents
uniform uint first; // of this dispatch
uniform uint clock; // the step to come
uniform bool moved; // walls have changed since the last step

bool accepts(ivec2 p) {
    return true;
}

void main() {
    uint id = first + gl_GlobalInvocationID.x;
    if (id >= count) {
        return;
    }
    Agent a = agents[id];
    bool there = engineMoves(a.status, traits[id].control);
    bool enters = a.status == STATUS_WAITING && clock >= traits[id].entry;
    BRANCH (enters || (there && moved)) {
        ivec2 at = onLattice(a.position);
        ivec2 place = at;
        bool covered = !isFree(wallGrid, at);
        BRANCH (covered) {
            covered = nearestFree(wallGrid, at, place);
        }
        if (covered || !leansFree(wallGrid, at, ivec2(a.fromX, a.fromY), a.perturbation)) {
            ivec2 from = leaningPoint(wallGrid, place);
            agents[id].position = covered ? onGround(place) : a.position;
            agents[id].fromX = from.x;
            agents[id].fromY = from.y;
            agents[id].perturbation = 1;
            agents[id].sees = 0u;
            marks[id] |= EVENT_DISPLACED;
            atomicAdd(counters[COUNTER_DISPLACED], 1u);
        }
    }
}
