#version 450 core
// Tells each agent its preferred velocity: straight to its own goal point or to
// the nearest source (direct), or along the shortest path map (spm).
//
// Reads: traits, agents before the step, stages, generators, walls, the map's
// parents and field. Writes: guidance.
// Reference: agents.Reference.Steer. Paper: Farias and Kallmann 2018, section
// 5.1: an agent near the border of two regions compares the parents of the
// texels around it and takes the nearest that it sees.

#include <Traits>
#include <Agent>
#include <Guidance>
#include <Stage>
#include <Generator>
#include "include/numbers.glsl"
#include "include/walls.glsl"
#include "agents/place.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430, binding = TRAITS_BINDING) readonly buffer TraitsOf { Traits traits[]; };
layout(std430, binding = BEFORE_BINDING) readonly buffer Before { Agent before[]; };
layout(std430, binding = GUIDANCE_BINDING) writeonly buffer GuidanceOf { Guidance guidance[]; };
layout(std430, binding = STAGES_BINDING) readonly buffer Stages { Stage stages[]; };
layout(std430, binding = GENERATORS_BINDING) readonly buffer Generators { Generator generators[]; };

layout(binding = PARENTS_UNIT) uniform usampler2DArray parents;
layout(binding = FIELD_UNIT) uniform sampler2DArray field;

uniform uint count;      // agents
uniform uint clock;      // this step
uniform float timestep;  // s
uniform uint stride;     // generators of a layer
uniform float texelsPerMetre;
uniform float unreached; // the state of such texels in the field

// Someone who looks for the way.
struct Seeker {
    ivec2 at; // on the lattice
    ivec2 from;
    int lean;
    uint base; // index of the layer's first generator
    int layer;
    ivec2 texel;
    uint target; // of the step before
};

// The way found: left to walk over `target`, whose place is aim.
struct Way {
    bool found;
    double left; // m
    uint target;
    ivec2 aim;
};

ivec2 placeOf(Generator g) {
    return ivec2(g.x, g.y);
}

uint seen(Seeker s, Generator g) {
    return litBy(placeOf(g), g.kind, ivec2(g.fromX, g.fromY), ivec2(g.toX, g.toY), s.at, s.from, s.lean);
}

// Length of the way over a generator, were it in sight.
double lengthOver(Seeker s, Generator g) {
    dvec2 d = dvec2(placeOf(g) - s.at);
    precise double straight = sqrt(d.x * d.x + d.y * d.y) * latticeStep();
    precise double total = double(g.distance) + straight;
    return total;
}

bool less(double left, uint index, double otherLeft, uint otherIndex) {
    return left < otherLeft || (left == otherLeft && index < otherIndex);
}

// Candidate k of a ring of texels: the target of the step before, its parent,
// then the generators of the ring x ring texels around the seeker.
uint candidate(Seeker s, int k, int ring) {
    if (k < 2) {
        return k == 0 || s.target >= stride ? s.target : generators[s.base + s.target].parent;
    }
    k -= 2;
    ivec2 texel = s.texel + ivec2(k % ring, k / ring) - ring / 2;
    ivec3 size = textureSize(parents, 0);
    if (any(lessThan(texel, ivec2(0))) || any(greaterThanEqual(texel, size.xy))) {
        return NONE;
    }
    return texelFetch(parents, ivec3(texel, s.layer), 0).r;
}

// Makes the generator the way; from the generator's own place on over its
// parent.
Way wayOver(Seeker s, uint index, double left) {
    Generator g = generators[s.base + index];
    for (int i = 0; i < 4 && placeOf(g) == s.at && g.parent != NONE && g.parent != index; i++) {
        index = g.parent;
        g = generators[s.base + index];
    }
    return Way(true, left, index, placeOf(g));
}

// The best way over the candidates of a ring: candidates by length, ties by
// index, until one is in sight. A new round takes the next candidate after the
// one that was not, so that no list of them is needed.
Way wayInRing(Seeker s, int ring) {
    double passedLeft = -1.0lf;
    uint passed = NONE;
    for (int turn = 0; turn < ring * ring + 2; turn++) {
        double bestLeft = double(INFINITY);
        uint best = NONE;
        for (int k = 0; k < ring * ring + 2; k++) {
            uint index = candidate(s, k, ring);
            if (index >= stride || isinf(generators[s.base + index].distance)) {
                continue;
            }
            double left = lengthOver(s, generators[s.base + index]);
            if (less(passedLeft, passed, left, index) && less(left, index, bestLeft, best)) {
                bestLeft = left;
                best = index;
            }
        }
        if (best == NONE) {
            break;
        }
        if (seen(s, generators[s.base + best]) != 0u) {
            return wayOver(s, best, bestLeft);
        }
        passedLeft = bestLeft;
        passed = best;
    }
    return Way(false, double(INFINITY), NONE, s.at);
}

// The best way over all generators of the layer.
Way wayOverAll(Seeker s) {
    double bestLeft = double(INFINITY);
    uint best = NONE;
    for (uint index = 0u; index < stride; index++) {
        Generator g = generators[s.base + index];
        if (isinf(g.distance)) {
            continue;
        }
        double left = lengthOver(s, g);
        if (less(left, index, bestLeft, best) && seen(s, g) != 0u) {
            bestLeft = left;
            best = index;
        }
    }
    if (best == NONE) {
        return Way(false, double(INFINITY), NONE, s.at);
    }
    return wayOver(s, best, bestLeft);
}

// Whether a texel of the 9 x 9 around the seeker is free ground that no source
// reaches: then the seeker most likely cannot be helped either.
bool nearUnreached(Seeker s) {
    ivec3 size = textureSize(field, 0);
    for (int k = 0; k < 81; k++) {
        ivec2 texel = s.texel + ivec2(k % 9, k / 9) - 4;
        if (all(greaterThanEqual(texel, ivec2(0))) && all(lessThan(texel, size.xy)) &&
            texelFetch(field, ivec3(texel, s.layer), 0).a == unreached) {
            return true;
        }
    }
    return false;
}

// Along the map. Three rings of texels; who sees none of their generators asks
// all of them, but only once in 16 steps, and not beside unreached ground.
Way wayByMap(Seeker s, uint lost) {
    int ring = 3;
    Way way;
    for (int i = 0; i < 3; i++) {
        way = wayInRing(s, ring);
        if (way.found) {
            return way;
        }
        ring = 2 * ring - 1;
    }
    if ((lost & 15u) == 0u && !nearUnreached(s)) {
        way = wayOverAll(s);
    }
    return way;
}

// Straight to the nearest source, seen or not. What is left is known only
// within the arrival radius of a source in sight.
Way wayStraight(Seeker s, Stage stage) {
    Way way = Way(false, double(INFINITY), NONE, s.at);
    double nearest = double(INFINITY);
    for (uint index = 0u; index < stage.sources; index++) {
        Generator g = generators[s.base + index];
        if (isinf(g.distance)) {
            continue;
        }
        double left = lengthOver(s, g);
        if (left < nearest) {
            nearest = left;
            way.found = true;
            way.target = index;
            way.aim = placeOf(g);
        }
        if (left < way.left && left <= double(stage.arrivalRadius) && seen(s, g) != 0u) {
            way.left = left;
        }
    }
    return way;
}

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= count) {
        return;
    }
    Agent a = before[id];
    Traits t = traits[id];
    Guidance g = Guidance(vec2(0.0), INFINITY, NONE, a.layer, a.stage, a.status, a.arrivals);
    if (a.status == STATUS_WAITING && clock >= t.entry) {
        g.status = STATUS_WALKING;
    }
    if (g.status != STATUS_WALKING) {
        guidance[id] = g;
        return;
    }
    Seeker s;
    s.at = onLattice(a.position);
    s.from = ivec2(a.fromX, a.fromY);
    s.lean = a.lean;
    precise vec2 texel = a.position * texelsPerMetre;
    s.texel = ivec2(floor(texel));
    s.target = a.target;

    // Who has arrived goes on to the next stage at once, but to one only: a loop
    // of goals close together must end.
    for (int arrivals = 0; arrivals < 2; arrivals++) {
        Stage stage = stages[t.firstStage + g.stage];
        g.layer = stage.layer;
        vec2 aim = t.own;
        bool found = true;
        if (stage.layer == OWN_POINT) {
            g.target = NONE;
            g.distance = distance(a.position, t.own);
        } else {
            s.layer = int(stage.layer);
            s.base = stage.layer * stride;
            Way way;
            if (t.steering == STEERING_SPM) {
                way = wayByMap(s, a.lost);
            } else {
                way = wayStraight(s, stage);
            }
            found = way.found;
            g.target = way.target;
            g.distance = float(way.left);
            aim = onGround(way.aim);
        }
        if (found) {
            precise vec2 d = aim - a.position;
            precise float straight = sqrt(d.x * d.x + d.y * d.y);
            float speed = min(t.preferredSpeed, t.maxSpeed);
            precise float reach = speed * timestep;
            // The step ends on a corner exactly; the next one turns there.
            g.preferred = straight <= reach ? d / timestep : d / straight * speed;
        } else {
            g.preferred = vec2(0.0);
        }
        if (!(g.distance <= stage.arrivalRadius) || arrivals == 1) {
            break;
        }
        if (g.stage + 1u < t.stages) {
            g.stage++;
            s.target = NONE;
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
            continue;
        }
        g.arrivals++;
        g.status = t.onArrival == ON_ARRIVAL_STAY ? STATUS_ARRIVED : STATUS_LEFT;
        g.preferred = vec2(0.0);
        break;
    }
    guidance[id] = g;
}
