#version 450 core
// Gives walkers with local maps their inputs for a step: where they stand, the guide's point, the
// goal once it is near, and how fast they want to be.
//
// Reads: agents before the step, traits, guidance, generators, bodies' places, settings,
// ascents of global maps. Writes: walkers.
//
// The guide's point is the parent point of the goal's shortest path map. It is known to be in
// sight. Where a profile is guided by global harmonic maps, only their direction counts; the point
// is then farther away than a map reaches. Where such a map has no ascent, in its goal and where
// passages are narrower than its cells, the shortest path map leads agents with robust rules on;
// others go on as they are.

#include <Walker>
#include <Settings>
#include <Traits>
#include <Agent>
#include <Guidance>
#include <Generator>
#include <Ascent>
#include "include/numbers.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) buffer Walkers { Walker walkers[]; };
layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) readonly buffer Before { Agent before[]; };
layout(std430) readonly buffer GuidanceOf { Guidance guidance[]; };
layout(std430) readonly buffer Generators { Generator generators[]; };
layout(std430) readonly buffer Places { uvec2 places[]; };
layout(std430) readonly buffer SettingsOf { Settings settings[]; };
layout(std430) readonly buffer Ascents { Ascent ascents[]; };

uniform uint walkerCount;
uniform uint stride;           // generators of a layer
uniform uint sources;          // of them that are sources
uniform uvec2 latticeStepBits; // bits of the float64 that is one step, m
uniform ivec2 cellCount;       // of a global map, columns and rows
uniform float cellsPerMeter;   // of a global map

uint firstCell = 0u; // of the goal's global map

uint waysOf(uint cell) {
    return ascents[firstCell + cell].ways;
}

vec2 ascentOf(uint cell) {
    Ascent a = ascents[firstCell + cell];
    return vec2(a.x, a.y);
}

#include "bvp/ascent.glsl"

void main() {
    uint self = gl_GlobalInvocationID.x;
    if (self >= walkerCount) {
        return;
    }
    uint id = walkers[self].agent;
    Guidance g = guidance[id];
    Traits t = traits[id];
    vec2 at = before[id].position;
    bool own = g.layer == OWN_POINT;
    bool known = !own && g.target < stride;
    Generator parent = generators[known ? g.layer * stride + g.target : 0u];
    bool atPoint = own || (known && parent.kind != SECTOR_BEAM);

    precise float squared = g.preferred.x * g.preferred.x + g.preferred.y * g.preferred.y;
    float length = sqrt(squared);
    vec2 ahead = length > 0.0 ? g.preferred / length : vec2(0.0);
    precise dvec2 corner = dvec2(parent.x, parent.y) * packDouble2x32(latticeStepBits);
    // A beam is a source, so that what is left to walk is the way to its foot.
    float far = known && !isinf(g.distance) ? g.distance : AFAR;
    precise vec2 beyond = at + ahead * far;
    vec2 aim = own ? t.own : (atPoint ? vec2(corner) : beyond);
    vec2 goal = own || (known && g.target < sources) ? aim : vec2(NO_GOAL);

    uint flags = settings[walkers[self].settings].flags;
    bool harmonic = !own && (flags & HARMONIC) != 0u;
    vec2 ascent = vec2(0.0);
    if (harmonic) {
        firstCell = g.layer * uint(cellCount.x * cellCount.y);
        precise vec2 place = at * cellsPerMeter;
        ivec2 cell = cellAt(place, cellCount);
        bool isGoal = (waysOf(uint(cell.y * cellCount.x + cell.x)) & GOAL_CELL) != 0u;
        uint own = uint(cell.y * cellCount.x + cell.x);
        bool robust = (flags & ROBUST) != 0u;
        ascent = isGoal ? vec2(0.0) : (robust ? ascentAt(place, cellCount) : ascentOf(own));
    }
    vec2 upwards;
    bool rises = along(at, ascent, upwards);

    walkers[self].position = at;
    // Where nothing rises that is the place itself.
    bool upwardsOnly = harmonic && (rises || (flags & ROBUST) == 0u);
    walkers[self].guide = upwardsOnly ? upwards : aim;
    walkers[self].goal = goal;
    // An agent without a path stands; one in a line goes as fast as that does.
    float speed = own || g.target != NONE ? min(t.preferredSpeed, t.maxSpeed) : 0.0;
    walkers[self].speed = g.target == IN_SERVICE ? length : speed;
    walkers[self].body = g.status == STATUS_WALKING ? places[id].x : NOT_THERE;
}
