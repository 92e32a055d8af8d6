#version 450 core
// Moves each agent by its new velocity for one step. An agent that avoids others changes its
// velocity by no more than its acceleration allows, and never exceeds its greatest speed. Agents
// that have walls near, or are led by a map, are deferred to integratedeferred.comp with their
// velocity. The host moves an agent of another Control, and gives a placed one its velocity.
//
// Reads: traits, agents before the step, guidance, walls, params. Writes: agents after the step.
// Reference: agents.Reference.Integrate.

#include <Traits>
#include <Agent>
#include <Guidance>
#include <AvoidanceParams>
#include "include/numbers.glsl"
#include "agents/place.glsl"
#include "agents/records.glsl"
#include "agents/open.glsl"
#include "agents/shortened.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) readonly buffer Before { Agent before[]; };
layout(std430) writeonly buffer After { Agent after[]; };
layout(std430) readonly buffer GuidanceOf { Guidance guidance[]; };
layout(std430) readonly buffer Params { AvoidanceParams params[]; };

uniform uint count;     // agents
uniform uint clock;     // this step
uniform float timestep; // s
uniform uint stride;    // generators of a layer
uniform bool avoiding;  // any agent avoids others

#include "agents/deferred.glsl"

// The wished velocity, as far as acceleration allows, then speed. The second keeps the first where
// the speed before was allowed: both are nearest points of a disc, which bring no two velocities
// further apart. None where a method gives none.
vec2 limited(vec2 wished, vec2 velocity, float maxSpeed, float maxAcceleration) {
    precise float change = maxAcceleration * timestep;
    precise vec2 reached = velocity + shortened(wished - velocity, change);
    return any(isnan(reached)) ? vec2(0.0) : shortened(reached, maxSpeed);
}

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= count) {
        return;
    }
    Agent a = before[id];
    Guidance g = guidance[id];
    uint was = a.arrivals;
    bool waits = a.status == STATUS_WAITING;
    a.target = g.target;
    a.layer = g.layer;
    a.stage = g.stage;
    a.status = g.status;
    a.arrivals = g.arrivals;
    if (waits && a.status != STATUS_WAITING) {
        a.entered = clock;
    }
    if (was == 0u && a.arrivals > 0u) {
        a.first = clock;
    }
    vec2 moved = a.status == STATUS_PLACED ? a.velocity : vec2(0.0); // velocity
    a.pushed = vec2(0.0);
    a.sees = 0u;
    if (a.status == STATUS_WALKING) {
        bool seesNoWay = g.layer != OWN_POINT && g.target == NONE;
        a.lost = seesNoWay ? a.lost + 1u : 0u;

        Traits t = traits[id];
        vec2 velocity = g.velocity;
        if (avoiding) {
            AvoidanceParams p = params[t.profile];
            vec2 cautious = limited(velocity, a.velocity, t.maxSpeed, p.maxAcceleration);
            velocity = p.method != 0u ? cautious : velocity;
        }
        precise vec2 displacement = velocity * timestep;
        Footing f = Footing(a.position, onLattice(a.position), ivec2(a.fromX, a.fromY), a.perturbation);
        bool led = t.steering == STEERING_SPM && g.layer != OWN_POINT && g.target < stride;
        if (t.control == CONTROL_ENGINE && (led || !movesInTheOpen(f, displacement, 0))) {
            queueFor(MOVING, id);
        }
        moved = velocity;
        a.position = f.position;
        a.fromX = f.from.x;
        a.fromY = f.from.y;
        a.perturbation = f.perturbation;
    }
    a.velocity = moved;
    after[id] = a;
}
