// Whether agents see each other past walls.
//
// Sight is that between the lattice points that they stand for, exactly; where these lie on walls, in the free sectors
// that they are in. Both see each other or neither does: the rules of sight tell left from right, so they are asked from the
// one with the lesser x, then y.
// Needs: <Agent>, agents/cells.glsl.
// Reference: agents.barriers.sees.

#include "include/walls.glsl"
#include "agents/place.glsl"

layout(std430, binding = BEFORE_BINDING) readonly buffer Before { Agent walkers[]; };

bool sees(Spot a, Spot b) {
    ivec2 g = onLattice(a.position);
    ivec2 p = onLattice(b.position);
    bool swaps = p.x < g.x || (p.x == g.x && p.y < g.y);
    uint from = swaps ? b.id : a.id;
    uint to = swaps ? a.id : b.id;
    ivec2 other = g;
    g = swaps ? p : g;
    p = swaps ? other : p;
    // Where no wall is in the cells around, none is between.
    ivec2 cell = min(g >> wallGrid.x, wallGrid.yz - 1);
    ivec2 extent = abs(min(p >> wallGrid.x, wallGrid.yz - 1) - cell);
    bool clear = walls[wallGrid.w + cell.y * wallGrid.y + cell.x].w > max(extent.x, extent.y);
    uint rules = BOTH_RULES;
    for (bool look = !clear; look; look = false) {
        Agent one = walkers[from];
        Agent two = walkers[to];
        uint leaves = inOwnSector(wallGrid, g, ivec2(one.fromX, one.fromY), one.lean, g == p ? ivec2(two.fromX, two.fromY) : p);
        uint comes = inOwnSector(wallGrid, p, ivec2(two.fromX, two.fromY), two.lean, g);
        // A ray turned left about g comes to p from the right of the way back.
        rules = ((leaves & LEANING_LEFT) != 0u && (comes & LEANING_RIGHT) != 0u ? LEFT_RULE : 0u) |
                ((leaves & LEANING_RIGHT) != 0u && (comes & LEANING_LEFT) != 0u ? RIGHT_RULE : 0u);
        if (g == p) {
            rules = (leaves & (two.lean > 0 ? LEANING_LEFT : LEANING_RIGHT)) != 0u ? BOTH_RULES : 0u;
        }
        rules = unhidden(wallGrid, g, p, rules);
    }
    return rules != 0u;
}
