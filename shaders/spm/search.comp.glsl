#version 450 core
// Procedure 1: the generator with the least distance becomes the current one.
//
// One workgroup scans the layer's records; ties go to the lowest index. The winner is marked
// expanded, its cone (position, free sector, taut wedge) is written for the three passes that
// follow, and the indirect commands of those passes are switched on. When no reached generator is
// left to expand they are switched off, so that the rest of the loop costs next to nothing.
//
// reads and writes: generators. writes: cone, commands.
// reference: spm/exact/solve.go. paper: Farias and Kallmann 2018, section 3.1, Procedure 1.

#include <Generator>
#include <Cone>
#include <Commands>
#include "include/numbers.glsl"
#include "include/sight.glsl"
#include "include/taut.glsl"

layout(local_size_x = GROUP) in;

layout(std430) buffer Generators { Generator generators[]; };
layout(std430) writeonly buffer CurrentCone { Cone cone; };
layout(std430) writeonly buffer CommandBlock { Commands commands; };

uniform uint base;   // first record of the layer
uniform uint count;  // records of the layer
uniform uint walls;  // walls that may cast shadows

shared float leastDistance[GROUP];
shared uint leastIndex[GROUP];

void main() {
    uint me = gl_LocalInvocationIndex;
    float nearest = INFINITY;
    uint chosen = NONE;
    for (uint i = me; i < count; i += GROUP) {
        uint status = generators[base + i].status;
        float d = generators[base + i].distance;
        if ((status == STATUS_SOURCE || status == STATUS_OBSTACLE) && d < nearest) {
            nearest = d;
            chosen = i;
        }
    }
    leastDistance[me] = nearest;
    leastIndex[me] = chosen;
    barrier();
    for (uint step = GROUP / 2; step > 0; step /= 2) {
        if (me < step) {
            float d = leastDistance[me + step];
            uint i = leastIndex[me + step];
            if (d < leastDistance[me] || (d == leastDistance[me] && i < leastIndex[me])) {
                leastDistance[me] = d;
                leastIndex[me] = i;
            }
        }
        barrier();
    }
    if (me != 0) {
        return;
    }

    uint winner = leastIndex[0];
    bool found = winner != NONE;
    uint draws = 0;
    if (found) {
        Generator g = generators[base + winner];
        Cone c = coneOf(g, winner, g.distance);
        if (g.parent != winner) {
            tautWedge(c, generators[base + g.parent]);
        }
        cone = c;
        generators[base + winner].status = STATUS_EXPANDED;
        draws = c.wedge == WEDGE_EMPTY ? 0 : 1;
    }
    commands.shadowCount = walls;
    commands.shadowInstances = draws;
    commands.shadowFirst = 0;
    commands.shadowBase = 0;
    commands.coneCount = 1;
    commands.coneInstances = draws;
    commands.coneFirst = 0;
    commands.coneBase = 0;
    commands.groupsX = draws * ((count + GROUP - 1) / GROUP);
    commands.groupsY = 1;
    commands.groupsZ = 1;
}
