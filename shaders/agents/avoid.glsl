// The frame of an avoidance method: what an agent knows of itself, its neighbors and the walls
// near it, and where its new velocity goes.
//
// A method includes this file and defines
//
//     vec2 avoid(Self self)
//
// which gives the new velocity in m/s. It moves nothing, and all agents decide by the same frozen
// state. One invocation is one agent; with NESTED, which a method's file sees as a macro, an agent
// is a work group, and the method brings its own main, which calls begin and decide.
//
// A method that can accept most velocities fast (broadPhase in Go) has two passes. With BROAD_PHASE
// it is compiled to define
//
//     bool broadPhase(Self self, out vec2 velocity)
//
// for all agents; avoid is then for those only for which that is false, so that no processor waits
// for the few.
//
// What an agent that is watched chooses among is recorded (agents/choice.glsl).
//
// Reads: bodies, params, guidance, lists of neighbors and walls, walls. Writes:
// guidance[].velocity, the queue, reasons.
// Reference: reference.Situation is what it reads; each method has its own in package
// agents/reference.

#include "include/branch.glsl"
#include <Body>
#include <Guidance>
#include <AvoidanceParams>
#include "include/numbers.glsl"
#include "include/rand.glsl"
#include "include/wallrecords.glsl"
#include "agents/place.glsl"

layout(local_size_x = GROUP_SIZE) in;

// Body, two texels of four words each.
uniform usamplerBuffer spotsOf;

layout(std430) readonly buffer Params { AvoidanceParams params[]; };
layout(std430) buffer GuidanceOf { Guidance guidance[]; };
layout(std430) readonly buffer Neighbors { uint neighbors[]; };
layout(std430) readonly buffer NearWalls { uint nearWalls[]; };

uniform uint count;     // bodies
uniform uint first;     // of this dispatch
uniform uint method;    // the one of this shader, as in AvoidanceParams
uniform uint clock;     // this step
uniform float timestep; // s
uniform uvec2 seed;     // of the run
uniform uint pass;      // the later one of this method

#include "agents/deferred.glsl"
#include "agents/motions.glsl"
#include "agents/reasons.glsl"

Body bodyAt(uint i) {
    uvec4 spot = texelFetch(spotsOf, int(i) * 2);
    uvec4 rest = texelFetch(spotsOf, int(i) * 2 + 1);
    return Body(uintBitsToFloat(spot.xy), uintBitsToFloat(spot.z), spot.w, uintBitsToFloat(rest.xy), uintBitsToFloat(rest.z), rest.w);
}

// The agent that decides.
struct Self {
    uint id;        // its slot in the buffers of agents
    uint step;      // of the run
    vec2 velocity;  // m/s, now
    vec2 preferred; // m/s, what it would choose alone
    vec2 wish;      // m/s, as far as walls allow that
    float left;     // m, to walk
    float radius;   // m
    float maxSpeed; // m/s
    float timestep; // s
    AvoidanceParams params;
};

// An agent near.
struct Neighbor {
    vec2 position; // from the agent, m
    vec2 velocity; // m/s
    float radius;  // m
    uint id;
    bool shares;   // does its part of evading; one that stands, or avoids no others, does not
};

// A straight piece of an obstacle's border, from the agent, m. Free ground is on its left, seen
// from a to b.
struct Wall {
    vec2 a;
    vec2 b;
    vec2 velocity; // m/s, of its point nearest to the agent
};

// Of the agent that this invocation decides for.
uint own = 0u; // body
vec2 ownPlace = vec2(0.0);

uint neighborCount() {
    return neighbors[own];
}

// The neighbor with an index below neighborCount(): the nearest first, of equally near ones the
// one with the lowest id.
Neighbor neighborAt(uint i) {
    Body other = bodyAt(neighbors[(i + 1u) * count + own]);
    return Neighbor(other.position - ownPlace, other.velocity, other.radius, other.id, other.profile != NONE);
}

// What decides about the right of way of a neighbor that shares.
struct Claim {
    vec2 wish;  // m/s, as in Self
    float left; // m, to walk
};

Claim claimOf(Neighbor n) {
    return Claim(guidance[n.id].wish, guidance[n.id].distance);
}

uint wallCount() {
    return nearWalls[own];
}

// How far along a wall, from a to b, its point is that is nearest to the agent: 0 to 1.
float shareToNearest(vec2 a, vec2 b) {
    precise vec2 d = b - a;
    precise float square = d.x * d.x + d.y * d.y;
    precise float along = a.x * d.x + a.y * d.y;
    precise float share = clamp(-along / square, 0.0, 1.0);
    return square > 0.0 ? share : 0.0;
}

// The wall with an index below wallCount(): the nearest first.
Wall wallAt(uint i) {
    uint record = nearWalls[(i + 1u) * count + own];
    ivec4 w = wallRecord(int(record));
    Wall wall = Wall(onGround(w.xy) - ownPlace, onGround(w.zw) - ownPlace, vec2(0.0));
    if (wallsMove) {
        wall.velocity = motionAt(motionOf(record), shareToNearest(wall.a, wall.b));
    }
    return wall;
}

#include "agents/choice.glsl"

// Two random numbers in [0, 1) for an agent, a step and a number, none of which repeats another's.
vec2 randomPair(Self self, uint number) {
    uvec4 words = philox(uvec4(STREAM_AVOID, self.id, self.step, number), seed);
    return vec2(unit(words.x), unit(words.y));
}

// Whether a body is there and avoids others; self is then the agent. The lists are its own
// afterwards.
bool look(uint index, out Self self) {
    own = min(index, count - 1u);
    Body body = bodyAt(own);
    ownPlace = body.position;
    self.params = params[body.profile != NONE ? body.profile : 0u];
    self.id = body.id;
    self.step = clock;
    self.velocity = body.velocity;
    self.preferred = guidance[body.id].preferred;
    self.wish = guidance[body.id].wish;
    self.left = guidance[body.id].distance;
    self.radius = body.radius;
    self.maxSpeed = body.maxSpeed;
    self.timestep = timestep;
    return index < count && body.profile != NONE;
}

// The same for a body that avoids others by this method.
bool begin(uint index, out Self self) {
    bool decides = look(index, self) && self.params.method == method;
#if WATCHED
    ownReasons = reasonsOf(self.id);
#endif
    return decides;
}

// Makes a velocity the agent's new one.
void decide(Self self, vec2 velocity) {
    guidance[self.id].velocity = velocity;
}

// Invocations loop over their one agent once.
#if defined(BROAD_PHASE)
bool broadPhase(Self self, out vec2 velocity);

void main() {
    Self self;
    BRANCH (begin(first + gl_GlobalInvocationID.x, self)) {
        vec2 velocity;
        if (broadPhase(self, velocity)) {
            decide(self, velocity);
        } else {
            queueFor(pass, own);
        }
    }
}
#elif !defined(NESTED)
vec2 avoid(Self self);

void main() {
    Self self;
#if defined(QUEUED)
    uint body = queuedFor(pass);
#else
    uint body = first + gl_GlobalInvocationID.x;
#endif
    BRANCH (begin(body, self)) {
        decide(self, avoid(self));
    }
}
#endif
