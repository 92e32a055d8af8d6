#version 450 core
// Lists for bodies that have walls near the walls that they may come to before they can stop, and
// those that move and are as near as others that count, up to WALL_CAPACITY of them: the nearest first, of
// equally near ones, as where two meet, in the order of their ends. Only walls on whose free side
// one is: one that a body is behind lies behind others of the same obstacle.
//
// Bodies whose neighbors a wall may hide wait for neighborsight.comp.
//
// Reads: bodies, params, neighbors, walls. Writes: near walls, in the layout of
// neighbors, by the index of a record of theirs; a counter.
// Reference: agents.Reference.NearWalls.

#include "include/branch.glsl"
#include <Agent>
#include <AvoidanceParams>
#include "include/numbers.glsl"
#include "agents/cells.glsl"
#include "agents/neighbors.glsl"
#include "agents/seen.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) buffer NearWalls { uint nearWalls[]; };
layout(std430) buffer CountersOf { uint counters[]; };
#include "agents/sums.glsl"

#include "agents/wallreach.glsl"

// Cells that are looked through for a wall that may hide a neighbor.
const int FEW = 25;

// The squared distance of a wall, in lattice steps, as an integer in its order; FAR if q is behind
// it.
int distanceTo(ivec4 w, ivec2 q) {
    dvec2 along = dvec2(w.zw - w.xy);
    dvec2 toA = dvec2(w.xy - q);
    dvec2 toB = dvec2(w.zw - q);
    precise double fromA = -(along.x * toA.x + along.y * toA.y); // exact, as the sums below
    precise double fromB = along.x * toB.x + along.y * toB.y;
    precise double side = toA.x * toB.y - toA.y * toB.x;
    precise double squaredA = toA.x * toA.x + toA.y * toA.y;
    precise double squaredB = toB.x * toB.x + toB.y * toB.y;
    precise double squaredLength = along.x * along.x + along.y * along.y;
    precise double across = side * side / squaredLength;
    double squared = fromA <= 0.0lf ? squaredA : (fromB <= 0.0lf ? squaredB : across);
    return side < 0.0lf ? FAR : floatBitsToInt(float(squared));
}

// How far the box around a wall is from q along the axis along which it is farther away, in lattice
// steps. A cheap bound: the wall itself is no nearer.
int boxDistanceTo(ivec4 w, ivec2 q) {
    ivec2 off = max(min(w.xy, w.zw) - q, q - max(w.xy, w.zw));
    return max(off.x, off.y);
}

// Whether one wall comes before another in a list.
bool precedes(int d, ivec4 w, int otherD, ivec4 other) {
    bool before = w.w < other.w;
    for (int k = 2; k >= 0; k--) {
        before = w[k] < other[k] || (w[k] == other[k] && before);
    }
    return d < otherD || (d == otherD && before);
}

// The cells that may hold walls within so many steps of q: first and last, of columns and rows.
// None if there are no walls there.
ivec4 cellsWithin(ivec2 q, int steps) {
    ivec4 range = ivec4(max(q - steps, ivec2(0)) >> wallGrid.x, min((q + steps) >> wallGrid.x, wallGrid.yz - 1));
    ivec2 own = wallCellOf(q);
    ivec2 extent = max(own - range.xy, range.zw - own);
    bool none = recordAt(own.y * wallGrid.y + own.x).w > max(extent.x, extent.y);
    return none ? ivec4(0, 0, -1, -1) : range;
}

void main() {
    uint me = queuedFor(LISTING_WALLS);
    if (me == NONE) {
        return;
    }
    AvoidanceParams m = params[profileOf(me)];
    vec2 place = positionAt(me);
    ivec2 q = onLattice(place);
    float reach = reachAmongWalls(me, m);
    precise double reachSteps = double(reach) / latticeStep();
    int most = floatBitsToInt(float(reachSteps * reachSteps));
    float farther = reachAmongMovers(reach, m);
    precise double fartherSteps = double(farther) / latticeStep();
    int mostMoving = floatBitsToInt(float(fartherSteps * fartherSteps));
    int steps = stepsOf(double(farther));
    uint listed = 0u;
    bool leftOut = false;
    ivec4 range = m.method == 0u ? ivec4(0, 0, -1, -1) : cellsWithin(q, steps);
    for (int row = range.y; row <= range.w; row++) {
        for (int column = range.x; column <= range.z;) {
            ivec4 cell = recordAt(row * wallGrid.y + column);
            column += max(cell.w, 1);
            for (int i = cell.x; i < cell.y; i++) {
                ivec4 w = recordAt(i);
                int d = FAR;
                BRANCH (boxDistanceTo(w, q) <= steps) {
                    d = distanceTo(w, q);
                }
                bool enters = d <= most || d <= mostMoving && motionOf(uint(wallGrid.w + i)) != vec4(0.0);
                BRANCH (enters) {
                    // Its place; where it is in the list already, from another cell, it is not
                    // entered again.
                    uint at = 0u;
                    bool known = false;
                    for (bool earlier = true; earlier && at < listed;) {
                        ivec4 other = recordAt(int(nearWalls[(at + 1u) * count + me]) - wallGrid.w);
                        known = other == w;
                        earlier = precedes(distanceTo(other, q), other, d, w);
                        at += earlier ? 1u : 0u;
                    }
                    leftOut = leftOut || (!known && listed == WALL_CAPACITY);
                    listed += !known && listed < WALL_CAPACITY ? 1u : 0u;
                    for (uint k = listed; k > at + 1u && !known; k--) {
                        nearWalls[k * count + me] = nearWalls[(k - 1u) * count + me];
                    }
                    if (!known && at < WALL_CAPACITY) {
                        nearWalls[(at + 1u) * count + me] = uint(wallGrid.w + i);
                    }
                }
            }
        }
    }
    nearWalls[me] = listed;
    if (leftOut || endsLoops()) {
        addWide(COUNTER_WALL_LIST_OVERFLOW, 1u);
    }

    int far = stepsToNeighbors(me, place);
    ivec4 around = cellsWithin(q, far);
    ivec2 size = around.zw - around.xy + 1;
    bool beside = size.x > 0 && size.x * size.y > FEW;
    for (int row = around.y; row <= around.w && !beside; row++) {
        for (int column = around.x; column <= around.z && !beside;) {
            ivec4 cell = recordAt(row * wallGrid.y + column);
            column += max(cell.w, 1);
            for (int i = cell.x; i < cell.y && !beside; i++) {
                beside = boxDistanceTo(recordAt(i), q) <= far;
            }
        }
    }
    if (far > 0 && (beside || endsLoops())) {
        queueFor(LOOKING_PAST_WALLS, me);
    }
}
