#version 450 core
// Looks whether walls are near bodies that avoid others: those who have any wait for nearwallslist.comp.
//
// Reads: bodies, manners, neighbours, walls. Writes: near walls, none.
// Reference: agents.Reference.NearWalls.

#include <Manner>
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
    uint manner = mannerOf(me);
    Manner m = manners[manner == NONE ? 0u : manner];
    vec2 place = positionAt(me);
    ivec2 q = onLattice(place);
    int steps = max(stepsOf(double(reachAmongMovers(reachAmongWalls(me, m), m))), stepsToNeighbors(me, place));
    nearWalls[me] = 0u;
    if (manner != NONE && !clearOfWalls(q, q - steps, q + steps)) {
        queueFor(LISTING_WALLS, me);
    }
}
