#version 450 core
// Tells agents that walk to a goal their preferred velocity: straight to the nearest source
// (direct), or along the shortest path map (spm). They are those whom steer.comp has left.
//
// Reads: traits, manners, agents before the step, stages, generators, walls, the map's
// parents and field, and what escape.comp has left in the guidance. Writes: guidance.
// Reference: agents.Reference.Steer. Paper: Farias and Kallmann 2018, section
// 5.1: an agent near the border of two regions compares the parents of the
// texels around it and takes the nearest that it sees.
//
// Where a layer's map is of ground with a clearance, sight is decided by the walls of that ground. Who stands inside the
// clearance goes the way out that escape.comp has found for the stage that he begins the step in.

#include <Traits>
#include <Agent>
#include <Guidance>
#include <Stage>
#include <Generator>
#include <Manner>
#include "include/numbers.glsl"
#include "include/walls.glsl"
#include "agents/place.glsl"
#include "agents/guide.glsl"
#include "agents/texels.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430, binding = TRAITS_BINDING) readonly buffer TraitsOf { Traits traits[]; };
layout(std430, binding = BEFORE_BINDING) readonly buffer Before { Agent before[]; };
layout(std430, binding = GUIDANCE_BINDING) buffer GuidanceOf { Guidance guidance[]; };
layout(std430, binding = STAGES_BINDING) readonly buffer Stages { Stage stages[]; };
layout(std430, binding = GENERATORS_BINDING) readonly buffer Generators { Generator generators[]; };
layout(std430, binding = STEER_MANNERS_BINDING) readonly buffer Manners { Manner manners[]; };

uniform uint count;   // agents
uniform uint stride;  // generators of a layer
uniform bool trusted; // the map is that of the step before
uniform bool avoids;  // anybody avoids others: there are manners

#include "agents/wish.glsl"
#include "agents/later.glsl"

// Someone who looks for the way.
struct Seeker {
    ivec2 at; // on the lattice
    ivec2 from;
    int lean;
    uint base; // index of the layer's first generator
    int layer;
    ivec4 grid; // the walls by which sight is decided
    bool open;  // sectors of points are not asked: they are of other ground
    ivec2 texel;
    uint target; // of the step before
    uint known;  // the target, where the seeker is known to see it; else NONE
};

Seeker s = Seeker(ivec2(0), ivec2(0), 0, 0u, 0, ivec4(0), false, ivec2(0), NONE, NONE);

// The way found: left to walk over `target`, by way of aim.
struct Way {
    bool found;
    double left; // m
    uint target;
    vec2 aim;    // m
    float slack; // who has no more left than this has arrived, m
};

const Way NO_WAY = Way(false, double(INFINITY), NONE, vec2(0.0), 0.0);

// How far from a generator one has arrived at the least.
double slackOf(Generator g) {
    return isBeam(g) ? BEAM_REACH * latticeStep() : 0.0lf;
}

bool sees(uint index, Generator g) {
    g.kind = PLAIN == 0 && s.open && !isBeam(g) ? SECTOR_ALL : g.kind;
    ivec4 grid = PLAIN == 0 ? s.grid : wallGrid;
    return index == s.known || lights(grid, g, s.at, s.from, s.lean) != 0u;
}

bool less(double left, uint index, double otherLeft, uint otherIndex) {
    return left < otherLeft || (left == otherLeft && index < otherIndex);
}

// Makes a generator in sight the way; from the generator's own place on over its
// parent.
Way wayOver(uint index, double left) {
    Generator g = generators[s.base + index];
    for (int i = 0; i < 4 && placeOf(g) == s.at && g.parent != NONE && g.parent != index; i++) {
        index = g.parent;
        g = generators[s.base + index];
    }
    return Way(true, left, index, aimOver(g, s.at), float(slackOf(g)));
}

// The shortest of the ways that wayNearby knows, seen or not.
double shortest = double(INFINITY); // m

// The best way over the target of the step before, its parent, and the parents
// of the 3 x 3 texels around the seeker: these by length, ties by index, until
// one is in sight.
Way wayNearby() {
    uint candidates[11];
    candidates[0] = s.target;
    candidates[1] = s.target < stride ? generators[s.base + s.target].parent : NONE;
    for (int k = 0; k < 9; k++) {
        candidates[2 + k] = parentAt(s.layer, s.texel + ivec2(k % 3, k / 3) - 1);
    }
    double passedLeft = -1.0lf;
    uint passed = NONE;
    while (true) {
        double bestLeft = double(INFINITY);
        uint best = NONE;
        // Each index once, in ascending order: most often there are one or two.
        uint index = NONE;
        for (int k = 0; k < 11; k++) {
            index = min(index, candidates[k]);
        }
        while (index < stride) {
            Generator g = generators[s.base + index];
            double left = lengthOver(g, s.at);
            if (!isinf(left) && less(passedLeft, passed, left, index) && less(left, index, bestLeft, best)) {
                bestLeft = left;
                best = index;
            }
            uint next = NONE;
            for (int k = 0; k < 11; k++) {
                next = min(next, candidates[k] > index ? candidates[k] : NONE);
            }
            index = next;
        }
        shortest = passed == NONE ? bestLeft : shortest;
        if (best == NONE) {
            return NO_WAY;
        }
        if (sees(best, generators[s.base + best])) {
            return wayOver(best, bestLeft);
        }
        passedLeft = bestLeft;
        passed = best;
    }
}

// The way over the nearest of those whose ways are as long as the shortest nearby but for a part of a texel. Along walls that
// are a hair out of line with one another, ground narrower than texels has a corner that no texel names: ways over it and
// over the far one that texels name differ by next to nothing.
//
// In the long loop there are none but such as compilers unroll: Mesa's software renderer ends all loops after 65,535 turns,
// those that nobody enters included.
Way wayOverBend(bool look, double slack) {
    uint bends[BENDS];
    double offs[BENDS]; // squared distance, lattice steps
    for (int i = 0; i < BENDS; i++) {
        bends[i] = NONE;
        offs[i] = double(INFINITY);
    }
    for (uint k = 0u; k < (look ? stride : 0u); k++) {
        Generator g = generators[s.base + k];
        dvec2 d = dvec2(placeOf(g) - s.at);
        precise double squared = d.x * d.x + d.y * d.y;
        precise double straight = sqrt(squared) * latticeStep();
        precise double left = double(g.distance) + straight;
        double off = abs(left - shortest) <= slack && !isBeam(g) ? squared : double(INFINITY);
        for (int i = BENDS - 1; i > 0; i--) {
            bends[i] = off < offs[i - 1] ? bends[i - 1] : (off < offs[i] ? k : bends[i]);
            offs[i] = off < offs[i - 1] ? offs[i - 1] : min(off, offs[i]);
        }
        bends[0] = off < offs[0] ? k : bends[0];
        offs[0] = min(off, offs[0]);
    }
    Way way = NO_WAY;
    for (int i = 0; i < BENDS && !way.found; i++) {
        Generator g = generators[s.base + min(bends[i], stride - 1u)];
        if (bends[i] != NONE && sees(bends[i], g)) {
            way = wayOver(bends[i], lengthOver(g, s.at));
        }
    }
    return way;
}

// The best way over the first generators of the layer, or over those of a ring x
// ring of texels. Only those within a radius have to be in sight; nearer ones
// beyond it are kept as the way where none is, if that is asked for: then what is
// left to walk is not known.
Way wayAmong(int ring, uint all, double radius, bool unseen) {
    uint count = ring > 0 ? uint(ring * ring) : all;
    double bestLeft = double(INFINITY);
    uint best = NONE;
    double nearestLeft = double(INFINITY);
    uint nearest = NONE;
    for (uint k = 0u; k < count; k++) {
        uint index = ring > 0 ? parentAt(s.layer, s.texel + ivec2(int(k) % ring, int(k) / ring) - ring / 2) : k;
        Generator g = generators[s.base + min(index, stride - 1u)];
        double left = lengthOver(g, s.at);
        if (index >= stride || isinf(left)) {
            continue;
        }
        if (less(left, index, nearestLeft, nearest)) {
            nearestLeft = left;
            nearest = index;
        }
        if (left <= max(radius, slackOf(g)) && less(left, index, bestLeft, best) && sees(index, g)) {
            bestLeft = left;
            best = index;
        }
    }
    if (unseen && nearest != NONE) {
        Generator g = generators[s.base + nearest];
        double slack = slackOf(generators[s.base + (best == NONE ? nearest : best)]);
        return Way(true, bestLeft, nearest, aimOver(g, s.at), float(slack));
    }
    if (best == NONE) {
        return NO_WAY;
    }
    return wayOver(best, bestLeft);
}

// Along the map (spm): three rings of texels; who sees none of their generators
// asks for bends near the shortest, and then all of them, but only once in 16 steps, and not where all ground around is unreached.
// Who stands inside the clearance takes the way out if one was found.
// Straight (direct): to the nearest source, seen or not; what is left to walk is
// known only within the arrival radius of a source in sight.
Way wayFor(Stage stage, bool straight, uint lost, Way wayOut) {
    Way way = NO_WAY;
    bool inside = false;
    for (bool look = PLAIN == 0 && !straight && s.grid.w != wallGrid.w; look; look = false) {
        inside = !isFree(s.grid, s.at);
    }
    if (inside) {
        way = wayOut;
    }
    // Tries: 0 nearby, 1 and 2 wider rings, 3 bends, 4 all; straight there is one, 5.
    for (int try = inside ? 6 : (straight ? 5 : 0); try < 6 && !way.found; try++) {
        if (try == 0) {
            way = wayNearby();
        } else if (try < 5 || straight) {
            bool rare = try == 3 || try == 4;
            bool skip = rare && ((lost & 15u) != 0u || around(s.layer, s.texel) == SOME_UNREACHED);
            int ring = try == 1 ? 5 : (try == 2 ? 9 : 0);
            uint all = skip || try == 3 ? 0u : (straight ? stage.sources : stride);
            way = wayAmong(ring, all, straight ? double(stage.arrivalRadius) : double(INFINITY), straight);
            if (try == 3) {
                way = wayOverBend(!skip && !isinf(shortest), 1.0lf / (BEND_PARTS * double(texelsPerMetre)));
            }
        }
    }
    return way;
}

// On which side of the way to a corner both of its walls lie: 1 left, -1 right, 0 where they do not lie on one.
int wallsBeside(Generator corner) {
    double from = cross64(s.at, placeOf(corner), ivec2(corner.fromX, corner.fromY));
    double to = cross64(s.at, placeOf(corner), ivec2(corner.toX, corner.toY));
    return min(from, to) >= 0.0lf && max(from, to) > 0.0lf ? 1 : (max(from, to) <= 0.0lf && min(from, to) < 0.0lf ? -1 : 0);
}

// Who keeps clear of walls cannot come to a corner of theirs, and where the corner itself stops him, his wish to get there
// leads nowhere. He wishes to come past it: along the tangent to a circle of his radius about it, on the side where the walls are
// not. Of maps with a clearance the corners are away from walls.
vec2 wishAlong(Way way, Stage stage, Traits t, vec2 place) {
    Generator corner = generators[s.base + min(way.target, stride - 1u)];
    bool keeps = avoids && manners[t.profile].method != 0u;
    bool bare = PLAIN == 1 || gridOf(stage.layer).w == wallGrid.w;
    int side = way.target >= stage.sources && way.target < stride && keeps && bare ? wallsBeside(corner) : 0;
    vec2 wish = wishFor(t, place, way.aim);
    precise vec2 d = way.aim - place;
    precise float straight = sqrt(d.x * d.x + d.y * d.y);
    if (side != 0 && straight > 0.0) {
        float sine = min(t.radius / straight, 1.0);
        precise float cosine = sqrt(max(1.0 - sine * sine, 0.0));
        float turned = side > 0 ? -sine : sine;
        vec2 u = d / straight;
        precise vec2 tangent = vec2(u.x * cosine - u.y * turned, u.y * cosine + u.x * turned);
        wish = tangent * min(t.preferredSpeed, t.maxSpeed);
    }
    return wish;
}

void main() {
    uint id = queuedFor(STEERING);
    if (id == NONE) {
        return;
    }
    Agent a = before[id];
    Traits t = traits[id];
    Guidance g = Guidance(vec2(0.0), vec2(0.0), INFINITY, NONE, a.layer, a.stage, STATUS_WALKING, a.arrivals);
    s.at = onLattice(a.position);
    s.from = ivec2(a.fromX, a.fromY);
    s.lean = a.lean;
    s.texel = texelOf(a.position);
    s.target = a.target;
    s.known = trusted && a.sees != 0u ? a.target : NONE;
    Way wayOut = NO_WAY;
    for (bool look = PLAIN == 0 && cleared; look; look = false) {
        Guidance found = guidance[id];
        wayOut = Way(found.target == WAY_OUT, double(INFINITY), found.target, found.preferred, 0.0);
    }

    // Who has arrived goes on to the next stage at once, but to one only: a loop
    // of goals close together must end.
    for (int arrivals = 0; arrivals < 2; arrivals++) {
        Stage stage = stages[t.firstStage + g.stage];
        g.layer = stage.layer;
        s.layer = int(stage.layer);
        s.base = stage.layer * stride;
        // Who walks straight does not mind clearances.
        bool straight = t.steering != STEERING_SPM;
        ivec4 ground = gridOf(stage.layer);
        s.grid = straight ? wallGrid : ground;
        s.open = s.grid.w != ground.w;
        Way way = wayFor(stage, straight, a.lost, arrivals == 0 ? wayOut : NO_WAY);
        g.target = way.target;
        g.distance = float(way.left);
        g.preferred = way.found ? wishAlong(way, stage, t, a.position) : vec2(0.0);
        if (!(g.distance <= max(stage.arrivalRadius, way.slack)) || arrivals == 1) {
            break;
        }
        if (g.stage + 1u < t.stages) {
            g.stage++;
            s.target = NONE;
            s.known = NONE;
            continue;
        }
        if (t.onArrival == ON_ARRIVAL_LOOP) {
            // A loop of one goal ends where it begins: it is reached once.
            if (t.stages == 1u) {
                g.arrivals = 1u;
                break;
            }
            g.arrivals++;
            g.stage = 0u;
            s.target = NONE;
            s.known = NONE;
            continue;
        }
        g.arrivals++;
        g.status = t.onArrival == ON_ARRIVAL_STAY ? STATUS_ARRIVED : STATUS_LEFT;
        g.preferred = vec2(0.0);
        break;
    }
    g.velocity = g.preferred; // unless others have to be avoided
    guidance[id] = g;
}
