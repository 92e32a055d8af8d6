#version 450 core
// A round of separating agents whose discs overlap, 1: how far each is pushed, from where all are now.
//
// Of two that overlap each gives way by half; where the other avoids no others, by all of it. One
// that overlaps several goes by the sum of that, or where they are more than three by three times
// their mean: a sum over six, which share what they part, would overshoot, and grow. A share of the
// push of the round before carries on, as in the heavy ball method (Polyak 1964), a larger one from
// round to round, as Nesterov has it (1983): that parts dense crowds to a tenth in the same rounds.
// In the first round it is a share of what the step before has pushed, as agents in a jam are
// pushed likewise in each step.
//
// In a heap, of more than 1,024 in a row of the cells, each body is pushed by a part of the others,
// by their ids: by 512 to 1,024 of a row. Heaps come apart over many steps anyway.
//
// Bodies come in any order, so what is added up are whole multiples of a grain, exactly. Two in the
// same place part along the difference of directions that their ids give them.
//
// Reads: bodies, cells, params of bodies. Writes: shifts, the work done, and that a round has to
// follow while some overlap by more than 1% of the sum of their radii.
// Reference: agents.Reference.push.

#include <Body>
#include <Shift>
#include "include/numbers.glsl"
#include "agents/cells.glsl"
#define CLOSER
#include "agents/near.glsl"
#include "agents/rounds.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) buffer Shifts { Shift shifts[]; };

uniform uint nowhere; // the part of agents that are not there
uniform float grain;  // what displacements are multiples of while they are added up, m; a power of two
uniform uint round;
uniform uint first;   // body of this dispatch
uniform uint groups;  // that all bodies take

const float CARRY = 0.8; // of the step before
const uint HEAP = 512u;  // in a row of the cells

shared uint looked;
shared uint again;

Spot own = Spot(vec2(0.0), 0.0, 0u);
bool yields = false;
ivec2 high = ivec2(0);       // the sum of pushes is 2^11 high + low grains: capacity for 2^20 agents
ivec2 low = ivec2(0);
uint partners = 0u;          // those that do not give way count twice
bool deep = false;           // overlaps a body by more than 1%

// A direction for an id, of any length: points of the square |x| + |y| = 1, in the order of
// multiples of the golden ratio.
vec2 directionOf(uint id) {
    uint turn = id * 0x9E3779B9u;
    float along = float((turn >> 8) & 0x3fffffu) * (1.0 / 4194304.0);
    vec2 d = vec2(1.0 - along, along);
    uint quarter = turn >> 30;
    d = (quarter & 1u) == 0u ? d : vec2(-d.y, d.x);
    return (quarter & 2u) == 0u ? d : -d;
}

void meetCloser(uint other, bool overlaps) {
    Spot spot = spotAt(other);
    uint profile = texelFetch(spotsOf, int(other) * 2 + 1).w;
    precise vec2 apart = own.position - spot.position;
    precise float squared = apart.x * apart.x + apart.y * apart.y;
    if (squared == 0.0) {
        apart = directionOf(own.id) - directionOf(spot.id);
        apart = apart == vec2(0.0) ? vec2(own.id < spot.id ? 1.0 : -1.0, 0.0) : apart;
    }
    precise float d2 = apart.x * apart.x + apart.y * apart.y;
    precise float sum = own.radius + spot.radius;
    precise float overlap = sum - sqrt(squared);
    precise float share = overlap / sqrt(d2) * (profile == NONE ? 1.0 : 0.5);
    precise vec2 grains = floor(apart * share * (1.0 / grain) + 0.5);
    ivec2 push = overlaps ? ivec2(grains) : ivec2(0);
    high += push >> 11;
    low += push & 2047;
    partners += overlaps ? (profile == NONE ? 2u : 1u) : 0u;
}

uint meet(uvec4 others, bvec4 there, uvec4 ids, vec4 squared, vec4 radii, uint row) {
    precise vec4 sums = own.radius + radii;
    precise vec4 allowed = 0.99 * sums;
    precise vec4 touching = sums * sums;
    precise vec4 close = allowed * allowed;
    uvec4 other = uvec4(there) & uvec4(notEqual(others, uvec4(first + gl_GlobalInvocationID.x)));
    uvec4 tight = uvec4(lessThan(squared, close)) & other;
    deep = deep || tight != uvec4(0u);
    // In a heap those with adjacent ids count, a few hundred.
    uint heaps = row / HEAP;
    uvec4 lots = (ids ^ own.id) * 0x9E3779B9u;
    uint drawn = heaps > 1u ? 0xffffffffu >> uint(findMSB(heaps)) : 0xffffffffu;
    bvec4 overlap = equal(uvec4(lessThan(squared, touching)) & uvec4(lessThanEqual(lots, uvec4(drawn))) & other, uvec4(1u));
    return uint(dot(vec4(overlap), vec4(1.0, 2.0, 4.0, 8.0)));
}

void main() {
    uint body = first + gl_GlobalInvocationID.x;
    uint there = texelFetch(partsOf, int(nowhere)).x;
    if (gl_LocalInvocationIndex == 0u) {
        looked = 0u;
        again = 0u;
    }
    barrier();
    if (body < there) {
        own = spotAt(body);
        yields = texelFetch(spotsOf, int(body) * 2 + 1).w != NONE;
    }
    bool all = visit(own.position, own.radius, yields);
    if (body < there) {
        vec2 wish = vec2(0.0);
        if (all && partners > 0u) {
            precise float scale = min(1.0, 3.0 / float(partners)) * grain;
            precise vec2 own = vec2(dvec2(high) * 2048.0lf + dvec2(low)) * scale;
            precise vec2 carried = shifts[body].last * (round == 0u ? CARRY : float(round) / float(round + 3u));
            wish = own + carried;
        }
        shifts[body].wish = wish;
    }
    atomicAdd(looked, looks);
    if (deep) {
        again = 1u;
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        addWork(looked);
        if (again != 0u) {
            rounds[ROUND_FIRST + 3u * (2u * round + 1u)] = groups;
        }
    }
}
