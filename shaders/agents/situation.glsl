// What the methods of avoidance make of a situation alike.
//
// Reference: package avoid, situation.go.

// The share of the radii's sum by which two discs overlap at least when they count as being in contact.
const float CONTACT = 0.01;

// The angle, in radians, by which people among others turn their wish to the right, so that two who walk into one
// another exactly do not mirror each other for good.
const float KEEP_RIGHT = 1e-3;

// How far ahead others are looked at: at least a step.
float horizonOf(Self self) {
    return max(self.manner.timeHorizon, self.timestep);
}

// The time that it takes to stop, and a step to begin with it; or the horizon, if that is shorter.
float stoppingOf(Self self) {
    return min(horizonOf(self), self.maxSpeed / self.manner.maxAcceleration + self.timestep);
}

// Positive where b lies left of a.
float cross2(vec2 a, vec2 b) {
    return a.x * b.y - a.y * b.x;
}

// v turned left by the angle with that sine and cosine.
vec2 turned(vec2 v, float sine, float cosine) {
    return vec2(v.x * cosine - v.y * sine, v.x * sine + v.y * cosine);
}

// The velocity that the agent would choose, were there nobody to avoid.
vec2 desiredBy(Self self) {
    return neighborCount() == 0u ? self.preferred : turned(self.preferred, -sin(KEEP_RIGHT), cos(KEEP_RIGHT));
}

// The direction in which an agent leaves another in whose very place it is.
vec2 apart(uint me, uint other) {
    return me < other ? vec2(-1.0, 0.0) : vec2(1.0, 0.0);
}

// The direction to a neighbour.
vec2 toNeighbor(Self self, Neighbor n) {
    float far = length(n.position);
    return far > 0.0 ? n.position / far : -apart(self.id, n.id);
}

// The tip of a neighbour's cone, and how often one's own change counts in it.
vec3 apexOf(Self self, Neighbor n) {
    return n.shares ? vec3(0.5 * (self.velocity + n.velocity), 2.0) : vec3(n.velocity, 1.0);
}

// The point of a wall nearest to the agent.
vec2 nearestOf(Wall w) {
    vec2 d = w.b - w.a;
    float square = dot(d, d);
    return square > 0.0 ? w.a + d * clamp(-dot(w.a, d) / square, 0.0, 1.0) : w.a;
}

// Whether the agent is on the wall's covered side, where others of the same obstacle hide it.
bool isBehind(Wall w) {
    return cross2(w.b - w.a, -w.a) < 0.0;
}

// The wall's unit normal on its free side.
vec2 normalOf(Wall w) {
    vec2 d = w.b - w.a;
    return vec2(-d.y, d.x) * inversesqrt(dot(d, d));
}

// The direction to a wall, whose nearest point is q.
vec2 toWall(Wall w, vec2 q) {
    float far = length(q);
    return far > 0.0 ? q / far : -normalOf(w);
}
