#version 450 core
// Looks whether walls are near bodies that avoid others: those that have any are deferred to
// nearwallslist.comp.
//
// Reads: bodies, params, neighbors, walls. Writes: near walls, none.
// Reference: agents.Reference.NearWalls.

#include <AvoidanceParams>
#include "include/numbers.glsl"
#include "agents/cells.glsl"
#include "agents/neighbors.glsl"
#include "agents/place.glsl"
#include "agents/records.glsl"
#include "agents/wallreach.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) writeonly buffer NearWalls { uint nearWalls[]; };

uniform uint first; // body of this dispatch

void main() {
    uint me = first + gl_GlobalInvocationID.x;
    if (me >= count) {
        return;
    }
    uint profile = profileOf(me);
    AvoidanceParams m = params[profile == NONE ? 0u : profile];
    vec2 place = positionAt(me);
    ivec2 q = onLattice(place);
    int steps = max(stepsOf(double(reachAmongMovers(reachAmongWalls(me, m), m))), stepsToNeighbors(me, place));
    nearWalls[me] = 0u;
    if (profile != NONE && !clearOfWalls(q, q - steps, q + steps)) {
        queueFor(LISTING_WALLS, me);
    }
}
