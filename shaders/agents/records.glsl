// The grid of walls that agents are cut at: see include/walls.glsl.
// Needs: agents/place.glsl.

#include "include/wallrecords.glsl"

ivec4 recordAt(int i) {
    return wallRecord(wallGrid.w + i);
}

// The cell of the grid of walls that a lattice point is in.
ivec2 wallCellOf(ivec2 q) {
    return min(q >> wallGrid.x, wallGrid.yz - 1);
}

// How many walls of a cell are looked at.
const int SOME_WALLS = 8;

// Whether no wall meets a box, which `at` is in, as far as that is seen without many looks.
bool clearOfWalls(ivec2 at, ivec2 low, ivec2 high) {
    ivec2 own = wallCellOf(at);
    ivec2 from = max(low, ivec2(0)) >> wallGrid.x;
    ivec2 to = min(high >> wallGrid.x, wallGrid.yz - 1);
    ivec4 cell = recordAt(own.y * wallGrid.y + own.x);
    ivec2 away = max(own - from, to - own);
    bool empty = max(away.x, away.y) < cell.w; // cells nearer than this have no walls
    bool meets = from != to || cell.y - cell.x > SOME_WALLS;
    int i = empty || meets ? cell.y : cell.x;
    do {
        ivec4 w = recordAt(min(i, max(cell.y, 1) - 1));
        bool apart = any(greaterThan(min(w.xy, w.zw), high)) || any(lessThan(max(w.xy, w.zw), low));
        meets = meets || (i < cell.y && !apart);
        i++;
    } while (i < cell.y);
    return empty || !meets;
}
