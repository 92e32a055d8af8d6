#version 450 core
// The new velocity by reciprocal velocity obstacles: the cheapest of the preferred velocity and of
// random ones within reach, where a velocity costs what it differs from the preferred one and what
// the first collision on its way weighs.
//
// Flat, an invocation goes through all samples of an agent. With NESTED a work group shares them,
// and the cheapest of the cheapest counts, of equal ones the one with the lowest number: the same
// velocity.
//
// Reads: what agents/avoid.glsl reads. Writes: guidance[].velocity.
// Reference: reference.RVO. Source: Bleiweiss 2009, sections 3.2, 3.3 and 4.3.

#include "agents/avoid.glsl"
#include "agents/situation.glsl"
#include "agents/reach.glsl"
#include "include/branch.glsl"

// A neighbor as samples meet it: a velocity v has, relative to it, v scale - offset.
struct Other {
    vec2 position;
    vec2 offset;
    float scale;
    float radius; // sum of both
};

Other others[NEIGHBOR_CAPACITY];
uint otherCount = 0u;
Wall barriers[WALL_CAPACITY];
uint barrierCount = 0u;

// Counts are read once, before the loops: Mesa 22.3's software renderer takes what a loop's
// condition reads for what it was in the last turn of another invocation.
void gather(Self self) {
    uint near = neighborCount();
    uint walled = wallCount();
    otherCount = 0u;
    for (uint i = 0u; i < near; i++) {
        Neighbor n = neighborAt(i);
        float share = n.shares ? self.params.LOAD_FACTOR : 1.0;
        if (share > 0.0) { // else all of the evading is the other's
            float scale = 1.0 / share;
            vec2 offset = self.velocity * ((1.0 - share) * scale) + n.velocity;
            others[otherCount] = Other(n.position, offset, scale, self.radius + n.radius);
            otherCount++;
        }
    }
    barrierCount = 0u;
    for (uint i = 0u; i < walled; i++) {
        Wall w = wallAt(i);
        if (!isBehind(w)) {
            barriers[barrierCount] = w;
            barrierCount++;
        }
    }
}

// When something meets, and whether it does so now already; then, when it will not any more. How
// fast it goes on when it meets, as a share of the radius, 1/s.
struct Meeting {
    bool overlap;
    float time;
    float closing;
};

// Of a point that moves from the origin with the disc around p. b^2 - a c is a r^2 - (p x v)^2,
// which loses nothing where the way is a tangent.
Meeting meetingDisc(vec2 p, vec2 v, float radius) {
    float a = dot(v, v);
    float b = dot(p, v);
    float c = dot(p, p) - radius * radius;
    float off = cross2(p, v);
    float root = a * radius * radius - off * off;
    float reached = sqrt(max(root, 0.0));
    if (c < 0.0) {
        return Meeting(true, a > 0.0 ? (b + reached) / a : INFINITY, 0.0);
    }
    bool never = a == 0.0 || b <= 0.0 || root < 0.0;
    return Meeting(false, never ? INFINITY : c / (b + reached), radius > 0.0 ? reached / radius / radius : 0.0);
}

// The same for a wall, of which the point keeps a radius away. Beside one that is nearer the way
// out is straight away from it.
Meeting meetingWall(Wall w, vec2 v, float radius) {
    vec2 q = nearestOf(w);
    float far = length(q);
    vec2 n = normalOf(w);
    if (far < radius) {
        float speed = -dot(v, toWall(w, q));
        return Meeting(true, speed > 0.0 ? (radius - far) / speed : INFINITY, 0.0);
    }
    Meeting ofA = meetingDisc(w.a, v, radius);
    Meeting ofB = meetingDisc(w.b, v, radius);
    bool first = ofA.time <= ofB.time;
    float time = first ? ofA.time : ofB.time;
    float closing = first ? ofA.closing : ofB.closing;
    // The straight side of the grown wall, between the discs around its ends.
    float speed = dot(v, n);
    float t = (dot(w.a, n) + radius) / speed;
    vec2 d = w.b - w.a;
    float along = dot(v * t - w.a, d);
    bool side = speed < 0.0 && t >= 0.0 && t < time && along >= 0.0 && along <= dot(d, d);
    return Meeting(false, side ? t : time, side ? (radius > 0.0 ? -speed / radius : 0.0) : closing);
}

float weightOf(Self self, Meeting m) {
    float deep = m.time < self.timestep ? min((self.timestep - m.time) * m.closing, 1.0) : 0.0; // a share of the radii
    float early = self.params.AGGRESSION / max(m.time, self.timestep) * (1.0 + 2.0 * deep);
    float late = self.params.AGGRESSION / self.timestep * (1.0 + min(m.time, horizonOf(self)) / self.timestep);
    return m.overlap ? late : early;
}

// What the first collisions of a velocity weigh: with neighbors, and with walls. One with a wall that
// is farther off than its outlook is no threat, as the agent can turn away until then. With a weight
// (the paper has one for all obstacles in scope), every velocity aside costs in a corridor, to stand
// costs less, and no two agents pass each other in 2 m.
vec2 weightsOf(Self self, vec2 v) {
    vec2 worst = vec2(0.0);
    for (uint i = 0u; i < otherCount; i++) {
        Other o = others[i];
        worst.x = max(worst.x, weightOf(self, meetingDisc(o.position, v * o.scale - o.offset, o.radius)));
    }
    for (uint i = 0u; i < barrierCount; i++) {
        Meeting m = meetingWall(barriers[i], v - barriers[i].velocity, self.radius);
        bool counts = m.overlap || m.time < outlookOn(self, barriers[i]);
        worst.y = max(worst.y, counts ? weightOf(self, m) : 0.0);
    }
    return worst;
}

float costOf(vec2 desired, vec2 v, vec2 weights) {
    precise float cost = distance(desired, v) + max(weights.x, weights.y); // the same in both launches
    return cost;
}

// What has the most weight, for candidates that are kept.
uint stateOf(vec2 weights) {
    bool open = weights == vec2(0.0);
    return open ? CANDIDATE_OPEN : weights.x >= weights.y ? CANDIDATE_MEETS_AGENT : CANDIDATE_MEETS_WALL;
}

struct Choice {
    vec2 velocity;
    float cost;
    uint number; // of the sample; 0 for the preferred velocity
};

bool before(Choice a, Choice b) {
    return a.cost < b.cost || (a.cost == b.cost && a.number < b.number);
}

// The best of the samples with the numbers first + 1, first + 1 + every, ... and, for the first of
// all, the preferred velocity.
Choice choose(Self self, uint first, uint every) {
    vec2 desired = desiredBy(self);
    Reach reach = reachOf(self);
    Choice best = Choice(nearestWithin(reach, desired), INFINITY, 0u);
    BRANCH (first == 0u) {
        vec2 weights = weightsOf(self, best.velocity);
        best.cost = costOf(desired, best.velocity, weights);
        BRANCH (ownReasons != NONE) {
            keepCandidate(0u, best.velocity, best.cost, stateOf(weights));
        }
    }
    bool smallChange = reach.change.radius <= reach.speed.radius;
    Disc from = smallChange ? reach.change : reach.speed;
    Disc other = smallChange ? reach.speed : reach.change;
    for (uint i = first; i < uint(self.params.SAMPLES); i += every) {
        vec2 u = randomPair(self, i);
        float angle = 6.28318530717958648 * u.y;
        vec2 v = from.center + from.radius * sqrt(u.x) * vec2(cos(angle), sin(angle));
        BRANCH (holds(other, v)) {
            vec2 weights = weightsOf(self, v);
            Choice choice = Choice(v, costOf(desired, v, weights), i + 1u);
            if (before(choice, best)) {
                best = choice;
            }
            BRANCH (ownReasons != NONE) {
                keepCandidate(choice.number, v, choice.cost, stateOf(weights));
            }
        }
        BRANCH (ownReasons != NONE && !holds(other, v)) {
            keepCandidate(i + 1u, v, INFINITY, CANDIDATE_OUT_OF_REACH);
        }
    }
    return best;
}

// Keeps what was chosen, if the agent is watched.
void keepChosen(Self self, Choice choice) {
    BRANCH (ownReasons != NONE) {
        candidateCount = uint(self.params.SAMPLES) + 1u;
        keepOutcome(CHEAPEST, desiredBy(self), choice.number);
    }
}

#ifdef NESTED
shared Choice choices[GROUP_SIZE];

void main() {
    Self self;
    uint local = gl_LocalInvocationID.x;
    bool decides = begin(first + gl_WorkGroupID.x, self);
    choices[local] = Choice(vec2(0.0), INFINITY, NONE);
    BRANCH (decides) {
        gather(self);
        choices[local] = choose(self, local, uint(GROUP_SIZE));
    }
    barrier();
    for (uint span = uint(GROUP_SIZE) / 2u; span > 0u; span /= 2u) {
        if (local < span && before(choices[local + span], choices[local])) {
            choices[local] = choices[local + span];
        }
        barrier();
    }
    if (decides && local == 0u) {
        keepChosen(self, choices[0]);
        decide(self, choices[0].velocity);
    }
}
#else
vec2 avoid(Self self) {
    gather(self);
    Choice choice = choose(self, 0u, 1u);
    keepChosen(self, choice);
    return choice.velocity;
}
#endif
