// The walls of the ground, found by a grid of cells, and what is seen past them.
//
// Reads: the walls, and the grid: for every cell, row by row, the index in
// wallCells where its list of walls begins; the lists follow, each wall in
// every cell that it touches.
// Needs: WALLS_BINDING, WALL_CELLS_BINDING and, as uniform, wallGrid: the shift
// from lattice to cell, columns, rows.
// Reference: agents.Walls.
//
// Besides the sight rule of include/sight.glsl this file knows *leaning
// points*. A point on a wall of no thickness, or where obstacles touch, lies in
// several free sectors at once, and somebody who stands there is in one of
// them. A leaning point says in which: the sector that the ray to `from` lies
// in when it is turned about the point by an infinitesimal angle, to the left
// (lean = +1) or right (lean = -1).

#include "include/sight.glsl"

#include <Wall>

layout(std430, binding = WALLS_BINDING) readonly buffer Walls { Wall walls[]; };
layout(std430, binding = WALL_CELLS_BINDING) readonly buffer WallCells { uint wallCells[]; };

uniform ivec3 wallGrid;

// The two rules of sight as bits.
const uint LEFT_RULE = 1u;
const uint RIGHT_RULE = 2u;
const uint BOTH_RULES = 3u;

// The rules under which the wall a, b hides p from g: `blocks` for both turns
// at once.
uint hides(ivec2 g, ivec2 p, ivec2 a, ivec2 b) {
    int facing = orient(g, a, b);
    if (facing == 0) {
        return 0u;
    }
    ivec2 right = facing > 0 ? a : b;
    ivec2 left = facing > 0 ? b : a;
    if (orient(right, left, p) >= 0) {
        return 0u;
    }
    int ofRight = orient(g, right, p);
    int ofLeft = orient(g, left, p);
    return (ofRight >= 0 && ofLeft < 0 ? LEFT_RULE : 0u) | (ofRight > 0 && ofLeft <= 0 ? RIGHT_RULE : 0u);
}

// A walk over the cells that the segment from g to p touches, column by column
// (or row by row where it is steep): slab after slab of cells, in each the
// range of cells that the segment can touch.
struct Slabs {
    bool steep;
    int current; // slab
    int last;
    int stride;  // +1 or -1
    double slope, offset;
};

Slabs slabs(ivec2 g, ivec2 p) {
    Slabs s;
    ivec2 d = p - g;
    s.steep = abs(d.y) > abs(d.x);
    ivec2 u = s.steep ? g.yx : g;
    ivec2 v = s.steep ? p.yx : p;
    s.current = u.x >> wallGrid.x;
    s.last = v.x >> wallGrid.x;
    s.stride = s.last < s.current ? -1 : 1;
    s.slope = u.x == v.x ? 0.0lf : double(v.y - u.y) / double(v.x - u.x);
    s.offset = double(u.y) - s.slope * double(u.x);
    return s;
}

// The first and the last cell of the current slab, before clamping to the grid.
// The segment's height at the slab's borders is computed in doubles: the slope
// is at most 1 and carries 2^-53, times 2^20 and a sum of the same size, that
// is less than 2^-30 of a step. One step of margin covers it, and a point on a
// border of cells belongs to both.
ivec2 slabRange(Slabs s, ivec2 g, ivec2 p) {
    int low = s.current << wallGrid.x;
    int high = low + (1 << wallGrid.x);
    ivec2 ends = s.steep ? ivec2(g.y, p.y) : ivec2(g.x, p.x);
    low = max(low, min(ends.x, ends.y));
    high = min(high, max(ends.x, ends.y));
    double y0 = s.slope * double(low) + s.offset;
    double y1 = s.slope * double(high) + s.offset;
    return ivec2(int(floor(min(y0, y1))) - 1, int(ceil(max(y0, y1))) + 1) >> wallGrid.x;
}

// Index of a cell of the grid, given slab and cell in it.
int slabCell(Slabs s, int cell) {
    return s.steep ? s.current * wallGrid.y + cell : cell * wallGrid.y + s.current;
}

// Which of the wanted rules let g see past all walls to p. The sectors at
// either end are not asked.
uint unhidden(ivec2 g, ivec2 p, uint wanted) {
    Slabs s = slabs(g, p);
    int across = s.steep ? wallGrid.y : wallGrid.z;
    int along = s.steep ? wallGrid.z : wallGrid.y;
    int steps = abs(s.last - s.current);
    for (int k = 0; k <= steps && wanted != 0u; k++, s.current += s.stride) {
        if (s.current < 0 || s.current >= along) {
            continue;
        }
        ivec2 range = slabRange(s, g, p);
        for (int cell = max(range.x, 0); cell <= min(range.y, across - 1) && wanted != 0u; cell++) {
            int at = slabCell(s, cell);
            uint end = wallCells[at + 1];
            for (uint i = wallCells[at]; i < end && wanted != 0u; i++) {
                Wall w = walls[wallCells[i]];
                wanted &= ~hides(g, p, ivec2(w.ax, w.ay), ivec2(w.bx, w.by));
            }
        }
    }
    return wanted;
}

// Where around q the ray to r lies, counted counter-clockwise from the ray to f
// turned by lean: 0 and 4 in the direction of f (just behind the turned ray
// counted as the whole way round), 1 left, 2 opposite, 3 right.
int turnClass(ivec2 q, ivec2 f, int lean, ivec2 r) {
    int side = orient(q, f, r);
    if (side != 0) {
        return side > 0 ? 1 : 3;
    }
    if (dot64(q, f, r) < 0.0lf) {
        return 2;
    }
    return lean < 0 ? 0 : 4;
}

// Whether, turning counter-clockwise about q from the ray to f (turned by
// fLean), the ray to r comes before the ray to d (turned by dLean).
bool comesBefore(ivec2 q, ivec2 f, int fLean, ivec2 d, int dLean, ivec2 r) {
    int ofR = turnClass(q, f, fLean, r);
    int ofD = turnClass(q, f, fLean, d);
    if (ofR != ofD) {
        return ofR < ofD;
    }
    int side = orient(q, r, d);
    return side > 0 || (side == 0 && dLean > 0);
}

// Whether somebody at q, leaning to `from`, has the ray to d, turned by dLean,
// in the same sector: no wall that touches q lies between, on one side round or
// on the other.
bool sameSector(ivec2 q, ivec2 from, int lean, ivec2 d, int dLean) {
    if (d == q || from == q) {
        return true;
    }
    bool before = false;
    bool after = false;
    ivec2 cell = min(q >> wallGrid.x, wallGrid.yz - 1);
    int at = cell.y * wallGrid.y + cell.x;
    uint end = wallCells[at + 1];
    for (uint i = wallCells[at]; i < end; i++) {
        Wall w = walls[wallCells[i]];
        ivec2 a = ivec2(w.ax, w.ay);
        ivec2 b = ivec2(w.bx, w.by);
        if (!within(a, b, q) || orient(a, b, q) != 0) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            ivec2 r = k == 0 ? a : b;
            if (r != q) {
                if (comesBefore(q, from, lean, d, dLean, r)) {
                    before = true;
                } else {
                    after = true;
                }
            }
        }
    }
    return !(before && after);
}

// The rules under which somebody at q, leaning to `from`, is lit by the
// generator g with its sector.
uint litBy(ivec2 g, uint kind, ivec2 sectorFrom, ivec2 sectorTo, ivec2 q, ivec2 from, int lean) {
    if (g == q) {
        // In the generator's own place it matters only which sector is meant.
        bool same = kind == SECTOR_ALL || sameSector(q, from, lean, sectorFrom, 1);
        return same ? BOTH_RULES : 0u;
    }
    uint rules = 0u;
    if (admits(g, kind, sectorFrom, sectorTo, q, 1) && sameSector(q, from, lean, g, -1)) {
        rules |= LEFT_RULE;
    }
    if (admits(g, kind, sectorFrom, sectorTo, q, -1) && sameSector(q, from, lean, g, 1)) {
        rules |= RIGHT_RULE;
    }
    return rules == 0u ? 0u : unhidden(g, q, rules);
}

// The rules under which somebody at q, leaning to `from`, can go straight to p.
// Who went under the left rule leans at p back to q with lean -1, under the
// right rule with +1.
uint reaches(ivec2 q, ivec2 from, int lean, ivec2 p) {
    uint rules = 0u;
    if (sameSector(q, from, lean, p, 1)) {
        rules |= LEFT_RULE;
    }
    if (sameSector(q, from, lean, p, -1)) {
        rules |= RIGHT_RULE;
    }
    return rules == 0u ? 0u : unhidden(q, p, rules);
}
