#version 450 core
// A round of parting people whose discs overlap, 3: those who have walls near go as far as they are pushed, and walls win.
//
// Reads: walls. Reads and writes: agents after the step, bodies, shifts.
// Reference: agents.Reference.shove.

#include <Agent>
#include <Body>
#include <Generator>
#include <Shift>
#include "include/numbers.glsl"
#include "include/walls.glsl"
#include "agents/place.glsl"
#include "agents/guide.glsl"
#include "agents/move.glsl"
#include "agents/shoved.glsl"

layout(local_size_x = GROUP_SIZE) in;

uniform uint count; // bodies
uniform uint round;

#include "agents/later.glsl"

void main() {
    uint body = queuedFor(round);
    if (body == NONE) {
        return;
    }
    Body b = bodies[body];
    Mover m = moverAt(b.position, ivec2(after[b.id].fromX, after[b.id].fromY), after[b.id].lean);
    move(m, shifts[body].wish);
    shoved(body, b.id, b.position, m.position, m.from, m.lean);
}
