// The ascent of a global map at a place: that of cells, interpolated between their middles.
//
// A stage defines, before it includes this file, what it reads of a cell:
//     uint waysOf(uint cell);  // a bit for each way: east, west, north, south
//     vec2 ascentOf(uint cell);
// Reference: reference.AscentAt and reference.Along, bit for bit.

#include "bvp/elementary.glsl"

// The cell of a place, of a grid with so many columns and rows.
ivec2 cellAt(vec2 place, ivec2 size) {
    return clamp(ivec2(place), ivec2(0), size - 1);
}

// The place is in cells. Cells beside count where a way leads to them, and the one across the
// corner where two ways do.
vec2 ascentAt(vec2 place, ivec2 size) {
    ivec2 own = cellAt(place, size);
    precise vec2 off = clamp(place - 0.5 - vec2(own), -0.5, 0.5);
    int dx = off.x < 0.0 ? -1 : 1;
    int dy = (off.y < 0.0 ? -1 : 1) * size.x;
    uint across = off.x < 0.0 ? 2u : 1u;
    uint along = off.y < 0.0 ? 8u : 4u;
    int cell = own.y * size.x + own.x;
    uint ways = waysOf(uint(cell));
    bool isAcross = (ways & across) != 0u;
    bool isAlong = (ways & along) != 0u;
    int beside = isAcross ? cell + dx : cell;
    int above = isAlong ? cell + dy : cell;
    bool isBoth = isAcross && (waysOf(uint(beside)) & along) != 0u || isAlong && (waysOf(uint(above)) & across) != 0u;
    int corner = isBoth ? cell + dx + dy : cell;
    precise vec2 share = abs(off);
    precise vec2 rest = 1.0 - share;
    precise vec2 sum = (rest.x * rest.y) * ascentOf(uint(cell));
    sum += (isAcross ? share.x * rest.y : 0.0) * ascentOf(uint(beside));
    sum += (isAlong ? rest.x * share.y : 0.0) * ascentOf(uint(above));
    sum += (isBoth ? share.x * share.y : 0.0) * ascentOf(uint(corner));
    return sum;
}

// A point that gives the direction of an ascent alone, AFAR from a place; the place, and false,
// where there is none.
bool along(vec2 from, vec2 ascent, out vec2 point) {
    float most = max(abs(ascent.x), abs(ascent.y));
    bool there = most >= TINY;
    precise vec2 way = ascent * reciprocal(max(most, TINY));
    precise vec2 far = from + way * AFAR;
    point = there ? far : from;
    return there;
}
