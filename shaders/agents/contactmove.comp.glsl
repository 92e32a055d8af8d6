#version 450 core
// A round of parting people whose discs overlap, 2: each goes as far as he is pushed. In a step nobody is pushed
// further than `slack` from where he has gone himself. Who has walls near waits for contactpast.comp.
//
// Reads: shifts, walls. Writes: agents after the step, bodies, shifts; and that the next round follows, unless the
// step has cost so much that rounds must end: after 2^32 pairs of people, as where 65,536 stand in a heap.
// Reference: agents.Reference.shove.

#include <Agent>
#include <Body>
#include <Shift>
#include "include/numbers.glsl"
#include "agents/place.glsl"
#include "agents/records.glsl"
#include "agents/open.glsl"
#include "agents/rounds.glsl"
#include "agents/shoved.glsl"

layout(local_size_x = GROUP_SIZE) in;

uniform uint count;  // bodies
uniform float slack; // m
uniform uint round;
uniform bool last;

#include "agents/later.glsl"

void main() {
    uint body = gl_GlobalInvocationID.x;
    Shift s = shifts[min(body, count - 1u)];
    Body b = bodies[min(body, count - 1u)];
    precise vec2 total = b.position + s.wish - s.origin;
    precise float far = sqrt(total.x * total.x + total.y * total.y);
    precise vec2 target = s.origin + total * (slack / far);
    precise vec2 wish = far > slack ? target - b.position : s.wish;
    if (body < count && wish != vec2(0.0)) {
        Footing f = Footing(b.position, onLattice(b.position), ivec2(after[b.id].fromX, after[b.id].fromY), after[b.id].lean);
        if (movesInTheOpen(f, wish)) {
            shoved(body, b.id, b.position, f.position, f.from, f.lean);
        } else {
            shifts[body].wish = wish;
            queueFor(round, body);
        }
    } else if (body < count) {
        shifts[body].last = vec2(0.0);
    }
    if (body == 0u && !last && rounds[1] == 0u) {
        rounds[ROUND_FIRST + 3u * (2u * round + 2u)] = gl_NumWorkGroups.x;
    }
}
