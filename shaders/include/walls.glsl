// The walls of the ground, found by a grid of cells, and what is seen past them.
//
// Reads: one buffer of four integers each. First an entry for every cell, row by
// row: where its list of walls begins and ends. Then the lists: the lattice
// points of each wall's ends, in every cell that the wall touches. (One buffer,
// because stages may have eight only, and whole walls in it, because an index
// more would be a dependent load more.)
// Needs: WALLS_BINDING and, as uniform, wallGrid: the shift from lattice to cell,
// columns, rows.
// Reference: agents.barriers.
//
// Besides the sight rule of include/sight.glsl this file knows *leaning
// points*. A point on a wall of no thickness, or where obstacles touch, lies in
// several free sectors at once, and somebody who stands there is in one of
// them. A leaning point says in which: the sector that the ray to `from` lies
// in when it is turned about the point by an infinitesimal angle, to the left
// (lean = +1) or right (lean = -1).

#include "include/sight.glsl"

layout(std430, binding = WALLS_BINDING) readonly buffer Walls { ivec4 walls[]; };

uniform ivec3 wallGrid;

// The two rules of sight as bits.
const uint LEFT_RULE = 1u;
const uint RIGHT_RULE = 2u;
const uint BOTH_RULES = 3u;

// The rules under which the wall a, b hides p from g: `blocks` for both turns
// at once. The fourth orientation is a sum of the other three: a, b, p is
// g, a, b + g, b, p - g, a, p, below 2^45 and as exact.
uint hides(ivec2 g, ivec2 p, ivec2 a, ivec2 b) {
    dvec2 toA = dvec2(a - g);
    dvec2 toB = dvec2(b - g);
    dvec2 toP = dvec2(p - g);
    double facing = outer(toA, toB);
    double ofA = outer(toA, toP);
    double ofB = outer(toB, toP);
    double beyond = facing + ofB - ofA;
    bool leftwards = facing > 0.0lf && beyond < 0.0lf; // b is the left end, as seen from g
    bool rightwards = facing < 0.0lf && beyond > 0.0lf;
    double ofRight = leftwards ? ofA : ofB;
    double ofLeft = leftwards ? ofB : ofA;
    uint rules = (ofRight >= 0.0lf && ofLeft < 0.0lf ? LEFT_RULE : 0u) |
                 (ofRight > 0.0lf && ofLeft <= 0.0lf ? RIGHT_RULE : 0u);
    return leftwards || rightwards ? rules : 0u;
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

// Which of the wanted rules let g see past all walls to p. The sectors at
// either end are not asked.
//
// One loop, a wall or an empty cell at a time, so that neighbouring agents, whose
// cells hold different numbers of walls, run through it together.
uint unhidden(ivec2 g, ivec2 p, uint wanted) {
    Slabs s = slabs(g, p);
    int across = (s.steep ? wallGrid.y : wallGrid.z) - 1;
    int slabStep = (s.steep ? wallGrid.y : 1);
    int cellStep = (s.steep ? 1 : wallGrid.y);
    ivec2 range = ivec2(0, -1);
    int cell = 0;
    ivec2 list = ivec2(0); // what is left of the cell's list
    bool more = true;
    s.current -= s.stride;
    while (wanted != 0u && more) {
        if (list.x >= list.y) {
            if (cell >= range.y) {
                more = s.current != s.last;
                s.current += s.stride;
                range = slabRange(s, g, p);
                cell = max(range.x, 0);
                range.y = min(range.y, across);
            } else {
                cell++;
            }
            list = more ? walls[s.current * slabStep + cell * cellStep].xy : ivec2(0);
        }
        if (list.x < list.y) {
            ivec4 w = walls[list.x];
            wanted &= ~hides(g, p, w.xy, w.zw);
            list.x++;
        }
    }
    return wanted;
}

// The list of walls in the cell of a point of the domain.
ivec2 listAt(ivec2 q) {
    ivec2 cell = min(q >> wallGrid.x, wallGrid.yz - 1);
    return walls[cell.y * wallGrid.y + cell.x].xy;
}

bool touches(ivec4 w, ivec2 q) {
    return within(w.xy, w.zw, q) && orient(w.xy, w.zw, q) == 0;
}

// Where around q the ray to r lies, counted counter-clockwise from the ray to f
// turned by lean: 0 and 4 in the direction of f (just behind the turned ray
// counted as the whole way round), 1 left, 2 opposite, 3 right.
int turnClass(ivec2 q, ivec2 f, int lean, ivec2 r) {
    int side = orient(q, f, r);
    int onLine = dot64(q, f, r) < 0.0lf ? 2 : (lean < 0 ? 0 : 4);
    return side > 0 ? 1 : (side < 0 ? 3 : onLine);
}

const uint LEANING_LEFT = 1u;  // turned by +1
const uint LEANING_RIGHT = 2u; // turned by -1

// The ways to turn the ray to d (a set of the two above) so that somebody at q,
// leaning to `from`, has it in his own sector: no wall that touches q lies
// between the two rays, on one side round or on the other.
uint inOwnSector(ivec2 q, ivec2 from, int lean, ivec2 d) {
    ivec2 list = listAt(q);
    bool touched = false;
    for (int i = list.x; i < list.y && !touched; i++) {
        touched = touches(walls[i], q);
    }
    if (!touched || d == q || from == q) {
        list = ivec2(0); // nothing can lie between
    }
    int ofD = turnClass(q, from, lean, d);
    uint before = 0u; // where a wall comes before d, counter-clockwise from `from`
    uint after = 0u;
    for (int i = list.x; i < list.y; i++) {
        ivec4 w = walls[i];
        if (!touches(w, q)) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            ivec2 r = k == 0 ? w.xy : w.zw;
            int ofR = turnClass(q, from, lean, r);
            int side = orient(q, r, d);
            // In one line with d a wall comes before d turned left, not turned right.
            uint sooner = side > 0 ? LEANING_LEFT | LEANING_RIGHT : (side < 0 ? 0u : LEANING_LEFT);
            sooner = ofR < ofD ? LEANING_LEFT | LEANING_RIGHT : (ofR > ofD ? 0u : sooner);
            if (r != q) {
                before |= sooner;
                after |= ~sooner;
            }
        }
    }
    return ~(before & after) & (LEANING_LEFT | LEANING_RIGHT);
}

// The rules under which somebody at q, leaning to `from`, is lit by the
// generator g with its sector. A ray turned left about g arrives at q from the
// right of the way back.
uint litBy(ivec2 g, uint kind, ivec2 sectorFrom, ivec2 sectorTo, ivec2 q, ivec2 from, int lean) {
    bool here = g == q;
    uint leanings = inOwnSector(q, from, lean, here ? sectorFrom : g);
    if (here) {
        // In the generator's own place it matters only which sector is meant.
        return kind == SECTOR_ALL || (leanings & LEANING_LEFT) != 0u ? BOTH_RULES : 0u;
    }
    uint rules = ((leanings & LEANING_RIGHT) != 0u && admits(g, kind, sectorFrom, sectorTo, q, 1) ? LEFT_RULE : 0u) |
                 ((leanings & LEANING_LEFT) != 0u && admits(g, kind, sectorFrom, sectorTo, q, -1) ? RIGHT_RULE : 0u);
    return unhidden(g, q, rules);
}

// The rules under which somebody at q, leaning to `from`, can go straight to p.
// Who went under the left rule leans at p back to q with lean -1, under the
// right rule with +1.
uint reaches(ivec2 q, ivec2 from, int lean, ivec2 p) {
    uint leanings = inOwnSector(q, from, lean, p);
    return unhidden(q, p, ((leanings & LEANING_LEFT) != 0u ? LEFT_RULE : 0u) | ((leanings & LEANING_RIGHT) != 0u ? RIGHT_RULE : 0u));
}
