#version 450 core
// Brings bodies up to where agents have moved, for the passes that end the step. From here on the
// profile of a body says whether it gives way to others: NoProfile where it avoids no others or
// the host moves it, else its profile, also while it stands.
//
// Reads: traits, agents before and after the step, params, walls. Writes: bodies; where the step
// and contacts begin, and what the step before has pushed. Bodies that give way and have walls near
// wait for contactdeferred.comp.

#include <Traits>
#include <Agent>
#include <AvoidanceParams>
#include <Body>
#include <Shift>
#include "include/numbers.glsl"
#include "agents/place.glsl"
#include "agents/records.glsl"
#include "agents/control.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) readonly buffer Before { Agent before[]; };
layout(std430) readonly buffer After { Agent after[]; };
layout(std430) readonly buffer Params { AvoidanceParams params[]; };
layout(std430) buffer Bodies { Body bodies[]; };
layout(std430) writeonly buffer Shifts { Shift shifts[]; };

uniform uint count; // bodies

#include "agents/deferred.glsl"

void main() {
    uint body = gl_GlobalInvocationID.x;
    if (body >= count) {
        return;
    }
    uint id = bodies[body].id;
    vec2 position = after[id].position;
    uint profile = traits[id].profile;
    bool yields = params[profile].method != 0u && engineMoves(after[id].status, traits[id].control);
    bodies[body].position = position;
    bodies[body].profile = yields ? profile : NONE;
    vec2 home = clamp(before[id].position, vec2(0.0), onGround(latticeSize)); // states that were set may be outside
    shifts[body] = Shift(home, position, vec2(0.0), before[id].pushed);
    ivec2 at = onLattice(position);
    int steps = stepsOf(double(bodies[body].radius));
    if (yields && !clearOfWalls(at, at - steps, at + steps)) {
        queueFor(0u, body);
    }
}
