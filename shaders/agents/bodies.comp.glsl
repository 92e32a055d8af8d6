#version 450 core
// Gathers what agents see of each other, in the order of the agents.
//
// Reads: traits, agents before the step, guidance, manners. Writes: bodies.

#include <Traits>
#include <Agent>
#include <Guidance>
#include <Manner>
#include <Body>
#include "include/numbers.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430, binding = TRAITS_BINDING) readonly buffer TraitsOf { Traits traits[]; };
layout(std430, binding = BEFORE_BINDING) readonly buffer Before { Agent before[]; };
layout(std430, binding = GUIDANCE_BINDING) readonly buffer GuidanceOf { Guidance guidance[]; };
layout(std430, binding = MANNERS_BINDING) readonly buffer Manners { Manner manners[]; };
layout(std430, binding = BODIES_BINDING) writeonly buffer Bodies { Body bodies[]; };

uniform uint count; // agents

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= count) {
        return;
    }
    Traits t = traits[id];
    Agent a = before[id];
    bool evades = guidance[id].status == STATUS_WALKING && manners[t.profile].method != 0u;
    bodies[id] = Body(a.position, a.velocity, t.radius, t.maxSpeed, id, evades ? t.profile : NONE);
}
