#version 450 core
// Takes the searches that wait further, by a slice of the generators of their layers. A work group
// is for one search: its invocations share the slice. So a dispatch ends soon however many
// generators there are, and so does each loop, before devices end it.
//
// Reads: traits, agents before the step, stages, generators, walls. Reads and writes: searches.
// Reference: agents.Reference.way.

#include <Traits>
#include <Agent>
#include <Stage>
#include <Generator>
#include "include/numbers.glsl"
#include "include/walls.glsl"
#include "agents/place.glsl"
#include "agents/generators.glsl"
#include "agents/texels.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) readonly buffer Before { Agent before[]; };
layout(std430) readonly buffer Stages { Stage stages[]; };
layout(std430) readonly buffer Generators { Generator generators[]; };

uniform uint count;   // bodies
uniform uint stride;  // generators of a layer
uniform bool mapUnchanged; // the map is that of the step before
uniform uint pass;    // the searches are those that wait for this one
uniform uint first;   // generator of the slice
uniform uint slice;   // generators

#include "agents/deferred.glsl"
#include "agents/search.glsl"
#include "agents/route.glsl"

// What the invocations have found.
shared uint bests[GROUP_SIZE];
shared uint nearests[GROUP_SIZE];
shared uint bends[GROUP_SIZE * BENDS];

// The bends so far, and their squared distances, lattice steps.
uint bendsFound[BENDS];
double offs[BENDS];

double leftOver(uint index) {
    return index == NONE ? double(INFINITY) : lengthOver(generators[s.base + index], s.at);
}

// Squared distance of a generator that is a bend, lattice steps; else infinite.
double offOf(uint index) {
    Generator g = generators[s.base + min(index, stride - 1u)];
    double slack = 1.0lf / (BEND_PARTS * double(texelsPerMeter));
    dvec2 d = dvec2(placeOf(g) - s.at);
    precise double squared = d.x * d.x + d.y * d.y;
    bool bend = index < stride && !isinf(shortest) && !isBeam(g);
    return bend && abs(lengthOver(g, s.at) - shortest) <= slack ? squared : double(INFINITY);
}

// Puts a generator among the bends, if it is one: by distance, of equal ones the first.
void bendBy(uint index) {
    double off = offOf(index);
    uint rising = isinf(off) ? NONE : index;
    for (int i = 0; i < BENDS; i++) {
        double other = offs[i];
        uint moved = bendsFound[i];
        bool nearer = less(off, rising, other, moved);
        offs[i] = nearer ? off : other;
        bendsFound[i] = nearer ? rising : moved;
        off = nearer ? other : off;
        rising = nearer ? moved : rising;
    }
}

void main() {
    uint n = gl_WorkGroupID.x * gl_NumWorkGroups.y + gl_WorkGroupID.y;
    uint me = gl_LocalInvocationID.x;
    if (n >= deferred[pass].bodies) {
        return; // as all others of the group
    }
    uint body = queues[(pass & 1u) * count + n];
    Search found = searchOf(body);
    Agent a = before[found.agent];
    Traits t = traits[found.agent];
    bool straight = t.steering != STEERING_SPM;
    Stage stage = stages[t.firstStage + found.stage];
    seek(a, stage, straight);
    s.known = mapUnchanged && a.sees != 0u && found.turn == 0u ? a.target : NONE;
    uint all = straight ? stage.sources : stride;
    uint end = min(first + slice, all);

    best = found.best;
    nearest = found.nearest;
    bestLeft = leftOver(best);
    nearestLeft = leftOver(nearest);
    shortest = found.shortest;
    for (int i = 0; i < BENDS; i++) {
        bendsFound[i] = me == 0u ? found.bends[i] : NONE;
        offs[i] = offOf(bendsFound[i]);
    }
    for (uint k = first + me; k < end; k += GROUP_SIZE) {
        consider(k, radiusOf(stage, straight));
        bendBy(k);
    }
    bests[me] = best;
    nearests[me] = nearest;
    for (int i = 0; i < BENDS; i++) {
        bends[me * uint(BENDS) + uint(i)] = bendsFound[i];
    }
    barrier();
    if (me != 0u || first >= end) {
        return;
    }

    for (uint k = 1u; k < GROUP_SIZE; k++) {
        double left = leftOver(bests[k]);
        bool better = less(left, bests[k], bestLeft, best);
        best = better ? bests[k] : best;
        bestLeft = better ? left : bestLeft;
        left = leftOver(nearests[k]);
        better = less(left, nearests[k], nearestLeft, nearest);
        nearest = better ? nearests[k] : nearest;
        nearestLeft = better ? left : nearestLeft;
    }
    found.best = best;
    found.nearest = nearest;
    for (uint k = uint(BENDS); k < GROUP_SIZE * uint(BENDS); k++) {
        bendBy(bends[k]);
    }
    found.bends = bendsFound;
    keepSearch(body, found);
}
