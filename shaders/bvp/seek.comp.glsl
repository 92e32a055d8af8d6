#version 450 core
// Has explorers choose the frontiers that they seek: a work group for each walker, which goes
// through what the team knows breadth first, by words of 32 cells, in shared memory. The target that
// a walker holds stays its own as long as it is a frontier and in reach; else it takes the one that
// costs least: its way, and what it is too near to a teammate's target, and what the walker has to
// turn for it, less what the frontiers in view from there are worth.
//
// Reads: walkers, settings, teams' maps, ways of cells, members, choices of the step before.
// Writes: proposals.
// Reference: reference.Seek, bit for bit. Sources: Yamauchi 1997 (frontiers); Burgard et al. 2005
// (cost of the way against gain, less near what teammates seek).

#include <Member>
#include <Choice>
#include "bvp/map.glsl"
#include "include/branch.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer Walkers { Walker walkers[]; };
layout(std430) readonly buffer SettingsOf { Settings settings[]; };
layout(std430) readonly buffer Seen { uint seen[]; };
layout(std430) readonly buffer Ways { uint ways[]; };
layout(std430) readonly buffer Members { Member members[]; };
layout(std430) readonly buffer Choices { Choice choices[]; };
layout(std430) writeonly buffer Proposals { Choice proposals[]; };

uniform uint walkerCount;
uniform uint first; // walker of this dispatch
uniform ivec2 gridSize;
uniform float cellsPerMeter;

const int ROW = MOST_CELLS / 32; // words of a row
const int WORDS = MOST_CELLS * ROW;

// A bit a cell: whether a way leads east and north, whether it is a frontier, whether it has been
// reached, and then in which direction; what was reached at the last level and goes on, twice.
shared uint east[WORDS];
shared uint north[WORDS];
shared uint frontier[WORDS];
shared uint reached[WORDS];
shared uint lowBits[WORDS];  // of the direction: set for west and south
shared uint highBits[WORDS]; // set for north and south
shared uint fronts[2 * WORDS];
shared uint frontiers; // how many there are
shared uint goesOn;    // the last level that something was reached at, and goes on, counted from 1
shared uint isKept;    // 1: the walker's own target was reached
shared int leastCost;
shared uint target; // of least cost, the lowest
shared uint path[GROUP_SIZE];
shared uint sighted; // of path

uint waysOf(uint cell) {
    return ways[cell];
}

#include "bvp/sight.glsl"

const int MOST_COST = 0x7fffffff;

void sync() {
    memoryBarrierShared();
    barrier();
}

// The cells of word k that ways lead to from those of a set, which begins at a word of fronts, by
// direction: east, west, north, south.
uvec4 beside(int begin, int k) {
    int j = k / ROW;
    int i = k % ROW;
    uint own = fronts[begin + k];
    uint west = i > 0 ? (fronts[begin + k - 1] & east[k - 1]) >> 31 : 0u;
    uint next = i + 1 < ROW ? fronts[begin + k + 1] << 31 : 0u;
    uint south = j > 0 ? fronts[begin + k - ROW] & north[k - ROW] : 0u;
    uint ahead = j + 1 < gridSize.y ? fronts[begin + k + ROW] : 0u;
    return uvec4((own & east[k]) << 1 | west, (own >> 1 | next) & east[k], south, ahead & north[k]);
}

// Takes the map to shared memory, and finds frontiers.
void load(uint team, ivec2 own, int words) {
    uint cells = uint(gridSize.x * gridSize.y);
    for (int k = int(gl_LocalInvocationIndex); k < words; k += GROUP_SIZE) {
        uint e = 0u;
        uint n = 0u;
        uint known = 0u;
        int from = k % ROW * 32;
        for (int bit = 0; bit < min(32, gridSize.x - from); bit++) {
            uint cell = uint(k / ROW * gridSize.x + from + bit);
            e |= (ways[cell] & 1u) << bit;
            n |= (ways[cell] >> 2 & 1u) << bit;
            known |= ((seen[team * cells + cell] & FIXED) == 0u ? 1u : 0u) << bit;
        }
        east[k] = e;
        north[k] = n;
        fronts[k] = known;
        reached[k] = own.y * ROW + own.x / 32 == k ? 1u << (own.x & 31) : 0u;
        lowBits[k] = 0u;
        highBits[k] = 0u;
    }
    frontiers = 0u;
    goesOn = 0u;
    isKept = 0u;
    leastCost = MOST_COST;
    target = NO_CELL;
    sync();
    uint count = 0u;
    for (int k = int(gl_LocalInvocationIndex); k < words; k += GROUP_SIZE) {
        uvec4 to = beside(0, k);
        frontier[k] = (to.x | to.y | to.z | to.w) & ~fronts[k];
        count += uint(bitCount(frontier[k]));
    }
    atomicAdd(frontiers, count);
    sync();
    for (int k = int(gl_LocalInvocationIndex); k < words; k += GROUP_SIZE) {
        fronts[k] = reached[k];
    }
    sync();
}

int cellsApart(ivec2 a, ivec2 b) {
    ivec2 off = abs(a - b);
    return max(off.x, off.y);
}

// How many frontiers are at most so many columns and rows from a cell.
int frontiersAbout(ivec2 cell, int reach) {
    int count = 0;
    int low = max(cell.x - reach, 0);
    int high = min(cell.x + reach, gridSize.x - 1);
    for (int j = max(cell.y - reach, 0); j <= min(cell.y + reach, gridSize.y - 1); j++) {
        for (int i = low / 32; i <= high / 32; i++) {
            uint from = i == low / 32 ? 0xffffffffu << (low & 31) : 0xffffffffu;
            uint to = i == high / 32 ? 0xffffffffu >> (31 - (high & 31)) : 0xffffffffu;
            count += bitCount(frontier[j * ROW + i] & from & to);
        }
    }
    return count;
}

int costOf(ivec2 cell, ivec2 own, int steps, int reach, vec2 look, Member m, uint self) {
    int cost = steps * FRACTION - frontiersAbout(cell, reach) * int(m.gain);
    int crowding = 0;
    for (uint k = 0u; k < walkerCount; k++) {
        uint agent = walkers[k].agent;
        if (k != self && members[agent].team == m.team && choices[agent].held == 1u) {
            uint taken = choices[agent].target;
            crowding = max(crowding, int(m.apart) - cellsApart(cell, ivec2(taken % uint(gridSize.x), taken / uint(gridSize.x))));
        }
    }
    vec2 off = vec2(cell - own);
    precise float squared = off.x * off.x + off.y * off.y;
    precise float ahead = (off.x * look.x + off.y * look.y) * reciprocal(root(squared));
    precise float turn = (0.5 - 0.5 * ahead) * float(m.turn);
    return cost + crowding * FRACTION + int(turn);
}

// A cell's place in the grid, of a bit of a word.
ivec2 cellOf(int k, int bit) {
    return ivec2(k % ROW * 32 + bit, k / ROW);
}

// Goes one level on from what was reached at the last one. Of the frontiers the least cost, and the
// lowest cell of those, is kept in best.
void advance(int level, int words, ivec2 own, int reach, vec2 look, Member m, uint self, uint held, inout ivec2 best) {
    int from = (level & 1) * WORDS;
    int to = WORDS - from;
    for (int k = int(gl_LocalInvocationIndex); k < words; k += GROUP_SIZE) {
        uvec4 by = beside(from, k);
        uint open = ~reached[k];
        uint now = (by.x | by.y | by.z | by.w) & open;
        fronts[to + k] = now & ~frontier[k];
        if (now == 0u) {
            continue;
        }
        uint upright = now & ~(by.x | by.y);
        reached[k] |= now;
        lowBits[k] |= (now & ~by.x & by.y) | (upright & ~by.z);
        highBits[k] |= upright;
        if (fronts[to + k] != 0u) {
            goesOn = uint(level) + 1u;
        }
        for (uint hits = now & frontier[k]; hits != 0u; hits &= hits - 1u) {
            ivec2 cell = cellOf(k, findLSB(hits));
            int number = cell.y * gridSize.x + cell.x;
            if (uint(number) == held) {
                isKept = 1u;
            }
            int cost = costOf(cell, own, level + 1, reach, look, m, self);
            best = cost < best.x || (cost == best.x && number < best.y) ? ivec2(cost, number) : best;
        }
    }
    atomicMin(leastCost, best.x);
}

// The cell nearest to the target, of those on the way there, that is in sight.
uint lastInSight(uint cell, ivec2 own) {
    uint columns = uint(gridSize.x);
    uint start = uint(own.y) * columns + uint(own.x);
    uint found = NO_CELL;
    while (found == NO_CELL) {
        if (gl_LocalInvocationIndex == 0u) {
            sighted = uint(GROUP_SIZE);
            for (int n = 0; n < GROUP_SIZE; n++) {
                path[n] = cell;
                uint k = cell / columns * uint(ROW) + cell % columns / 32u;
                uint bit = cell % columns & 31u;
                uint low = lowBits[k] >> bit & 1u;
                uint stride = (highBits[k] >> bit & 1u) != 0u ? columns : 1u;
                if (cell != start) {
                    cell = low != 0u ? cell + stride : cell - stride;
                }
            }
        }
        sync();
        uint there = path[gl_LocalInvocationIndex];
        if (openLine(own, ivec2(there % columns, there / columns), gridSize.x)) {
            atomicMin(sighted, gl_LocalInvocationIndex);
        }
        sync();
        if (sighted < uint(GROUP_SIZE)) {
            found = path[sighted];
        }
        sync();
    }
    return found;
}

void main() {
    uint self = first + gl_WorkGroupID.x;
    Walker w = walkers[self];
    Member m = members[w.agent];
    if (w.body == NOT_THERE || m.team == NO_TEAM || m.frontiers == 0u) {
        if (gl_LocalInvocationIndex == 0u) {
            proposals[w.agent] = Choice(NO_CELL, NO_CELL, 0, 0u);
        }
        return;
    }
    Frame f = frameOf(w, settings[w.settings]);
    vec2 look = w.heading == NO_HEADING ? vec2(0.0) : f.look;
    int reach = int(min(f.middle / f.cellsPerMeter * cellsPerMeter, float(MOST_CELLS)));
    precise vec2 scaled = w.position * cellsPerMeter;
    ivec2 own = clamp(ivec2(scaled), ivec2(0), gridSize - 1);
    int words = gridSize.y * ROW;
    load(m.team, own, words);
    Choice before = choices[w.agent];
    uint held = before.held == 1u ? before.target : NO_CELL;
    ivec2 best = ivec2(MOST_COST, 0);
    // No frontier farther away costs less than the one found, whatever it is worth.
    int mostGain = int(min(frontiers, uint((2 * reach + 1) * (2 * reach + 1))) * m.gain);
    bool alive = true;
    for (int level = 0; alive; level++) {
        advance(level, words, own, reach, look, m, self, held, best);
        sync();
        bool isBetterFarther = held != NO_CELL || leastCost == MOST_COST || (level + 2) * FRACTION - mostGain <= leastCost;
        alive = isKept == 0u && goesOn == uint(level) + 1u && isBetterFarther;
        sync();
    }
    if (best.x == leastCost && best.x < MOST_COST) {
        atomicMin(target, uint(best.y));
    }
    sync();
    Choice c = Choice(target, uint(own.y * gridSize.x + own.x), leastCost, 0u);
    if (isKept != 0u) {
        c = before;
    }
    if (c.target == NO_CELL) {
        c.cost = 0;
    } else {
        c.guide = lastInSight(c.target, own);
    }
    if (gl_LocalInvocationIndex == 0u) {
        proposals[w.agent] = c;
    }
}
