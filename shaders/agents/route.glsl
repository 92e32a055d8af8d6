// The search of the generator that an agent walks to on the map of a layer.
// Needs: agents/generators.glsl, agents/texels.glsl, agents/search.glsl, <Agent>, <Traits>,
// <Stage>, generators[], and `stride` generators of a layer.
// Reference: agents.Reference.way. Paper: Farias and Kallmann 2018, section 5.1.

#include "include/branch.glsl"

// An agent that looks for the way.
struct Seeker {
    ivec2 at; // on the lattice
    ivec2 from;
    int perturbation;
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
struct Route {
    bool found;
    double left; // m
    uint target;
    vec2 aim;    // m
    float slack; // an agent with no more left than this has arrived, m
    bool open;   // not decided: the generators of the layer have to be searched
};

#define NO_ROUTE Route(false, double(INFINITY), NONE, vec2(0.0), 0.0, false)

// The seeker that an agent is in a stage. Agents that walk straight do not mind clearances.
void seek(Agent a, Stage stage, bool straight) {
    ivec4 ground = gridOf(stage.layer);
    s.at = onLattice(a.position);
    s.from = ivec2(a.fromX, a.fromY);
    s.perturbation = a.perturbation;
    s.texel = texelOf(a.position);
    s.layer = int(stage.layer);
    s.base = stage.layer * stride;
    s.grid = straight ? wallGrid : ground;
    s.open = s.grid.w != ground.w;
}

// How far from a generator one has arrived at the least.
double slackOf(Generator g) {
    return isBeam(g) ? BEAM_REACH * latticeStep() : 0.0lf;
}

bool sees(uint index, Generator g) {
    g.kind = POINT_SOURCES_ONLY == 0 && s.open && !isBeam(g) ? SECTOR_ALL : g.kind;
    ivec4 grid = POINT_SOURCES_ONLY == 0 ? s.grid : wallGrid;
    return index == s.known || lights(grid, g, s.at, s.from, s.perturbation) != 0u;
}

bool less(double left, uint index, double otherLeft, uint otherIndex) {
    return left < otherLeft || (left == otherLeft && index < otherIndex);
}

// Makes a generator in sight the way; from the generator's own place on over its
// parent.
Route wayOver(uint index, double left) {
    Generator g = generators[s.base + index];
    for (int i = 0; i < 4 && placeOf(g) == s.at && g.parent != NONE && g.parent != index; i++) {
        index = g.parent;
        g = generators[s.base + index];
    }
    return Route(true, left, index, aimOver(g, s.at), float(slackOf(g)), false);
}

// The shortest of the ways that wayNearby knows, seen or not.
double shortest = double(INFINITY); // m

// The best way over the target of the step before, its parent, and the parents
// of the 3 x 3 texels around the seeker: these by length, ties by index, until
// one is in sight.
Route wayNearby() {
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
            return NO_ROUTE;
        }
        if (sees(best, generators[s.base + best])) {
            return wayOver(best, bestLeft);
        }
        passedLeft = bestLeft;
        passed = best;
    }
}

// The best generator so far, and the nearest, seen or not.
double bestLeft = double(INFINITY); // m
uint best = NONE;
double nearestLeft = double(INFINITY); // m
uint nearest = NONE;

// Compares a generator with the best and the nearest. Only those within a radius have to be in
// sight.
void consider(uint index, double radius) {
    Generator g = generators[s.base + min(index, stride - 1u)];
    double left = index < stride ? lengthOver(g, s.at) : double(INFINITY);
    if (isinf(left)) {
        return;
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

// How far from its way's generators an agent has to see them: everywhere, or, straight, within the
// arrival radius.
double radiusOf(Stage stage, bool straight) {
    return straight ? double(stage.arrivalRadius) : double(INFINITY);
}

// The way over the best; straight over the nearest, seen or not: what is left to walk is then known
// only if one is in sight.
Route wayOverBest(bool straight) {
    if (straight && nearest != NONE) {
        Generator g = generators[s.base + nearest];
        double slack = slackOf(generators[s.base + (best == NONE ? nearest : best)]);
        return Route(true, bestLeft, nearest, aimOver(g, s.at), float(slack), false);
    }
    if (best == NONE) {
        return NO_ROUTE;
    }
    return wayOver(best, bestLeft);
}

// The way over the generators that a ring x ring of texels name.
Route wayInRing(int ring) {
    for (int k = 0; k < ring * ring; k++) {
        consider(parentAt(s.layer, s.texel + ivec2(k % ring, k / ring) - ring / 2), double(INFINITY));
    }
    return wayOverBest(false);
}

// The way straight to a source; open where they are more than one pass asks about.
Route wayStraight(Stage stage) {
    Route route = NO_ROUTE;
    route.open = stage.sources > SOURCES_AT_ONCE;
    for (uint k = 0u; k < stage.sources && !route.open; k++) {
        consider(k, radiusOf(stage, true));
    }
    if (!route.open) {
        route = wayOverBest(true);
    }
    return route;
}

// The way that a search has found: over a bend, else over the best.
Route routeFound(Search done, Stage stage, bool straight) {
    for (int i = 0; i < BENDS; i++) {
        uint bend = done.bends[i];
        if (bend != NONE && sees(bend, generators[s.base + bend])) {
            return wayOver(bend, lengthOver(generators[s.base + bend], s.at));
        }
    }
    nearest = done.nearest;
    best = done.best;
    bestLeft = best == NONE ? double(INFINITY) : lengthOver(generators[s.base + best], s.at);
    return wayOverBest(straight);
}

// Along the map (spm): three rings of texels; an agent that sees none of their generators searches
// all of them, but only once in 16 steps, and not where all ground around is unreached.
// An agent inside the clearance takes the way out if one was found.
// Straight (direct): to the nearest source, seen or not.
Route routeFor(Stage stage, bool straight, uint lost, Route wayOut) {
    bool inside = false;
    BRANCH (POINT_SOURCES_ONLY == 0 && !straight && s.grid.w != wallGrid.w) {
        inside = !isFree(s.grid, s.at);
    }
    if (inside) {
        return wayOut;
    }
    best = NONE;
    bestLeft = double(INFINITY);
    nearest = NONE;
    nearestLeft = double(INFINITY);
    if (straight) {
        return wayStraight(stage);
    }
    Route route = NO_ROUTE;
    for (int try = 0; try < 3 && !route.found; try++) {
        if (try == 0) {
            route = wayNearby();
        } else {
            route = wayInRing(try == 1 ? 5 : 9);
        }
    }
    route.open = !route.found && (lost & 15u) == 0u && around(s.layer, s.texel) != SOME_UNREACHED;
    return route;
}
