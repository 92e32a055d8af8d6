#version 450 core
// Looks whether walls hide a body in a list of neighbors: then the list has to be made again.
//
// Reads: bodies, walls, agents before the step. Reads and writes: neighbors (their first word).
// Reference: agents.Reference.Neighbors.

#include "include/branch.glsl"
#include <Agent>
#include <AvoidanceParams>
#include "include/numbers.glsl"
#include "agents/cells.glsl"
#include "agents/neighbors.glsl"
#include "agents/seen.glsl"

layout(local_size_x = GROUP_SIZE) in;

// An invocation for each entry of each body that waits.
void main() {
    uint me = queuedFor(LOOKING_PAST_WALLS);
    uint entry = gl_GlobalInvocationID.y + 1u;
    uint listed = me == NONE ? 0u : neighbors[me] & ENTRIES;
    BRANCH (entry <= listed) {
        bool seen = sees(spotAt(me), spotAt(neighbors[entry * count + me]));
        if ((!seen || endsLoops()) && (atomicOr(neighbors[me], AGAIN) & AGAIN) == 0u) {
            queueFor(LISTING_PAST_WALLS, me);
        }
    }
}
