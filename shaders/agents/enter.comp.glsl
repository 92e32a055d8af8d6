#version 450 core
// Delays agents whose place to enter is occupied: a spawn lets its agents in one after another,
// however crowded it is. An agent that is delayed has a 1 in `lost` while it waits. Agents that
// avoid no others are not delayed.
//
// Two passes. In the first all that are due look for agents that are there, as they were at the end
// of the step before. In the second (`among`) they look for those that are late and were not
// delayed by the first, and of such as overlap the one with the lowest id enters. Agents that are
// due at the same time never overlap (see Spawn).
//
// Reads: traits, params, bodies, cells. Reads and writes: agents before the step, the list of late
// agents.
// Reference: agents.Reference.Enter.

#include "include/branch.glsl"
#include <Traits>
#include <Agent>
#include <AvoidanceParams>
#include "agents/cells.glsl"
#include "agents/near.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) buffer Agents { Agent agents[]; };
layout(std430) readonly buffer Params { AvoidanceParams params[]; };
layout(std430) buffer LateOnes { uint late[]; }; // how many, then their ids

uniform uint count; // agents
uniform uint first; // of this dispatch
uniform uint clock; // this step
uniform bool asks;  // there are bodies
uniform bool among;

float ownRadius = 0.0;
bool blocked = false;

bool overlap(vec2 a, vec2 b, float radii) {
    precise vec2 d = a - b;
    precise float squared = d.x * d.x + d.y * d.y;
    precise float touching = radii * radii;
    return squared < touching;
}

uint meet(uvec4 others, bvec4 there, uvec4 ids, vec4 squared, vec4 radii, uint row) {
    precise vec4 sums = ownRadius + radii;
    precise vec4 touching = sums * sums;
    blocked = blocked || (uvec4(there) & uvec4(lessThan(squared, touching))) != uvec4(0u);
    return 0u;
}

void main() {
    uint id = first + gl_GlobalInvocationID.x;
    Agent a = agents[min(id, count - 1u)];
    Traits t = traits[min(id, count - 1u)];
    bool due = id < count && a.status == STATUS_WAITING && clock >= t.entry;
    bool careful = asks && params[t.profile].method != 0u;
    ownRadius = t.radius;
    if (!among) {
        bool all = visit(a.position, t.radius, due && careful);
        BRANCH (due) {
            agents[id].lost = blocked || !all ? 1u : 0u;
            if (!blocked && all && careful && clock > t.entry) {
                late[1u + atomicAdd(late[0], 1u)] = id;
            }
        }
        return;
    }
    uint waiting = late[0];
    uint i = due && careful && a.lost == 0u ? 0u : waiting;
    while (i < waiting && !blocked) {
        uint other = late[1u + i];
        blocked = other < id && overlap(a.position, agents[other].position, t.radius + traits[other].radius);
        i++;
    }
    if (i < waiting || blocked) {
        agents[id].lost = 1u; // also where a device has ended the loop
    }
}
