// The velocities that an agent can have after a step: no faster than it can be, and no farther from
// its velocity than it can accelerate. Two discs; where they do not meet, because the agent is much
// too fast, it brakes as it can.
//
// Reference: package agents/reference, reach.go.

// A disc of velocities, m/s.
struct Disc {
    vec2 center;
    float radius;
};

struct Reach {
    Disc speed;
    Disc change;
};

Reach reachOf(Self self) {
    Reach r = Reach(Disc(vec2(0.0), self.maxSpeed), Disc(self.velocity, self.params.maxAcceleration * self.timestep));
    r.speed.radius += max(length(self.velocity) - r.speed.radius - r.change.radius, 0.0);
    return r;
}

bool holds(Disc d, vec2 v) {
    vec2 off = v - d.center;
    return dot(off, off) <= d.radius * d.radius;
}

// The velocity of the disc nearest to v.
vec2 nearestIn(Disc d, vec2 v) {
    vec2 off = v - d.center;
    float far = length(off);
    return far <= d.radius ? v : d.center + off * (d.radius / far);
}

// The two points where the discs' borders cross, or, of discs that rounding keeps apart, the one
// between them twice. The discs are not concentric: then one would hold the other, and nothing
// asks. Reckoned from the middle of the smaller disc, so that the points are on its border but for
// roundings of its own size, and from a difference that loses nothing where the discs touch.
void crossings(Reach r, out vec2 left, out vec2 right) {
    bool swap = r.change.radius < r.speed.radius;
    Disc small = r.speed;
    Disc large = r.change;
    if (swap) {
        small = r.change;
        large = r.speed;
    }
    vec2 off = large.center - small.center;
    float d = length(off);
    vec2 u = d > 0.0 ? off / d : vec2(0.0);
    float along = d > 0.0 ? (small.radius * small.radius + (d - large.radius) * (d + large.radius)) / (2.0 * d) : 0.0;
    along = clamp(along, -small.radius, small.radius);
    float across = sqrt((small.radius - along) * (small.radius + along));
    vec2 side = (swap ? -1.0 : 1.0) * vec2(-u.y, u.x) * across;
    vec2 middle = small.center + u * along;
    left = middle + side;
    right = middle - side;
}

// The velocity within reach nearest to v: v itself, its nearest in one of the discs, or one of the
// two points where their borders cross.
vec2 nearestWithin(Reach r, vec2 v) {
    vec2 inSpeed = nearestIn(r.speed, v);
    vec2 inChange = nearestIn(r.change, v);
    vec2 left, right;
    crossings(r, left, right);
    vec2 corner = dot(left - v, left - v) <= dot(right - v, right - v) ? left : right;
    return holds(r.change, inSpeed) ? inSpeed : (holds(r.speed, inChange) ? inChange : corner);
}

// The velocity within reach that goes farthest in a direction of length 1: that of one of the
// discs, or one of the two points where their borders cross.
vec2 farthestWithin(Reach r, vec2 direction) {
    vec2 ofSpeed = r.speed.center + direction * r.speed.radius;
    vec2 ofChange = r.change.center + direction * r.change.radius;
    vec2 left, right;
    crossings(r, left, right);
    vec2 corner = dot(left, direction) >= dot(right, direction) ? left : right;
    return holds(r.change, ofSpeed) ? ofSpeed : (holds(r.speed, ofChange) ? ofChange : corner);
}

// The part of the line p + t along, with along of length 1, that lies in the disc, from x to y;
// empty, x > y, if none does.
vec2 chord(Disc d, vec2 p, vec2 along) {
    vec2 off = p - d.center;
    float middle = -dot(off, along);
    float away = off.x * along.y - off.y * along.x;
    float root = (d.radius - away) * (d.radius + away);
    return root < 0.0 ? vec2(1.0, -1.0) : middle + sqrt(root) * vec2(-1.0, 1.0);
}

// The part of a line within reach; empty, x > y, if none is.
vec2 chord(Reach r, vec2 p, vec2 along) {
    vec2 a = chord(r.speed, p, along);
    vec2 b = chord(r.change, p, along);
    bool both = a.x <= a.y && b.x <= b.y;
    return both ? vec2(max(a.x, b.x), min(a.y, b.y)) : vec2(1.0, -1.0);
}
