#version 450 core
// Measures what a step has led to: contacts of agents with others and with walls, and other
// statistics. Nothing depends on the order in which agents are asked: sums are of integers, with
// two words each where they go over steps, and the rest are greatest values of floats that are not
// negative, whose bits are in the same order. Agents that the host moves count in contacts with
// others only, and as stuck where they walk.
//
// Reads: traits, agents after the step, walls, bodies, cells. Reads and writes: counters, rests.
// Reference: agents.Reference.Measure.

#include "include/branch.glsl"
#include <Traits>
#include <Agent>
#include <Rest>
#include "include/numbers.glsl"
#include "include/walls.glsl"
#include "agents/place.glsl"
#include "agents/nearest.glsl"
#include "agents/cells.glsl"
#include "agents/near.glsl"
#include "agents/control.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) readonly buffer After { Agent after[]; };
layout(std430) buffer CountersOf { uint counters[]; };
#include "agents/sums.glsl"
layout(std430) buffer Rests { Rest rests[]; };

uniform uint count;    // bodies
uniform uint first;    // of this dispatch
uniform uint clock;    // this step
uniform uint patience; // steps that an agent that is stuck has stayed within its radius
uniform bool fresh;    // this is the first step that is measured
uniform bool buried;   // no ground is free

#include "agents/rest.glsl"

shared uint sums[COUNTERS]; // and greatest values, of the work group

void add(uint counter, bool one) {
    if (one) {
        atomicAdd(sums[counter], 1u);
    }
}

uint me = 0u; // the body
float ownRadius = 0.0;
uint contacts = 0u;
float closest = 1.0; // least squared distance as a share of the squared sum of radii

uint meet(uvec4 others, bvec4 there, uvec4 ids, vec4 squared, vec4 radii, uint row) {
    precise vec4 sums = ownRadius + radii;
    precise vec4 allowed = 0.99 * sums;
    precise vec4 touching = sums * sums;
    precise vec4 close = allowed * allowed;
    // Each pair once.
    uvec4 other = uvec4(there) & uvec4(greaterThan(others, uvec4(me)));
    uvec4 tight = uvec4(lessThan(squared, close)) & other;
    contacts += tight.x + tight.y + tight.z + tight.w;
    uvec4 overlap = uvec4(lessThan(squared, touching)) & other;
    precise vec4 shares = mix(vec4(1.0), squared / touching, equal(overlap, uvec4(1u)));
    closest = min(closest, min(min(shares.x, shares.y), min(shares.z, shares.w)));
    return 0u;
}

bool accepts(ivec2 p) {
    return true;
}

// Whether the squared distance of q from the segment a, b is below a square in meters. No division,
// so that it is exact but for products.
bool nearerThan(ivec2 q, ivec2 a, ivec2 b, double square, double unit) {
    dvec2 ofA = dvec2(q - a);
    dvec2 ofB = dvec2(q - b);
    dvec2 along = dvec2(b - a);
    double ahead = dot64(a, b, q);
    double across = cross64(a, b, q);
    precise double length2 = along.x * along.x + along.y * along.y;
    precise double offA = ofA.x * ofA.x + ofA.y * ofA.y;
    precise double offB = ofB.x * ofB.x + ofB.y * ofB.y;
    precise double aside = across * across;
    bool beside = ahead > 0.0lf && ahead < length2;
    precise double off = (beside ? aside : (ahead <= 0.0lf ? offA : offB)) * unit;
    precise double least = beside ? square * length2 : square;
    return off < least;
}

// Whether a wall is nearer to q than a length.
bool touchesWall(ivec2 q, float radius) {
    precise double limit = 0.99lf * double(radius);
    precise double square = limit * limit;
    precise double unit = latticeStep() * latticeStep();
    int reach = int(min(limit / latticeStep(), double(latticeSize.x + latticeSize.y))) + 2;
    ivec2 from = max((q - reach) >> wallGrid.x, ivec2(0));
    ivec2 to = min((q + reach) >> wallGrid.x, wallGrid.yz - 1);
    bool touched = false;
    for (int row = from.y; row <= to.y && !touched; row++) {
        for (int column = from.x; column <= to.x && !touched; column++) {
            ivec2 list = wallRecord(wallGrid.w + row * wallGrid.y + column).xy + wallGrid.w;
            for (int i = list.x; i < list.y && !touched; i++) {
                ivec4 w = wallRecord(i);
                touched = nearerThan(q, w.xy, w.zw, square, unit);
            }
        }
    }
    return touched;
}

// How deep in obstacles, or how far outside of the domain, a place is, m.
float depthOf(vec2 position, ivec2 at) {
    precise vec2 off = position - clamp(position, vec2(0.0), onGround(latticeSize));
    precise float outside = sqrt(off.x * off.x + off.y * off.y);
    float inside = 0.0;
    BRANCH (!buried && !isFree(wallGrid, at)) {
        ivec2 free;
        nearestFree(wallGrid, at, free);
        dvec2 d = dvec2(free - at);
        precise double far = sqrt(d.x * d.x + d.y * d.y) * latticeStep();
        inside = float(far);
    }
    return max(outside, inside);
}

void measure(uint id, bool exists) {
    Agent a = after[id];
    Traits t = traits[id];
    bool present = exists && isThere(a.status);
    bool moved = present && engineMoves(a.status, t.control);
    ownRadius = t.radius;
    bool all = visit(a.position, t.radius, present);
    add(COUNTER_NEIGHBOR_LIST_OVERFLOW, !all);
    if (all && contacts > 0u) {
        atomicAdd(sums[COUNTER_CONTACTS], contacts);
    }
    if (all && closest < 1.0) {
        precise float penetration = 1.0 - sqrt(closest);
        atomicMax(sums[COUNTER_PENETRATION], floatBitsToUint(penetration));
    }
    BRANCH (moved) {
        ivec2 at = onLattice(a.position);
        add(COUNTER_WALL_CONTACTS, touchesWall(at, t.radius));
        atomicMax(sums[COUNTER_WALL_PENETRATION], floatBitsToUint(depthOf(a.position, at)));
    }
    precise float speed = sqrt(a.velocity.x * a.velocity.x + a.velocity.y * a.velocity.y);
    // What float32 rounds a velocity off by is no speed: as in shortened, in
    // agents/integrate.comp.glsl.
    if (moved && speed > t.maxSpeed * (1.0 + 1.0 / 1048576.0)) {
        atomicMax(sums[COUNTER_SPEED_EXCESS], floatBitsToUint(speed - t.maxSpeed));
    }
    if (exists && a.arrivals > 0u && a.first == clock) {
        atomicAdd(sums[COUNTER_TRAVELLERS], 1u);
        atomicAdd(sums[COUNTER_TRAVEL], a.first - a.entered);
        atomicMax(sums[COUNTER_FIRST], ~a.first);
        atomicMax(sums[COUNTER_LAST], a.first);
    }
    if (present) {
        Rest rest = restOf(rests[id], a, t.radius, fresh);
        rests[id] = rest;
        add(COUNTER_STUCK, isStuck(a, rest));
    }
}

void main() {
    uint local = gl_LocalInvocationIndex;
    if (local < COUNTERS) {
        sums[local] = 0u;
    }
    barrier();
    me = first + gl_GlobalInvocationID.x;
    measure(spotAt(min(me, count - 1u)).id, me < count);
    barrier();
    if (local < COUNTERS && sums[local] != 0u) {
        if (local < COUNTER_STEP) {
            atomicAdd(counters[local], sums[local]);
        } else if (local < COUNTER_PENETRATION) {
            addWide(local, sums[local]);
        } else {
            atomicMax(counters[local], sums[local]);
        }
    }
}
