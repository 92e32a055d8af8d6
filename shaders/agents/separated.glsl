// What contacts do to a body.
// Needs: <Agent>, <Body>, <Shift>.

layout(std430) buffer After { Agent after[]; };
layout(std430) buffer Bodies { Body bodies[]; };
layout(std430) buffer Shifts { Shift shifts[]; };

uniform float slack;    // m
uniform float timestep; // s

#include "agents/shortened.glsl"

// As much of a push from a place as contacts may do: a body ends the step no farther from where it
// began than its own move is long, and `slack`. So whatever a body runs into can hold it back
// whole, and heaps come apart over several steps.
vec2 allowedPush(Shift s, vec2 position, vec2 push) {
    precise vec2 moved = s.origin - s.home;
    precise float reach = sqrt(moved.x * moved.x + moved.y * moved.y) + slack;
    precise vec2 total = position + push - s.home;
    precise float far = sqrt(total.x * total.x + total.y * total.y);
    precise vec2 target = s.home + total * (reach / far);
    return far > reach ? target - position : push;
}

// Makes a place that of a body, how it leans there, and the velocity that of the step as it went,
// as far as the body's greatest speed allows.
void separated(uint body, uint id, vec2 position, ivec2 from, int perturbation) {
    after[id].position = position;
    after[id].fromX = from.x;
    after[id].fromY = from.y;
    after[id].perturbation = perturbation;
    after[id].sees = 0u;
    precise vec2 velocity = (position - shifts[body].home) / timestep;
    after[id].velocity = shortened(velocity, bodies[body].maxSpeed);
    after[id].pushed = position - shifts[body].origin;
    bodies[body].position = position;
}
