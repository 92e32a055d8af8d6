#version 450 core
// Tells explorers what their teams know instead of what the goals' maps do: the way to what is nearest of the unknown. Once a
// team has seen a member's goal, he goes there as everybody does, or stops, if it is his last one and he is to stay there.
//
// Reads: traits, teams' maps, ways of cells, teams of agents, who of them stays, cells of goals. Writes: walkers, guidance.
// Paper: Dapper et al. 2007, section 6.4.

#include <Walker>
#include <Traits>
#include <Guidance>
#include "include/numbers.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430, binding = WALKERS_BINDING) buffer Walkers { Walker walkers[]; };
layout(std430, binding = TRAITS_BINDING) readonly buffer TraitsOf { Traits traits[]; };
layout(std430, binding = GUIDANCE_BINDING) buffer GuidanceOf { Guidance guidance[]; };
layout(std430, binding = SEEN_BINDING) readonly buffer Seen { uint seen[]; };
layout(std430, binding = WAYS_BINDING) readonly buffer Ways { uint ways[]; };
layout(std430, binding = TEAMS_BINDING) readonly buffer Teams { uint teams[]; };
layout(std430, binding = STOPS_BINDING) readonly buffer Stops { uint stops[]; };
// Of each goal where its cells begin, then where the last one's end, then cells.
layout(std430, binding = TARGETS_BINDING) readonly buffer Targets { uint targets[]; };

uniform uint walkerCount;
uniform ivec2 gridSize;
uniform float cellsPerMetre;

const uint UNKNOWN = 0x80000000u; // the sign of a cell's potential

float at(uint k) {
    return uintBitsToFloat(seen[k] & ~(UNKNOWN | DOUBTED));
}

// Which way the potential of a cell rises, half as fast.
vec2 ascentOf(uint first, uint cell) {
    uint k = first + cell;
    uint columns = uint(gridSize.x);
    uint open = ways[cell];
    precise vec2 ahead = vec2((open & 1u) != 0u ? at(k + 1u) : 0.0, (open & 4u) != 0u ? at(k + columns) : 0.0);
    precise vec2 behind = vec2((open & 2u) != 0u ? at(k - 1u) : 0.0, (open & 8u) != 0u ? at(k - columns) : 0.0);
    precise vec2 ascent = ahead - behind;
    return ascent;
}

// The same at a place, between the middles of cells that there are ways to: by single cells somebody would turn back and forth on a
// ridge.
vec2 ascentAt(uint first, ivec2 own, vec2 place) {
    precise vec2 off = clamp(place - 0.5 - vec2(own), -0.5, 0.5);
    ivec2 side = ivec2(off.x < 0.0 ? -1 : 1, off.y < 0.0 ? -1 : 1);
    uint columns = uint(gridSize.x);
    uint cell = uint(own.y) * columns + uint(own.x);
    uint beside = uint(int(cell) + side.x);
    uint above = uint(int(cell) + side.y * gridSize.x);
    bool across = (ways[cell] & (side.x > 0 ? 1u : 2u)) != 0u;
    bool along = (ways[cell] & (side.y > 0 ? 4u : 8u)) != 0u;
    bool both = across && (ways[across ? beside : cell] & (side.y > 0 ? 4u : 8u)) != 0u;
    precise vec2 share = abs(off);
    precise vec2 sum = (1.0 - share.x) * (1.0 - share.y) * ascentOf(first, cell);
    precise vec2 next = sum + (across ? share.x * (1.0 - share.y) : 0.0) * ascentOf(first, across ? beside : cell);
    sum = next + (along ? (1.0 - share.x) * share.y : 0.0) * ascentOf(first, along ? above : cell);
    next = sum + (both ? share.x * share.y : 0.0) * ascentOf(first, both ? uint(int(beside) + side.y * gridSize.x) : cell);
    return next;
}

void main() {
    uint self = gl_GlobalInvocationID.x;
    if (self >= walkerCount) {
        return;
    }
    Walker w = walkers[self];
    uint team = teams[w.agent];
    Guidance g = guidance[w.agent];
    Traits t = traits[w.agent];
    if (team == NO_TEAM || w.body == NOT_THERE || g.layer == OWN_POINT) {
        return;
    }
    uint first = team * uint(gridSize.x * gridSize.y);
    bool found = false;
    for (uint k = targets[g.layer]; k < targets[g.layer + 1u]; k++) {
        found = found || (seen[first + targets[k]] & (UNKNOWN | DOUBTED)) == 0u;
    }
    if (found && g.stage + 1u == t.stages && stops[w.agent] != 0u) {
        guidance[w.agent].status = STATUS_ARRIVED;
        guidance[w.agent].arrivals = g.arrivals + 1u;
        guidance[w.agent].preferred = vec2(0.0);
        guidance[w.agent].velocity = vec2(0.0);
        walkers[self].body = NOT_THERE;
    }
    if (found) {
        return;
    }
    precise vec2 scaled = w.position * cellsPerMetre;
    ivec2 own = clamp(ivec2(scaled), ivec2(0), gridSize - 1);
    uint k = first + uint(own.y * gridSize.x + own.x);
    vec2 ascent = ascentAt(first, own, scaled);
    float most = max(abs(ascent.x), abs(ascent.y));
    // Right between what pulls he goes on as he is; where nothing pulls any more he stands, and is lost.
    precise vec2 guide = w.position + ascent / max(most, 1e-30) * AFAR;
    walkers[self].guide = guide;
    walkers[self].goal = vec2(NO_GOAL);
    bool seeks = most > 0.0 || at(k) > 0.0;
    walkers[self].speed = seeks ? min(t.preferredSpeed, t.maxSpeed) : 0.0;
    guidance[w.agent].target = seeks ? ELSEWHERE : NONE;
    guidance[w.agent].distance = INFINITY;
}
