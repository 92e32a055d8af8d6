#version 450 core
// Brings bodies up to where agents have moved, for the passes that end the step. From here on the manner of a body tells
// whether it gives way to others: that of its profile, also of who stands, or NoManner of who avoids nobody.
//
// Reads: traits, agents before and after the step, manners. Writes: bodies; where contacts begin, and what the step before has
// pushed.

#include <Traits>
#include <Agent>
#include <Manner>
#include <Body>
#include <Shift>
#include "include/numbers.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430, binding = TRAITS_BINDING) readonly buffer TraitsOf { Traits traits[]; };
layout(std430, binding = BEFORE_BINDING) readonly buffer Before { Agent before[]; };
layout(std430, binding = AFTER_BINDING) readonly buffer After { Agent after[]; };
layout(std430, binding = MANNERS_BINDING) readonly buffer Manners { Manner manners[]; };
layout(std430, binding = BODIES_BINDING) buffer Bodies { Body bodies[]; };
layout(std430, binding = SHIFTS_BINDING) writeonly buffer Shifts { Shift shifts[]; };

uniform uint count; // bodies

void main() {
    uint body = gl_GlobalInvocationID.x;
    if (body >= count) {
        return;
    }
    uint id = bodies[body].id;
    vec2 position = after[id].position;
    uint profile = traits[id].profile;
    bodies[body].position = position;
    bodies[body].manner = manners[profile].method != 0u ? profile : NONE;
    shifts[body] = Shift(position, vec2(0.0), before[id].pushed);
}
