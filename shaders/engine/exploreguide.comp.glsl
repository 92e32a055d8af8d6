#version 450 core
// Leads explorers by what their teams know instead of by the goals' maps: to the nearest of the
// unknown, or to the frontiers of their choice. Once a team has seen a member's goal, the member goes there as others do, or stops, if
// it is its last one and the member stays there.
//
// Reads: traits, teams' maps, ways of cells, members, choices, cells of goals. Writes: walkers,
// guidance.
// Reference: reference.TeamAscent, reference.AscentAt, reference.Along, bit for bit. Paper: Dapper
// et al. 2007, section 6.4.

#include <Walker>
#include <Traits>
#include <Guidance>
#include <Member>
#include <Choice>
#include "include/numbers.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) buffer Walkers { Walker walkers[]; };
layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) buffer GuidanceOf { Guidance guidance[]; };
layout(std430) readonly buffer Seen { uint seen[]; };
layout(std430) readonly buffer Ways { uint ways[]; };
layout(std430) readonly buffer Members { Member members[]; };
layout(std430) readonly buffer Choices { Choice choices[]; };
// Of each goal where its cells begin, then where the last one's end, then cells.
layout(std430) readonly buffer Targets { uint targets[]; };

uniform uint walkerCount;
uniform uint first; // walker of this dispatch
uniform ivec2 gridSize;
uniform float cellsPerMeter;
uniform float cellSize; // m

const uint UNKNOWN = 0x80000000u; // the sign of a cell's potential

float at(uint k) {
    return uintBitsToFloat(seen[k] & ~(UNKNOWN | STALE));
}

uint firstCell = 0u; // of the team's map

uint waysOf(uint cell) {
    return ways[cell];
}

// Which way the potential of a cell rises, half as fast.
vec2 ascentOf(uint cell) {
    uint k = firstCell + cell;
    uint columns = uint(gridSize.x);
    uint open = waysOf(cell);
    precise vec2 ahead = vec2((open & 1u) != 0u ? at(k + 1u) : 0.0, (open & 4u) != 0u ? at(k + columns) : 0.0);
    precise vec2 behind = vec2((open & 2u) != 0u ? at(k - 1u) : 0.0, (open & 8u) != 0u ? at(k - columns) : 0.0);
    precise vec2 ascent = ahead - behind;
    return ascent;
}

#include "bvp/ascent.glsl"

void main() {
    uint self = first + gl_GlobalInvocationID.x;
    if (self >= walkerCount) {
        return;
    }
    Walker w = walkers[self];
    Member m = members[w.agent];
    uint team = m.team;
    Guidance g = guidance[w.agent];
    Traits t = traits[w.agent];
    if (team == NO_TEAM || w.body == NOT_THERE || g.layer == OWN_POINT) {
        return;
    }
    firstCell = team * uint(gridSize.x * gridSize.y);
    bool found = false;
    for (uint k = targets[g.layer]; k < targets[g.layer + 1u]; k++) {
        found = found || (seen[firstCell + targets[k]] & (UNKNOWN | STALE)) == 0u;
    }
    if (found && g.stage + 1u == t.stages && t.onArrival == ON_ARRIVAL_STAY) {
        guidance[w.agent].status = STATUS_ARRIVED;
        guidance[w.agent].arrivals = g.arrivals + 1u;
        guidance[w.agent].preferred = vec2(0.0);
        guidance[w.agent].velocity = vec2(0.0);
        walkers[self].body = NOT_THERE;
    }
    if (found) {
        return;
    }
    precise vec2 scaled = w.position * cellsPerMeter;
    ivec2 own = cellAt(scaled, gridSize);
    // Right between what pulls it goes on as it is; where nothing pulls any more it stands, and is
    // lost.
    vec2 guide;
    bool seeks;
    if (m.frontiers != 0u) {
        Choice c = choices[w.agent];
        seeks = c.target != NO_CELL;
        precise vec2 middle = (vec2(c.guide % uint(gridSize.x), c.guide / uint(gridSize.x)) + 0.5) * cellSize;
        guide = seeks ? middle : w.position;
    } else {
        bool rises = along(w.position, ascentAt(scaled, gridSize), guide);
        seeks = rises || at(firstCell + uint(own.y * gridSize.x + own.x)) > 0.0;
    }
    walkers[self].guide = guide;
    walkers[self].goal = vec2(NO_GOAL);
    walkers[self].speed = seeks ? min(t.preferredSpeed, t.maxSpeed) : 0.0;
    guidance[w.agent].target = seeks ? ELSEWHERE : NONE;
    guidance[w.agent].distance = INFINITY;
}
