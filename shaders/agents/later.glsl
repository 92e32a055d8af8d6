// Passes that are for some bodies only: those that wait in a queue.
// Needs: GROUP_SIZE, and `count` bodies.

// Of each pass a dispatch, which has no work groups until somebody asks, and how many have asked; and who, of two passes at
// a time.
struct Later {
    uint groups;
    uint groupsY;
    uint groupsZ;
    uint bodies;
};
layout(std430, binding = LATER_BINDING) buffer LaterPasses { Later later[]; };
layout(std430, binding = QUEUES_BINDING) buffer Queues { uint queues[]; };

// Has a body wait for a later pass.
void queueFor(uint pass, uint body) {
    uint n = atomicAdd(later[pass].bodies, 1u);
    if (n % GROUP_SIZE == 0u) {
        atomicMax(later[pass].groups, n / GROUP_SIZE + 1u);
    }
    queues[(pass & 1u) * count + n] = body;
}

uniform uvec2 portion; // of the queue that a dispatch is for: from .x up to, not including, .y

// The body that an invocation of a later pass is for, or NONE.
uint queuedFor(uint pass) {
    uint n = gl_GlobalInvocationID.x;
    return n >= portion.x && n < min(portion.y, later[pass].bodies) ? queues[(pass & 1u) * count + n] : NONE;
}
