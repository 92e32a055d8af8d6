#version 450 core
// The new velocity by ClearPath: the one nearest to the desired one outside of the truncated cones
// (FVO) of all neighbors and walls, within reach of speed and acceleration. Where there is none,
// less is demanded.
//
// Reads: what agents/avoid.glsl reads. Writes: guidance[].velocity.
// Reference: reference.ClearPath, which says how the print is read. Source: Guy et al. 2009,
// section 3.

#include "agents/avoid.glsl"
#include "agents/situation.glsl"
#include "agents/reach.glsl"
#include "agents/halfplanes.glsl"
#include "agents/orca.glsl"
#include "include/branch.glsl"

// Forbidden velocities: what lies in all of three half planes, those v with dot(plane.xy, v) >
// plane.z. plane.xy has length 1, or 0 in a plane that holds everything.
struct Region {
    vec3 cut;
    vec3 left;
    vec3 right;
};

const vec3 EVERYTHING = vec3(0.0, 0.0, -1.0);
const vec3 NOTHING = vec3(0.0, 0.0, 1.0);

// Variant 1 keeps to the sides of neighbors that it is on, until nothing is left.
bool keepsSides = true;

// How far ahead is looked: at neighbors below an index as far as `near`, at others as far as
// `far`.
struct Demand {
    uint index;
    float near;
    float far;
};

// The regions of neighbors are kept, and loops over them unrolled, so that they lie in registers,
// where lists are short; where they are long, they are made anew each time.
#if NEIGHBOR_CAPACITY <= 16
#define NEIGHBORS NEIGHBOR_CAPACITY
Region regions[NEIGHBOR_CAPACITY];
#else
#define NEIGHBORS near
#endif

// Those of walls that the agent is not behind.
uint wallRegionCount = 0u;
uint wallsOfRegions = 0u; // a bit for each of them
Region wallRegions[WALL_CAPACITY];

// Keeps a region, if the agent is watched.
void keepRegion(uint kind, uint index, Region g) {
    keepConstraint(kind, index, vec4(g.cut, g.left.x), vec4(g.left.yz, g.right.xy), g.right.z);
}

// What a neighbor forbids.
Region neighborRegion(Self self, Demand demand, uint i) {
    Neighbor n = neighborAt(i);
    vec2 ahead = toNeighbor(self, n);
    float sum = self.radius + n.radius;
    float far = length(n.position);
    float room = far - sum;
    Terms t = termsOf(self, n);
    vec2 apex = apexOf(t);
    if (room <= 0.0) {
        float part = min(-room * t.share / self.timestep, 0.5 * self.params.maxAcceleration * self.timestep);
        return Region(vec3(ahead, dot(ahead, apex) - part), EVERYTHING, EVERYTHING);
    }
    float sine = sum / far;
    float cosine = sqrt(room * (far + sum)) / far;
    vec2 left = turned(ahead, sine, cosine);
    vec2 right = turned(ahead, -sine, cosine);
    left = vec2(left.y, -left.x);
    right = vec2(-right.y, right.x);
    float time = i < demand.index ? demand.near : demand.far;
    // Of variant 1 the cone goes on beyond its middle line, on the side that the relative velocity
    // is not on.
    float side = self.params.VARIANT == 1.0 && keepsSides ? cross2(n.position, t.own - t.other) : 0.0;
    return Region(
        vec3(ahead, dot(ahead, apex) + t.share * room / time),
        side < 0.0 ? EVERYTHING : vec3(left, dot(left, apex)),
        side > 0.0 ? EVERYTHING : vec3(right, dot(right, apex)));
}

// What a wall forbids that the agent is not behind. The wall grown by the radius is the hull of two
// discs: the outermost of their tangents bound it, and since it does not hold the agent, they are
// less than pi apart.
Region wallRegion(Self self, Wall w) {
    vec2 q = nearestOf(w);
    vec2 ahead = toWall(w, q);
    float room = length(q) - self.radius;
    if (room <= 0.0) {
        float part = min(-room / self.timestep, 0.5 * self.params.maxAcceleration * self.timestep);
        return Region(vec3(ahead, dot(ahead, w.velocity) - part), EVERYTHING, EVERYTHING);
    }
    vec4 tangents = widest(tangentsOf(self, w.a), tangentsOf(self, w.b));
    vec2 left = vec2(tangents.y, -tangents.x);
    vec2 right = vec2(-tangents.w, tangents.z);
    return Region(vec3(ahead, dot(ahead, w.velocity) + room / outlookOn(self, w)), vec3(left, dot(left, w.velocity)), vec3(right, dot(right, w.velocity)));
}

// A region without what rounding may count to it or not: a velocity that was put on one line is
// held against another, on both sides sums of products of at most the fastest speed.
Region surely(Region g, float fastest) {
    float slack = 2.0 * ROUNDING * fastest;
    g.cut.z += slack;
    g.left.z += slack;
    g.right.z += slack;
    return g;
}

// Makes the regions of walls.
void makeWallRegions(Self self) {
    wallRegionCount = 0u;
    wallsOfRegions = 0u;
    uint walled = wallCount();
    for (uint i = 0u; i < walled; i++) {
        Wall w = wallAt(i);
        if (!isBehind(w)) {
            wallRegions[wallRegionCount] = wallRegion(self, w);
            wallRegionCount++;
            wallsOfRegions |= 1u << i;
        }
    }
}

// Makes the regions of neighbors, as they are for sure.
void makeRegions(Self self, Demand demand, float fastest) {
#if NEIGHBOR_CAPACITY <= 16
    uint near = neighborCount();
    for (uint i = 0u; i < NEIGHBORS; i++) {
        Region g = surely(neighborRegion(self, demand, min(i, max(near, 1u) - 1u)), fastest);
        g.cut = i < near ? g.cut : NOTHING;
        regions[i] = g;
    }
#endif
}

Region regionAt(Self self, Demand demand, float fastest, uint i) {
#if NEIGHBOR_CAPACITY <= 16
    return regions[i];
#else
    return surely(neighborRegion(self, demand, i), fastest);
#endif
}

// How deep v is in a half plane.
float depth(vec3 plane, vec2 v) {
    return plane.x * v.x + plane.y * v.y - plane.z;
}

bool inside(Region g, vec2 v) {
    return depth(g.cut, v) > 0.0 && depth(g.left, v) > 0.0 && depth(g.right, v) > 0.0;
}

// Cuts a part of the line p + t d to what is in a half plane. A part is from x to y, empty if x >
// y.
vec2 partIn(vec3 plane, vec2 p, vec2 d, vec2 part) {
    float slope = plane.x * d.x + plane.y * d.y;
    float room = -depth(plane, p);
    float t = room / slope;
    part.x = slope > 0.0 && t > part.x || slope == 0.0 && room >= 0.0 ? (slope > 0.0 ? t : INFINITY) : part.x;
    part.y = slope < 0.0 && t < part.y ? t : part.y;
    return part;
}

// A side of a region's border, from x to y of the line p + t d, within reach.
struct Side {
    vec2 p;
    vec2 d;
    vec2 part;
};

// The side of a region on a plane, which the others bound.
Side sideOf(vec3 plane, vec3 other, vec3 another, Reach reach) {
    vec2 p = plane.xy * plane.z;
    vec2 d = vec2(-plane.y, plane.x);
    vec2 part = partIn(other, p, d, partIn(another, p, d, chord(reach, p, d)));
    return Side(p, d, plane.xy != vec2(0.0) ? part : vec2(1.0, -1.0));
}

// The square of the distance of v to a side; infinite, if there is none.
float away(Side s, vec2 v) {
    float middle = dot(s.d, v);
    vec2 off = v - s.p - s.d * clamp(middle, s.part.x, s.part.y);
    return s.part.x <= s.part.y ? dot(off, off) : INFINITY;
}

// The same for all sides of a region.
vec3 away(Region g, Reach reach, vec2 v) {
    return vec3(
        away(sideOf(g.cut, g.left, g.right, reach), v),
        away(sideOf(g.left, g.right, g.cut, reach), v),
        away(sideOf(g.right, g.cut, g.left, reach), v));
}

// Takes of a region's sides, which count from `first` on, the next one: the nearest of those that
// are farther away than `last`, or as far and of a higher number.
void takeNext(vec3 distances, uint first, float last, uint lastSide, inout float least, inout uint side) {
    for (uint k = 0u; k < 3u; k++) {
        float d = k == 0u ? distances.x : (k == 1u ? distances.y : distances.z);
        bool next = (d > last || d == last && first + k > lastSide) && d < least;
        least = next ? d : least;
        side = next ? first + k : side;
    }
}

// Two points that go up and down a side until nothing hides them.
struct Walk {
    float up;
    float down;
    bool moved;
};

void hide(Region g, Side s, bool other, inout Walk w) {
    vec2 part = vec2(-INFINITY, INFINITY);
    part = partIn(g.cut, s.p, s.d, part);
    part = partIn(g.left, s.p, s.d, part);
    part = partIn(g.right, s.p, s.d, part);
    bool lifts = other && part.x < w.up && w.up < part.y;
    bool lowers = other && part.x < w.down && w.down < part.y;
    w.up = lifts ? part.y : w.up;
    w.down = lowers ? part.x : w.down;
    w.moved = w.moved || lifts || lowers;
}

// The region that a side is of, with its very border.
Region sideOwner(Self self, Demand demand, float fastest, bool ofWall, uint i) {
    Region g = surely(wallRegions[ofWall ? i : 0u], fastest);
#if NEIGHBOR_CAPACITY <= 16
    for (uint k = 0u; k < NEIGHBORS; k++) {
        bool is = !ofWall && i == k;
        g.cut = is ? regions[k].cut : g.cut;
        g.left = is ? regions[k].left : g.left;
        g.right = is ? regions[k].right : g.right;
    }
#else
    if (!ofWall) {
        g = regionAt(self, demand, fastest, i);
    }
#endif
    return surely(g, -fastest);
}

// Keeps what an attempt is about: its regions, and the velocity that it would have without them.
void keepAttempt(Self self, Demand demand, float fastest, vec2 desired, vec2 alone, bool free) {
    uint near = neighborCount();
    keepNone();
    for (uint i = 0u; i < NEIGHBORS; i++) {
        Region g = regionAt(self, demand, fastest, i);
        if (i < near) {
            keepRegion(CONE_OF_NEIGHBOR, i, g);
        }
    }
    uint walls = wallsOfRegions;
    for (uint i = 0u; i < wallRegionCount; i++) {
        keepRegion(CONE_OF_WALL, uint(findLSB(walls)), surely(wallRegions[i], fastest));
        walls &= walls - 1u;
    }
    keepNext(alone, distance(alone, desired), free ? CANDIDATE_OPEN : CANDIDATE_HIDDEN);
}

// The number of the candidate that is the best so far.
uint bestCandidate = 0u;

// The velocity within reach and in no region that is nearest to the desired one; found is whether
// there is any. Sides are walked, the nearest first, from their point nearest to the desired
// velocity to either end, until no region holds the point.
vec2 nearestOutside(Self self, Demand demand, Reach reach, vec2 desired, out bool found) {
    float fastest = reach.speed.radius;
    uint near = neighborCount();
    makeRegions(self, demand, fastest);
    vec2 best = nearestWithin(reach, desired);
    found = true;
#if NEIGHBOR_CAPACITY <= 16
    vec3 distances[NEIGHBORS];
#endif
    for (uint i = 0u; i < NEIGHBORS; i++) {
        Region g = regionAt(self, demand, fastest, i);
        found = found && !inside(g, best);
    }
    for (uint i = 0u; i < wallRegionCount; i++) {
        found = found && !inside(surely(wallRegions[i], fastest), best);
    }
    BRANCH (ownReasons != NONE) {
        keepAttempt(self, demand, fastest, desired, best, found);
        bestCandidate = 0u;
    }
    float least = found ? 0.0 : INFINITY;
    float last = -1.0;
    uint side = NONE;
    uint wallSides = 3u * NEIGHBORS; // sides of walls count from here on
#if NEIGHBOR_CAPACITY <= 16
    BRANCH (!found) {
        for (uint i = 0u; i < NEIGHBORS; i++) {
            distances[i] = away(regionAt(self, demand, fastest, i), reach, desired);
        }
    }
#endif
    for (bool more = !found; more;) {
        float next = least;
        uint nextSide = NONE;
        for (uint i = 0u; i < NEIGHBORS; i++) {
#if NEIGHBOR_CAPACITY <= 16
            vec3 d = distances[i];
#else
            vec3 d = away(regionAt(self, demand, fastest, i), reach, desired);
#endif
            takeNext(d, 3u * i, last, side, next, nextSide);
        }
        for (uint i = 0u; i < wallRegionCount; i++) {
            takeNext(away(wallRegions[i], reach, desired), wallSides + 3u * i, last, side, next, nextSide);
        }
        more = nextSide != NONE;
        last = next;
        side = nextSide;
        if (more) {
            bool ofWall = side >= wallSides;
            uint own = (ofWall ? side - wallSides : side) / 3u;
            uint k = side % 3u;
            Region g = sideOwner(self, demand, fastest, ofWall, own);
            vec3 plane = k == 0u ? g.cut : (k == 1u ? g.left : g.right);
            vec3 other = k == 0u ? g.left : (k == 1u ? g.right : g.cut);
            vec3 another = k == 0u ? g.right : (k == 1u ? g.cut : g.left);
            Side s = sideOf(plane, other, another, reach);
            float middle = dot(s.d, desired);
            float offset = dot(plane.xy, desired) - plane.z;
            float start = clamp(middle, s.part.x, s.part.y);
            Walk w = Walk(start, start, true);
            bool open = true;
            while (w.moved) {
                w.moved = false;
                for (uint i = 0u; i < NEIGHBORS; i++) {
                    hide(regionAt(self, demand, fastest, i), s, ofWall || i != own, w);
                }
                for (uint i = 0u; i < wallRegionCount; i++) {
                    hide(surely(wallRegions[i], fastest), s, !ofWall || i != own, w);
                }
                // No way leads on where both ends are farther than what is there already.
                float up = w.up <= s.part.y ? abs(w.up - middle) : INFINITY;
                float down = w.down >= s.part.x ? abs(w.down - middle) : INFINITY;
                float off = min(up, down);
                open = offset * offset + off * off < least;
                w.moved = w.moved && open;
            }
            float up = w.up <= s.part.y ? abs(w.up - middle) : INFINITY;
            float down = w.down >= s.part.x ? abs(w.down - middle) : INFINITY;
            float off = min(up, down);
            vec2 end = s.p + s.d * (up <= down ? w.up : w.down);
            best = open ? end : best;
            least = open ? offset * offset + off * off : least;
            found = found || open;
            BRANCH (ownReasons != NONE) {
                vec2 begin = s.p + s.d * start;
                if (!open || begin != end) {
                    keepNext(begin, distance(begin, desired), CANDIDATE_HIDDEN);
                }
                bestCandidate = open ? candidateCount : bestCandidate;
                if (open) {
                    keepNext(end, sqrt(least), CANDIDATE_OPEN);
                }
            }
        }
    }
    return best;
}

// Keeps what was demanded.
void keepDemand(Demand demand) {
    keep(REASON_DEMAND, uvec4(demand.index, floatBitsToUint(vec2(demand.near, demand.far)), keepsSides ? 1u : 0u));
}

// What the agent would choose without others to avoid: one that collides wants nothing but to part
// (3.4).
vec2 desiredAmong(Self self) {
    vec2 desired = desiredBy(self);
    uint near = neighborCount();
    for (uint i = 0u; i < near; i++) {
        Neighbor n = neighborAt(i);
        desired = length(n.position) < (1.0 - CONTACT) * (self.radius + n.radius) ? vec2(0.0) : desired;
    }
    return desired;
}

#ifdef BROAD_PHASE
// An agent whose desired velocity is in no region of the whole demand may have it.
bool broadPhase(Self self, out vec2 velocity) {
    Reach reach = reachOf(self);
    float fastest = reach.speed.radius;
    vec2 desired = desiredAmong(self);
    velocity = nearestWithin(reach, desired);
    bool free = true;
    uint near = neighborCount();
    Demand demand = Demand(near, horizonOf(self), 0.0);
    for (uint i = 0u; i < near; i++) {
        Region g = surely(neighborRegion(self, demand, i), fastest);
        free = free && !inside(g, velocity);
        BRANCH (ownReasons != NONE) {
            keepRegion(CONE_OF_NEIGHBOR, i, g);
        }
    }
    uint walled = wallCount();
    for (uint i = 0u; i < walled; i++) {
        Wall w = wallAt(i);
        Region g = surely(wallRegion(self, w), fastest);
        bool holds = !isBehind(w);
        free = free && !(holds && inside(g, velocity));
        BRANCH (holds && ownReasons != NONE) {
            keepRegion(CONE_OF_WALL, i, g);
        }
    }
    BRANCH (ownReasons != NONE) {
        keepNext(velocity, distance(velocity, desired), CANDIDATE_OPEN);
        keepOutcome(KEEPS_ALL, desired, 0u);
        keepDemand(demand);
    }
    return free;
}
#else
vec2 avoid(Self self) {
    makeWallRegions(self);
    vec2 desired = desiredAmong(self);
    Reach reach = reachOf(self);
    uint near = neighborCount();
    float shortest = min(horizonOf(self), 4.0 * stoppingOf(self));
    Demand demand = Demand(near, horizonOf(self), shortest);
    vec2 velocity = vec2(0.0);
    bool done = false;
    // After everything the least is demanded: where that leaves nothing, nothing will. Then variant
    // 1 halves the interval, or gives up sides; variant 2 forgets neighbors beyond the shortest
    // one: as the fewer are remembered the more is allowed, how many can be is searched by
    // bisection, from below `many` down to `few`.
    uint few = 0u;
    uint many = near;
    uint attempt = 0u;
    for (bool more = true; more; attempt++) {
        bool found;
        vec2 v = nearestOutside(self, demand, reach, desired, found);
        velocity = found ? v : velocity;
        done = done || found;
        BRANCH (found && ownReasons != NONE) {
            keepOutcome(attempt == 0u ? KEEPS_ALL : KEEPS_LESS, desired, bestCandidate);
            keepDemand(demand);
            keptHalf = 1u - keptHalf;
        }
        if (attempt == 0u) {
            more = !found;
            demand.index = self.params.VARIANT == 1.0 ? near : 0u;
            demand.near = self.params.VARIANT == 1.0 ? shortest : demand.near;
        } else if (self.params.VARIANT == 1.0) {
            bool jammed = attempt == 1u && !found; // then once more, on either side
            more = keepsSides && (jammed || (attempt == 1u ? horizonOf(self) > shortest : !found && demand.near > shortest));
            keepsSides = keepsSides && !jammed;
            demand.near = jammed ? shortest : max(attempt == 1u ? 0.5 * horizonOf(self) : 0.5 * demand.near, shortest);
        } else {
            few = found ? demand.index : few;
            many = found ? many : demand.index;
            more = done && many - few > 1u;
            demand.index = (few + many) / 2u;
        }
    }
    BRANCH (!done) {
        keptHalf = 0u;
        velocity = orca(self);
    }
    return velocity;
}
#endif
