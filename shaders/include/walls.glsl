// The walls of a ground, found by a grid of cells: what is seen past them, and which ground is
// free.
//
// Reads: a buffer of texels of four integers each, with the grids of one or more grounds. A grid is
// given by an ivec4: the shift from lattice to cell, columns, rows, and where it begins in the
// buffer; places in the buffer count from there. First comes an entry for every cell, row by row:
// where its list of walls begins and ends, whether the point just right of and above its lower left
// corner is free, and how many cells away the nearest is that has walls, along rows, columns and
// diagonals. Then the lists: the lattice points of each wall's ends, in every cell that the wall
// touches. A wall has free ground on its left; one with free ground on both sides is listed in both
// directions. (Whole walls, because an index more would be a dependent load more.) Reference:
// agents.barriers.
//
// Besides the sight rule of include/sight.glsl this file knows *leaning
// points*. A point on a wall of no thickness, or where obstacles touch, lies in
// several free sectors at once, and an agent that stands there is in one of
// them. A leaning point says in which: the sector that the ray to `from` lies
// in when it is turned about the point by an infinitesimal angle, to the left
// (perturbation = +1) or right (perturbation = -1).
//
// And it knows *beams*, light fields in Go: the light that a segment from `a` to `b` on free ground
// sends to its left, at right angles to itself. A beam's rays are not turned but moved sideways, by
// an infinitesimal length.

#include "include/branch.glsl"
#include "include/sight.glsl"
#include "include/wallrecords.glsl"

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

// As `hides`, for light from the beam a, b to p: its rays are parallel, so where `hides` asks on
// which side of the ray from g through a wall's end p lies, this compares them along the beam. The
// wall v, w must also lie between the beam and p. No wall passes through the beam itself. So a wall
// on one side of the beam's line lies between if that is p's side; one that passes through the line
// beside the beam has both of the beam's ends on one side of its own line, the near one or not.
uint hidesFromBeam(ivec2 a, ivec2 b, ivec2 p, ivec2 v, ivec2 w) {
    dvec2 along = dvec2(b - a);
    double facing = -dot(dvec2(w - v), along);
    double ofV = -dot(dvec2(p - v), along);
    double ofW = -dot(dvec2(p - w), along);
    double beyond = cross64(v, w, p);
    bool leftwards = facing > 0.0lf && beyond < 0.0lf; // w is the left end, seen along the light
    bool rightwards = facing < 0.0lf && beyond > 0.0lf;
    double ofRight = leftwards ? ofV : ofW;
    double ofLeft = leftwards ? ofW : ofV;
    uint rules = (ofRight >= 0.0lf && ofLeft < 0.0lf ? LEFT_RULE : 0u) |
                 (ofRight > 0.0lf && ofLeft <= 0.0lf ? RIGHT_RULE : 0u);
    double sideV = cross64(a, b, v);
    double sideW = cross64(a, b, w);
    double near = cross64(v, w, a) + cross64(v, w, b);
    bool through = min(sideV, sideW) < 0.0lf && max(sideV, sideW) > 0.0lf;
    bool between = through ? near * sign(beyond) < 0.0lf : max(sideV, sideW) > 0.0lf;
    return (leftwards || rightwards) && between ? rules : 0u;
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

Slabs slabs(ivec4 grid, ivec2 g, ivec2 p) {
    Slabs s;
    ivec2 d = p - g;
    s.steep = abs(d.y) > abs(d.x);
    ivec2 u = s.steep ? g.yx : g;
    ivec2 v = s.steep ? p.yx : p;
    s.current = u.x >> grid.x;
    s.last = v.x >> grid.x;
    s.stride = s.last < s.current ? -1 : 1;
    s.slope = u.x == v.x ? 0.0lf : double(v.y - u.y) / double(v.x - u.x);
    s.offset = double(u.y) - s.slope * double(u.x);
    return s;
}

// The first and the last cell of the current slab, before clamping to the grid.
// The segment's height at the slab's borders is computed in doubles: the slope
// is at most 1 and carries 2^-53, times 2^20 and a sum of the same size, that
// is less than 2^-30 of a step. One step of margin covers it, and a point on a
// border of cells belongs to both. A second step of margin is for g that stands
// for a point half a step away along either axis.
ivec2 slabRange(ivec4 grid, Slabs s, ivec2 g, ivec2 p, int margin) {
    int low = s.current << grid.x;
    int high = low + (1 << grid.x);
    ivec2 ends = s.steep ? ivec2(g.y, p.y) : ivec2(g.x, p.x);
    low = max(low, min(ends.x, ends.y));
    high = min(high, max(ends.x, ends.y));
    double y0 = s.slope * double(low) + s.offset;
    double y1 = s.slope * double(high) + s.offset;
    return ivec2(int(floor(min(y0, y1))) - margin, int(ceil(max(y0, y1))) + margin) >> grid.x;
}

// Which of the wanted rules let g see past all walls to p. The sectors at
// either end are not asked.
//
// One loop, a wall or an empty cell at a time, so that neighbouring agents, whose
// cells hold different numbers of walls, run through it together.
uint unhidden(ivec4 grid, ivec2 g, ivec2 p, uint wanted) {
    Slabs s = slabs(grid, g, p);
    int across = (s.steep ? grid.y : grid.z) - 1;
    int slabStep = (s.steep ? grid.y : 1);
    int cellStep = (s.steep ? 1 : grid.y);
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
                range = slabRange(grid, s, g, p, 1);
                cell = max(range.x, 0);
                range.y = min(range.y, across);
            } else {
                cell++;
            }
            list = more ? wallRecord(grid.w + s.current * slabStep + cell * cellStep).xy + grid.w : ivec2(0);
        }
        if (list.x < list.y) {
            ivec4 w = wallRecord(list.x);
            wanted &= ~hides(g, p, w.xy, w.zw);
            list.x++;
        }
    }
    return more ? 0u : wanted; // a device may end long loops, but must not see through what is left
}

// The foot of p on the segment a, b, in lattice steps; beyond its ends, an end.
dvec2 footOn(ivec2 a, ivec2 b, ivec2 p) {
    dvec2 along = dvec2(b - a);
    precise double length2 = along.x * along.x + along.y * along.y;
    precise double t = length2 > 0.0lf ? clamp(dot64(a, b, p) / length2, 0.0lf, 1.0lf) : 0.0lf;
    precise dvec2 foot = dvec2(a) + along * t;
    return foot;
}

// As `unhidden`, for light from the beam a, b to p. The walk begins two steps behind p's foot,
// rounded, so that it comes by the foot itself.
uint unhiddenFromBeam(ivec4 grid, ivec2 a, ivec2 b, ivec2 p, uint wanted) {
    dvec2 along = dvec2(b - a);
    dvec2 behind = dvec2(along.y, -along.x) * (2.0lf / length(along));
    ivec2 g = ivec2(floor(footOn(a, b, p) + behind + 0.5lf));
    Slabs s = slabs(grid, g, p);
    int highest = (s.steep ? grid.z : grid.y) - 1;
    s.current = clamp(s.current, 0, highest);
    s.last = clamp(s.last, 0, highest);
    int across = (s.steep ? grid.y : grid.z) - 1;
    int slabStep = (s.steep ? grid.y : 1);
    int cellStep = (s.steep ? 1 : grid.y);
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
                range = slabRange(grid, s, g, p, 2);
                cell = max(range.x, 0);
                range.y = min(range.y, across);
            } else {
                cell++;
            }
            list = more ? wallRecord(grid.w + s.current * slabStep + cell * cellStep).xy + grid.w : ivec2(0);
        }
        if (list.x < list.y) {
            ivec4 w = wallRecord(list.x);
            wanted &= ~hidesFromBeam(a, b, p, w.xy, w.zw);
            list.x++;
        }
    }
    return more ? 0u : wanted; // a device may end long loops, but must not see through what is left
}

// The list of walls in the cell of a point of the domain.
ivec2 listAt(ivec4 grid, ivec2 q) {
    ivec2 cell = min(q >> grid.x, grid.yz - 1);
    return wallRecord(grid.w + cell.y * grid.y + cell.x).xy + grid.w;
}

bool touches(ivec4 w, ivec2 q) {
    return within(w.xy, w.zw, q) && orient(w.xy, w.zw, q) == 0;
}

// Where around q the ray to r lies, counted counter-clockwise from the ray to f
// turned by perturbation: 0 and 4 in the direction of f (just behind the turned ray
// counted as the whole way round), 1 left, 2 opposite, 3 right.
int turnClass(ivec2 q, ivec2 f, int perturbation, ivec2 r) {
    int side = orient(q, f, r);
    int onLine = dot64(q, f, r) < 0.0lf ? 2 : (perturbation < 0 ? 0 : 4);
    return side > 0 ? 1 : (side < 0 ? 3 : onLine);
}

const uint LEANING_LEFT = 1u;  // turned by +1
const uint LEANING_RIGHT = 2u; // turned by -1

// The turns of the ray to d (a set of the two above) by which it lies in the sector of an agent at
// q, leaning to `from`: no wall that touches q lies between the two rays, on one side or the other.
uint inOwnSector(ivec4 grid, ivec2 q, ivec2 from, int perturbation, ivec2 d) {
    ivec2 list = listAt(grid, q);
    bool touched = false;
    for (int i = list.x; i < list.y && !touched; i++) {
        touched = touches(wallRecord(i), q);
    }
    if (!touched || d == q || from == q) {
        list = ivec2(0); // nothing can lie between
    }
    int ofD = turnClass(q, from, perturbation, d);
    uint before = 0u; // where a wall comes before d, counter-clockwise from `from`
    uint after = 0u;
    for (int i = list.x; i < list.y; i++) {
        ivec4 w = wallRecord(i);
        if (!touches(w, q)) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            ivec2 r = k == 0 ? w.xy : w.zw;
            int ofR = turnClass(q, from, perturbation, r);
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

// Whether the sector of an agent at q, that of the ray to `from` turned by perturbation, is free.
// It is where no wall touches q. Else the first ray of walls that comes before its own, clockwise
// from it, has to open a free sector: walls have free ground on their left.
bool leansFree(ivec4 grid, ivec2 q, ivec2 from, int perturbation) {
    ivec2 list = listAt(grid, q);
    bool touched = false;
    bool open = false;
    int last = -1; // class of that ray
    ivec2 ray = q;
    for (int i = list.x; i < list.y; i++) {
        ivec4 w = wallRecord(i);
        if (!touches(w, q)) {
            continue;
        }
        touched = true;
        for (int k = 0; k < 2; k++) {
            ivec2 r = k == 0 ? w.xy : w.zw;
            int ofR = turnClass(q, from, perturbation, r);
            int side = orient(q, ray, r);
            // In one direction one sector is shut before the next is opened.
            bool later = ofR > last || (ofR == last && (side > 0 || (side == 0 && k == 1)));
            if (r != q && later) {
                last = ofR;
                ray = r;
                open = k == 1;
            }
        }
    }
    return !touched || (open && from != q);
}

// A point that an agent at q comes from, turned left: the end of a wall that touches q, the least
// by x, then y; q itself where none does.
ivec2 leaningPoint(ivec4 grid, ivec2 q) {
    ivec2 list = listAt(grid, q);
    ivec2 best = q;
    for (int i = list.x; i < list.y; i++) {
        ivec4 w = wallRecord(i);
        bool less = best == q || w.z < best.x || (w.z == best.x && w.w < best.y);
        best = touches(w, q) && w.zw != q && less ? w.zw : best;
    }
    return best;
}

// Whether q, a point of the domain, is on closed free ground: on a wall, or else where the sense of
// the walls between it and the point of its cell that is known says so. That point is the cell's
// corner moved by e to the right and e^2 up, with e as small as one likes: so no wall passes
// through it, nor through the way to it an end of a wall.
bool isFree(ivec4 grid, ivec2 q) {
    ivec2 cell = min(q >> grid.x, grid.yz - 1);
    ivec4 entry = wallRecord(grid.w + cell.y * grid.y + cell.x);
    ivec2 corner = cell << grid.x;
    int winding = entry.z;
    bool touched = false;
    int end = entry.y + grid.w;
    int i = entry.x + grid.w;
    for (; i < end; i++) {
        ivec4 w = wallRecord(i);
        ivec2 d = w.zw - w.xy;
        int ofQ = orient(w.xy, w.zw, q);
        int ofCorner = orient(w.xy, w.zw, corner);
        ofCorner = ofCorner != 0 ? ofCorner : (d.y != 0 ? -sign(d.y) : sign(d.x));
        ivec2 sides = ivec2(orient(q, corner, w.xy), orient(q, corner, w.zw));
        for (int k = 0; k < 2; k++) {
            ivec2 off = (k == 0 ? w.xy : w.zw) - q;
            sides[k] = sides[k] != 0 ? sides[k] : (off.y != 0 ? sign(off.y) : -sign(off.x));
        }
        winding += ofQ != ofCorner && sides.x != sides.y ? ofQ : 0;
        touched = touched || touches(w, q);
    }
    return touched || (winding > 0 && i == end); // as in unhidden
}

// inOwnSector for sight. An agent that walks on other ground than this one may have come out of
// ground that is covered here, so that its sector is not free: then it stands in all sectors around
// it.
uint sectorsFor(ivec4 grid, bool other, ivec2 q, ivec2 from, int perturbation, ivec2 d) {
    const uint both = LEANING_LEFT | LEANING_RIGHT;
    uint leanings = inOwnSector(grid, q, from, perturbation, d);
    BRANCH (other && leanings != both) {
        leanings = leansFree(grid, q, from, perturbation) ? leanings : both;
    }
    return leanings;
}

// The rules under which an agent at q, leaning to `from`, is lit by the
// generator g with its sector. A ray turned left about g arrives at q from the
// right of the way back. other says whether it walks on other ground.
uint litBy(ivec4 grid, bool other, ivec2 g, uint kind, ivec2 sectorFrom, ivec2 sectorTo, ivec2 q, ivec2 from, int perturbation) {
    bool here = g == q;
    uint leanings = sectorsFor(grid, other, q, from, perturbation, here ? sectorFrom : g);
    if (here) {
        // In the generator's own place it matters only which sector is meant.
        return kind == SECTOR_ALL || (leanings & LEANING_LEFT) != 0u ? BOTH_RULES : 0u;
    }
    uint rules = ((leanings & LEANING_RIGHT) != 0u && admits(g, kind, sectorFrom, sectorTo, q, 1) ? LEFT_RULE : 0u) |
                 ((leanings & LEANING_LEFT) != 0u && admits(g, kind, sectorFrom, sectorTo, q, -1) ? RIGHT_RULE : 0u);
    return unhidden(grid, g, q, rules);
}

// As litBy, by the beam a, b.
uint litByBeam(ivec4 grid, bool other, ivec2 a, ivec2 b, ivec2 q, ivec2 from, int perturbation) {
    ivec2 back = ivec2(b.y - a.y, a.x - b.x); // against the light
    int side = orient(a, b, q);
    double before = dot64(a, b, q);
    double after = dot64(b, a, q);
    bool over = side >= 0 && before >= 0.0lf && after >= 0.0lf;
    uint leanings = sectorsFor(grid, other, q, from, perturbation, side == 0 ? a : q + back);
    if (side == 0) {
        // On the beam itself it matters only whether the ground beside it is the agent's.
        bool beside = (q != a && (leanings & LEANING_RIGHT) != 0u) ||
            (q != b && (sectorsFor(grid, other, q, from, perturbation, b) & LEANING_LEFT) != 0u);
        return over && beside ? BOTH_RULES : 0u;
    }
    // A ray moved left of that through an end leaves the beam, or comes onto it.
    uint rules = ((leanings & LEANING_RIGHT) != 0u && before > 0.0lf ? LEFT_RULE : 0u) |
                 ((leanings & LEANING_LEFT) != 0u && after > 0.0lf ? RIGHT_RULE : 0u);
    return unhiddenFromBeam(grid, a, b, q, over ? rules : 0u);
}

// The rules under which an agent at q, leaning to `from`, can go straight to p.
// An agent that went under the left rule looks at p back to q with perturbation -1, under the
// right rule with +1.
uint reaches(ivec4 grid, ivec2 q, ivec2 from, int perturbation, ivec2 p) {
    uint leanings = inOwnSector(grid, q, from, perturbation, p);
    return unhidden(grid, q, p, ((leanings & LEANING_LEFT) != 0u ? LEFT_RULE : 0u) | ((leanings & LEANING_RIGHT) != 0u ? RIGHT_RULE : 0u));
}
