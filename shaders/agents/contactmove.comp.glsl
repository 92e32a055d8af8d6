#version 450 core
// A round of parting agents with discs that overlap, 2: each goes as far as it is pushed and
// contacts allow. Bodies that have walls near wait for contactdeferred.comp.
//
// Reads: shifts, walls. Writes: agents after the step, bodies, shifts; and that the next round
// follows, unless the step has cost so much that rounds must end: after 2^32 pairs of agents, as
// where 65,536 stand in a heap.
// Reference: agents.Reference.separate.

#include <Agent>
#include <Body>
#include <Shift>
#include "include/numbers.glsl"
#include "agents/place.glsl"
#include "agents/records.glsl"
#include "agents/open.glsl"
#include "agents/rounds.glsl"
#include "agents/separated.glsl"

layout(local_size_x = GROUP_SIZE) in;

uniform uint count; // bodies
uniform uint round;
uniform bool last;

#include "agents/deferred.glsl"

void main() {
    uint body = gl_GlobalInvocationID.x;
    Shift s = shifts[min(body, count - 1u)];
    Body b = bodies[min(body, count - 1u)];
    vec2 wish = allowedPush(s, b.position, s.wish);
    if (body < count && wish != vec2(0.0)) {
        Footing f = Footing(b.position, onLattice(b.position), ivec2(after[b.id].fromX, after[b.id].fromY), after[b.id].perturbation);
        if (movesInTheOpen(f, wish, stepsOf(double(b.radius)))) {
            precise vec2 gone = f.position - b.position;
            shifts[body].last = gone;
            separated(body, b.id, f.position, f.from, f.perturbation);
        } else {
            shifts[body].wish = wish;
            queueFor(round + 1u, body);
        }
    } else if (body < count) {
        shifts[body].last = vec2(0.0);
    }
    if (body == 0u && !last && rounds[1] == 0u) {
        rounds[ROUND_FIRST + 3u * (2u * round + 2u)] = gl_NumWorkGroups.x;
    }
}
