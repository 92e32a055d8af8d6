#version 450 core
// Lists the neighbors of each body that avoids others, up to LIST of them, walls not asked. Where
// some are equally near, and where too many are to be looked at, the body waits for
// neighborsagain.comp.
//
// Reads: bodies, cells, parts, params. Writes: neighbors.
// Reference: agents.Reference.Neighbors, but for walls.

#include <AvoidanceParams>
#include "include/numbers.glsl"
#include "agents/cells.glsl"
#include "agents/neighbors.glsl"

layout(local_size_x = GROUP_SIZE) in;

// What one body may look at here.
const uint MOST = 4096u;

uniform uint first; // of this dispatch

// How many are looked at in a turn of the loop, which costs software renderers as much as a body.
const int AT_ONCE = 3;

void main() {
    uint me = first + gl_GlobalInvocationID.x;
    uint profile = me < count ? profileOf(me) : NONE;
    AvoidanceParams m = params[profile == NONE ? 0u : profile];
    vec2 place = positionAt(min(me, count - 1u));
    precise float reach = m.neighborDistance * m.neighborDistance;

    // The nearest so far. Of a shorter list the end.
    int near[LIST];
    uint entries[LIST];
    int unused = profile == NONE ? LIST : LIST - int(min(m.maxNeighbors, uint(LIST)));
    for (int k = 0; k < LIST; k++) {
        near[k] = k < unused ? -1 : FAR;
        entries[k] = NONE;
    }
    int left = FAR; // the nearest that has been left out
    uint looks = 0u;
    float w = reachOf(reach);
    Walk walk = walkFrom(place);
    do {
        uvec2 run = nextRun(walk, w);
        run.y = min(run.y, run.x + MOST);
        looks += run.y - run.x + 1u;
        uint i = run.x;
        do {
            int distances[AT_ONCE];
            for (int j = 0; j < AT_ONCE; j++) {
                uint other = i + uint(j);
                float squared = squaredDistance(positionAt(min(other, max(run.y, 1u) - 1u)), place);
                distances[j] = squared <= reach && other != me && other < run.y ? floatBitsToInt(squared) : FAR;
            }
            // Nearly all that is looked at has a place in the list of one of the bodies that a
            // device works on together: so no branch.
            for (int j = 0; j < AT_ONCE; j++) {
                int d = distances[j];
                uint other = i + uint(j);
                left = min(left, max(near[LIST - 1], d));
                for (int k = LIST - 1; k > 0; k--) {
                    entries[k] = d < near[k - 1] ? entries[k - 1] : (d < near[k] ? other : entries[k]);
                    near[k] = min(near[k], max(near[k - 1], d));
                }
                entries[0] = d < near[0] ? other : entries[0];
                near[0] = min(near[0], d);
            }
            i += uint(AT_ONCE);
        } while (i < run.y);
        w = reachOf(near[LIST - 1] < 0 ? 0.0 : min(reach, intBitsToFloat(near[LIST - 1])));
        walk.more = walk.more && profile != NONE;
    } while (walk.more && looks < MOST);
    if (me >= count) {
        return;
    }
    bool again = walk.more || (left == near[LIST - 1] && left != FAR);
    uint listed = 0u;
    for (int k = 0; k < LIST; k++) {
        again = again || (k > 0 && near[k] == near[k - 1] && near[k] >= 0 && near[k] != FAR);
        if (entries[k] != NONE) {
            listed++;
            neighbors[listed * count + me] = entries[k];
        }
    }
    neighbors[me] = listed;
    if (again) {
        queueFor(LISTING_AGAIN, me);
    }
}
