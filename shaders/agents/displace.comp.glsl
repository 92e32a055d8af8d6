#version 450 core
// Puts agents that obstacles have come to lie on back on free ground: each onto the nearest, but
// those that a wall has met while it moved to where it did so, though it may have passed over them.
// An agent on walls, in a sector that is covered now, gets a free one. Agents that have not entered
// yet are looked at when they do; those that the host moves stay.
//
// Reads: traits, walls, their motions. Writes: agents before the step; marks; a counter.
// Reference: agents.Reference.Displace.

#include "include/branch.glsl"
#include <Traits>
#include <Agent>
#include "include/walls.glsl"
#include "agents/place.glsl"
#include "agents/nearest.glsl"
#include "agents/control.glsl"
#include "agents/wallmotions.glsl"
#include "agents/swept.glsl"

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
        bool pushed = false;
        BRANCH (there && swept > 0) {
            pushed = meetsWall(at, place);
            covered = covered || pushed;
        }
        BRANCH (covered && !(pushed && isFree(wallGrid, place))) {
            ivec2 from = pushed ? place : at;
            covered = nearestFree(wallGrid, from, place);
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
