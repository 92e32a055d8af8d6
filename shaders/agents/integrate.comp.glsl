#version 450 core
// Moves each agent by its new velocity for one step, cut at the first wall or
// border that the path of its centre meets; the rest of the move slides along
// the wall.
//
// What holds before and after: the lattice point an agent stands for is in
// closed free space, and from one step to the next it passes no wall, not even
// one of no thickness, and slips through no point where obstacles touch.
//
// Reads: traits, agents before the step, guidance, generators, walls. Writes:
// agents after the step, counters.
// Reference: agents.Reference.Integrate.

#include <Traits>
#include <Agent>
#include <Guidance>
#include <Generator>
#include "include/numbers.glsl"
#include "include/walls.glsl"
#include "agents/place.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430, binding = TRAITS_BINDING) readonly buffer TraitsOf { Traits traits[]; };
layout(std430, binding = BEFORE_BINDING) readonly buffer Before { Agent before[]; };
layout(std430, binding = AFTER_BINDING) writeonly buffer After { Agent after[]; };
layout(std430, binding = GUIDANCE_BINDING) readonly buffer GuidanceOf { Guidance guidance[]; };
layout(std430, binding = GENERATORS_BINDING) readonly buffer Generators { Generator generators[]; };
layout(std430, binding = COUNTERS_BINDING) buffer CountersOf { uint counters[]; };

uniform uint count;     // agents
uniform uint clock;     // this step
uniform float timestep; // s
uniform uint stride;    // generators of a layer

// Someone who moves.
struct Mover {
    vec2 position; // m
    ivec2 at;      // the lattice point of position
    ivec2 from;
    int lean;
    bool led;      // wants to keep sight of the generator
    uint generator;
    bool cut;      // a wall was met
};

bool keepsSight(Mover m, ivec2 at, ivec2 from, int lean) {
    Generator g = generators[m.generator];
    return litBy(ivec2(g.x, g.y), g.kind, ivec2(g.fromX, g.fromY), ivec2(g.toX, g.toY), at, from, lean) != 0u;
}

// Whether the mover can go straight to p, keeping its generator in sight if
// asked to, and how it then leans there (0: it cannot).
int leanAt(Mover m, ivec2 p, uint rules, bool sight) {
    for (int turn = 1; turn >= -1; turn -= 2) {
        if ((rules & (turn > 0 ? LEFT_RULE : RIGHT_RULE)) != 0u && (!sight || keepsSight(m, p, m.at, -turn))) {
            return -turn;
        }
    }
    return 0;
}

void settle(inout Mover m, ivec2 p, vec2 position, int lean) {
    m.from = m.at;
    m.lean = lean;
    m.at = p;
    m.position = position;
}

// How far towards p, as a share of the way, the first wall allows under one
// rule: where the line crosses the line of the wall. Of walls that meet there
// the one with the lowest index.
double shareUntilWall(ivec2 q, ivec2 p, uint rule, out Wall wall) {
    double first = 1.0lf;
    uint met = NONE;
    Slabs s = slabs(q, p);
    int across = s.steep ? wallGrid.y : wallGrid.z;
    int along = s.steep ? wallGrid.z : wallGrid.y;
    int steps = abs(s.last - s.current);
    for (int k = 0; k <= steps; k++, s.current += s.stride) {
        if (s.current < 0 || s.current >= along) {
            continue;
        }
        ivec2 range = slabRange(s, q, p);
        for (int cell = max(range.x, 0); cell <= min(range.y, across - 1); cell++) {
            int at = slabCell(s, cell);
            uint end = wallCells[at + 1];
            for (uint i = wallCells[at]; i < end; i++) {
                uint index = wallCells[i];
                Wall w = walls[index];
                ivec2 a = ivec2(w.ax, w.ay);
                ivec2 b = ivec2(w.bx, w.by);
                if ((hides(q, p, a, b) & rule) == 0u) {
                    continue;
                }
                double before = cross64(a, b, q);
                double share = before / (before - cross64(a, b, p));
                if (share < first || (share == first && index < met)) {
                    first = share;
                    met = index;
                    wall = w;
                }
            }
        }
    }
    return first;
}

// Of the walls that touch the mover's place the one that leads furthest in the
// direction of p, from that place on; false if none leads on.
bool touchingWall(ivec2 q, ivec2 p, out Wall wall) {
    float best = 0.0;
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
            if (r == q) {
                continue;
            }
            vec2 d = vec2(r - q);
            float along = dot(vec2(p - q), d / length(d));
            if (along > best) {
                best = along;
                wall = Wall(q.x, q.y, r.x, r.y);
            }
        }
    }
    return best > 0.0;
}

// Goes to the lattice point nearest to `end`, of the nine around it, that the
// mover reaches and that lies ahead.
bool settleNear(inout Mover m, dvec2 end, ivec2 ahead, bool sight) {
    ivec2 middle = ivec2(floor(end + 0.5lf));
    double nearest = 16.0lf;
    ivec2 best = m.at;
    int lean = 0;
    for (int k = 0; k < 9; k++) {
        ivec2 p = middle + ivec2(k % 3, k / 3) - 1;
        dvec2 off = dvec2(p) - end;
        double d = off.x * off.x + off.y * off.y;
        if (d >= nearest || any(lessThan(p, ivec2(0))) || any(greaterThan(p, latticeSize)) ||
            dot64(m.at, p, ahead) <= 0.0lf) {
            continue;
        }
        int l = leanAt(m, p, reaches(m.at, m.from, m.lean, p), sight);
        if (l != 0) {
            nearest = d;
            best = p;
            lean = l;
        }
    }
    if (lean == 0) {
        return false;
    }
    settle(m, best, onGround(best), lean);
    return true;
}

// The same, in sight of the generator if that can be had.
bool settleBy(inout Mover m, dvec2 end, ivec2 ahead) {
    return (m.led && settleNear(m, end, ahead, true)) || settleNear(m, end, ahead, false);
}

// Moves by a displacement in metres. Returns what is left to slide along the
// wall that was met.
vec2 advance(inout Mover m, vec2 displacement) {
    precise vec2 wished = m.position + displacement;
    vec2 position = clamp(wished, vec2(0.0), onGround(latticeSize));
    ivec2 p = onLattice(position);
    if (p == m.at) {
        m.position = position;
        return vec2(0.0);
    }
    uint rules = reaches(m.at, m.from, m.lean, p);
    if (rules != 0u) {
        int lean = leanAt(m, p, rules, m.led);
        if (lean != 0) {
            settle(m, p, position, lean);
            return vec2(0.0);
        }
        // Rounding has put p out of sight of the generator, or the agent was
        // pushed. A neighbour keeps the sight if one can.
        if (!settleNear(m, dvec2(p), p, true)) {
            settle(m, p, position, leanAt(m, p, rules, false));
        }
        return vec2(0.0);
    }
    // Rounding may have put p behind a wall that the way runs along.
    if (settleBy(m, dvec2(p), p)) {
        return vec2(0.0);
    }
    m.cut = true;
    double share = -1.0lf;
    Wall wall;
    for (int turn = 1; turn >= -1; turn -= 2) {
        if (!sameSector(m.at, m.from, m.lean, p, turn)) {
            continue;
        }
        Wall met;
        double s = shareUntilWall(m.at, p, turn > 0 ? LEFT_RULE : RIGHT_RULE, met);
        if (s > share) {
            share = s;
            wall = met;
        }
    }
    if (share < 0.0lf) {
        // The walls that the mover stands on are in the way.
        share = 0.0lf;
        if (!touchingWall(m.at, p, wall)) {
            return vec2(0.0);
        }
    } else {
        dvec2 end = dvec2(m.at) + share * dvec2(p - m.at);
        settleBy(m, end, p);
    }
    vec2 along = vec2(ivec2(wall.bx, wall.by) - ivec2(wall.ax, wall.ay));
    along /= length(along);
    return along * dot(displacement * float(1.0lf - share), along);
}

shared uint tally[COUNTERS];

void tallyAgent(uint id) {
    Agent a = before[id];
    Guidance g = guidance[id];
    uint was = a.arrivals;
    a.target = g.target;
    a.layer = g.layer;
    a.stage = g.stage;
    a.status = g.status;
    a.arrivals = g.arrivals;
    if (was == 0u && a.arrivals > 0u) {
        a.first = clock;
    }
    a.velocity = vec2(0.0);
    if (a.status == STATUS_WALKING) {
        bool seesNoWay = g.layer != OWN_POINT && g.target == NONE;
        a.lost = seesNoWay ? a.lost + 1u : 0u;

        Mover m;
        m.position = a.position;
        m.at = onLattice(a.position);
        m.from = ivec2(a.fromX, a.fromY);
        m.lean = a.lean;
        m.led = traits[id].steering == STEERING_SPM && g.layer != OWN_POINT && g.target != NONE;
        m.generator = m.led ? g.layer * stride + g.target : 0u;

        m.cut = false;

        vec2 velocity = g.preferred;
        precise vec2 displacement = velocity * timestep;
        vec2 rest = displacement;
        // The move, and what is left of it along the wall that it met.
        for (int i = 0; i < 2 && rest != vec2(0.0); i++) {
            rest = advance(m, rest);
        }
        if (m.cut) {
            // What rounding to the lattice adds is no speed.
            precise vec2 moved = m.position - a.position;
            float longest = length(displacement);
            float travelled = length(moved);
            velocity = moved / timestep * (travelled > longest ? longest / travelled : 1.0);
        }
        a.velocity = velocity;
        a.position = m.position;
        a.fromX = m.from.x;
        a.fromY = m.from.y;
        a.lean = m.lean;
    }
    after[id] = a;
    atomicAdd(tally[a.status], 1u);
    if (a.arrivals > 0u) {
        atomicAdd(tally[COUNTER_REACHED], 1u);
    }
    if (a.status == STATUS_WALKING && a.lost > 0u) {
        atomicAdd(tally[COUNTER_LOST], 1u);
    }
}

void main() {
    uint local = gl_LocalInvocationID.x;
    if (local < COUNTERS) {
        tally[local] = 0u;
    }
    barrier();
    uint id = gl_GlobalInvocationID.x;
    if (id < count) {
        tallyAgent(id);
    }
    barrier();
    if (local < COUNTERS && tally[local] != 0u) {
        atomicAdd(counters[local], tally[local]);
    }
}
