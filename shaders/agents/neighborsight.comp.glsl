#version 450 core
// Looks whether walls hide somebody in a list of neighbours: then the list has to be made again.
//
// Reads: bodies, walls, agents before the step. Reads and writes: neighbours (their first word).
// Reference: agents.Reference.Neighbors.

#include <Agent>
#include <Manner>
#include "include/numbers.glsl"
#include "agents/cells.glsl"
#include "agents/neighbors.glsl"
#include "agents/seen.glsl"

layout(local_size_x = GROUP_SIZE) in;

void main() {
    uint me = gl_GlobalInvocationID.x;
    uint word = me < count ? neighbors[me] : 0u;
    for (bool look = (word & BESIDE_WALLS) != 0u; look; look = false) {
        Spot own = spotAt(me);
        uint listed = word & ENTRIES;
        bool hidden = false;
        for (uint k = 1u; k <= listed && !hidden; k++) {
            hidden = !sees(own, spotAt(neighbors[k * count + me]));
        }
        neighbors[me] = listed | (hidden ? AGAIN : 0u);
        if (hidden) {
            askFor(LISTING_PAST_WALLS);
        }
    }
}
