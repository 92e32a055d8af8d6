// Deferred passes: passes that are for some bodies only, which the passes before them have put into
// a queue.
// Needs: GROUP_SIZE, and `count` bodies.

// Of each deferred pass the dispatch, which has no work groups while the queue is empty, and the
// length of the queue. There are two queues, for passes of even and of odd numbers.
struct Deferred {
    uint groups;
    uint groupsY;
    uint groupsZ;
    uint bodies;
};
layout(std430) buffer DeferredPasses { Deferred deferred[]; };
layout(std430) buffer Queues { uint queues[]; };

// Puts a body into the queue of a deferred pass.
void queueFor(uint pass, uint body) {
    uint n = atomicAdd(deferred[pass].bodies, 1u);
    if (n % GROUP_SIZE == 0u) {
        atomicMax(deferred[pass].groups, n / GROUP_SIZE + 1u);
    }
    queues[(pass & 1u) * count + n] = body;
}

uniform uvec2 portion; // of the queue that a dispatch is for: from .x up to, not including, .y

// The body that an invocation of a deferred pass is for, or NONE.
uint queuedFor(uint pass) {
    uint n = gl_GlobalInvocationID.x;
    return n >= portion.x && n < min(portion.y, deferred[pass].bodies) ? queues[(pass & 1u) * count + n] : NONE;
}
