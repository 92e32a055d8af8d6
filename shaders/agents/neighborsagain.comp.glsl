#version 450 core
// Lists the neighbours of bodies whose lists are to be made again, or go on: to any length, in rounds of LIST each, of any
// crowd, in windows of bodies, as devices end long loops. With PAST_WALLS it leaves out whom walls hide.
//
// Reads: bodies, cells, parts, manners; with PAST_WALLS walls, agents before the step. Reads and writes: neighbours. Writes: a
// counter.
// Reference: agents.neighborsOf.

#include <Agent>
#include <Manner>
#include "include/numbers.glsl"
#include "agents/cells.glsl"
#include "agents/neighbors.glsl"
#include "agents/seen.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430, binding = COUNTERS_BINDING) buffer CountersOf { uint counters[]; };

uniform uint round;
uniform uvec2 window; // bodies to look at
uniform bool begins;  // with this window a round begins
uniform bool ends;    // with it, the round ends
uniform bool last;    // that is the last one

bool sooner(int d, uint id, int otherD, uint otherId) {
    return d < otherD || (d == otherD && id < otherId);
}

void main() {
    uint me = gl_GlobalInvocationID.x;
    uint word = me < count ? neighbors[me] : 0u;
    uint listed = word & ENTRIES;
    uint before = round * LIST; // entries of earlier rounds
    uint manner = me < count ? mannerOf(me) : NONE;
    Manner m = manners[manner == NONE ? 0u : manner];
    bool goesOn = listed == before && before < m.maxNeighbors && manner != NONE;
    bool mine = (word & AGAIN) != 0u;
    if (round > 0u) {
        mine = PAST_WALLS == 0 && begins ? goesOn : mine && listed >= before;
    }
    // A loop of one turn: software renderers run both sides of every branch, but no loop that nobody enters.
    for (bool lists = mine; lists; lists = false) {
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
        // Only who comes after the rounds before.
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
#if PAST_WALLS
                for (bool look = enters; look; look = false) {
                    enters = sees(own, other);
                }
#endif
                for (; enters; enters = false) {
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
        // A device may end long loops.
        if (walk.more) {
            atomicAdd(counters[COUNTER_CROWDED], 1u);
        }
    }
    bool stays = mine && !ends;
#if PAST_WALLS
    stays = (word & AGAIN) != 0u && !last;
#endif
    if (me < count) {
        neighbors[me] = listed | (stays ? AGAIN : 0u);
    }
}
