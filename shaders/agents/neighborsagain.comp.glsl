#version 450 core
// Lists the neighbors of bodies whose lists are to be made again, or go on: to any length, in
// rounds of LIST each, of any crowd, in windows of bodies, as devices end long loops.
//
// Reads: bodies, cells, parts, params. Reads and writes: neighbors. Writes: a counter.
// Reference: agents.Reference.Neighbors, but for walls.

#include "include/branch.glsl"
#include <AvoidanceParams>
#include "include/numbers.glsl"
#include "agents/cells.glsl"
#include "agents/neighbors.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) buffer CountersOf { uint counters[]; };
#include "agents/sums.glsl"

uniform uint first;   // body of this dispatch, where it is not for those that wait
uniform uint round;
uniform uvec2 window; // bodies to look at
uniform bool begins;  // with this window a round begins
uniform bool ends;    // with it, the round ends

bool sooner(int d, uint id, int otherD, uint otherId) {
    return d < otherD || (d == otherD && id < otherId);
}

void main() {
    // The first round is for those deferred to it, each other one for those whose lists the rounds
    // before have filled.
    uint me = round == 0u ? queuedFor(LISTING_AGAIN) : first + gl_GlobalInvocationID.x;
    uint word = me < count ? neighbors[me] : 0u;
    uint listed = word & ENTRIES;
    uint before = round * LIST; // entries of earlier rounds
    bool mine = me < count && (round == 0u || (begins ? listed == before : (word & AGAIN) != 0u));
    BRANCH (mine) {
        uint profile = profileOf(me);
        AvoidanceParams m = params[profile];
        Spot own = spotAt(me);
        precise float reach = m.neighborDistance * m.neighborDistance;
        int near[LIST];
        uint ids[LIST];
        uint entries[LIST];
        int unused = LIST - int(min(m.maxNeighbors - min(m.maxNeighbors, before), uint(LIST)));
        listed = begins ? before : listed;
        for (int k = 0; k < LIST; k++) {
            // Sorted, what the windows before have left comes first.
            bool known = k >= unused && before + uint(k - unused) < listed;
            uint entry = known ? neighbors[(before + uint(k - unused) + 1u) * count + me] : NONE;
            Spot other = spotAt(known ? entry : me);
            near[k] = known ? floatBitsToInt(squaredDistance(other.position, own.position)) : (k < unused ? -1 : FAR);
            ids[k] = known ? other.id : NONE;
            entries[k] = entry;
        }
        // Only those that come after the rounds before.
        Spot after = spotAt(before > 0u ? neighbors[before * count + me] : me);
        int afterD = before > 0u ? floatBitsToInt(squaredDistance(after.position, own.position)) : -1;
        float w = reachOf(near[LIST - 1] < 0 ? 0.0 : min(reach, intBitsToFloat(near[LIST - 1])));
        Walk walk = walkFrom(own.position);
        while (walk.more) {
            uvec2 run = nextRun(walk, w);
            run = clamp(run, window.x, window.y);
            for (uint i = run.x; i < run.y; i++) {
                Spot other = spotAt(i);
                float squared = squaredDistance(other.position, own.position);
                int d = floatBitsToInt(squared);
                bool enters = squared <= reach && i != me && sooner(afterD, after.id, d, other.id) && sooner(d, other.id, near[LIST - 1], ids[LIST - 1]);
                BRANCH (enters) {
                    for (int k = LIST - 1; k > 0; k--) {
                        bool here = sooner(d, other.id, near[k], ids[k]);
                        bool ahead = sooner(d, other.id, near[k - 1], ids[k - 1]);
                        entries[k] = ahead ? entries[k - 1] : (here ? i : entries[k]);
                        ids[k] = ahead ? ids[k - 1] : (here ? other.id : ids[k]);
                        near[k] = ahead ? near[k - 1] : (here ? d : near[k]);
                    }
                    bool first = sooner(d, other.id, near[0], ids[0]);
                    entries[0] = first ? i : entries[0];
                    ids[0] = first ? other.id : ids[0];
                    near[0] = first ? d : near[0];
                    w = reachOf(min(reach, intBitsToFloat(near[LIST - 1])));
                }
            }
        }
        listed = before;
        for (int k = 0; k < LIST; k++) {
            if (entries[k] != NONE) {
                listed++;
                neighbors[listed * count + me] = entries[k];
            }
        }
        if (endsLoops()) {
            addWide(COUNTER_NEIGHBOR_LIST_OVERFLOW, 1u);
        }
        neighbors[me] = listed | (ends ? 0u : AGAIN);
    }
}
