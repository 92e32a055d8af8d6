#version 450 core
// A round of parting people whose discs overlap, 2: each goes as far as he is pushed, walls win. In a step nobody is pushed
// further than `slack` from where he has gone himself.
//
// Reads: shifts, walls. Writes: agents after the step, bodies, shifts; and that the next round follows, unless the
// step has cost so much that rounds must end: after 2^32 pairs of people, as where 65,536 stand in a heap.
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
#include "agents/rounds.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430, binding = AFTER_BINDING) buffer After { Agent after[]; };
layout(std430, binding = BODIES_BINDING) buffer Bodies { Body bodies[]; };
layout(std430, binding = SHIFTS_BINDING) buffer Shifts { Shift shifts[]; };

uniform uint count;  // bodies
uniform float slack; // m
uniform uint round;
uniform bool last;

// Moves somebody where no wall is near, as move would.
bool moveInTheOpen(inout Mover m, vec2 displacement) {
    precise vec2 wished = m.position + displacement;
    vec2 position = clamp(wished, vec2(0.0), onGround(latticeSize));
    ivec2 p = onLattice(position);
    ivec2 from = min(m.at >> wallGrid.x, wallGrid.yz - 1);
    ivec2 to = min(p >> wallGrid.x, wallGrid.yz - 1);
    int empty = walls[wallGrid.w + from.y * wallGrid.y + from.x].w; // cells nearer than this have no walls
    ivec2 away = abs(to - from);
    bool open = max(away.x, away.y) < empty;
    if (open) {
        m.position = position;
        m.from = p == m.at ? m.from : m.at;
        m.lean = p == m.at ? m.lean : -1;
        m.at = p;
    }
    return open;
}

void main() {
    uint body = gl_GlobalInvocationID.x;
    Shift s = shifts[min(body, count - 1u)];
    vec2 place = bodies[min(body, count - 1u)].position;
    precise vec2 total = place + s.wish - s.origin;
    precise float far = sqrt(total.x * total.x + total.y * total.y);
    precise vec2 target = s.origin + total * (slack / far);
    precise vec2 wish = far > slack ? target - place : s.wish;
    bool moves = body < count && wish != vec2(0.0);
    for (bool push = moves; push; push = false) {
        uint id = bodies[body].id;
        Agent a = after[id];
        Mover m;
        m.position = a.position;
        m.at = onLattice(a.position);
        m.from = ivec2(a.fromX, a.fromY);
        m.lean = a.lean;
        m.led = false;
        m.sees = false;
        m.grid = wallGrid;
        for (bool closed = !moveInTheOpen(m, wish); closed; closed = false) {
            move(m, wish);
        }
        after[id].position = m.position;
        after[id].fromX = m.from.x;
        after[id].fromY = m.from.y;
        after[id].lean = m.lean;
        after[id].sees = 0u;
        after[id].pushed = m.position - s.origin;
        bodies[body].position = m.position;
        precise vec2 gone = m.position - a.position;
        shifts[body].last = gone;
    }
    if (body < count && !moves) {
        shifts[body].last = vec2(0.0);
    }
    if (body == 0u && !last && rounds[1] == 0u) {
        rounds[ROUND_FIRST + 3u * (2u * round + 2u)] = gl_NumWorkGroups.x;
    }
}
