#version 450 core
// A round of parting agents with discs that overlap, 3: bodies that have walls near go as far as
// they are pushed, and then off the walls that they overlap by more than 1% of their radius: walls
// win. Before the first round all bodies that have walls near are taken off those that they have
// moved into.
//
// Reads: walls. Reads and writes: agents after the step, bodies, shifts.
// Reference: agents.Reference.separate.

#include <Agent>
#include <Body>
#include <Generator>
#include <Shift>
#include "include/numbers.glsl"
#include "include/walls.glsl"
#include "agents/place.glsl"
#include "agents/generators.glsl"
#include "agents/move.glsl"
#include "agents/offwalls.glsl"
#include "agents/separated.glsl"

layout(local_size_x = GROUP_SIZE) in;

uniform uint count; // bodies
uniform uint pass;  // 0 before the first round, then 1 more than the round

#include "agents/deferred.glsl"

void main() {
    uint body = queuedFor(pass);
    if (body == NONE) {
        return;
    }
    Body b = bodies[body];
    Shift s = shifts[body];
    Mover m = moverAt(b.position, ivec2(after[b.id].fromX, after[b.id].fromY), after[b.id].perturbation);
    for (int walls = 0; walls < 2; walls++) {
        vec2 push = walls == 0 ? s.wish : allowedPush(s, m.position, offWalls(m.position, b.radius) - m.position);
        move(m, push);
    }
    vec2 gone = difference(m.position, b.position);
    if (pass > 0u) {
        shifts[body].last = gone;
    }
    if (pass > 0u || gone != vec2(0.0)) {
        separated(body, b.id, m.position, m.from, m.perturbation);
    }
}
