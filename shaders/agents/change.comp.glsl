#version 450 core
// Changes agents as the host wants it: an invocation a change, at most one for each slot. All
// changes but new agents pass over agents that have left; these have new traits all the same.
//
// Reads: changes. Writes: traits. Reads and writes: agents before the step,
// marks.
// Reference: agents.Reference.Change.

#include <Traits>
#include <Agent>
#include "include/numbers.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer Changes { uvec2 changes[]; }; // slot, fields
layout(std430) readonly buffer NewTraits { Traits newTraits[]; };
layout(std430) readonly buffer NewAgents { Agent newAgents[]; };
layout(std430) writeonly buffer TraitsOf { Traits traits[]; };
layout(std430) buffer Agents { Agent agents[]; };
layout(std430) buffer Marks { uint marks[]; };

uniform uint count; // changes

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= count) {
        return;
    }
    uint id = changes[i].x;
    uint fields = changes[i].y;
    Agent to = newAgents[i];
    if ((fields & (CHANGE_NEW | CHANGE_TRAITS)) != 0u) {
        traits[id] = newTraits[i];
    }
    if (fields == CHANGE_NEW) {
        agents[id] = to;
        marks[id] = 0u;
        return;
    }
    Agent a = agents[id];
    if (a.status == STATUS_LEFT) {
        marks[id] |= EVENT_MISSED;
        return;
    }
    if ((fields & CHANGE_PLACE) != 0u) {
        a.position = to.position;
        a.velocity = to.velocity;
        a.pushed = vec2(0.0);
        a.fromX = to.fromX;
        a.fromY = to.fromY;
        a.perturbation = to.perturbation;
        a.target = NONE;
        a.sees = 0u;
    }
    if ((fields & CHANGE_GOAL) != 0u) {
        a.layer = to.layer;
        a.stage = to.stage;
        a.target = NONE;
        a.sees = 0u;
        a.lost = 0u;
        a.status = a.status == STATUS_ARRIVED ? STATUS_WALKING : a.status;
    }
    if ((fields & CHANGE_STATUS) != 0u) {
        a.status = to.status;
    }
    agents[id] = a;
}
