// Visits the bodies of a crowd (include/bodies.glsl) outwards from a place: all within w of it, and
// some others.
//
//     Walk walk = walkFrom(place);
//     while (walk.more) {
//         uvec2 run = nextRun(walk, w);
//         for (uint i = run.x; i < run.y; i++) {
//             Spot other = spotAt(i);
//             ...
//         }
//     }
//
// The walk leads outwards, more or less; w may become smaller on the way.

#include "include/bodies.glsl"
#include "include/branch.glsl"

uniform samplerBuffer positionsOf; // Body, four texels of two numbers

struct Walk {
    vec2 place;
    ivec2 own;   // cell
    bool more;   // there is a run left
    Cell cell;   // of that run
    int row;     // of parts
    int middle;  // the row of parts nearest to the place
    ivec3 sense; // +1 first, then -1: among rows of parts, columns and rows of cells
};

Walk walkFrom(vec2 place) {
    Walk walk;
    walk.place = place;
    walk.own = cellOf(place);
    walk.more = true;
    walk.cell = cellAt(walk.own);
    walk.middle = int(partOf(walk.cell, place.y, 1));
    walk.row = walk.middle;
    walk.sense = ivec3(1);
    return walk;
}

// The next run of bodies: from .x up to, not including, .y. It holds all in its row of parts that
// are within w. It may be empty.
uvec2 nextRun(inout Walk walk, float w) {
    precise vec2 low = walk.place - w;
    precise vec2 high = walk.place + w;
    uvec2 run = runOf(walk.cell, uint(walk.row), low.x, high.x);

    // On to the next row of parts, upwards from the middle, then downwards; else to the next cell,
    // likewise along the row and then over the rows.
    int lowest = int(partOf(walk.cell, low.y, 1));
    int highest = int(partOf(walk.cell, high.y, 1));
    walk.row += walk.sense.x;
    bool turns = walk.sense.x > 0 && walk.row > highest;
    walk.row = turns ? walk.middle - 1 : walk.row;
    walk.sense.x = turns ? -1 : walk.sense.x;
    bool leaves = walk.sense.x < 0 && walk.row < lowest;
    BRANCH (leaves) {
        ivec2 first = cellOf(low);
        ivec2 last = cellOf(high);
        ivec2 at = walk.cell.at + ivec2(walk.sense.y, 0);
        bool back = walk.sense.y > 0 && at.x > last.x;
        at.x = back ? walk.own.x - 1 : at.x;
        walk.sense.y = back ? -1 : walk.sense.y;
        bool beyond = walk.sense.z > 0 ? at.y > last.y : at.y < first.y;
        bool wraps = beyond || (walk.sense.y < 0 && at.x < first.x);
        at = wraps ? ivec2(walk.own.x, at.y + walk.sense.z) : at;
        walk.sense.y = wraps ? 1 : walk.sense.y;
        bool down = walk.sense.z > 0 && at.y > last.y;
        at.y = down ? walk.own.y - 1 : at.y;
        walk.sense.z = down ? -1 : walk.sense.z;
        walk.more = walk.sense.z > 0 || at.y >= first.y;
        walk.cell = cellAt(max(at, ivec2(0)));
        walk.middle = int(partOf(walk.cell, walk.place.y, 1));
        walk.row = walk.middle;
        walk.sense.x = 1;
    }
    return run;
}

// The position of a body alone, which is faster than its spot.
vec2 positionAt(uint body) {
    return texelFetch(positionsOf, int(body) * 4).xy;
}
