#version 450 core
// Sorting agents into cells, 5: puts each agent's body in its place among all.
//
// Reads: traits, agents before the step, guidance, params, parts. Reads and writes: places;
// afterwards each agent's is its body. Writes: bodies.

#include <Traits>
#include <Agent>
#include <Guidance>
#include <AvoidanceParams>
#include <Body>
#include "include/numbers.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer Parts { uint parts[]; };
layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) readonly buffer Before { Agent before[]; };
layout(std430) readonly buffer GuidanceOf { Guidance guidance[]; };
layout(std430) readonly buffer Params { AvoidanceParams params[]; };
layout(std430) writeonly buffer Bodies { Body bodies[]; };
layout(std430) buffer Places { uvec2 places[]; };

uniform uint count; // agents

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= count) {
        return;
    }
    uvec2 place = places[id];
    uint index = parts[place.x] + place.y;
    places[id].x = index;
    Traits t = traits[id];
    Agent a = before[id];
    bool evades = guidance[id].status == STATUS_WALKING && params[t.profile].method != 0u;
    bodies[index] = Body(a.position, t.radius, id, a.velocity, t.maxSpeed, evades ? t.profile : NONE);
}
