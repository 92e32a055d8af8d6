// Whether agents see each other past walls.
//
// Sight is that between the lattice points that they stand for, exactly; where these lie on walls,
// in the free sectors that they are in. Both see each other or neither does: the rules of sight
// distinguish left from right, so they are asked from the one with the lesser x, then y.
//
// Walls whose box does not meet that of the sight are passed over, which needs no doubles, and no
// walk along the sight while it is short. Where the device ends loops the answer is of no use.
// Needs: <Agent>, agents/cells.glsl.
// Reference: agents.barriers.sees.

#include "include/branch.glsl"
#include "include/walls.glsl"
#include "agents/place.glsl"
#include "agents/records.glsl"

layout(std430) readonly buffer Before { Agent before[]; };

// In how many cells a sight is short.
const int SHORT = 16;

// The rules under which an agent at g sees p, and light comes from there, in the sectors of both.
uint sectorRules(ivec2 g, Agent one, ivec2 p, Agent two) {
    uint leaves = inOwnSector(wallGrid, g, ivec2(one.fromX, one.fromY), one.perturbation, g == p ? ivec2(two.fromX, two.fromY) : p);
    uint comes = inOwnSector(wallGrid, p, ivec2(two.fromX, two.fromY), two.perturbation, g);
    // A ray turned left about g comes to p from the right of the way back.
    uint rules = ((leaves & LEANING_LEFT) != 0u && (comes & LEANING_RIGHT) != 0u ? LEFT_RULE : 0u) |
                 ((leaves & LEANING_RIGHT) != 0u && (comes & LEANING_LEFT) != 0u ? RIGHT_RULE : 0u);
    bool same = (leaves & (two.perturbation > 0 ? LEANING_LEFT : LEANING_RIGHT)) != 0u;
    return g == p ? (same ? BOTH_RULES : 0u) : rules;
}

bool sees(Spot a, Spot b) {
    ivec2 atA = onLattice(a.position);
    ivec2 atB = onLattice(b.position);
    bool swaps = atB.x < atA.x || (atB.x == atA.x && atB.y < atA.y);
    ivec2 g = swaps ? atB : atA;
    ivec2 p = swaps ? atA : atB;
    ivec2 low = min(g, p);
    ivec2 high = max(g, p);
    ivec2 first = wallCellOf(low);
    ivec2 last = wallCellOf(high);
    ivec2 size = last - first + 1;
    ivec2 at = wallCellOf(g);
    // Where no wall is in the cells around, none is between.
    bool clear = recordAt(at.y * wallGrid.y + at.x).w >= max(size.x, size.y);
    bool near = !clear && size.x * size.y <= SHORT;
    uint rules = BOTH_RULES;
    bool touched = false; // a wall may touch g or p
    for (int row = near ? first.y : last.y + 1; row <= last.y; row++) {
        for (int column = first.x; column <= last.x; column++) {
            ivec2 list = recordAt(row * wallGrid.y + column).xy;
            for (int i = list.x; i < list.y; i++) {
                ivec4 w = recordAt(i);
                ivec2 from = min(w.xy, w.zw);
                ivec2 to = max(w.xy, w.zw);
                BRANCH (all(lessThanEqual(from, high)) && all(greaterThanEqual(to, low))) {
                    rules &= ~hides(g, p, w.xy, w.zw);
                    touched = touched || (all(lessThanEqual(from, g)) && all(greaterThanEqual(to, g))) || (all(lessThanEqual(from, p)) && all(greaterThanEqual(to, p)));
                }
            }
        }
    }
    BRANCH (!clear && !near) {
        rules = unhidden(wallGrid, g, p, BOTH_RULES);
        touched = true;
    }
    BRANCH (touched && rules != 0u) {
        rules &= sectorRules(g, before[swaps ? b.id : a.id], p, before[swaps ? a.id : b.id]);
    }
    return rules != 0u;
}
