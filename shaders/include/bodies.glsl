// The bodies of a crowd, sorted by the cells of a grid over the domain, each cell divided again
// into side x side parts, the more, the more bodies there are in it.
//
// Bodies lie in the order of parts: cell by cell, in each row by row. What lies in a row of parts
// from one x to another is therefore a run of bodies. Their order inside a part is left to chance,
// so nothing may depend on it. Bodies of absent agents come last, in no cell. A search of all cells
// and rows of parts from place - w to place + w, each coordinate alone, finds every body there,
// whatever rounding does: the number of a cell, and of a part in its cell, never decreases with the
// coordinate, and place + w is rounded like any sum.

#include "include/cells.glsl"

uniform usamplerBuffer cellsOf; // of each cell its first part and its side in parts
uniform usamplerBuffer partsOf; // of each part its first body
uniform usamplerBuffer spotsOf; // of each body two texels of four words, of which a Spot is the first

Cell cellAt(ivec2 at) {
    uvec2 cell = texelFetch(cellsOf, at.y * cellCount.x + at.x).xy;
    return Cell(at, cell.x, cell.y);
}

// The bodies in a row of a cell's parts whose x may be in the interval: from .x up to, not
// including, .y.
uvec2 runOf(Cell cell, uint row, float left, float right) {
    uint base = cell.first + row * cell.side;
    return uvec2(texelFetch(partsOf, int(base + partOf(cell, left, 0))).x, texelFetch(partsOf, int(base + partOf(cell, right, 0) + 1u)).x);
}

// What all need to know of a body.
struct Spot {
    vec2 position; // m, local
    float radius;  // m
    uint id;       // of its owner
};

Spot spotAt(uint body) {
    uvec4 texel = texelFetch(spotsOf, int(body) * 2);
    return Spot(uintBitsToFloat(texel.xy), uintBitsToFloat(texel.z), texel.w);
}
