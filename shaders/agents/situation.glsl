// What the methods of avoidance make of a situation alike.
//
// Reference: package agents/reference, situation.go.

#include "include/branch.glsl"

// The share of the radii's sum by which two discs overlap at least when they count as being in
// contact.
const float CONTACT = 0.01;

// The angle, in radians, by which agents among others turn their wish to the right, so that two
// that walk into one another exactly do not mirror each other for good.
const float KEEP_RIGHT = 1e-3;

// How far ahead others are looked at: at least a step.
float horizonOf(Self self) {
    return max(self.params.timeHorizon, self.timestep);
}

// The time that it takes to stop, and a step to begin with it; or the horizon, if that is shorter.
float stoppingOf(Self self) {
    return min(horizonOf(self), self.maxSpeed / self.params.maxAcceleration + self.timestep);
}

// How far ahead a wall is looked at: one that stands as far as it takes to stop, one that moves as
// far as agents that do not evade.
float outlookOn(Self self, Wall w) {
    return w.velocity == vec2(0.0) ? stoppingOf(self) : horizonOf(self);
}

// Positive where b lies left of a.
float cross2(vec2 a, vec2 b) {
    precise float product = a.x * b.y - a.y * b.x;
    return product;
}

// v turned left by the angle with that sine and cosine.
vec2 turned(vec2 v, float sine, float cosine) {
    return vec2(v.x * cosine - v.y * sine, v.x * sine + v.y * cosine);
}

// The velocity that the agent would choose without others to avoid.
vec2 desiredBy(Self self) {
    return neighborCount() == 0u ? self.preferred : turned(self.preferred, -sin(KEEP_RIGHT), cos(KEEP_RIGHT));
}

// The direction in which an agent leaves another in whose very place it is.
vec2 apart(uint me, uint other) {
    return me < other ? vec2(-1.0, 0.0) : vec2(1.0, 0.0);
}

// The direction to a neighbor.
vec2 toNeighbor(Self self, Neighbor n) {
    float far = length(n.position);
    return far > 0.0 ? n.position / far : -apart(self.id, n.id);
}

// What an agent takes for granted with a neighbor: the velocities of both, m/s, and its own share
// of evading.
struct Terms {
    vec2 own;
    vec2 other;
    float share;
};

// The terms of the papers: both keep their velocities but for what they evade.
Terms plainTerms(Self self, Neighbor n) {
    return Terms(self.velocity, n.velocity, n.shares ? 0.5 : 1.0);
}

// The part of the speed that it wishes for that an agent does not make.
float heldUp(vec2 velocity, vec2 wish) {
    float square = dot(wish, wish);
    return square > 0.0 ? clamp(1.0 - dot(velocity, wish) / square, 0.0, 1.0) : 1.0;
}

// The terms of two agents that may hold each other up: the one with less left to walk, of equal
// ones the one with the lower id, has the right of way.
Terms termsOf(Self self, Neighbor n) {
    Terms t = plainTerms(self, n);
    float held = n.shares ? heldUp(self.velocity, self.wish) : 0.0;
    BRANCH (held > 0.0) {
        Claim other = claimOf(n);
        bool yields = other.left < self.left || other.left == self.left && n.id < self.id;
        vec2 wish = yields ? other.wish : self.wish;
        vec2 ahead = toNeighbor(self, n);
        vec2 nearer = yields ? -ahead : ahead;
        float room = length(n.position) - self.radius - n.radius;
        float closing = max(dot(self.velocity, ahead), 0.0) + max(-dot(n.velocity, ahead), 0.0);
        float claim = held * heldUp(n.velocity, other.wish) * max(dot(wish, nearer) - room / stoppingOf(self) - closing, 0.0);
        float speed = length(wish);
        float part = claim > 0.0 ? min(claim / speed, 1.0) : 0.0;
        t.own += yields ? vec2(0.0) : nearer * claim;
        t.other += yields ? nearer * claim : vec2(0.0);
        t.share += (yields ? 0.5 : -0.5) * part;
    }
    return t;
}

// The tip of a neighbor's cone.
vec2 apexOf(Terms t) {
    return mix(t.own, t.other, t.share);
}

// The point of a wall nearest to the agent.
vec2 nearestOf(Wall w) {
    precise vec2 nearest = w.a + (w.b - w.a) * shareToNearest(w.a, w.b);
    return nearest;
}

// What a place and the ends of walls are rounded by, m: a place is within half a lattice step along
// each axis of the lattice point that decides about sides, and float32 has at least 4 bits more
// than the lattice. A wall nearer than this is one that the agent stands on.
float grain() {
    return float(latticeStep());
}

// Whether the agent is on the wall's covered side, where others of the same obstacle hide it; not
// for one that stands on it.
bool isBehind(Wall w) {
    vec2 d = w.b - w.a;
    float side = cross2(d, -w.a);
    return side < 0.0 && side * side > grain() * grain() * dot(d, d);
}

// The wall's unit normal on its free side.
vec2 normalOf(Wall w) {
    vec2 d = w.b - w.a;
    precise vec2 normal = vec2(-d.y, d.x) / sqrt(d.x * d.x + d.y * d.y);
    return normal;
}

// The directions in which the agent passes a point at its radius, left (xy) and right (zw) of it.
vec4 tangentsOf(Self self, vec2 p) {
    float far = length(p);
    float sine = self.radius / far;
    float cosine = sqrt(max(1.0 - sine * sine, 0.0));
    return vec4(turned(p / far, sine, cosine), turned(p / far, -sine, cosine));
}

// Tangents that are the outermost of two.
vec4 widest(vec4 a, vec4 b) {
    return vec4(cross2(a.xy, b.xy) > 0.0 ? b.xy : a.xy, cross2(a.zw, b.zw) < 0.0 ? b.zw : a.zw);
}

// The direction to a wall that the agent is not behind, whose nearest point is q: beside the wall
// square to it, which is exact even on it.
vec2 toWall(Wall w, vec2 q) {
    precise vec2 d = w.b - w.a;
    precise float along = -(w.a.x * d.x + w.a.y * d.y);
    precise float square = d.x * d.x + d.y * d.y;
    bool beside = along > 0.0 && along < square;
    precise float far = sqrt(q.x * q.x + q.y * q.y);
    precise vec2 there = q / far;
    return beside || far <= grain() ? -normalOf(w) : there;
}
