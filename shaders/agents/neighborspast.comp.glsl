#version 450 core
// Lists the neighbours of bodies in whose lists some are hidden by walls, leaving out whom walls hide. Candidates are taken
// the nearest first, LIST at a time, until the list is full or there are no more.
//
// Devices end long loops, so what a body does in one pass is bounded; it goes on where it stopped in the next one. If it
// has not come to an end in the last one, its list is shorter than it should be, and that is counted.
//
// Reads: bodies, cells, parts, manners, walls, agents before the step. Reads and writes: neighbours. Writes: a counter.
// Reference: agents.Reference.Neighbors.

#include <Agent>
#include <Manner>
#include "include/numbers.glsl"
#include "agents/cells.glsl"
#include "agents/neighbors.glsl"
#include "agents/seen.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430, binding = COUNTERS_BINDING) buffer CountersOf { uint counters[]; };

uniform uint neighborRoom; // entries of a list; after them come LIST more for candidates
uniform uint pass;         // the number of this one
uniform uint passes;

// Mesa's software renderer ends all loops of an invocation after 65,535 turns. A body takes three to look at.
const uint MOST_LOOKS = 8192u;
const uint MOST_SIGHT_TURNS = 32768u;

bool sooner(int d, uint id, int otherD, uint otherId) {
    return d < otherD || (d == otherD && id < otherId);
}

void main() {
    uint me = queuedFor(LISTING_PAST_WALLS + pass);
    for (bool lists = me != NONE; lists; lists = false) {
        Manner m = manners[mannerOf(me)];
        precise float reach = m.neighborDistance * m.neighborDistance;
        Spot own = spotAt(me);
        uint most = min(m.maxNeighbors, neighborRoom);
        uint listed = pass == 0u ? 0u : neighbors[me];
        uint scratch = neighborRoom + 1u;

        // Who was asked about last, or the body itself for nobody: the pass before has noted it.
        uint noted = pass == 0u ? me : neighbors[scratch * count + me];
        Spot after = spotAt(noted);
        int afterD = noted == me ? -1 : floatBitsToInt(squaredDistance(after.position, own.position));

        // Walls touch the ends of a sight, and stand in its way: each in a cell is asked some five times.
        ivec2 at = wallCellOf(onLattice(own.position));
        ivec4 cell = recordAt(at.y * wallGrid.y + at.x);
        uint sights = max(MOST_SIGHT_TURNS / (32u + 8u * uint(cell.y - cell.x)), 4u);
        uint looks = 0u;
        bool more = true;
        while (more && listed < most && sights > 0u && looks < MOST_LOOKS) {
            int near[LIST];
            uint ids[LIST];
            uint entries[LIST];
            for (int k = 0; k < LIST; k++) {
                near[k] = FAR;
                ids[k] = NONE;
                entries[k] = NONE;
            }
            float w = reachOf(reach);
            Walk walk = walkFrom(own.position);
            while (walk.more && looks < MOST_LOOKS) {
                uvec2 run = nextRun(walk, w);
                run.y = min(run.y, run.x + MOST_LOOKS);
                looks += run.y - run.x + 1u;
                for (uint i = run.x; i < run.y; i++) {
                    Spot other = spotAt(i);
                    float squared = squaredDistance(other.position, own.position);
                    int d = floatBitsToInt(squared);
                    bool enters = squared <= reach && i != me && sooner(afterD, after.id, d, other.id) && sooner(d, other.id, near[LIST - 1], ids[LIST - 1]);
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
            // Not all were looked at: none of these need be the next one.
            bool whole = looks < MOST_LOOKS;
            uint candidates = 0u;
            for (int k = 0; k < LIST; k++) {
                if (entries[k] != NONE && whole) {
                    neighbors[(scratch + candidates) * count + me] = entries[k];
                    candidates++;
                }
            }
            uint asked = 0u;
            for (; asked < candidates && listed < most && sights > 0u; asked++) {
                noted = neighbors[(scratch + asked) * count + me];
                after = spotAt(noted);
                afterD = floatBitsToInt(squaredDistance(after.position, own.position));
                sights--;
                if (sees(own, after)) {
                    listed++;
                    neighbors[listed * count + me] = noted;
                }
            }
            more = !whole || asked < candidates || candidates == uint(LIST);
        }
        bool unfinished = more && listed < most;
        bool last = pass + 1u == passes;
        if (unfinished && last) {
            atomicAdd(counters[COUNTER_CROWDED], 1u);
        }
        if (unfinished && !last) {
            neighbors[scratch * count + me] = noted;
            queueFor(LISTING_PAST_WALLS + pass + 1u, me);
        }
        neighbors[me] = listed;
    }
}
