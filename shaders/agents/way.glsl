// The search of the generator that an agent walks to on the map of a layer.
// Needs: agents/guide.glsl, agents/texels.glsl, <Stage>, generators[], and `stride` generators of a layer.
// Reference: agents.Reference.way. Paper: Farias and Kallmann 2018, section 5.1.

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

#define NO_WAY Way(false, double(INFINITY), NONE, vec2(0.0), 0.0)

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
