#version 450 core
// Lists the neighbors of bodies in whose lists some are hidden by walls, leaving out those that
// walls hide. Candidates are taken the nearest first, CHUNK at a time, until the list is full or
// there are no more.
//
// Devices end long loops, so a body stops before, or where the device does, and goes on there in
// the next pass. If it has not come to an end in the last one, its list is shorter than it should
// be, and that is counted.
//
// Reads: bodies, cells, parts, params, walls, agents before the step. Reads and writes: neighbors.
// Writes: a counter.
// Reference: agents.Reference.Neighbors.

#include "include/branch.glsl"
#include <Agent>
#include <AvoidanceParams>
#include "include/numbers.glsl"
#include "agents/cells.glsl"
#include "agents/neighbors.glsl"
#include "agents/seen.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) buffer CountersOf { uint counters[]; };
#include "agents/sums.glsl"
layout(std430) buffer Chunks { uint chunks[]; }; // in the layout of lists, without the first word

uniform uint neighborCapacity; // entries of a list
uniform uint pass;         // the number of this one
uniform uint passes;

// How many bodies may have been looked at when candidates are looked for once more.
const uint MOST_LOOKS = 2048u;

bool sooner(int d, uint id, int otherD, uint otherId) {
    return d < otherD || (d == otherD && id < otherId);
}

void main() {
    uint me = queuedFor(LISTING_PAST_WALLS + pass);
    BRANCH (me != NONE) {
        AvoidanceParams m = params[profileOf(me)];
        precise float reach = m.neighborDistance * m.neighborDistance;
        Spot own = spotAt(me);
        uint most = min(m.maxNeighbors, neighborCapacity);
        uint listed = pass == 0u ? 0u : neighbors[me];

        // The candidate asked about last, or the body itself for none: the pass before has noted
        // it.
        uint noted = pass == 0u ? me : chunks[me];
        Spot after = spotAt(noted);
        int afterD = noted == me ? -1 : floatBitsToInt(squaredDistance(after.position, own.position));

        uint looks = 0u;
        bool more = true;
        while (more && listed < most && !endsLoops() && looks < MOST_LOOKS) {
            int near[CHUNK];
            uint ids[CHUNK];
            uint entries[CHUNK];
            for (int k = 0; k < CHUNK; k++) {
                near[k] = FAR;
                ids[k] = NONE;
                entries[k] = NONE;
            }
            float w = reachOf(reach);
            Walk walk = walkFrom(own.position);
            while (walk.more) {
                uvec2 run = nextRun(walk, w);
                looks += run.y - run.x + 1u;
                for (uint i = run.x; i < run.y; i++) {
                    Spot other = spotAt(i);
                    float squared = squaredDistance(other.position, own.position);
                    int d = floatBitsToInt(squared);
                    bool enters = squared <= reach && i != me && sooner(afterD, after.id, d, other.id) && sooner(d, other.id, near[CHUNK - 1], ids[CHUNK - 1]);
                    BRANCH (enters) {
                        for (int k = CHUNK - 1; k > 0; k--) {
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
                        w = reachOf(min(reach, intBitsToFloat(near[CHUNK - 1])));
                    }
                }
            }
            // Not all were looked at: none of these need be the next one.
            bool whole = !endsLoops();
            uint candidates = 0u;
            for (int k = 0; k < CHUNK; k++) {
                if (entries[k] != NONE && whole) {
                    chunks[candidates * count + me] = entries[k];
                    candidates++;
                }
            }
            uint asked = 0u;
            for (bool ended = false; !ended && asked < candidates && listed < most;) {
                uint entry = chunks[asked * count + me];
                Spot other = spotAt(entry);
                bool seen = sees(own, other);
                ended = endsLoops();
                if (!ended) {
                    asked++;
                    noted = entry;
                    after = other;
                    if (seen) {
                        listed++;
                        neighbors[listed * count + me] = entry;
                    }
                }
            }
            afterD = noted == me ? -1 : floatBitsToInt(squaredDistance(after.position, own.position));
            more = !whole || asked < candidates || candidates == uint(CHUNK);
        }
        bool unfinished = more && listed < most;
        bool last = pass + 1u == passes;
        if (unfinished && last) {
            addWide(COUNTER_NEIGHBOR_LIST_OVERFLOW, 1u);
        }
        if (unfinished && !last) {
            chunks[me] = noted;
            queueFor(LISTING_PAST_WALLS + pass + 1u, me);
        }
        neighbors[me] = listed;
    }
}
