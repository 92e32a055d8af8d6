#version 450 core
// Begins a step's relaxations: moves each map of the step before against its walker's motion, and
// writes what it sees into it.
//
// Reads: walkers, settings, walls (cells and lists as include/walls.glsl says), bodies. Writes:
// potentials, and of walkers where they stand, which way they look and how large the map is.
// Reference: reference.Stamp. Paper: Fischer et al. 2009, sections 4.2, 4.3 and 5; Dapper et al.
// 2007, section 4.
//
// How much of each cell of the update zone is taken is gathered in the map itself, by maxima, so
// that no order of threads matters.

#include "bvp/map.glsl"
#include "bvp/tile.glsl"
#include "include/bodies.glsl"
#include "include/numbers.glsl"

layout(std430) buffer Walkers { Walker walkers[]; };
layout(std430) readonly buffer SettingsOf { Settings settings[]; };
layout(std430) buffer Potentials { uint potentials[]; };
layout(std430) readonly buffer Walls { ivec4 walls[]; };

uniform ivec4 wallGrid;        // shift, columns, rows, and where the cells begin in walls
uniform uvec2 latticeStepBits; // bits of the float64 that is one step, m
uniform float largest;         // no body's radius is larger, m

shared float before[MAPS * EDGE * EDGE];
shared uint barred[MAPS]; // 1: a wall bars the way from the guide's point to the exit
shared uint open[MAPS];   // bits of how far the way from the agent to the exit is open, its larger part, cells
shared uint heaped[MAPS]; // 1: there are runs of more than FEW bodies

// Lanes that share a list of walls.
const int LANES = 4;

const uint FEW = 16u;

// What bodies have besides their spots.
struct Motion {
    vec2 velocity; // m/s
    bool yields;   // its agent avoids others
};

// Of the walker.
Motion own = Motion(vec2(0.0), false);
float ownRadius = 0.0; // m

Frame f = Frame(0, vec2(0.0), 0.0, 0.0, vec2(0.0), vec2(0.0), 0.0, 0.0, false);


uint firstCell = 0u; // of the map in potentials

// How much of a cell is taken by what reaches so deep into it, or ends as far before it, in cells.
float takenBy(float depth) {
    precise float share = 1.0 + depth * (1.0 / SHOULDER);
    return portion(f, clamp(share, 0.0, 1.0), 1.0);
}

// Takes at least that much of a cell, of which so much is seen. While obstacles are stamped the map
// holds this.
void take(ivec2 cell, float share, float seen) {
    precise float taken = share * seen;
    if (taken > 0.0) {
        atomicMax(potentials[firstCell + uint(cell.y * f.cells + cell.x)], floatBitsToUint(taken));
    }
}

// The first and the last cells of the update zone within some bounds, and one more on each side for
// rounding.
ivec2 cellsWithin(float low, float high) {
    float last = float(f.cells - 3);
    return ivec2(int(clamp(floor(low) - 1.0, 2.0, last + 1.0)), int(clamp(floor(high) + 1.0, 1.0, last)));
}

// How deep a wall reaches into a cell, below 0 where it does not touch it: the least overlap along
// an axis or across the wall.
float wallIn(vec2 a, vec2 b, vec2 cell) {
    precise vec2 d = b - a;
    precise vec2 off = (cell + 0.5) - a;
    precise float area = d.x * off.y - d.y * off.x;
    float size = abs(d.x) + abs(d.y);
    precise float across = 0.5 - abs(area) * reciprocal(max(size, TINY));
    precise vec2 along = min(max(a, b) - cell, (cell + 1.0) - min(a, b));
    return min(across, min(along.x, along.y));
}

// How deep a disc does.
float discIn(vec2 middle, float radius, vec2 cell) {
    precise vec2 off = clamp(middle, cell, cell + 1.0) - middle;
    precise float squared = off.x * off.x + off.y * off.y;
    precise float depth = radius - root(squared);
    return depth;
}

// The place on the border, in cells from the middle of the first one, that the way to the guide's
// point, or failing that the heading, leads through, and the way's direction, its larger part 1.
vec2 exitTo(vec2 guide, out vec2 way) {
    bool there;
    vec2 u = towards(f.at, guide, there);
    u = there ? u : f.look;
    precise float far = f.middle - 0.5;
    precise vec2 scaled = u * reciprocal(max(abs(u.x), abs(u.y)));
    way = scaled;
    precise vec2 at = scaled * far + far;
    return clamp(at, 0.0, 2.0 * far);
}

// How much of a cell of the border the intermediate goal covers, a piece of the border of
// GOAL_LENGTH about the exit.
float goalShare(vec2 exit, ivec2 cell) {
    vec2 off = abs(vec2(cell) - exit);
    precise float share = 0.5 * (GOAL_LENGTH + 1.0) - (off.x + off.y);
    return portion(f, bounded(share), 0.5);
}

// Twice the area of a triangle: above 0 for a place on the left of the line from a to b.
float sideOf(vec2 a, vec2 b, vec2 p) {
    precise float side = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    return side;
}

bool isRight(vec2 a, vec2 b, vec2 p) {
    return sideOf(a, b, p) < 0.0;
}

// Whether a wall crosses a way.
bool bars(vec2 a, vec2 b, vec2 from, vec2 to) {
    return isRight(a, b, from) != isRight(a, b, to) && isRight(from, to, a) != isRight(from, to, b);
}

// How many cells away from those that the agent stands in a cell is, along the axis along which
// that is more.
int away(ivec2 cell) {
    ivec2 off = abs(2 * cell + 1 - f.cells);
    return max(off.x, off.y) / 2;
}

// Whether a wall is between the agent and the middle of a cell. An agent on a wall, or at its
// end, is on its left: see Stamp's covered.
bool parts(vec2 a, vec2 b, ivec2 cell) {
    vec2 own = vec2(f.middle);
    vec2 other = vec2(cell) + 0.5;
    vec2 d = b - a;
    float size = abs(d.x) + abs(d.y);
    float slack = size * (1.0 / 64.0);
    float here = sideOf(a, b, own);
    float there = sideOf(a, b, other);
    precise vec2 piece = d * (reciprocal(max(size, TINY)) * (1.0 / 32.0));
    precise vec2 left = own + vec2(-piece.y, piece.x);
    vec2 from = abs(here) <= slack ? left : own;
    precise vec2 first = a - 0.75 * piece;
    precise vec2 last = b + 0.75 * piece;
    bool beyond = here >= -slack ? there < -slack : there > slack;
    float p = sideOf(from, other, first);
    float q = sideOf(from, other, last);
    return beyond && min(p, q) <= 0.0 && max(p, q) >= 0.0;
}

// Whether a wall touches the cells that the agent stands in.
bool touched(vec2 a, vec2 b) {
    bool any = false;
    for (int k = 0; k < 4; k++) {
        any = any || wallIn(a, b, vec2((f.cells - 1) / 2 + (k & 1 & ~f.cells), (f.cells - 1) / 2 + (k >> 1 & ~f.cells))) >= 0.0;
    }
    return any;
}

// How far along a way from the agent a wall is, the way's larger part, cells; below 0 where the way
// does not cross it.
float along(vec2 a, vec2 b, vec2 way) {
    precise vec2 p = a - f.middle;
    precise vec2 q = b - f.middle;
    precise float sideOfP = way.x * p.y - way.y * p.x;
    precise float sideOfQ = way.x * q.y - way.y * q.x;
    precise float apart = sideOfQ - sideOfP;
    precise float area = p.x * q.y - p.y * q.x;
    precise float far = area * reciprocal(max(abs(apart), TINY));
    return (sideOfP < 0.0) == (sideOfQ < 0.0) ? -1.0 : apart < 0.0 ? -far : far;
}

// Stamps walls, and notes whether one bars the way from a place to another: from the guide's point,
// or half a cell behind it, since such points are corners, to the exit. And how far the way there
// is open.
void stampWalls(vec2 from, vec2 to, vec2 way) {
    double latticeStep = packDouble2x32(latticeStepBits);
    float reach = (f.middle + 1.0) / f.cellsPerMeter;
    // Two steps of margin for the rounding of places to float32.
    ivec2 low = ivec2(clamp(vec2(dvec2(f.at - reach) / latticeStep) - 2.0, 0.0, 2097152.0)) >> wallGrid.x;
    ivec2 high = ivec2(clamp(vec2(dvec2(f.at + reach) / latticeStep) + 2.0, 0.0, 2097152.0)) >> wallGrid.x;
    low = min(low, wallGrid.yz - 1);
    high = min(high, wallGrid.yz - 1);
    ivec2 size = high - low + 1;
    for (int item = int(lane); item < size.x * size.y * LANES; item += TILE) {
        int cell = item / LANES;
        ivec2 at = low + ivec2(cell % size.x, cell / size.x);
        ivec2 list = walls[wallGrid.w + at.y * wallGrid.y + at.x].xy + wallGrid.w;
        for (int i = list.x + item % LANES; i < list.y; i += LANES) {
            precise dvec4 ends = dvec4(walls[i]) * latticeStep;
            vec4 wall = vec4(ends);
            vec2 a = placeIn(f, wall.xy);
            vec2 b = placeIn(f, wall.zw);
            ivec2 rows = cellsWithin(min(a.y, b.y), max(a.y, b.y));
            ivec2 columns = cellsWithin(min(a.x, b.x), max(a.x, b.x));
            if (bars(a, b, from, to)) {
                barred[tile] = 1u;
            }
            float far = along(a, b, way);
            if (far >= 0.0) {
                atomicMin(open[tile], floatBitsToUint(far));
            }
            bool near = f.robust && touched(a, b);
            for (int j = rows.x; j <= rows.y; j++) {
                for (int i = columns.x; i <= columns.y; i++) {
                    if (!(near && away(ivec2(i, j)) <= 1)) {
                        take(ivec2(i, j), takenBy(wallIn(a, b, vec2(i, j))), coneShare(f, f.look, ivec2(i, j)));
                    }
                }
            }
            for (int k = near ? 0 : 36; k < 36; k++) {
                ivec2 cell = (f.cells - 1) / 2 - 2 + ivec2(k % 6, k / 6);
                if (away(cell) <= 2 && zoneOf(f.cells, cell) == UPDATE && parts(a, b, cell)) {
                    take(cell, 1.0, coneShare(f, f.look, cell));
                }
            }
        }
    }
}

Motion motionOf(uint body) {
    uvec4 texel = texelFetch(spotsOf, int(body) * 2 + 1);
    return Motion(uintBitsToFloat(texel.xy), texel.w != NONE);
}

float dotOf(vec2 a, vec2 b) {
    precise float sum = a.x * b.x + a.y * b.y;
    return sum;
}

// A vector over its length, shorter where it is shorter than STILL.
vec2 unit(vec2 v) {
    precise vec2 u = v * reciprocal(max(root(dotOf(v, v)), STILL));
    return u;
}

// Where a walker expects an agent, m: see reference.foreseen.
vec2 foreseen(Spot spot, vec2 velocity) {
    precise vec2 r = spot.position - f.at;
    precise vec2 u = velocity - own.velocity;
    float squared = dotOf(u, u);
    float nearing = -dotOf(r, u);
    precise float outside = (max(abs(r.x), abs(r.y)) - spot.radius) * f.cellsPerMeter;
    if (!f.robust || root(squared) < STILL || nearing <= 0.0 || outside > f.middle - 2.0) {
        return spot.position;
    }
    precise float time = nearing * reciprocal(squared);
    vec2 way = unit(u);
    precise float miss = r.x * way.y - r.y * way.x;
    precise float lacks = 0.5 * max(ownRadius + spot.radius - abs(miss), 0.0);
    precise float can = root(dotOf(velocity, velocity)) * time;
    float by = min(lacks, can);
    by = miss < 0.0 ? -by : by;
    vec2 ahead = unit(r);
    precise float early = time * max(-dotOf(ahead, unit(velocity)), 0.0) * max(dotOf(ahead, unit(own.velocity)), 0.0);
    precise vec2 place = spot.position + vec2(way.y, -way.x) * by + velocity * early;
    return place;
}

void stampDisc(Spot spot, Motion motion) {
    float most = f.robust && own.yields && motion.yields ? YIELDING : 1.0;
    vec2 middle = placeIn(f, foreseen(spot, motion.velocity));
    precise float radius = spot.radius * f.cellsPerMeter;
    precise vec2 off = middle - f.middle;
    precise float squared = off.x * off.x + off.y * off.y;
    precise float radius2 = radius * radius;
    ivec2 rows = cellsWithin(middle.y - radius, middle.y + radius);
    rows.y = f.robust && squared < radius2 ? -1 : rows.y; // the agent stands in it
    ivec2 columns = cellsWithin(middle.x - radius, middle.x + radius);
    for (int j = rows.x; j <= rows.y; j++) {
        for (int i = columns.x; i <= columns.y; i++) {
            ivec2 cell = ivec2(i, j);
            float seen = max(coneShare(f, f.look, cell), coneShare(f, f.mind, cell));
            take(cell, min(takenBy(discIn(middle, radius, vec2(cell))), most), seen);
        }
    }
}

// Stamps all bodies that may touch the update zone, but for one body, the walker's own: of each run
// the first FEW, for which the lanes share cells, then the rest, for which they share each run.
// Devices end long loops, of whose turns a body takes some thirty: so in no other way would a heap
// of thousands in one cell be stamped.
void stampBodies(uint self, bool rest) {
    // A cell of margin for the shoulder and for rounding.
    precise float reach = (f.middle - 1.0) / f.cellsPerMeter + largest;
    precise vec2 low = f.at - reach;
    precise vec2 high = f.at + reach;
    ivec2 first = cellOf(low);
    ivec2 size = cellOf(high) - first + 1;
    int lanes = rest ? TILE : max(TILE / (size.x * size.y), 1);
    for (int item = int(lane); item < size.x * size.y * lanes; item += TILE) {
        int k = item / lanes;
        Cell cell = cellAt(first + ivec2(k % size.x, k / size.x));
        uint last = partOf(cell, high.y, 1);
        for (uint row = partOf(cell, low.y, 1); row <= last; row++) {
            uvec2 run = runOf(cell, row, low.x, high.x);
            uint few = min(run.x + FEW, run.y);
            if (few < run.y) {
                heaped[tile] = 1u;
            }
            run = rest ? uvec2(few, run.y) : uvec2(run.x, few);
            for (uint body = run.x + uint(item % lanes); body < run.y; body += uint(lanes)) {
                if (body != self) {
                    stampDisc(spotAt(body), motionOf(body));
                }
            }
        }
    }
}

// The place in the map that is a goal besides the intermediate one, if walls bar the way to that:
// see Stamp.
bool endOf(vec2 guide, vec2 way, out vec2 place) {
    bool apart;
    vec2 u = towards(f.at, guide, apart);
    bool near = max(abs(u.x), abs(u.y)) < 0.5 * AFAR;
    precise float far = uintBitsToFloat(open[tile]) - 1.0;
    precise vec2 last = f.middle + way * far;
    place = near ? placeIn(f, guide) : last;
    return f.robust && (near ? apart && barred[tile] != 0u : away(ivec2(last)) > 1);
}

// How much of a cell of the update zone a goal at a place in the map takes.
float goalIn(vec2 p, ivec2 cell) {
    precise vec2 off = (vec2(cell) + 0.5) - p;
    precise vec2 near = max(1.0 - abs(off), 0.0);
    precise float product = near.x * near.y;
    float share = f.robust ? product : portion(f, min(near.x, near.y), 0.5);
    if (share > 0.0 && !isOwn(f.cells, cell)) {
        share *= coneShare(f, f.look, cell);
    }
    return share;
}

float mixed(float a, float b, float share) {
    precise float m = a + share * (b - a);
    return m;
}

// What the map of the step before had where this cell is now.
float shifted(ivec2 cell, vec2 shift) {
    precise vec2 at = clamp(vec2(cell) + shift, 1.0, float(f.cells - 2));
    ivec2 low = min(ivec2(at), ivec2(f.cells - 3));
    precise vec2 share = at - vec2(low);
    uint k = tile * uint(EDGE * EDGE) + uint(low.y * f.cells + low.x);
    float below = mixed(before[k], before[k + 1u], share.x);
    k += uint(f.cells);
    float above = mixed(before[k], before[k + 1u], share.x);
    return bounded(mixed(below, above, share.y));
}

void main() {
    join();
    uint self = walkerOf(map);
    Walker w = walkers[self];
    Settings s = settings[w.settings];
    bool there = exists() && w.body != NOT_THERE;
    f = frameOf(w, s);
    int count = there ? f.cells * f.cells : 0;
    for (int k = int(lane); k < count; k += TILE) {
        before[tile * uint(EDGE * EDGE) + uint(k)] = uintBitsToFloat(potentials[w.first + uint(k)] & ~FIXED);
        potentials[w.first + uint(k)] = 0u;
    }
    firstCell = w.first;
    memoryBarrierBuffer();
    if (lane == 0u) {
        barred[tile] = 0u;
        open[tile] = floatBitsToUint(float(2 * EDGE));
        heaped[tile] = 0u;
    }
    sync();
    vec2 way;
    vec2 exit = exitTo(w.guide, way);
    if (there) {
        precise vec2 from = placeIn(f, w.guide) + 0.5 * way;
        stampWalls(from, exit + 0.5, way);
        own = motionOf(w.body);
        ownRadius = spotAt(w.body).radius;
        stampBodies(w.body, false);
    }
    sync();
    if (there && heaped[tile] != 0u) {
        stampBodies(w.body, true);
    }
    memoryBarrierBuffer();
    sync();
    precise vec2 shift = (w.position - w.stamped) * f.cellsPerMeter;
    bool warm = w.cells == s.cells && max(abs(shift.x), abs(shift.y)) < float(f.cells);
    vec2 final = placeIn(f, w.goal);
    vec2 end;
    bool ends = endOf(w.guide, way, end);
    for (int k = int(lane); k < count; k += TILE) {
        ivec2 cell = ivec2(k % f.cells, k / f.cells);
        bool border = zoneOf(f.cells, cell) == BORDER;
        float most = uintBitsToFloat(potentials[w.first + uint(k)]);
        float taken = isOwn(f.cells, cell) ? 0.0 : most;
        float goal = zoneOf(f.cells, cell) == UPDATE ? max(goalIn(final, cell), ends ? goalIn(end, cell) : 0.0) : 0.0;
        float q = warm && !border ? shifted(cell, shift) : 0.0;
        if ((taken > 0.0 || goal > 0.0) && warm) {
            precise float across = s.weights.x * shifted(cell + ivec2(1, 0), shift) + s.weights.y * shifted(cell - ivec2(1, 0), shift);
            precise float along = s.weights.z * shifted(cell + ivec2(0, 1), shift) + s.weights.w * shifted(cell - ivec2(0, 1), shift);
            precise float left = (1.0 - taken) * (across + along);
            q = bounded(left);
        }
        precise float more = 1.0 - (1.0 - goal) * (1.0 - q);
        q = goal > 0.0 ? bounded(more) : (border ? goalShare(exit, cell) : q);
        potentials[w.first + uint(k)] = floatBitsToUint(q) | (goal > 0.0 || border || taken > 0.0 ? FIXED : 0u);
    }
    if (there && lane == 0u) {
        walkers[self].stamped = w.position;
        walkers[self].heading = f.heading;
        walkers[self].cells = s.cells;
    }
}
